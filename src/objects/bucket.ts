/**
 * Access to R2: immutable byte ranges with size and checksum, verified when written and read.
 *
 * Every failure is ServiceError storage_unavailable, so callers need not know what R2 may throw. Wrong bytes are also a
 * failure; BucketError names them in the log.
 */
import { release, wholeBytes, type CopyableBytes } from "../index-engine/base/index.ts";
import { ServiceError } from "../interface/index.ts";
import { decodeManifest, type ShardManifest } from "./manifest.ts";
import { manifestKey } from "./names.ts";
import { Pause } from "./pause.ts";
import type { StoredObject } from "./protocol/index.ts";

/** Bytes that are hashed or sent at once: two or three milliseconds. */
const PIECE_BYTES = 524_288;
/** Size of hashing one such part for Pause: a pause after each. */
const PIECE_COUNTS = 32_768;

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes.byteLength > PIECE_BYTES) return sha256OfPieces(wholeBytes(bytes));
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Lets other requests run in between. */
async function sha256OfPieces(bytes: CopyableBytes): Promise<string> {
  const stream = new crypto.DigestStream("SHA-256");
  await writePieces(stream.getWriter(), bytes, new Pause("send"));
  return hex(new Uint8Array(await stream.digest));
}

/** Sent parts are released at once, because collections depend on the memory in use (base/bytes.ts). */
async function writePieces(
  writer: WritableStreamDefaultWriter,
  bytes: CopyableBytes,
  pause: Pause | null,
): Promise<void> {
  for (let start = 0; start < bytes.sizeBytes; start += PIECE_BYTES) {
    const piece = bytes.copy(start, start + PIECE_BYTES);
    await writer.write(piece);
    release(piece);
    pause?.skip();
    await pause?.after(PIECE_COUNTS);
  }
  await writer.close();
}

function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/**
 * Puts an object, lets R2 verify the checksum, and then checks the stored object. Callers delete their own copy after
 * this, so an acknowledgement alone is not enough. Throws storage_unavailable; the object may exist anyway, complete or
 * not.
 */
export async function putObject(bucket: R2Bucket, key: string, bytes: Uint8Array<ArrayBuffer>): Promise<StoredObject> {
  const object = { key, sizeBytes: bytes.byteLength, checksum: await sha256(bytes) };
  await put(bucket, object, bytes);
  await checkObject(bucket, object);
  return object;
}

/** The same for bytes in several ranges; large ones are streamed. */
export async function putPieces(bucket: R2Bucket, key: string, bytes: CopyableBytes): Promise<StoredObject> {
  const { sizeBytes } = bytes;
  if (sizeBytes <= PIECE_BYTES) {
    const whole = bytes.copy(0, sizeBytes);
    return putObject(bucket, key, whole).finally(() => {
      release(whole);
    });
  }
  const object = { key, sizeBytes, checksum: await sha256OfPieces(bytes) };
  const { readable, writable } = new FixedLengthStream(sizeBytes);
  const writer = writable.getWriter();
  // The runtime pulls the parts, so no pauses are needed. If writing fails, so does the put, which reports the reason
  // and would otherwise wait forever.
  const sending = writePieces(writer, bytes, null)
    .catch((error: unknown) => writer.abort(error))
    .catch(() => undefined);
  try {
    await put(bucket, object, readable);
    await sending;
  } catch (error) {
    // The reader is gone.
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
  await checkObject(bucket, object);
  return object;
}

async function put(
  bucket: R2Bucket,
  { key, sizeBytes, checksum }: StoredObject,
  body: Uint8Array<ArrayBuffer> | ReadableStream,
): Promise<void> {
  const stored = await guarded(`put ${key}`, () => bucket.put(key, body, { sha256: checksum }));
  if (stored === null || stored.size !== sizeBytes) throw unavailable(`put ${key}: not stored whole`);
}

/** Checks size and checksum of an object by its metadata, without reading it. */
export async function checkObject(bucket: R2Bucket, object: StoredObject): Promise<void> {
  const { key, sizeBytes, checksum } = object;
  const found = await guarded(`head ${key}`, () => bucket.head(key));
  if (found === null) throw unavailable(`head ${key}: missing`);
  const stored = found.checksums.sha256;
  const isSame = stored !== undefined && hex(new Uint8Array(stored)) === checksum;
  if (found.size !== sizeBytes || !isSame) {
    throw unavailable(`head ${key}: ${found.size} other bytes instead of ${sizeBytes}`);
  }
}

/** Null: missing. */
function get(bucket: R2Bucket, key: string, options: R2GetOptions = {}): Promise<Uint8Array<ArrayBuffer> | null> {
  return guarded(`get ${key}`, async () => {
    const body = await bucket.get(key, options);
    return body === null ? null : new Uint8Array(await body.arrayBuffer());
  });
}

/** Reads a whole object and verifies size and checksum. */
export async function getObject(bucket: R2Bucket, object: StoredObject): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await get(bucket, object.key);
  if (bytes === null) throw unavailable(`get ${object.key}: missing`);
  if (bytes.byteLength !== object.sizeBytes) {
    throw unavailable(`get ${object.key}: ${bytes.byteLength} bytes instead of ${object.sizeBytes}`);
  }
  if ((await sha256(bytes)) !== object.checksum) throw unavailable(`get ${object.key}: wrong checksum`);
  return bytes;
}

