/**
 * A file -> a feed: what kind of file it is, and what its columns are. The beginning is read, the rest when its
 * documents are asked for; memory holds a window of it, never the whole.
 */
import { csvRecords, delimiterOf } from "./csv.ts";
import { documentsOf } from "./documents.ts";
import { guessMapping } from "./guess.ts";
import { isDocument, parsedJson, recordOf, type ParsedJson } from "./json.ts";
import {
  FeedError,
  type Feed,
  type FeedEvents,
  type FeedFormat,
  type FeedRecord,
  type FeedSource,
  type Mapping,
} from "./model.ts";
import { languageOf, languageOfRecords } from "./language.ts";
import { previewOf } from "./preview.ts";
import { Findings, columnRemarks } from "./remarks.ts";
import { joined, utf8Text } from "./text.ts";
import { xmlRecords } from "./xml.ts";

/** Enough for the first line of a wide table; less where it ends sooner. */
const HEAD_BYTES = 64 * 1024;
/** What tells UTF-16 and archives from text. */
const LEAST_HEAD_BYTES = 4;
/** Records that a guess looks at. */
const SAMPLE_RECORDS = 300;

/** What a feed looks like, for messages. */
export const EXPECTED =
  "Expected: CSV or TSV with names in the first line, a Google Merchant feed (XML or TSV), a product export of Shopify, " +
  'WooCommerce or Magento, JSON, or one document a line: {"id": "A1", "data": {"title": "...", "price": 9.99}}';

