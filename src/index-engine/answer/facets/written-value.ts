/**
 * A facet value in the form in which answers write it:
 *
 *   {"type":"term","key":"Red","id":null,"docCount":   12   ,"link":"q=shoe&color=   red   "
 *   ------------------- head -----------------------                               - link -
 *
 * `SegmentValue` is a value of one segment. Its term is written from the segment's bytes if they are
 * plain (term-bytes.ts). Paths and other terms are cached in the forms above. `TextValue` is for values
 * that are strings already: values of several shards or with several spellings, and numbers.
 */
import { ByteCache, type GrowableBytes, utf8Of, getOrInsert } from "../../base/index.ts";
import { sortKey } from "../../analysis/index.ts";
import type { CountedValue, WrittenForms } from "../../query/index.ts";
import type { FacetKind, Segment } from "../../segment/model/index.ts";
import { encodeValue, isWritable, plainNumber } from "../links/index.ts";
import { isPlainLatin, writeLinkKey } from "./term-bytes.ts";

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
    return this.kind === "path" ? nameOfPath(this.text) : this.text;
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

/** The term that was copied last, because the head of an entry and its link follow each other. */
const lastTerm = new Uint8Array(512);
let lastTermLength = 0;
/** Numbers the copies, so that a value knows whether the last one is its own. */
let copies = 0;

const TERM_BEGINNING = utf8Of(`${BEGINNING.term}"`);
const WITHOUT_ID = utf8Of('","id":null,"docCount":');

/** A term or path of one segment with its count. */
export class SegmentValue implements CountedValue, WrittenForms {
  readonly segment: Segment;
  readonly ordinal: number;
  readonly count: number;
  readonly #kind: "term" | "path";
  #forms: Forms | null = null;
  /** The number of its copy in `lastTerm`. */
  #copy = -1;
  #sortKey: string | null = null;

  constructor(segment: Segment, kind: "term" | "path", ordinal: number, count: number) {
    this.segment = segment;
    this.ordinal = ordinal;
    this.count = count;
    this.#kind = kind;
  }

  #made(): Forms {
    const { segment, ordinal } = this;
    return (this.#forms ??= cachedForms(segment, this.#kind, ordinal));
  }

  get text(): string {
    // Of terms, callers often need only the text.
    if (this.#kind === "term" && this.#forms === null) return this.segment.facets.text(this.ordinal);
    return this.#made().text;
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
    return this.#kind === "term" ? this.text : this.#made().name;
  }

  get parent(): string | null {
    return this.#kind === "term" ? null : this.#made().parent;
  }

  sortKey(language: string): string {
    return (this.#sortKey ??= sortKey(this.name, language));
  }

  /** Whether it is a plain term, which is then in `lastTerm`. */
  #isPlainTerm(): boolean {
    if (this.#kind === "path" || this.#forms !== null) return false;
    if (this.#copy === copies) return true;
    copies++;
    lastTermLength = this.segment.facets.copyText(this.ordinal, lastTerm);
    if (lastTermLength < 0 || !isPlainLatin(lastTerm, lastTermLength)) return false;
    this.#copy = copies;
    return true;
  }

  writeHead(to: GrowableBytes): void {
    if (!this.#isPlainTerm()) {
      to.pushBytes(this.#made().head);
      return;
    }
    to.pushBytes(TERM_BEGINNING);
    to.pushBytes(lastTerm, 0, lastTermLength);
    const { id } = this;
    if (id === null) to.pushBytes(WITHOUT_ID);
    else to.pushText(`","id":${JSON.stringify(id)},"docCount":`);
  }

  writeTail(to: GrowableBytes): void {
    to.pushBytes(this.#made().tail);
  }

  writeLink(to: GrowableBytes, before: Uint8Array): number {
    if (this.#isPlainTerm()) {
      const length = writeLinkKey(to, before, lastTerm, lastTermLength);
      return length < 0 ? -1 : before.length + length;
    }
    const { link } = this.#made();
    if (link === null) return -1;
    to.pushBytes(before);
    to.pushBytes(link);
    return before.length + link.length;
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
  const name = isPath ? nameOfPath(text) : text;
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

/** Limit of the cached forms of a segment. */
const MOST_BYTES = 1_048_576;
/**
 * Size of a value's forms without characters, and how often the forms repeat the value's
 * characters.
 */
const FORMS_BYTES = 244;
const REPEATS = 6;

const formsBySegment = new WeakMap<Segment, ByteCache<Forms, number>>();

const bytesOf = ({ text }: Forms): number => FORMS_BYTES + text.length * REPEATS;
const makeCache = (): ByteCache<Forms, number> => new ByteCache(MOST_BYTES, bytesOf);

function cachedForms(segment: Segment, kind: "term" | "path", ordinal: number): Forms {
  const cache = getOrInsert(formsBySegment, segment, makeCache);
  const known = cache.find(ordinal);
  if (known !== undefined) return known;
  const forms = formsOf(segment, kind, ordinal);
  cache.put(ordinal, forms);
  return forms;
}

/** Approximate cached bytes of the segment's values. */
export function writtenValueBytes(segment: Segment): number {
  return formsBySegment.get(segment.base)?.bytes ?? 0;
}

/** A value of a segment with its count. */
export function countedIn(segment: Segment, kind: FacetKind, ordinal: number, count: number): CountedValue {
  // Only numbers can change (index/doc-values), and that does not move other values.
  if (kind !== "number") return new SegmentValue(segment.base, kind, ordinal, count);
  const { facets } = segment;
  const key = facets.number(ordinal) + 0;
  const id = facets.id(ordinal);
  const value = String(key);
  const written = new TextValue(kind, key, value, id);
  return { key, value, id, ids: id === null ? NO_IDS : [id], count, written };
}

/** Whether two terms or paths have the same spelling and the same id. */
export function areAlike({ facets }: Segment, ordinal: number, { facets: others }: Segment, other: number): boolean {
  return facets.text(ordinal) === others.text(other) && facets.id(ordinal) === others.id(other);
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