/**
 * Reads bytes [start, end) of an object. The checksum does not cover them; the caller must verify them.
 */
export async function getRange(
  bucket: R2Bucket,
  key: string,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await get(bucket, key, { range: { offset: start, length: end - start } });
  if (bytes === null || bytes.byteLength !== end - start) {
    throw unavailable(`get ${key}: bytes ${start} to ${end} are missing`);
  }
  return bytes;
}

/** The last manifest of a shard. */
export async function readManifest(bucket: R2Bucket, shard: string): Promise<ShardManifest> {
  const key = manifestKey(shard);
  const bytes = await get(bucket, key);
  if (bytes === null) throw unavailable(`get ${key}: missing`);
  try {
    return decodeManifest(bytes);
  } catch (error) {
    throw unavailable(`get ${key}: ${String(error)}`);
  }
}

/** An object in a list; `checksum` is empty for one without. */
interface ListedObject extends StoredObject {
  readonly uploadedMs: number;
}

/** Puts a manifest (`bytes`: encoded), after everything it names, and verifies it by reading it back. */
export async function putManifest(
  bucket: R2Bucket,
  manifest: ShardManifest,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<StoredObject> {
  const { shard, writtenAtMs, logPosition, segments } = manifest;
  const stored = await putObject(bucket, manifestKey(shard), bytes);
  const read = await readManifest(bucket, shard);
  const isSame = read.writtenAtMs === writtenAtMs && read.logPosition === logPosition;
  if (isSame && read.segments.length === segments.length) return stored;
  throw new ServiceError("storage_unavailable", "The manifest in storage differs from what was written; retry.");
}

/** All objects under `prefix`. */
export async function* listObjects(bucket: R2Bucket, prefix: string): AsyncGenerator<ListedObject> {
  let cursor: string | undefined;
  do {
    const options: R2ListOptions = cursor === undefined ? { prefix } : { prefix, cursor };
    const page = await guarded(`list ${prefix}`, () => bucket.list(options));
    for (const { key, size: sizeBytes, checksums, uploaded } of page.objects) {
      const checksum = checksums.sha256 === undefined ? "" : hex(new Uint8Array(checksums.sha256));
      yield { key, sizeBytes, checksum, uploadedMs: uploaded.getTime() };
    }
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
}

/** R2 accepts at most 1,000 keys per call. */
const KEYS_PER_DELETE = 1000;

export async function deleteObjects(bucket: R2Bucket, keys: readonly string[]): Promise<void> {
  for (let i = 0; i < keys.length; i += KEYS_PER_DELETE) {
    const some = keys.slice(i, i + KEYS_PER_DELETE);
    await guarded(`delete ${some.length} keys`, () => bucket.delete(some));
  }
}

async function guarded<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw unavailable(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Logs the reason; the answer only says that the request can be repeated. */
export function unavailable(reason: string): ServiceError {
  console.error(JSON.stringify({ event: "storage_unavailable", reason }));
  return new ServiceError("storage_unavailable", "Durable storage could not read or write the data; retry.");
}
