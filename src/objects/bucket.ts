/**
 * R2 as the objects use it: immutable byte ranges with size and checksum, verified on both ways.
 *
 * Every failure is ServiceError storage_unavailable, so that callers need no list of what R2 may throw. Wrong bytes are a failure, too:
 * BucketError says which, for the log.
 */
import { ServiceError } from "../interface/index.ts";
import { decodeManifest, type ShardManifest } from "./manifest.ts";
import { manifestKey } from "./names.ts";
import type { StoredObject } from "./protocol.ts";

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Puts and has R2 compare the checksum: what answers is stored as it was sent. */
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
  return { key, sizeBytes: bytes.byteLength, checksum };
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

/** Bytes [start, end) of an object. Not covered by its checksum. */
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
  let cursor: string | undefined;
  do {
    const options: R2ListOptions = cursor === undefined ? { prefix } : { prefix, cursor };
    const page = await guarded(`list ${prefix}`, () => bucket.list(options));
    for (const object of page.objects)
      yield { key: object.key, uploadedMs: object.uploaded.getTime() };
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

function unavailable(reason: string): ServiceError {
  console.error(JSON.stringify({ event: "storage_unavailable", reason }));
  return new ServiceError(
    "storage_unavailable",
    "Durable storage did not take or give the data; retry.",
  );
}
