/** Request bodies: JSON whatever Content-Type says, never more than the limit, decoded strictly. */
import { LIMITS, ServiceError } from "../interface/index.ts";

/** Limits that bound a body. */
type BodyLimit =
  | "importBodyBytes"
  | "updateBodyBytes"
  | "searchBodyBytes"
  | "sessionBodyBytes"
  | "configurationBytes";

function bodyTooLarge(limit: BodyLimit | "importBufferBytes"): ServiceError {
  const { value, beyond } = LIMITS[limit];
  return new ServiceError("body_too_large", `The body is larger than ${value} bytes (${beyond}).`, {
    details: { limit, value },
  });
}

/**
 * The chunks of a body; throws 413 once more than the limit has come, or at once when Content-Length says so.
 *
 * When the consumer gives up in the middle, the rest is read and dropped before its error goes on: a client that is
 * still sending would otherwise lose the connection and never see the answer that says what is wrong. Of a client that
 * has stopped sending (408 request_timeout) nothing more is read.
 */
export async function* bodyChunks(
  request: Request,
  limit: BodyLimit,
): AsyncGenerator<Uint8Array, void, void> {
  const maxBytes = LIMITS[limit].value;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw bodyTooLarge(limit);
  if (request.body === null) return;
  const reader = readerOf(request.body as ReadableStream<Uint8Array>);
  let seenBytes = 0;
  let finished = false;
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), () => (finished = true));
      finished = done;
      if (done) return;
      seenBytes += value.length;
      if (seenBytes > maxBytes) throw bodyTooLarge(limit);
      yield value;
    }
  } finally {
    if (!finished) await drain(reader, LIMITS.importBodyBytes.value);
  }
}

/** Throws 408 request_timeout when the read takes too long. */
async function within<T>(read: Promise<T>, whenLate?: () => void): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    whenLate?.();
    reject(tooSlow());
  }, LIMITS.uploadStallMs.value);
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
    // Where the read is late, what becomes of it is of interest to nobody.
    read.catch(() => null);
  }
}

function tooSlow(): ServiceError {
  const { value } = LIMITS.uploadStallMs;
  return new ServiceError(
    "request_timeout",
    `Less than ${CHUNK_BYTES} bytes of the body have come within ${value / 1_000} seconds.`,
    { details: { limit: "uploadStallMs", value } },
  );
}

interface ChunkReader {
  read(): Promise<ReadableStreamReadResult<Uint8Array>>;
}

/**
 * workerd gives 4 KB at a time to whoever brings no buffer; each read leaves objects behind that the next collection
 * of garbage destroys one by one, in one stop. A stream that JavaScript makes may take no buffers.
 */
const CHUNK_BYTES = 65_536;

function readerOf(body: ReadableStream<Uint8Array>): ChunkReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: "byob" });
  } catch {
    return body.getReader();
  }
  return { read: () => reader.readAtLeast(CHUNK_BYTES, new Uint8Array(CHUNK_BYTES)) };
}

/** A body larger than the largest we would take is not worth reading to its end. */
async function drain(reader: ChunkReader, maxBytes: number): Promise<void> {
  let droppedBytes = 0;
  try {
    while (droppedBytes < maxBytes) {
      const { done, value } = await within(reader.read());
      if (done) return;
      droppedBytes += value.length;
    }
  } catch {
    // The client is gone; there is an error on its way to nobody already.
  }
}

/**
 * A body that says it is at most this long is read in one go: most updates are, and reading chunk by chunk costs more
 * than the rest.
 */
const SMALL_BYTES = 262_144;

export async function bodyBytes(request: Request, limit: BodyLimit): Promise<Uint8Array> {
  const length = Number(request.headers.get("content-length") ?? NaN);
  // HTTP holds the client to what it has announced.
  if (length <= Math.min(SMALL_BYTES, LIMITS[limit].value)) {
    return new Uint8Array(await request.arrayBuffer());
  }
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of bodyChunks(request, limit)) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
  }
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const bytes = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** UTF-8 without its byte order mark; 400 when it is none. */
export async function bodyText(request: Request, limit: BodyLimit): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(
      await bodyBytes(request, limit),
    );
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError("bad_request", "The body is not UTF-8.");
  }
}

export async function bodyJson(request: Request, limit: BodyLimit): Promise<unknown> {
  const text = await bodyText(request, limit);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason =
      text.trim() === "" ? "it is empty" : error instanceof Error ? error.message : String(error);
    throw new ServiceError("bad_request", `The body is not JSON: ${reason}.`);
  }
}
