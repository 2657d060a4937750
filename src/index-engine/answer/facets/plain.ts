/**
 * The counted entries of one field as plain data: what a shard sends, and how the entries of several shards become one
 * list.
 *
 *   Red 3, red 2 (id 7 on 4 products)
 *       texts Red   counts 5   ids null   special [{at, spellings [[Red 3] [red 2]], ids [[7 4]]}]
 *
 * Nearly every entry has one spelling and at most one id, both on all its products. Such an entry is a text (or
 * number), a count and an id, stored in columns. The other entries are written out in `special`.
 *
 * Shards hold different products, so counts add up exactly. The spelling and id of an entry are chosen after adding
 * up.
 */
import type { CountedValue } from "../../query/index.ts";
import type { FacetKind } from "../../segment/model/index.ts";
import { compareCodePoints, countBelow } from "../../base/index.ts";
import { keyOfText } from "./keys.ts";
import { TextValue } from "./written-value.ts";

export interface PlainEntries {
  /** One spelling of each entry; empty for numbers. */
  readonly texts: readonly string[];
  /** Only for numbers. */
  readonly numbers: Float64Array | null;
  /** Distinct products per entry. */
  readonly counts: Uint32Array;
  /** Null if no entry has an id. */
  readonly ids: readonly (string | null)[] | null;
  readonly special: readonly SpecialEntry[];
}

/** Texts with the number of products that have them. */
type TextCounts = readonly (readonly [string, number])[];

export interface SpecialEntry {
  readonly at: number;
  readonly spellings: TextCounts;
  readonly ids: TextCounts;
}

/** An entry whose spelling and id are not chosen yet. */
export interface TalliedEntry {
  readonly key: string | number;
  readonly count: number;
  /** A spelling; for numbers, the number as text. */
  readonly text: string;
  /** Null if no product has one. */
  readonly id: string | null;
  /** Products by spelling and by id. Null if all have the same. */
  readonly mixed: { readonly spellings: ReadonlyMap<string, number>; readonly ids: ReadonlyMap<string, number> } | null;
}

export function tallied(
  key: string | number,
  count: number,
  spellings: ReadonlyMap<string, number>,
  ids: ReadonlyMap<string, number>,
): TalliedEntry {
  const [[text, products] = [String(key), 0]] = spellings;
  const [[id, withId] = [null, count]] = ids;
  const isSame = spellings.size === 1 && products === count && ids.size < 2 && withId === count;
  return { key, count, text, id, mixed: isSame ? null : { spellings, ids } };
}

/** Collects entries. */
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
  addSimple(key: string | number, text: string, id: string | null, count: number): void {
    if (typeof key === "number") this.#numbers.push(key);
    else this.#texts.push(text);
    this.#counts.push(count);
    this.#ids.push(id);
    this.#hasIds ||= id !== null;
  }

  add({ key, count, text, id, mixed }: TalliedEntry): void {
    if (mixed !== null) {
      this.#special.push({ at: this.#counts.length, spellings: [...mixed.spellings], ids: [...mixed.ids] });
    }
    this.addSimple(key, text, mixed === null ? id : null, count);
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

/** Sums entries of several shards. Unsorted. */
export function mergeEntries(kind: FacetKind, parts: readonly PlainEntries[]): TalliedEntry[] {
  const merged = new Map<string | number, EntrySum>();
  for (const { texts, numbers, counts, ids, special } of parts) {
    let next = 0;
    for (let at = 0; at < counts.length; at++) {
      const count = counts[at];
      const key = numbers === null ? keyOfText(kind, texts[at]) : numbers[at];
      const text = numbers === null ? texts[at] : String(key);
      const id = ids === null ? null : ids[at];
      const own = special[next]?.at === at ? special[next++] : null;
      const entry = merged.get(key);
      if (entry === undefined) {
        merged.set(key, { key, count, text, id, mixed: own === null ? null : mixedOf(own) });
        continue;
      }
      if (entry.mixed !== null || own !== null || entry.text !== text || entry.id !== id) {
        entry.mixed ??= mixedOf(plainly(entry));
        const { spellings, ids: idCounts } = own ?? plainly({ text, id, count });
        for (const [spelling, products] of spellings) addTo(entry.mixed.spellings, spelling, products);
        for (const [one, products] of idCounts) addTo(entry.mixed.ids, one, products);
      }
      entry.count += count;
    }
  }
  return [...merged.values()];
}

/** The entries of a number field as columns, ascending. */
export interface NumberCounts {
  readonly values: Float64Array;
  readonly counts: Uint32Array;
}

/** Sums the entries of number fields of several shards. */
export function mergeNumbers(parts: readonly PlainEntries[]): NumberCounts {
  const all = Float64Array.from(parts.flatMap(({ numbers }) => [...(numbers ?? [])])).sort();
  const values = all.filter((value, i) => i === 0 || value !== all[i - 1]);
  const counts = new Uint32Array(values.length);
  for (const part of parts) {
    part.numbers?.forEach((value, i) => (counts[countBelow(values, value, false)] += part.counts[i]));
  }
  return { values, counts };
}

interface EntrySum extends TalliedEntry {
  count: number;
  mixed: { readonly spellings: Map<string, number>; readonly ids: Map<string, number> } | null;
}

function mixedOf({ spellings, ids }: Pick<SpecialEntry, "spellings" | "ids">): NonNullable<EntrySum["mixed"]> {
  return { spellings: new Map(spellings), ids: new Map(ids) };
}

/** An entry with one spelling and at most one id. */
function plainly({
  text,
  id,
  count,
}: Pick<TalliedEntry, "text" | "id" | "count">): Pick<SpecialEntry, "spellings" | "ids"> {
  return { spellings: [[text, count]], ids: id === null ? [] : [[id, count]] };
}

function addTo(products: Map<string, number>, text: string, count: number): void {
  products.set(text, (products.get(text) ?? 0) + count);
}

/** The value of an entry to show, with the spelling and the id that most of its products have. */
export function countedValue(kind: FacetKind, { key, count, text, id: only, mixed }: TalliedEntry): CountedValue {
  const value = mixed === null ? text : mostFirst(mixed.spellings)[0];
  const ids = mixed === null ? (only === null ? [] : [only]) : mostFirst(mixed.ids);
  const id = ids[0] ?? null;
  return { key, value, id, ids, count, written: new TextValue(kind, key, value, id) };
}

/** Sorted by number of products, descending; ties: the smallest text first. */
function mostFirst(products: ReadonlyMap<string, number>): string[] {
  if (products.size === 1) return [...products.keys()];
  return [...products].sort((a, b) => b[1] - a[1] || compareCodePoints(a[0], b[0])).map(([text]) => text);
}
