/**
 * Unpacks gzip while it arrives. The runtime's zlib makes a piece when the one before it was taken (its
 * DecompressionStream does not wait, and makes 64 MB of 65 KB that nobody reads).
 */
import { createGunzip, type Gunzip } from "node:zlib";
import { ServiceError } from "../interface/index.ts";

const PIECE_BYTES = 65_536;

/** Throws 400 bad_request unless all of it arrives undamaged, and what `received` throws. */
export async function* gunzipped(
  received: AsyncGenerator<Uint8Array, void, void>,
): AsyncGenerator<Uint8Array, void, void> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  const fed = feed(gunzip, received).catch((error: unknown) => {
    gunzip.destroy();
    throw error;
  });
  // It is awaited below.
  fed.catch(() => {});
  try {
    for await (const piece of gunzip) yield piece;
  } catch (error) {
    if (!isOfZlib(error)) throw error;
    const message = `The body has the Content-Encoding gzip, but cannot be unpacked: ${error.message}.`;
    throw new ServiceError("bad_request", message);
  } finally {
    // The rest of a body is dropped before the answer (body.ts). An error of what is received comes before others.
    await fed;
  }
}

/** Ends early when the stream is destroyed: by its error, or because nobody reads on. */
async function feed(gunzip: Gunzip, received: AsyncGenerator<Uint8Array, void, void>): Promise<void> {
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    gunzip.once("close", () => {
      isClosed = true;
      resolve();
    });
  });
  for await (const chunk of received) {
    const written = new Promise<void>((resolve) => {
      gunzip.write(chunk, () => resolve());
    });
    await Promise.race([written, closed]);
    if (isClosed) return;
  }
  gunzip.end();
}

function isOfZlib(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");
}
