/** A chosen file as text, piece by piece: unpacked where it is gzip (by its first two bytes), and counted. */
import { FileError } from "../logic/documents.ts";

export async function* fileText(
  file: File,
  onRead: (readBytes: number) => void,
): AsyncGenerator<string> {
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
  const reader = bytes.pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new FileError(
      isPacked
        ? "The gzip data is damaged, or what is in it is not UTF-8."
        : "The text is not UTF-8.",
    );
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
