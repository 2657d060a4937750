/**
 * The counted entries of one field as plain data: what a shard sends of it, and how the entries of several shards become one list.
 *
 * Nearly every entry has one spelling and at most one id, both on all its products. So an entry is a text (or number), a count and an id,
 * in columns; the others are written out in `special`:
 *
 *   Red 3, red 2 (id 7 on 4 products)    texts Red   counts 5   ids null   special [{at, spellings [[Red 3] [red 2]], ids [[7 4]]}]
 *
 * Shards hold different products, so counts add up exactly; spelling and id of an entry are chosen after adding.
 */
import type { CountedValue, FacetKind } from "../model.ts";
import { compareCodePoints } from "../strings.ts";
import { compareKeys } from "./shared-keys.ts";

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
export type TextCounts = readonly (readonly [string, number])[];

export interface SpecialEntry {
  readonly at: number;
  /** True: nothing of it may be shown, as far as this shard knows. Its texts are no spellings. */
  readonly hidden: boolean;
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

export function plainEntries(kind: FacetKind, entries: readonly TalliedEntry[]): PlainEntries {
  const isNumber = kind === "number";
  const texts: string[] = [];
  const ids: (string | null)[] = [];
  const special: SpecialEntry[] = [];
  let hasIds = false;
  entries.forEach(({ text, count, spellings, ids: idCounts }, at) => {
    const [spelling] = spellings;
    const [id] = idCounts;
    const isSimple =
      spellings.size === 1 &&
      spelling !== undefined &&
      spelling[1] === count &&
      (idCounts.size === 0 || (idCounts.size === 1 && id?.[1] === count));
    if (!isNumber) texts.push(spelling === undefined ? text : spelling[0]);
    ids.push(isSimple ? (id?.[0] ?? null) : null);
    hasIds ||= isSimple && id !== undefined;
    if (isSimple) return;
    special.push({
      at,
      hidden: spellings.size === 0,
      spellings: [...spellings],
      ids: [...idCounts],
    });
  });
  return {
    texts,
    numbers: isNumber ? Float64Array.from(entries, ({ key }) => Number(key)) : null,
    counts: Uint32Array.from(entries, ({ count }) => count),
    ids: hasIds ? ids : null,
    special,
  };
}

/** One entry of several shards. */
export interface MergedEntry {
  readonly key: string | number;
  count: number;
  /** False: nothing of it may be shown anywhere. */
  listed: boolean;
  readonly spellings: Map<string, number>;
  readonly ids: Map<string, number>;
}

/** Ascending by key. */
export function mergeEntries(kind: FacetKind, parts: readonly PlainEntries[]): MergedEntry[] {
  const merged = new Map<string | number, MergedEntry>();
  for (const { texts, numbers, counts, ids, special } of parts) {
    let next = 0;
    for (let at = 0; at < counts.length; at++) {
      const text = numbers === null ? texts[at] : String(numbers[at]);
      const key = numbers === null ? (kind === "term" ? text.toLowerCase() : text) : numbers[at];
      let entry = merged.get(key);
      if (entry === undefined) {
        entry = { key, count: 0, listed: false, spellings: new Map(), ids: new Map() };
        merged.set(key, entry);
      }
      entry.count += counts[at];
      if (next < special.length && special[next].at === at) {
        const { hidden, spellings, ids: idCounts } = special[next++];
        if (!hidden) entry.listed = true;
        for (const [spelling, count] of spellings) add(entry.spellings, spelling, count);
        for (const [id, count] of idCounts) add(entry.ids, id, count);
        continue;
      }
      entry.listed = true;
      add(entry.spellings, text, counts[at]);
      const id = ids === null ? null : ids[at];
      if (id !== null) add(entry.ids, id, counts[at]);
    }
  }
  return [...merged.values()].sort((a, b) => compareKeys(a.key, b.key));
}

function add(counts: Map<string, number>, text: string, count: number): void {
  counts.set(text, (counts.get(text) ?? 0) + count);
}

/** The entry as it is shown: the spelling and the id on most products. */
export function countedValue({
  key,
  count,
  spellings,
  ids,
}: Pick<TalliedEntry, "key" | "count" | "spellings" | "ids">): CountedValue {
  const sorted = mostFirst(ids);
  return { key, value: mostFirst(spellings)[0], id: sorted[0] ?? null, ids: sorted, count };
}

/** By products, most first; ties: the smallest text. */
export function mostFirst(products: ReadonlyMap<string, number>): string[] {
  if (products.size === 1) return [...products.keys()];
  return [...products]
    .sort((a, b) => b[1] - a[1] || compareCodePoints(a[0], b[0]))
    .map(([text]) => text);
}
