/**
 * A file, an address or standard input as a stream of bytes: opened, counted, unpacked where it is gzip (by its first
 * two bytes, not by its name).
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { InputError } from "./failures.ts";

/** How far reading has come, in bytes of the file itself (packed bytes for gzip). */
export interface ReadPosition {
  readBytes: number;
  /** Null for a stream whose end is not known. */
  readonly totalBytes: number | null;
}

export interface Source {
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
  readonly position: ReadPosition;
}

/** What tells one state of a file or address from the next; sent back to ask whether it has changed. */
export interface SourceVersion {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface OpenedSource extends Source {
  /** Null where nothing tells: then it is always taken as new. */
  readonly version: SourceVersion | null;
}

/** An address may be slow to begin (feeds are often made when they are asked for), but not for ever. */
const FETCH_TIMEOUT_MS = 120_000;

export function isAddress(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

/** @returns null where it is still the `known` one */
export async function openSource(
  location: string,
  standardInput: AsyncIterable<Buffer>,
  known: SourceVersion | null = null,
): Promise<OpenedSource | null> {
  if (location === "-") {
    return { ...counted("standard input", standardInput, null), version: null };
  }
  return isAddress(location) ? await openAddress(location, known) : await openFile(location, known);
}

async function openFile(path: string, known: SourceVersion | null): Promise<OpenedSource | null> {
  let version: SourceVersion;
  let totalBytes: number;
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new InputError(`${path} is a directory, not a file`);
    totalBytes = found.size;
    version = { etag: `${found.size}`, lastModified: `${found.mtimeMs}` };
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw unreadable(path, error);
  }
  if (known?.etag === version.etag && known.lastModified === version.lastModified) return null;
  const stream = createReadStream(path, { highWaterMark: 256 * 1024 });
  return { ...counted(path, stream, totalBytes), version };
}

async function openAddress(location: string, known: SourceVersion | null): Promise<OpenedSource | null> {
  const url = new URL(location);
  const headers = new Headers({ accept: "*/*" });
  if (url.username !== "") {
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.set("authorization", `Basic ${Buffer.from(user).toString("base64")}`);
    url.username = "";
    url.password = "";
  }
  if (known?.etag != null) headers.set("if-none-match", known.etag);
  if (known?.lastModified != null) headers.set("if-modified-since", known.lastModified);
  const name = url.href;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), FETCH_TIMEOUT_MS);
  let response: Response;
  try {
    response = await fetch(url, { headers, signal: late.signal });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = late.signal.aborted ? "no answer in time" : String(cause instanceof Error ? cause.message : cause);
    throw new InputError(`cannot read ${name}: ${reason}`);
  } finally {
    clearTimeout(timer);
  }
  if (response.status === 304) return null;
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new InputError(`cannot read ${name}: it answers with status ${response.status}`);
  }
  // Of a packed transfer the length is not that of what is read.
  const length = response.headers.has("content-encoding") ? null : response.headers.get("content-length");
  const etag = response.headers.get("etag");
  const lastModified = response.headers.get("last-modified");
  return {
    ...counted(name, chunksOf(response.body), length === null ? null : Number(length)),
    version: etag === null && lastModified === null ? null : { etag, lastModified },
  };
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of body) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function counted(name: string, stream: AsyncIterable<Buffer>, totalBytes: number | null): Source {
  const position: ReadPosition = { readBytes: 0, totalBytes };
  async function* bytes(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of stream) {
        position.readBytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw unreadable(name, error);
    }
  }
  return { name, bytes: bytes(), position };
}

function unreadable(name: string, error: unknown): InputError {
  const code = errorCode(error);
  if (code === "ENOENT") return new InputError(`there is no file ${name}`);
  if (code === "EACCES" || code === "EPERM") return new InputError(`no permission to read ${name}`);
  return new InputError(`cannot read ${name}: ${error instanceof Error ? error.message : String(error)}`);
}

function errorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

export async function* unpacked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = bytes[Symbol.asyncIterator]();
  // Two bytes tell gzip from text; a pipe may deliver them one by one.
  let head: Buffer = Buffer.alloc(0);
  let ended = false;
  while (head.length < 2 && !ended) {
    const next = await iterator.next();
    if (next.done === true) ended = true;
    else head = Buffer.concat([head, next.value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    try {
      if (head.length > 0) yield head;
      while (!ended) {
        const next = await iterator.next();
        if (next.done === true) ended = true;
        else yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  if (head.length < 2 || head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* whole();
    return;
  }
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  const pumping = pipeline(whole(), gunzip);
  // Its failures arrive in the loop below; without this a reader that stops early would leave one unhandled.
  pumping.catch(() => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof InputError) throw error;
    const reason = errorCode(error) === "Z_BUF_ERROR" ? "it is cut off" : String(error);
    throw new InputError(`the gzip data is damaged: ${reason}`);
  }
}
