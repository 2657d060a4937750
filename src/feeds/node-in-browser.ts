/**
 * What csv-parse needs of Node, for a browser: a stream to write texts to, and bytes that can be copied and read as
 * UTF-8. Its own build for browsers brings a third of the size of all readers along for that.
 *
 * scripts/build-pages.ts puts these in the place of `stream` and of the global `Buffer`.
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

class Bytes extends Uint8Array {
  /** As many bytes as there is room for. */
  copy(to: Uint8Array, at = 0, start = 0, end = this.length): number {
    const part = this.subarray(start, Math.min(end, start + to.length - at));
    to.set(part, at);
    return part.length;
  }

  equals(other: unknown): boolean {
    return other instanceof Uint8Array && compare(this, other) === 0;
  }

  override toString(_encoding?: string, start = 0, end = this.length): string {
    return decoder.decode(this.subarray(start, end));
  }
}

function compare(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(one.length - other.length);
}

/** UTF-8 is the only encoding. */
export const Buffer = {
  from: (content: string | ArrayLike<number>): Bytes =>
    new Bytes(typeof content === "string" ? encoder.encode(content) : content),
  allocUnsafe: (sizeBytes: number): Bytes => new Bytes(sizeBytes),
  concat: (parts: readonly Uint8Array[]): Bytes => {
    const whole = new Bytes(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  },
  isBuffer: (value: unknown): boolean => value instanceof Bytes,
  compare,
};

type Done = (error?: Error) => void;
type Listener = (value: unknown) => void;

/** Passes on at once what it makes of a text: nothing waits in it. */
export abstract class Transform {
  readonly #listeners = new Map<string, Listener[]>();

  protected abstract _transform(bytes: Bytes, encoding: string, done: Done): void;
  protected abstract _flush(done: Done): void;

  on(event: string, listener: Listener): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
    return this;
  }

  emit(event: string, value?: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value);
  }

  push(value: unknown): void {
    this.emit("data", value);
  }

  write(text: string, written: () => void): void {
    this._transform(Buffer.from(text), "utf8", (error) => {
      if (error === undefined) written();
      else this.emit("error", error);
    });
  }

  end(): void {
    this._flush((error) => {
      if (error === undefined) this.emit("end");
      else this.emit("error", error);
    });
  }
}
