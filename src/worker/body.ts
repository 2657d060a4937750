/** Reads request bodies: JSON for any Content-Type, as it is or gzipped, within the limit, strictly decoded. */
import { LIMITS, ServiceError } from "../interface/index.ts";
import { Pause } from "../objects/index.ts";
import { BodyClaim } from "./body-memory.ts";
import { gunzipped } from "./gunzip.ts";

/** Limits that bound a body. */
type BodyLimit = "importBodyBytes" | "updateBodyBytes" | "searchBodyBytes" | "sessionBodyBytes" | "configurationBytes";

function bodyTooLarge(limit: BodyLimit | "importBufferBytes"): ServiceError {
  const { value, beyond } = LIMITS[limit];
  return new ServiceError("body_too_large", `The body is larger than ${value} bytes (${beyond}).`, {
    details: { limit, value },
  });
}

/**
 * The chunks of a body, unpacked. Throws 413 if they are more than the limit, 400 if they cannot be unpacked. A few
 * received bytes may be many chunks, with no turn of the event loop between them, so the reader must pause.
 */
export async function* bodyChunks(request: Request, limit: BodyLimit): AsyncGenerator<Uint8Array, void, void> {
  const isPacked = isGzipped(request);
  const received = receivedChunks(request, limit);
  yield* isPacked ? unpacked(received, limit) : received;
}

/**
 * The chunks of a body as it was sent. Throws 413 once the limit is exceeded, or immediately by Content-Length.
 *
 * If the consumer fails, the rest is read and dropped before its error is thrown: otherwise a client that is
 * still sending would lose the connection and never see the error answer. If a client
 * has stopped sending (408 request_timeout), nothing more is read.
 */
async function* receivedChunks(request: Request, limit: BodyLimit): AsyncGenerator<Uint8Array, void, void> {
  const maxBytes = LIMITS[limit].value;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw bodyTooLarge(limit);
  if (request.body === null) return;
  const reader = chunkReader(request.body as ReadableStream<Uint8Array>);
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

/** The limit holds for what is unpacked: a few kilobytes can become gigabytes. */
async function* unpacked(
  received: AsyncGenerator<Uint8Array, void, void>,
  limit: BodyLimit,
): AsyncGenerator<Uint8Array, void, void> {
  let seenBytes = 0;
  for await (const piece of gunzipped(received)) {
    seenBytes += piece.length;
    if (seenBytes > LIMITS[limit].value) throw bodyTooLarge(limit);
    yield piece;
  }
}

/** Throws 400 bad_request for other encodings. */
function isGzipped({ headers }: Request): boolean {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding === "gzip" || encoding === "x-gzip") return true;
  if (encoding === "" || encoding === "identity") return false;
  const message = `The body has the Content-Encoding ${encoding}. Send it with gzip, or uncompressed.`;
  throw new ServiceError("bad_request", message);
}

/** Throws 408 request_timeout if the read takes too long, 400 bad_request if the body is cut off. */
async function within<T>(read: Promise<T>, whenLate?: () => void): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    whenLate?.();
    reject(tooSlow());
  }, LIMITS.uploadStallMs.value);
  try {
    return await Promise.race([read, late]);
  } catch (error) {
    // The runtime takes a client that has gone for an object that was interrupted (objects/calls.ts).
    throw error instanceof ServiceError ? error : cutOff();
  } finally {
    clearTimeout(timer);
    // The result of a late read is ignored.
    read.catch(() => null);
  }
}

function cutOff(): ServiceError {
  return new ServiceError("bad_request", "The body was cut off; nothing was changed.");
}

function tooSlow(): ServiceError {
  const { value } = LIMITS.uploadStallMs;
  return new ServiceError(
    "request_timeout",
    `Less than ${CHUNK_BYTES} bytes of the body arrived within ${value / 1_000} seconds.`,
    { details: { limit: "uploadStallMs", value } },
  );
}

interface ChunkReader {
  read(): Promise<ReadableStreamReadResult<Uint8Array>>;
  cancel(): Promise<void>;
}

/**
 * Without a buffer workerd reads 4 KB at a time, and each read leaves objects that the next garbage collection
 * destroys one by one in one pause. Streams created by JavaScript may not accept buffers.
 */
const CHUNK_BYTES = 65_536;

export function chunkReader(body: ReadableStream<Uint8Array>): ChunkReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: "byob" });
  } catch {
    return body.getReader();
  }
  return {
    read: () => reader.readAtLeast(CHUNK_BYTES, new Uint8Array(CHUNK_BYTES)),
    cancel: () => reader.cancel(),
  };
}

/** Reads and drops the rest, unless the body is larger than the largest limit. */
async function drain(reader: ChunkReader, maxBytes: number): Promise<void> {
  let droppedBytes = 0;
  try {
    while (droppedBytes < maxBytes) {
      const { done, value } = await within(reader.read());
      if (done) return;
      droppedBytes += value.length;
    }
  } catch {
    // The client is gone; the original error is thrown anyway.
  }
}

/**
 * A body with at most this Content-Length is read at once, as most updates are: reading chunk by chunk costs more
 * than everything else.
 */
const SMALL_BYTES = 262_144;
/** Limit of small bodies that are being read at once; further ones are read like large ones. */
const MOST_SMALL_BYTES = 8_388_608;
let smallBytes = 0;

/** The cost of receiving or unpacking a byte, as Pause counts. */
export const RECEIVED_SHARE = 1 / 16;

/** The memory of larger and of gzipped ones, and of too many small ones, is limited: body-memory.ts. */
export async function bodyBytes(request: Request, limit: BodyLimit): Promise<Uint8Array> {
  const length = Number(request.headers.get("content-length") ?? NaN);
  const isPacked = isGzipped(request);
  // HTTP enforces the announced length.
  if (!isPacked && length <= Math.min(SMALL_BYTES, LIMITS[limit].value) && smallBytes + length <= MOST_SMALL_BYTES) {
    smallBytes += length;
    try {
      return new Uint8Array(await within(request.arrayBuffer()));
    } finally {
      smallBytes -= length;
    }
  }
  const claim = BodyClaim.of(request);
  const pause = new Pause("update");
  for await (const chunk of pause.over(bodyChunks(request, limit))) {
    claim.add(chunk);
    await pause.after(chunk.length * RECEIVED_SHARE);
  }
  return claim.whole();
}

/** UTF-8 without byte order mark; 400 if it is not UTF-8. */
export async function bodyText(request: Request, limit: BodyLimit): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(await bodyBytes(request, limit));
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
    const reason = text.trim() === "" ? "it is empty" : error instanceof Error ? error.message : String(error);
    throw new ServiceError("bad_request", `The body is not JSON: ${reason}.`);
  }
}
