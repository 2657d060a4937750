/**
 * The counted entries of one field as plain data: what a shard sends of it, and how the entries of
 * several shards become one list.
 *
 * Nearly every entry has one spelling and at most one id, both on all its products. So an entry is
 * a text (or number), a count and an id, in columns; the others are written out in `special`:
 *
 *   Red 3, red 2 (id 7 on 4 products)    texts Red   counts 5   ids null   special [{at, spellings [[Red 3] [red 2]], ids [[7 4]]}]
 *
 * Shards hold different products, so counts add up exactly; spelling and id of an entry are chosen
 * after adding.
 */
import type { CountedValue } from "../../query/index.ts";
import type { FacetKind } from "../../segment/model/index.ts";
import { compareCodePoints } from "../../base/index.ts";
import { TextValue } from "./written-value.ts";

export interface PlainEntries {
  /** A spelling of each entry; numbers: empty. */
  readonly texts: readonly string[];
  /** Numbers only. */
  readonly numbers: Float64Array | null;
  /** Distinct products per entry. */
  readonly counts: Uint32Array;
  /** Null: no entry has one. */
  readonly ids: readonly (string | null)[] | null;
  readonly special: readonly SpecialEntry[];
}

/** Texts with the number of products that have them. */
type TextCounts = readonly (readonly [string, number])[];

export interface SpecialEntry {
  readonly at: number;
  /** True: nothing of it may be shown, as far as this shard knows. Its texts are no spellings. */
  readonly hidden: boolean;
  /** Of numbers: none. */
  readonly spellings: TextCounts;
  readonly ids: TextCounts;
}

/** What an entry is made of. */
export interface TalliedEntry {
  readonly key: string | number;
  /** Some text of the entry; the number as text. */
  readonly text: string;
  readonly count: number;
  /** Products by spelling and by id, of values that may be shown. */
  readonly spellings: ReadonlyMap<string, number>;
  readonly ids: ReadonlyMap<string, number>;
}

export const NO_ENTRIES: PlainEntries = {
  texts: [],
  numbers: null,
  counts: new Uint32Array(0),
  ids: null,
  special: [],
};

/** Collects entries, ascending by key. */
export class PlainEntriesBuilder {
  readonly #kind: FacetKind;
  readonly #texts: string[] = [];
  readonly #numbers: number[] = [];
  readonly #counts: number[] = [];
  readonly #ids: (string | null)[] = [];
  readonly #special: SpecialEntry[] = [];
  #hasIds = false;

  constructor(kind: FacetKind) {
    this.#kind = kind;
  }

  /** An entry with one spelling and at most one id, both on all of its products. */
  addSimple(text: string, id: string | null, count: number): void {
    this.#texts.push(text);
    this.#counts.push(count);
    this.#ids.push(id);
    this.#hasIds ||= id !== null;
  }

  /** A number has no spellings. `ids`: products by id, of values that may be shown. */
  addNumber(value: number, count: number, hidden: boolean, ids: ReadonlyMap<string, number>): void {
    const [id] = ids;
    const isSimple = !hidden && (id === undefined || (ids.size === 1 && id[1] === count));
    if (!isSimple) {
      this.#special.push({ at: this.#counts.length, hidden, spellings: [], ids: [...ids] });
    }
    const only = isSimple ? (id?.[0] ?? null) : null;
    this.#numbers.push(value);
    this.#counts.push(count);
    this.#ids.push(only);
    this.#hasIds ||= only !== null;
  }

  add({ text, count, spellings, ids }: Omit<TalliedEntry, "key">): void {
    const [spelling] = spellings;
    const [id] = ids;
    const isSimple =
      spellings.size === 1 &&
      spelling?.[1] === count &&
      (ids.size === 0 || (ids.size === 1 && id?.[1] === count));
    const at = this.#counts.length;
    this.addSimple(spelling?.[0] ?? text, isSimple ? (id?.[0] ?? null) : null, count);
    if (isSimple) return;
    const hidden = spellings.size === 0;
    this.#special.push({ at, hidden, spellings: [...spellings], ids: [...ids] });
  }

