/**
 * A facet value in the form in which answers write it:
 *
 *   {"type":"term","key":"Red","id":null,"docCount":   12   ,"link":"q=shoe&color=   red   "
 *   ------------------- head -----------------------                               - link -
 *
 * `SegmentValue` is a value of one segment. The segment keeps the forms of the values written last, so that an
 * entry is mostly copying. `TextValue` is for values that are strings already: values of several shards or
 * with several spellings, and numbers.
 */
import { copyBytes, getOrInsert, GrowableBytes, MOST_DIGITS, putDecimal } from "../../base/index.ts";
import { sortKey } from "../../analysis/index.ts";
import type { CountedValue, LinkFrame, WrittenForms } from "../../query/index.ts";
import { keptBytes, KeptWithSegments, type FacetKind, type Segment } from "../../segment/model/index.ts";
import { encodeValue, isWritable, plainNumber } from "../links/index.ts";
import { keyOfText } from "./keys.ts";

const NO_IDS: readonly string[] = [];

/** JSON of an entry before its key. */
const BEGINNING: Readonly<Record<FacetKind, string>> = {
  term: '{"type":"term","key":',
  number: '{"type":"term","key":',
  path: '{"type":"hierarchical","key":',
};

export class TextValue implements WrittenForms {
  readonly kind: FacetKind;
  readonly key: string | number;
  readonly text: string;
  readonly id: string | null;
  #sortKey: string | null = null;

  /** @param text the text to show; the whole path for a path */
  constructor(kind: FacetKind, key: string | number, text: string, id: string | null) {
    this.kind = kind;
    this.key = key;
    this.text = text;
    this.id = id;
  }

  get parent(): string | null {
    return parentOf(this.text);
  }

  writeHead(to: GrowableBytes): void {
    to.pushText(headOf(this.kind, this.text, this.id));
  }

  writeTail(to: GrowableBytes): void {
    to.pushText(tailOf(this.kind, this.text));
  }

  writeLinked(to: GrowableBytes, count: number, { bytes, start, beforeBytes, afterBytes }: LinkFrame): number {
    const { key } = this;
    const text = typeof key === "number" ? plainNumber(key) : key;
    if (text === "" || !isWritable(text)) return -1;
    const value = encodeValue(text);
    this.writeHead(to);
    to.pushDecimal(count);
    to.pushFrom(bytes, start, beforeBytes);
    to.pushText(value);
    to.pushFrom(bytes, start + beforeBytes, afterBytes);
    this.writeTail(to);
    return value.length;
  }

  sortKey(language: string): string {
    return (this.#sortKey ??= sortKey(nameOf(this.kind, this.text), language));
  }
}

/** A term or path of one segment with its count. */
export class SegmentValue implements CountedValue, WrittenForms {
  readonly ordinal: number;
  readonly count: number;
  readonly #values: WrittenValues;
  readonly #kind: "term" | "path";
  #forms: Forms | null = null;
  #sortKey: string | null = null;

  constructor(values: WrittenValues, kind: "term" | "path", ordinal: number, count: number) {
    this.ordinal = ordinal;
    this.count = count;
    this.#values = values;
    this.#kind = kind;
  }

  #made(): Forms {
    return (this.#forms ??= this.#values.formsOf(this.#kind, this.ordinal));
  }

  get segment(): Segment {
    return this.#values.segment;
  }

