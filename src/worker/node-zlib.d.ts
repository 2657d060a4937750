/** What is used of it (gunzip.ts). All types of Node would bring globals that a Worker does not have. */
declare module "node:zlib" {
  interface Gunzip extends AsyncIterable<Uint8Array> {
    /** `done` is called when what the chunk unpacks to was read; perhaps never if the stream is destroyed. */
    write(chunk: Uint8Array, done: () => void): boolean;
    once(event: "close", listener: () => void): void;
    end(): void;
    destroy(error?: Error): void;
  }
  export function createGunzip(options: { readonly chunkSize: number }): Gunzip;
}
