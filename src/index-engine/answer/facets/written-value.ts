/**
 * A facet value in the form in which answers write it:
 *
 *   {"type":"term","key":"Dark Red","id":null,"docCount":   12   ,"link":"q=shoe&color=  dark+red
 *   ------------------- head ------------------------------                              -- link --
 *
 * `SegmentValue` copies the bytes of the segment without creating a string. `TextValue` is for
 * values that are strings already: values of several shards or with several spellings, and numbers.
 */
import { GrowableBytes, utf8Of } from "../../base/index.ts";
import { sortKey } from "../../analysis/index.ts";
import type { CountedValue, WrittenForms } from "../../query/index.ts";
import type { FacetKind, Segment } from "../../segment/model/index.ts";
import { areWritable, encodeValue, isWritable, plainNumber, pushEncoded } from "../links/index.ts";

const NO_IDS: readonly string[] = [];

/** JSON of an entry before its key. */
const BEGINNING: Readonly<Record<FacetKind, string>> = {
  term: '{"type":"term","key":',
  number: '{"type":"term","key":',
  path: '{"type":"hierarchical","key":',
};
const TERM_BYTES = utf8Of(BEGINNING.term);
const PATH_BYTES = utf8Of(BEGINNING.path);
const WITHOUT_ID = utf8Of(',"id":null,"docCount":');

export class TextValue implements WrittenForms {
  readonly kind: FacetKind;
  readonly key: string | number;
  readonly text: string;
  readonly id: string | null;
  #sortKey: string | null = null;

  /**
   * @param text the text to show; the whole path for a path
   */
  constructor(kind: FacetKind, key: string | number, text: string, id: string | null) {
    this.kind = kind;
    this.key = key;
    this.text = text;
    this.id = id;
  }

  get name(): string {
    return this.kind === "path" ? lastStep(this.text) : this.text;
  }

  get parent(): string | null {
    return parentOf(this.text);
  }

  writeHead(to: GrowableBytes): void {
    const [name, id] = [JSON.stringify(this.name), JSON.stringify(this.id)];
    to.pushText(`${BEGINNING[this.kind]}${name},"id":${id},"docCount":`);
  }

  writeTail(to: GrowableBytes): void {
    to.pushText(`,"path":${JSON.stringify(this.text)},"children":[`);
  }

  writeLink(to: GrowableBytes, before: Uint8Array): number {
    const { key } = this;
    const text = typeof key === "number" ? plainNumber(key) : key;
    if (text === "" || !isWritable(text)) return -1;
    const start = to.length;
    to.pushBytes(before);
    to.pushText(encodeValue(text));
    return to.length - start;
  }

  sortKey(language: string): string {
    return (this.#sortKey ??= sortKey(this.name, language));
  }
}

/** A term or path of one segment with its count. */
export class SegmentValue implements CountedValue, WrittenForms {
  readonly segment: Segment;
  readonly ordinal: number;
  readonly count: number;
  readonly #kind: FacetKind;
  #text: string | null = null;
  #sortKey: string | null = null;

  constructor(segment: Segment, kind: "term" | "path", ordinal: number, count: number) {
    this.segment = segment;
    this.#kind = kind;
    this.ordinal = ordinal;
    this.count = count;
  }

