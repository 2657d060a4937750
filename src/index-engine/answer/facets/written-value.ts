/**
 * A facet value as answers write it:
 *
 *   {"type":"term","key":"Dark Red","id":null,"docCount":   12   ,"link":"q=shoe&color=   dark+red   ","selected":false}
 *   ------------------- head ------------------------------                              -- link --
 *
 * Every form is made when an answer first needs it. The values that a segment has shown are kept with it, because
 * reading a text out of the table of strings, escaping and encoding it cost far more than copying the result.
 */
import { utf8Of } from "../../base/index.ts";
import { sortKey } from "../../analysis/index.ts";
import type { CountedValue, WrittenForms } from "../../query/index.ts";
import type { FacetKind, Segment } from "../../segment/model/index.ts";
import { encodeValue, isWritable, plainNumber } from "../links/index.ts";

const NO_IDS: readonly string[] = [];

export class WrittenValue implements WrittenForms {
  readonly kind: FacetKind;
  readonly key: string | number;
  /** As it is shown: of a path all of it. */
  readonly text: string;
  readonly id: string | null;
  readonly #ids: readonly string[];
  #name: string | null = null;
  #parent: string | null | undefined;
  #head: Uint8Array | null = null;
  #tail: Uint8Array | null = null;
  #link: Uint8Array | null | undefined;
  #sortKey: { readonly language: string; readonly key: string } | null = null;

  constructor(kind: FacetKind, key: string | number, text: string, id: string | null) {
    this.kind = kind;
    this.key = key;
    this.text = text;
    this.id = id;
    this.#ids = id === null ? NO_IDS : [id];
  }

  /** An entry that is this value wherever it was counted. */
  counted(count: number): CountedValue {
    return {
      key: this.key,
      value: this.text,
      id: this.id,
      ids: this.#ids,
      count,
      written: this,
    };
  }

  /** `key` of the entry: of a path its last step. */
  get name(): string {
    return (this.#name ??= this.kind === "path" ? lastStep(this.text) : this.text);
  }

  /** Of a path: the path above it. */
  get parent(): string | null {
    return this.#parent === undefined ? (this.#parent = parentOf(this.text)) : this.#parent;
  }

  /** The beginning of the entry, up to its count. */
  get head(): Uint8Array {
    return (this.#head ??= utf8Of(
      `{"type":"${this.kind === "path" ? "hierarchical" : "term"}","key":${JSON.stringify(
        this.name,
      )},"id":${JSON.stringify(this.id)},"docCount":`,
    ));
  }

  /** Of a path: what follows `selected`, up to the children. */
  get tail(): Uint8Array {
    return (this.#tail ??= utf8Of(`,"path":${JSON.stringify(this.text)},"children":[`));
  }

  /** As a value of a link; null: a link cannot have it. */
  get link(): Uint8Array | null {
    if (this.#link === undefined) {
      const { key } = this;
      const text = typeof key === "number" ? plainNumber(key) : key;
      this.#link = text !== "" && isWritable(text) ? utf8Of(encodeValue(text)) : null;
    }
    return this.#link;
  }

  sortKey(language: string): string {
    if (this.#sortKey?.language !== language) {
      this.#sortKey = { language, key: sortKey(this.name, language) };
    }
    return this.#sortKey.key;
  }
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

/** What is kept of the values of a segment. All are forgotten when there is more. */
const MOST_BYTES = 1_048_576;
/** Of a value with all of its forms, besides its characters, and the times that those are kept. */
const VALUE_BYTES = 400;
const FORMS = 6;

/** One value of a segment as an entry of its own. */
export function readValue(segment: Segment, kind: FacetKind, ordinal: number): WrittenValue {
  const { facets } = segment;
  const id = facets.id(ordinal);
  if (kind === "number") {
    const number = facets.number(ordinal) + 0;
    return new WrittenValue(kind, number, String(number), id);
  }
  const text = facets.text(ordinal);
  return new WrittenValue(kind, kind === "term" ? text.toLowerCase() : text, text, id);
}

/** The values of a segment that answers have shown, but for numbers. */
class KeptValues {
  readonly #byOrdinal = new Map<number, WrittenValue>();
  sizeBytes = 0;

  /** As `readValue`. `segment`: the same one each time. */
  of(segment: Segment, kind: FacetKind, ordinal: number): WrittenValue {
    let value = this.#byOrdinal.get(ordinal);
    if (value !== undefined) return value;
    value = readValue(segment, kind, ordinal);
    if (this.sizeBytes >= MOST_BYTES) {
      this.#byOrdinal.clear();
      this.sizeBytes = 0;
    }
    this.#byOrdinal.set(ordinal, value);
    this.sizeBytes += VALUE_BYTES + (value.text.length + (value.id?.length ?? 0)) * FORMS;
    return value;
  }
}

const keptBySegment = new WeakMap<Segment, KeptValues>();

/** Reads values of one segment: those that are shown are kept, unless they are numbers. */
export function valueReader(segment: Segment, kind: FacetKind): (ordinal: number) => WrittenValue {
  if (kind === "number") return (ordinal) => readValue(segment, kind, ordinal);
  // Only numbers change (overlay/segment.ts), and they move no other value.
  const owner = segment.base;
  let kept = keptBySegment.get(owner);
  if (kept === undefined) keptBySegment.set(owner, (kept = new KeptValues()));
  const values = kept;
  return (ordinal) => values.of(owner, kind, ordinal);
}

/** Bytes kept for the segment, about. */
export function writtenValueBytes(segment: Segment): number {
  return keptBySegment.get(segment.base)?.sizeBytes ?? 0;
}