/** @param given a mapping that somebody made; null: one is guessed */
export async function openFeed(bytes: AsyncIterable<Uint8Array>, given: Mapping | null): Promise<Feed> {
  const source = bytes[Symbol.asyncIterator]();
  const close = async (): Promise<void> => void (await source.return?.(undefined));
  try {
    const head = await headOf(source);
    refuseOtherFiles(head);
    const whole = wholeOf(head, source);
    const text = utf8Text(whole, head, given?.source.encoding ?? declaredEncoding(head));
    const shown = beginningOf(head);
    const format = given?.source.format ?? formatOf(shown);
    const open = { text, given, close };
    switch (format) {
      case "json":
        return await openJson(open);
      case "csv": {
        const delimiter = given?.source.delimiter ?? delimiterOf(shown);
        const name = delimiter === "\t" ? "tabs" : `"${delimiter}"`;
        return await openRecords(
          open,
          csvRecords(text.bytes, delimiter),
          { format, delimiter },
          `CSV, ${name} between columns`,
        );
      }
      case "xml": {
        const element = given?.source.element ?? null;
        const said: FeedSource = element === null ? { format } : { format, element };
        return await openRecords(open, xmlRecords(text.bytes, element), said, "XML");
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
}

interface Opening {
  readonly text: ReturnType<typeof utf8Text>;
  readonly given: Mapping | null;
  readonly close: () => Promise<void>;
}

async function openRecords(
  { text, given, close }: Opening,
  records: AsyncGenerator<FeedRecord | FeedError>,
  source: FeedSource,
  name: string,
): Promise<Feed> {
  const first = await firstOf(records);
  const sample = first.filter((one): one is FeedRecord => !(one instanceof FeedError) && one.problem === undefined);
  const encoding = text.encoding();
  // Found out again at the next file where it is UTF-8: that one may be another.
  const said = encoding === "UTF-8" ? source : { ...source, encoding };
  const guess = given === null ? guessMapping(sample, said) : null;
  const mapping = given ?? guess?.mapping ?? null;
  const what = guess?.dialect == null ? "" : `${guess.dialect}: `;
  const remarksOf = async (
    all: AsyncIterable<FeedRecord | FeedError>,
    asked: Mapping,
    isWhole: boolean,
  ): Promise<readonly string[]> => {
    const findings = new Findings(isWhole);
    for await (const one of documentsOf(readable(all, findings), asked, findings, "products")) findings.add(one);
    return [...columnRemarks(sample, asked), ...findings.remarks(asked)];
  };
  return {
    description: `${what}${name}, ${encoding}`,
    language: languageOfRecords(sample),
    mapping,
    preview: (asked) => previewOf(sample, asked),
    remarks: (asked) => remarksOf(chained(first, []), asked, first.length < SAMPLE_RECORDS),
    remarksOfAll: (asked) => remarksOf(chained(first, records), asked, true),
    documents: (asked, events, content = "products") => {
      const chosen = asked ?? mapping;
      if (chosen === null) throw new Error("a feed of columns needs a mapping");
      return documentsOf(readable(chained(first, records), events), chosen, events, content);
    },
    close,
  };
}

/** Documents of the service are passed on as they are; other objects are records. The first ones tell which it is. */
async function openJson(open: Opening): Promise<Feed> {
  const all = parsedJson(open.text.bytes);
  const first: (ParsedJson | FeedError)[] = [];
  // Own form where nothing says otherwise: then the service judges.
  let isOwnForm = open.given === null;
  // Not more of a slow pipe than it takes.
  while (isOwnForm && first.length < SAMPLE_RECORDS) {
    const next = await all.next();
    if (next.done === true) break;
    first.push(next.value);
    if (next.value instanceof FeedError || isEmptyObject(next.value.value)) continue;
    isOwnForm = isDocument(next.value.value);
    break;
  }
  if (!isOwnForm) {
    return await openRecords(open, recordsOf(chained(first, all)), { format: "json" }, "JSON");
  }
  return {
    description: "documents as JSON",
    language: languageOf(first.map((one) => (one instanceof FeedError ? "" : textsOf(one.value)))),
    mapping: null,
    preview: () => [],
    remarks: () => Promise.resolve([]),
    remarksOfAll: () => Promise.resolve([]),
    documents: (_, events) => readable(chained(first, all), events),
    close: open.close,
  };
}

/** Every text of a document: markup and addresses do not disturb. */
function textsOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? Object.values(value).map(textsOf).join(" ") : "";
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

async function* recordsOf(all: AsyncIterable<ParsedJson | FeedError>): AsyncGenerator<FeedRecord | FeedError> {
  for await (const one of all) {
    yield one instanceof FeedError ? one : recordOf(one.value, one.line);
  }
}

async function* readable<T>(all: AsyncIterable<T | FeedError>, { onUnreadable }: FeedEvents): AsyncGenerator<T> {
  for await (const one of all) {
    if (!(one instanceof FeedError)) yield one;
    else if (onUnreadable === null) throw one;
    else onUnreadable(one);
  }
}

async function firstOf<T>(all: AsyncIterator<T>): Promise<T[]> {
  const first: T[] = [];
  while (first.length < SAMPLE_RECORDS) {
    const next = await all.next();
    if (next.done === true) break;
    first.push(next.value);
  }
  return first;
}

async function* chained<T>(first: readonly T[], rest: AsyncIterable<T> | readonly T[]): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}

async function headOf(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < HEAD_BYTES) {
    const next = await source.next();
    if (next.done === true) break;
    head = head.length === 0 ? next.value : joined(head, next.value);
    if (head.length >= LEAST_HEAD_BYTES && head.lastIndexOf(0x0a) > 0) break;
  }
  return head;
}

async function* wholeOf(head: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (;;) {
    const next = await source.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/** ASCII of it, whatever the encoding is: enough to tell formats and separators apart. */
function beginningOf(head: Uint8Array): string {
  return new TextDecoder("windows-1252")
    .decode(head.subarray(0, HEAD_BYTES))
    .replaceAll("\0", "")
    .replace(/^(ÿþ|þÿ|ï»¿)/, "");
}

function formatOf(shown: string): FeedFormat {
  const text = shown.trimStart();
  if (text === "" || text.startsWith("{") || text.startsWith("[")) return "json";
  if (!text.startsWith("<")) return "csv";
  if (/^<(!doctype html|html)/i.test(text)) {
    throw new FeedError(
      `this is a web page, not a feed: open its address in a browser and see what it says. ${EXPECTED}`,
    );
  }
  return "xml";
}

function declaredEncoding(head: Uint8Array): string | null {
  const text = beginningOf(head.subarray(0, 200)).trimStart();
  return /^<\?xml[^>]*encoding=["']([^"']+)["']/i.exec(text)?.[1] ?? null;
}

/** Files that people mistake for feeds, named as what they are. */
function refuseOtherFiles(head: Uint8Array): void {
  const starts = (...bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte);
  if (starts(0x50, 0x4b, 0x03, 0x04)) {
    const names = beginningOf(head);
    throw new FeedError(
      /xl\/|\[Content_Types\]|_rels/.test(names)
        ? "this is an Excel workbook: save it as CSV (File > Save As > CSV UTF-8) and import that"
        : names.includes("opendocument.spreadsheet")
          ? "this is an OpenDocument spreadsheet: save it as CSV and import that"
          : "this is a zip archive: unpack it and import the file in it",
    );
  }
  if (starts(0xd0, 0xcf, 0x11, 0xe0)) {
    throw new FeedError("this is an Excel workbook of an old version: save it as CSV and import that");
  }
  if (starts(0x25, 0x50, 0x44, 0x46)) throw new FeedError(`this is a PDF. ${EXPECTED}`);
  if (starts(0x50, 0x41, 0x52, 0x31)) throw new FeedError(`this is a Parquet file: export it as CSV or NDJSON`);
}
