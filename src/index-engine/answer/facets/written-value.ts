/**
 * A facet value in the form in which answers write it:
 *
 *   {"type":"term","key":"Red","id":null,"docCount":   12   ,"link":"q=shoe&color=   red   "
 *   ------------------- head -----------------------                               - link -
 *
 * `SegmentValue` is a value of one segment. `TextValue` is for values that are strings already:
 * values of several shards or with several spellings, and numbers.
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
  readonly #kind: "term" | "path";
  /** Null if answers do not repeat the value often enough; undefined until they are needed. */
  #forms: Forms | null | undefined;
  #text: string | null = null;
  #sortKey: string | null = null;

  constructor(segment: Segment, kind: "term" | "path", ordinal: number, count: number) {
    this.segment = segment;
    this.ordinal = ordinal;
    this.count = count;
    this.#kind = kind;
  }

  #cached(): Forms | null {
    const { segment, ordinal } = this;
    if (this.#forms === undefined) {
      this.#forms = repeatedIn(segment).find(segment, this.#kind, ordinal);
    }
    return this.#forms;
  }

  /** Answers need all forms of a path; of terms they often need the text only. */
  #ofPath(): Forms | null {
    return this.#kind === "path" ? this.#cached() : null;
  }

  get text(): string {
    return (this.#text ??= this.#ofPath()?.text ?? this.segment.facets.text(this.ordinal));
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
    return this.#ofPath()?.name ?? this.text;
  }

  get parent(): string | null {
    return this.#ofPath()?.parent ?? null;
  }

  sortKey(language: string): string {
    return (this.#sortKey ??= sortKey(this.name, language));
  }

  writeHead(to: GrowableBytes): void {
    const forms = this.#cached();
    if (forms !== null) {
      to.pushBytes(forms.head);
      return;
    }
    to.pushBytes(TERM_BYTES);
    load(this);
    if (isPlain) {
      to.push(0x22);
      to.pushBytes(bytes, 0, raw.length);
      to.push(0x22);
    } else to.pushText(JSON.stringify(this.text));
    const { id } = this;
    if (id === null) to.pushBytes(WITHOUT_ID);
    else to.pushText(`,"id":${JSON.stringify(id)},"docCount":`);
  }

  writeTail(to: GrowableBytes): void {
    const forms = this.#cached();
    if (forms !== null) to.pushBytes(forms.tail);
  }

  writeLink(to: GrowableBytes, before: Uint8Array): number {
    const forms = this.#cached();
    if (forms !== null) {
      const { link } = forms;
      if (link === null) return -1;
      to.pushBytes(before);
      to.pushBytes(link);
      return before.length + link.length;
    }
    load(this);
    if (raw.length === 0 || !areWritable(bytes, raw.length)) return -1;
    const start = to.length;
    to.pushBytes(before);
    if (isAscii) pushEncoded(to, bytes, raw.length, true);
    else to.pushText(encodeValue(this.key));
    return to.length - start;
  }
}

/** The forms of a value in answers. */
interface Forms {
  readonly text: string;
  readonly name: string;
  readonly parent: string | null;
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly link: Uint8Array | null;
}

const NO_TAIL = new Uint8Array(0);

function formsOf(segment: Segment, kind: "term" | "path", ordinal: number): Forms {
  const text = segment.facets.text(ordinal);
  const isPath = kind === "path";
  const name = isPath ? lastStep(text) : text;
  const id = JSON.stringify(segment.facets.id(ordinal));
  const key = isPath ? text : text.toLowerCase();
  return {
    text,
    name,
    parent: isPath ? parentOf(text) : null,
    head: utf8Of(`${BEGINNING[kind]}${JSON.stringify(name)},"id":${id},"docCount":`),
    tail: isPath ? utf8Of(`,"path":${JSON.stringify(text)},"children":[`) : NO_TAIL,
    link: key !== "" && isWritable(key) ? utf8Of(encodeValue(key)) : null,
  };
}

/** Limit of the cached forms of a segment, for both generations together. */
const MOST_BYTES = 1_048_576;
/**
 * Size of a value's forms without characters, and how often the forms repeat the value's
 * characters.
 */
const FORMS_BYTES = 500;
const REPEATS = 6;
/** Must be a power of two. */
const SEEN = 4_096;

/**
 * Caches the forms of values that the answers of a segment repeat: brands, colours, categories.
 * Forms of terms are cached from their second use on, those of paths from the first. There are two
 * generations. When the younger one is full, it replaces the older one, and values used since then
 * move back.
 */
class RepeatedValues {
  readonly #seen = new Uint32Array(SEEN);
  #young = new Map<number, Forms>();
  #old = new Map<number, Forms>();
  #youngBytes = 0;
  #oldBytes = 0;

  get sizeBytes(): number {
    return this.#seen.byteLength + this.#youngBytes + this.#oldBytes;
  }

  /**
   * @param segment must be the same in every call
   */
  find(segment: Segment, kind: "term" | "path", ordinal: number): Forms | null {
    const known = this.#young.get(ordinal);
    if (known !== undefined) return known;
    let forms = this.#old.get(ordinal);
    if (forms === undefined) {
      const place = ordinal & (SEEN - 1);
      if (kind === "term" && this.#seen[place] !== ordinal + 1) {
        this.#seen[place] = ordinal + 1;
        return null;
      }
      forms = formsOf(segment, kind, ordinal);
    }
    this.#keep(ordinal, forms);
    return forms;
  }

  #keep(ordinal: number, forms: Forms): void {
    if (this.#youngBytes * 2 >= MOST_BYTES) {
      this.#old = this.#young;
      this.#oldBytes = this.#youngBytes;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(ordinal, forms);
    this.#youngBytes += FORMS_BYTES + forms.text.length * REPEATS;
  }
}

const repeatedBySegment = new WeakMap<Segment, RepeatedValues>();

function repeatedIn(segment: Segment): RepeatedValues {
  let values = repeatedBySegment.get(segment);
  if (values === undefined) repeatedBySegment.set(segment, (values = new RepeatedValues()));
  return values;
}

/** Approximate cached bytes of the segment's values. */
export function writtenValueBytes(segment: Segment): number {
  return repeatedBySegment.get(segment.base)?.sizeBytes ?? 0;
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
 * The bytes of the last term written, and what they contain: its link is written soon after its
 * head.
 */
const raw = new GrowableBytes();
let bytes: Uint8Array = raw.view();
/** Weak, so that it does not keep a segment in memory. */
let loadedSegment: WeakRef<Segment> | null = null;
let loadedOrdinal = -1;
/** Whether JSON needs no escaping. */
let isPlain = false;
let isAscii = false;

function load({ segment, ordinal }: SegmentValue): void {
  const isSegment = loadedSegment?.deref() === segment;
  if (isSegment && ordinal === loadedOrdinal) return;
  loadedOrdinal = -1;
  raw.clear();
  segment.facets.pushText(ordinal, raw);
  bytes = raw.view();
  isPlain = true;
  isAscii = true;
  for (let i = 0; i < raw.length; i++) {
    const byte = bytes[i];
    if (byte < 0x20 || byte === 0x22 || byte === 0x5c) isPlain = false;
    else if (byte > 0x7f) isAscii = false;
  }
  if (!isSegment) loadedSegment = new WeakRef(segment);
  loadedOrdinal = ordinal;
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
