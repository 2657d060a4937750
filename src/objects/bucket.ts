/**
 * R2 as the objects use it: immutable byte ranges with size and checksum, verified on both ways.
 *
 * Every failure is ServiceError storage_unavailable, so that callers need no list of what R2 may throw. Wrong bytes
 * are a failure, too: BucketError says which, for the log.
 */
import { release, wholeBytes, type CopyableBytes } from "../index-engine/base/index.ts";
import { ServiceError } from "../interface/index.ts";
import { decodeManifest, type ShardManifest } from "./manifest.ts";
import { manifestKey } from "./names.ts";
import { Pause } from "./pause.ts";
import type { StoredObject } from "./protocol/index.ts";

/** Hashed or sent in one go: two or three milliseconds. */
const PIECE_BYTES = 524_288;
/** What Pause counts for such a piece that is hashed: there is one between all of them. */
const PIECE_COUNTS = 32_768;

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes.byteLength > PIECE_BYTES) return sha256OfPieces(wholeBytes(bytes));
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** So that others get in between. */
async function sha256OfPieces(bytes: CopyableBytes): Promise<string> {
  const stream = new crypto.DigestStream("SHA-256");
  await writePieces(stream.getWriter(), bytes, new Pause("send"));
  return hex(new Uint8Array(await stream.digest));
}

/** A piece that was taken is given back at once: collections come by how much there is (base/bytes.ts). */
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
 * Puts, has R2 compare the checksum, and looks at what lies there then: others will forget their copy on the strength
 * of this, so an acknowledgement alone is not enough. Throws storage_unavailable; the object may exist all the same,
 * whole or not.
 */
export async function putObject(
  bucket: R2Bucket,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<StoredObject> {
  const checksum = await sha256(bytes);
  const stored = await guarded(`put ${key}`, () => bucket.put(key, bytes, { sha256: checksum }));
  if (stored === null || stored.size !== bytes.byteLength) {
    throw unavailable(`put ${key}: not stored whole`);
  }
  const object = { key, sizeBytes: bytes.byteLength, checksum };
  await checkObject(bucket, object);
  return object;
}

/** The same of bytes that need not lie in one range: large ones are sent piece by piece. */
export async function putPieces(
  bucket: R2Bucket,
  key: string,
  bytes: CopyableBytes,
): Promise<StoredObject> {
  const { sizeBytes } = bytes;
  if (sizeBytes <= PIECE_BYTES) {
    const whole = bytes.copy(0, sizeBytes);
    return putObject(bucket, key, whole).finally(() => {
      release(whole);
    });
  }
  const checksum = await sha256OfPieces(bytes);
  const { readable, writable } = new FixedLengthStream(sizeBytes);
  const writer = writable.getWriter();
  // A piece is taken when the runtime asks for it: no need of a pause. Fails where the put fails, which says why; and
  // the put would wait for what cannot be sent.
  const sending = writePieces(writer, bytes, null)
    .catch((error: unknown) => writer.abort(error))
    .catch(() => undefined);
  try {
    const stored = await guarded(`put ${key}`, () =>
      bucket.put(key, readable, { sha256: checksum }),
    );
    if (stored === null || stored.size !== sizeBytes) {
      throw unavailable(`put ${key}: not stored whole`);
    }
    await sending;
  } catch (error) {
    // Nobody reads any more.
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
  const object = { key, sizeBytes, checksum };
  await checkObject(bucket, object);
  return object;
}

/** That the object lies there with this size and checksum, as far as R2 says so without reading it. */
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

/** The whole object; compared with its size and checksum. */
export async function getObject(
  bucket: R2Bucket,
  object: StoredObject,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await guarded(`get ${object.key}`, async () => {
    const body = await bucket.get(object.key);
    return body === null ? null : new Uint8Array(await body.arrayBuffer());
  });
  if (bytes === null) throw unavailable(`get ${object.key}: missing`);
  if (bytes.byteLength !== object.sizeBytes) {
    throw unavailable(
      `get ${object.key}: ${bytes.byteLength} bytes instead of ${object.sizeBytes}`,
    );
  }
  if ((await sha256(bytes)) !== object.checksum)
    throw unavailable(`get ${object.key}: wrong checksum`);
  return bytes;
}

/**
 * Bytes [start, end) of an object. Not covered by its checksum: the caller has to know whether they are the right
 * ones.
 */
export async function getRange(
  bucket: R2Bucket,
  key: string,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await guarded(`get ${key}`, async () => {
    const body = await bucket.get(key, { range: { offset: start, length: end - start } });
    return body === null ? null : new Uint8Array(await body.arrayBuffer());
  });
  if (bytes === null || bytes.byteLength !== end - start) {
    throw unavailable(`get ${key}: bytes ${start} to ${end} are missing`);
  }
  return bytes;
}

/** The manifest a shard wrote last. */
export async function readManifest(bucket: R2Bucket, shard: string): Promise<ShardManifest> {
  const key = manifestKey(shard);
  const bytes = await guarded(`get ${key}`, async () => {
    const body = await bucket.get(key);
    return body === null ? null : new Uint8Array(await body.arrayBuffer());
  });
  if (bytes === null) throw unavailable(`get ${key}: missing`);
  try {
    return decodeManifest(bytes);
  } catch (error) {
    throw unavailable(`get ${key}: ${String(error)}`);
  }
}

/** Every key under `prefix` with the time it was put. */
export async function* listObjects(
  bucket: R2Bucket,
  prefix: string,
): AsyncGenerator<{ readonly key: string; readonly uploadedMs: number }> {
  for await (const { key, uploaded } of listAll(bucket, prefix)) {
    yield { key, uploadedMs: uploaded.getTime() };
  }
}

/** Every object under `prefix`, as R2 has it; `checksum` empty where it was put without. */
export async function* listStored(bucket: R2Bucket, prefix: string): AsyncGenerator<StoredObject> {
  for await (const { key, size, checksums } of listAll(bucket, prefix)) {
    const { sha256: checksum } = checksums;
    yield {
      key,
      sizeBytes: size,
      checksum: checksum === undefined ? "" : hex(new Uint8Array(checksum)),
    };
  }
}

async function* listAll(bucket: R2Bucket, prefix: string): AsyncGenerator<R2Object> {
  let cursor: string | undefined;
  do {
    const options: R2ListOptions = cursor === undefined ? { prefix } : { prefix, cursor };
    const page = await guarded(`list ${prefix}`, () => bucket.list(options));
    yield* page.objects;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
}

/** R2 takes at most 1,000 keys per call. */
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

/** Logs the reason; the answer says only that it can be tried again. */
export function unavailable(reason: string): ServiceError {
  console.error(JSON.stringify({ event: "storage_unavailable", reason }));
  return new ServiceError(
    "storage_unavailable",
    "Durable storage did not take or give the data; retry.",
  );
}