  finish(): PlainEntries {
    return {
      texts: this.#texts,
      numbers: this.#kind === "number" ? Float64Array.from(this.#numbers) : null,
      counts: Uint32Array.from(this.#counts),
      ids: this.#hasIds ? this.#ids : null,
      special: this.#special,
    };
  }
}

/** Texts with their products; one text needs no map. */
class TextSums {
  #first: string | null = null;
  #firstCount = 0;
  #all: Map<string, number> | null = null;

  add(text: string, count: number): void {
    if (this.#all === null) {
      if (this.#first === null) this.#first = text;
      if (this.#first === text) {
        this.#firstCount += count;
        return;
      }
      this.#all = new Map([[this.#first, this.#firstCount]]);
    }
    this.#all.set(text, (this.#all.get(text) ?? 0) + count);
  }

  /** By products, most first. */
  mostFirst(): string[] {
    if (this.#all !== null) return mostFirst(this.#all);
    return this.#first === null ? [] : [this.#first];
  }
}

/** One entry of several shards. */
export class MergedEntry {
  readonly #kind: FacetKind;
  readonly key: string | number;
  count = 0;
  /** False: nothing of it may be shown anywhere. */
  listed = false;
  readonly #spellings = new TextSums();
  #ids: TextSums | null = null;

  constructor(kind: FacetKind, key: string | number) {
    this.#kind = kind;
    this.key = key;
  }

  addSpelling(text: string, count: number): void {
    this.#spellings.add(text, count);
  }

  addId(id: string, count: number): void {
    this.#ids ??= new TextSums();
    this.#ids.add(id, count);
  }

  /** As it is shown. */
  value(): CountedValue {
    const { key, count } = this;
    const value = typeof key === "number" ? String(key) : this.#spellings.mostFirst()[0];
    const ids = this.#ids?.mostFirst() ?? [];
    const id = ids[0] ?? null;
    return { key, value, id, ids, count, written: new TextValue(this.#kind, key, value, id) };
  }
}

/** In no order. */
export function mergeEntries(kind: FacetKind, parts: readonly PlainEntries[]): MergedEntry[] {
  const merged = new Map<string | number, MergedEntry>();
  for (const { texts, numbers, counts, ids, special } of parts) {
    let next = 0;
    for (let at = 0; at < counts.length; at++) {
      const text = numbers === null ? texts[at] : "";
      const key = numbers === null ? (kind === "term" ? text.toLowerCase() : text) : numbers[at];
      let entry = merged.get(key);
      if (entry === undefined) merged.set(key, (entry = new MergedEntry(kind, key)));
      entry.count += counts[at];
      if (next < special.length && special[next].at === at) {
        const { hidden, spellings, ids: idCounts } = special[next++];
        entry.listed ||= !hidden;
        for (const [spelling, count] of spellings) entry.addSpelling(spelling, count);
        for (const [id, count] of idCounts) entry.addId(id, count);
        continue;
      }
      entry.listed = true;
      entry.addSpelling(text, counts[at]);
      const id = ids === null ? null : ids[at];
      if (id !== null) entry.addId(id, counts[at]);
    }
  }
  return [...merged.values()];
}

/** An entry as it is shown: the spelling and the id on most products. */
export function countedValue(
  kind: FacetKind,
  { key, count, spellings, ids }: Pick<TalliedEntry, "key" | "count" | "spellings" | "ids">,
): CountedValue {
  const sorted = mostFirst(ids);
  const value = mostFirst(spellings)[0];
  const id = sorted[0] ?? null;
  return { key, value, id, ids: sorted, count, written: new TextValue(kind, key, value, id) };
}

/** By products, most first; ties: the smallest text. */
function mostFirst(products: ReadonlyMap<string, number>): string[] {
  if (products.size === 1) return [...products.keys()];
  return [...products]
    .sort((a, b) => b[1] - a[1] || compareCodePoints(a[0], b[0]))
    .map(([text]) => text);
}
