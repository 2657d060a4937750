/**
 * A file, or standard input, as a stream of documents: opened, unpacked where it is gzip (by its first two bytes, not
 * by its name), cut into documents, checked to be JSON.
 */
import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { InputError } from "./failures.ts";
import { DocumentSplitter, type SourceText } from "./splitter.ts";

export interface SourceDocument {
  /** The document's JSON as it stands in the file. */
  readonly json: Buffer;
  readonly line: number;
  /** As text; null where the document has none that could be read. The service judges that, not we. */
  readonly id: string | null;
}

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

export async function openSource(
  path: string,
  standardInput: AsyncIterable<Buffer>,
): Promise<Source> {
  if (path === "-") {
    return counted("standard input", standardInput, null);
  }
  let totalBytes: number;
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new InputError(`${path} is a directory, not a file`);
    totalBytes = found.size;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw unreadable(path, error);
  }
  return counted(path, createReadStream(path, { highWaterMark: 256 * 1024 }), totalBytes);
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
  return new InputError(
    `cannot read ${name}: ${error instanceof Error ? error.message : String(error)}`,
  );
}

function errorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : null;
}

async function* unpacked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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

/**
 * Every document of the source, in its order. A document that is no JSON (or no UTF-8) stops the import, because most
 * often the file is cut off or of another kind, and what follows it cannot be trusted; `onBadDocument` set, it is told
 * and left out instead.
 */
export async function* readDocuments(
  bytes: AsyncIterable<Buffer>,
  onBadDocument: ((error: InputError) => void) | null,
): AsyncGenerator<SourceDocument> {
  const splitter = new DocumentSplitter();
  function* checked(texts: readonly SourceText[]): Generator<SourceDocument> {
    for (const text of texts) {
      const document = parse(text);
      if (!(document instanceof InputError)) yield document;
      else if (onBadDocument === null) throw document;
      else onBadDocument(document);
    }
  }
  for await (const chunk of unpacked(bytes)) yield* checked(splitter.push(chunk));
  yield* checked(splitter.end());
}

function parse({ bytes, line }: SourceText): SourceDocument | InputError {
  if (!isUtf8(bytes)) return new InputError("the text is not UTF-8", line);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new InputError(`not JSON (${reason})`, line);
  }
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  const known = (typeof id === "string" && id !== "") || typeof id === "number";
  return { json: bytes, line, id: known ? String(id) : null };
}