  get text(): string {
    return this.#kind === "term" ? this.segment.facets.text(this.ordinal) : this.#made().text;
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

  get parent(): string | null {
    return this.#made().parent;
  }

  sortKey(language: string): string {
    return (this.#sortKey ??= sortKey(nameOf(this.#kind, this.text), language));
  }

  writeHead(to: GrowableBytes): void {
    const { bytes, start, headBytes } = this.#made();
    to.pushFrom(bytes, start, headBytes);
  }

  writeTail(to: GrowableBytes): void {
    const { bytes, tail, tailBytes } = this.#made();
    to.pushFrom(bytes, tail, tailBytes);
  }

  writeLinked(to: GrowableBytes, count: number, frame: LinkFrame): number {
    const { bytes, start, headBytes, linkBytes, tail, tailBytes } = this.#made();
    if (linkBytes < 0) return -1;
    const { start: before, beforeBytes, afterBytes } = frame;
    const entry = to.room(headBytes + MOST_DIGITS + beforeBytes + linkBytes + afterBytes + tailBytes);
    const forms = bytes.room(0);
    const around = frame.bytes.room(0);
    let at = copyBytes(entry, to.length, forms, start, headBytes);
    at = putDecimal(entry, at, count);
    at = copyBytes(entry, at, around, before, beforeBytes);
    at = copyBytes(entry, at, forms, start + headBytes, linkBytes);
    at = copyBytes(entry, at, around, before + beforeBytes, afterBytes);
    to.extendTo(copyBytes(entry, at, forms, tail, tailBytes));
    return linkBytes;
  }
}

/** The forms of a value in answers: head, link and tail follow each other in `bytes`. */
interface Forms {
  readonly text: string;
  readonly parent: string | null;
  readonly bytes: GrowableBytes;
  readonly start: number;
  readonly headBytes: number;
  /** -1: no link can contain the value. */
  readonly linkBytes: number;
  readonly tail: number;
  readonly tailBytes: number;
}

/** Above this size and this share of its segment, the forms of a segment are made anew. */
const MOST_BYTES = 1_048_576;
const MOST_SHARE = 1 / 8;
/** Size of a value's forms without their bytes. */
const FORMS_BYTES = 160;

/** The forms of a segment's values that were written last. */
export class WrittenValues {
  readonly segment: Segment;
  readonly #mostBytes: number;
  #bytes = new GrowableBytes();
  readonly #forms = new Map<number, Forms>();
  /** A path and the parent in its children's forms are one string, because identical strings are compared at once. */
  readonly #paths = new Map<string, string>();

  constructor(segment: Segment) {
    this.segment = segment;
    this.#mostBytes = Math.max(MOST_BYTES, segment.sizeBytes * MOST_SHARE);
  }

  /** Approximate size. */
  get sizeBytes(): number {
    return this.#bytes.length + this.#forms.size * FORMS_BYTES;
  }

  formsOf(kind: "term" | "path", ordinal: number): Forms {
    let forms = this.#forms.get(ordinal);
    if (forms === undefined) {
      if (this.sizeBytes > this.#mostBytes) this.#forget();
      this.#forms.set(ordinal, (forms = this.#write(kind, ordinal)));
    }
    return forms;
  }

  /** Forms in use keep the memory that they are in. */
  #forget(): void {
    this.#bytes = new GrowableBytes();
    this.#forms.clear();
    this.#paths.clear();
  }

  #same(text: string): string {
    return getOrInsert(this.#paths, text, () => text);
  }

  #write(kind: "term" | "path", ordinal: number): Forms {
    const { facets } = this.segment;
    const bytes = this.#bytes;
    const start = bytes.length;
    const text = kind === "path" ? this.#same(facets.text(ordinal)) : facets.text(ordinal);
    const parent = kind === "path" ? parentOf(text) : null;
    bytes.pushText(headOf(kind, text, facets.id(ordinal)));
    const headBytes = bytes.length - start;
    const key = keyOfText(kind, text);
    const isLink = key !== "" && isWritable(key);
    if (isLink) bytes.pushText(encodeValue(key));
    const tail = bytes.length;
    bytes.pushText(tailOf(kind, text));
    return {
      text,
      parent: parent === null ? null : this.#same(parent),
      bytes,
      start,
      headBytes,
      linkBytes: isLink ? tail - start - headBytes : -1,
      tail,
      tailBytes: bytes.length - tail,
    };
  }
}

/** What is shown of a value: of a path, its last step. */
export function nameOf(kind: FacetKind, text: string): string {
  return kind === "path" ? nameOfPath(text) : text;
}

function headOf(kind: FacetKind, text: string, id: string | null): string {
  return `${BEGINNING[kind]}${JSON.stringify(nameOf(kind, text))},"id":${JSON.stringify(id)},"docCount":`;
}

function tailOf(kind: FacetKind, text: string): string {
  return kind === "path" ? `,"path":${JSON.stringify(text)},"children":[` : "}";
}

const valuesBySegment = new KeptWithSegments<WrittenValues>("facetValues", ({ sizeBytes }) => sizeBytes);

export function writtenValues({ base }: Segment): WrittenValues {
  return getOrInsert(valuesBySegment, base, () => new WrittenValues(base));
}

/** Approximate cached bytes of the segment's values. */
export function writtenValueBytes(segment: Segment): number {
  return keptBytes("facetValues", segment.base);
}

export function numberIn({ facets }: Segment, ordinal: number, count: number): CountedValue {
  const key = facets.number(ordinal) + 0;
  const id = facets.id(ordinal);
  const value = String(key);
  const written = new TextValue("number", key, value, id);
  return { key, value, id, ids: id === null ? NO_IDS : [id], count, written };
}

/** `A/B/C` -> `A/B` -> `A` -> null. */
export function parentOf(path: string): string | null {
  const end = path.lastIndexOf("/");
  return end > 0 ? path.slice(0, end) : null;
}

/** A slash inside a name is stored as `%2F`. */
export function nameOfPath(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replaceAll("%2F", "/");
}
