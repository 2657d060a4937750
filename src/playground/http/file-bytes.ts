/**
 * Streams and counts the bytes of a file; decompresses gzip, which is detected by its first two
 * bytes.
 */
import { FileError } from "../logic/documents.ts";

export async function* fileBytes(file: File, onRead: (readBytes: number) => void): AsyncGenerator<Uint8Array> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = head[0] === 0x1f && head[1] === 0x8b;
  let readBytes = 0;
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        readBytes += chunk.byteLength;
        onRead(readBytes);
        controller.enqueue(chunk);
      },
    }),
  );
  const bytes = isPacked ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  const reader = bytes.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new FileError(isPacked ? "The gzip data is damaged." : "The file cannot be read.");
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
