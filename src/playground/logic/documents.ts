/**
 * The text of a file -> the JSON of its documents, for a full import.
 *
 *   NDJSON       one document a line, read piece by piece: a file may be larger than memory
 *   JSON         a list of documents, one document, or {"documents": [...]}; read as a whole
 *
 * NDJSON keeps the text of each document as it stands in the file; JSON is written anew.
 */
export interface DocumentText {
  readonly json: string;
  /** From 1; null in a JSON list, where the position says more. */
  readonly line: number | null;
}

/** What is wrong with a file, for the person who chose it. */
export class FileError extends Error {
  override name = "FileError";
}

/** More than this as one JSON text would not fit into a page. */
const MAX_WHOLE_CHARACTERS = 200_000_000;

export async function* readDocuments(text: AsyncIterable<string>): AsyncGenerator<DocumentText> {
  const pieces = text[Symbol.asyncIterator]();
  const head = await readHead(pieces);
  const firstLine = head.trimStart().split("\n", 1)[0] ?? "";
  if (firstLine === "") return;
  if (firstLine.startsWith("[") || !isJson(firstLine) || isEnvelope(firstLine)) {
    yield* wholeDocuments(head, pieces);
  } else {
    yield* lineDocuments(head, pieces);
  }
}

/**
 * Enough to see the form: the first line, or that a list begins. Looks at each piece once: a first line may be as long
 * as the file.
 */
async function readHead(pieces: AsyncIterator<string>): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  let hasText = false;
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    const piece = parts.length === 0 ? next.value.replace(/^\uFEFF/, "") : next.value;
    parts.push(piece);
    length += piece.length;
    refuseTooLong(length);
    const start = hasText ? 0 : piece.search(/\S/);
    if (start === -1) continue;
    if (!hasText && piece[start] === "[") break;
    hasText = true;
    if (piece.includes("\n", start)) break;
  }
  return parts.join("");
}

async function* lineDocuments(
  head: string,
  pieces: AsyncIterator<string>,
): AsyncGenerator<DocumentText> {
  const splitter = new LineSplitter();
  for (const line of splitter.push(head)) yield checked(line);
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    for (const line of splitter.push(next.value)) yield checked(line);
  }
  for (const line of splitter.end()) yield checked(line);
}

async function* wholeDocuments(
  head: string,
  pieces: AsyncIterator<string>,
): AsyncGenerator<DocumentText> {
  const parts = [head];
  let length = head.length;
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    parts.push(next.value);
    length += next.value.length;
    refuseTooLong(length);
  }
  let value: unknown;
  try {
    value = JSON.parse(parts.join(""));
  } catch (error) {
    throw new FileError(`This is neither NDJSON nor JSON: ${reasonOf(error)}`);
  }
  for (const document of listOf(value)) yield { json: JSON.stringify(document), line: null };
}

function refuseTooLong(characters: number): void {
  if (characters <= MAX_WHOLE_CHARACTERS) return;
  throw new FileError(
    "This is more JSON than a page can hold: write it as NDJSON, one document a line.",
  );
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "object" && value !== null && "documents" in value) {
    if (Array.isArray(value.documents)) return value.documents;
  }
  return [value];
}

/** A whole update or bulk in one line is not one document. */
function isEnvelope(line: string): boolean {
  const value: unknown = JSON.parse(line);
  return typeof value === "object" && value !== null && "documents" in value;
}

function checked(document: DocumentText): DocumentText {
  try {
    JSON.parse(document.json);
    return document;
  } catch (error) {
    throw new FileError(`Line ${document.line} is no JSON: ${reasonOf(error)}`);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Text in pieces of any size -> lines that are not blank, with their numbers. */
class LineSplitter {
  #rest = "";
  #line = 1;

  *push(piece: string): Generator<DocumentText> {
    let start = 0;
    for (;;) {
      const end = piece.indexOf("\n", start);
      if (end === -1) break;
      yield* this.#finish(piece.slice(start, end));
      start = end + 1;
    }
    this.#rest += piece.slice(start);
  }

  *end(): Generator<DocumentText> {
    yield* this.#finish("");
  }

  *#finish(last: string): Generator<DocumentText> {
    const json = (this.#rest + last).trim();
    this.#rest = "";
    if (json !== "") yield { json, line: this.#line };
    this.#line++;
  }
}

export interface Bulk {
  readonly documents: readonly DocumentText[];
}

/** Documents in portions for one call each. A larger document is a portion of its own. */
export async function* bulksOf(
  documents: AsyncIterable<DocumentText>,
  maxCharacters: number,
): AsyncGenerator<Bulk> {
  let bulk: DocumentText[] = [];
  let characters = 0;
  for await (const document of documents) {
    if (bulk.length > 0 && characters + document.json.length > maxCharacters) {
      yield { documents: bulk };
      bulk = [];
      characters = 0;
    }
    bulk.push(document);
    characters += document.json.length;
  }
  if (bulk.length > 0) yield { documents: bulk };
}

/** `My Catalogue (2).ndjson.gz` -> `my-catalogue-2`. */
export function indexNameOfFile(fileName: string): string {
  const name = fileName
    .toLowerCase()
    .replace(/(\.(ndjson|jsonl|json|txt|gz))+$/, "")
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 100);
  return name === "" ? "catalogue" : name;
}