  get text(): string {
    return (this.#text ??= this.segment.facets.text(this.ordinal));
  }

  get value(): string {
    return this.text;
  }

  get key(): string {
    return this.#kind === "term" ? this.text.toLowerCase() : this.text;
  }

  get id(): string | null {
    return this.segment.facets.id(this.ordinal);
  }

  get ids(): readonly string[] {
    const { id } = this;
    return id === null ? NO_IDS : [id];
  }

  get written(): WrittenForms {
    return this;
  }

  get name(): string {
    return this.#kind === "path" ? lastStep(this.text) : this.text;
  }

  get parent(): string | null {
    return parentOf(this.text);
  }

  writeHead(to: GrowableBytes): void {
    to.pushBytes(this.#kind === "term" ? TERM_BYTES : PATH_BYTES);
    load(this);
    if (isPlain && this.#kind === "term") pushQuoted(to, 0);
    else if (isPlain && !hasPercent) pushQuoted(to, lastSlash + 1);
    else to.pushText(JSON.stringify(this.name));
    const { id } = this;
    if (id === null) to.pushBytes(WITHOUT_ID);
    else to.pushText(`,"id":${JSON.stringify(id)},"docCount":`);
  }

  writeTail(to: GrowableBytes): void {
    to.pushText(',"path":');
    load(this);
    if (isPlain) pushQuoted(to, 0);
    else to.pushText(JSON.stringify(this.text));
    to.pushText(',"children":[');
  }

  writeLink(to: GrowableBytes, before: Uint8Array): number {
    load(this);
    const lowers = this.#kind === "term";
    if (raw.length === 0 || !areWritable(bytes, raw.length)) return -1;
    const start = to.length;
    to.pushBytes(before);
    if (isAscii || !lowers) pushEncoded(to, bytes, raw.length, lowers);
    else to.pushText(encodeValue(this.key));
    return to.length - start;
  }

  sortKey(language: string): string {
    return (this.#sortKey ??= sortKey(this.name, language));
  }
}

/** A value of a segment with its count. */
export function countedIn(
  segment: Segment,
  kind: FacetKind,
  ordinal: number,
  count: number,
): CountedValue {
  // Only numbers can change (index/doc-values), and that does not move other values.
  if (kind !== "number") return new SegmentValue(segment.base, kind, ordinal, count);
  const { facets } = segment;
  const key = facets.number(ordinal) + 0;
  const id = facets.id(ordinal);
  const value = String(key);
  const written = new TextValue(kind, key, value, id);
  return { key, value, id, ids: id === null ? NO_IDS : [id], count, written };
}

const others = new GrowableBytes();

/** Whether two terms or paths have the same spelling and the same id. */
export function areAlike(
  segment: Segment,
  ordinal: number,
  other: Segment,
  otherOrdinal: number,
): boolean {
  raw.clear();
  others.clear();
  loadedOrdinal = -1;
  segment.facets.pushText(ordinal, raw);
  other.facets.pushText(otherOrdinal, others);
  if (raw.length !== others.length) return false;
  for (let i = 0; i < raw.length; i++) if (raw.at(i) !== others.at(i)) return false;
  return segment.facets.id(ordinal) === other.facets.id(otherOrdinal);
}

/**
 * The bytes of the last text read and what they contain. Head, link and tail of an entry are
 * written one after the other.
 */
const raw = new GrowableBytes();
let bytes: Uint8Array = raw.view();
/** Weak, so that it does not keep a segment in memory. */
let loadedSegment: WeakRef<Segment> | null = null;
let loadedOrdinal = -1;
/** Whether JSON needs no escaping. */
let isPlain = false;
let isAscii = false;
let hasPercent = false;
let lastSlash = -1;

function load({ segment, ordinal }: SegmentValue): void {
  const isSegment = loadedSegment?.deref() === segment;
  if (isSegment && ordinal === loadedOrdinal) return;
  loadedOrdinal = -1;
  raw.clear();
  segment.facets.pushText(ordinal, raw);
  bytes = raw.view();
  isPlain = true;
  isAscii = true;
  hasPercent = false;
  lastSlash = -1;
  for (let i = 0; i < raw.length; i++) {
    const byte = bytes[i];
    if (byte < 0x20 || byte === 0x22 || byte === 0x5c) isPlain = false;
    else if (byte > 0x7f) isAscii = false;
    else if (byte === 0x25) hasPercent = true;
    else if (byte === 0x2f) lastSlash = i;
  }
  if (!isSegment) loadedSegment = new WeakRef(segment);
  loadedOrdinal = ordinal;
}

/** Appends the loaded text from byte `start` on, in quotes. */
function pushQuoted(to: GrowableBytes, start: number): void {
  to.push(0x22);
  to.pushBytes(bytes, start, raw.length);
  to.push(0x22);
}

/** `A/B/C` -> `A/B` -> `A` -> null. */
export function parentOf(path: string): string | null {
  const end = path.lastIndexOf("/");
  return end > 0 ? path.slice(0, end) : null;
}

/** A slash inside a name is stored as `%2F`. */
function lastStep(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replaceAll("%2F", "/");
}
