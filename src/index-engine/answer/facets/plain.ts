/**
 * The counted entries of one field as plain data: what a shard sends, and how the entries of
 * several shards become one list.
 *
 *   Red 3, red 2 (id 7 on 4 products)
 *       texts Red   counts 5   ids null   special [{at, spellings [[Red 3] [red 2]], ids [[7 4]]}]
 *
 * Nearly every entry has one spelling and at most one id, both on all its products. Such an entry
 * is a text (or number), a count and an id, stored in columns. The other entries are written out in
 * `special`.
 *
 * Shards hold different products, so counts add up exactly. The spelling and id of an entry are
 * chosen after adding up.
 */
import type { CountedValue } from "../../query/index.ts";
import type { FacetKind } from "../../segment/model/index.ts";
import { compareCodePoints, getOrInsert } from "../../base/index.ts";
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

/** The parts of an entry. */
export interface TalliedEntry {
  readonly key: string | number;
  readonly count: number;
  /** Products by spelling and by id. */
  readonly spellings: ReadonlyMap<string, number>;
  readonly ids: ReadonlyMap<string, number>;
}

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
  addSimple(key: string | number, text: string, id: string | null, count: number): void {
    if (typeof key === "number") this.#numbers.push(key);
    else this.#texts.push(text);
    this.#counts.push(count);
    this.#ids.push(id);
    this.#hasIds ||= id !== null;
  }

  add({ key, count, spellings, ids }: TalliedEntry): void {
    const [spelling] = spellings;
    const [id] = ids;
    const isSimple =
      spellings.size === 1 && spelling?.[1] === count && (ids.size === 0 || (ids.size === 1 && id?.[1] === count));
    const at = this.#counts.length;
    this.addSimple(key, spelling?.[0] ?? String(key), isSimple ? (id?.[0] ?? null) : null, count);
    if (isSimple) return;
    this.#special.push({ at, spellings: [...spellings], ids: [...ids] });
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
      const entry = getOrInsert(merged, key, () => ({ key, count: 0, spellings: new Map(), ids: new Map() }));
      entry.count += count;
      if (special[next]?.at === at) {
        const { spellings, ids: idCounts } = special[next++];
        for (const [spelling, products] of spellings) addTo(entry.spellings, spelling, products);
        for (const [id, products] of idCounts) addTo(entry.ids, id, products);
        continue;
      }
      addTo(entry.spellings, numbers === null ? texts[at] : String(key), count);
      const id = ids === null ? null : ids[at];
      if (id !== null) addTo(entry.ids, id, count);
    }
  }
  return [...merged.values()];
}

interface EntrySum extends TalliedEntry {
  count: number;
  readonly spellings: Map<string, number>;
  readonly ids: Map<string, number>;
}

function addTo(products: Map<string, number>, text: string, count: number): void {
  products.set(text, (products.get(text) ?? 0) + count);
}

/** The value of an entry to show, with the spelling and the id that most of its products have. */
export function countedValue(kind: FacetKind, { key, count, spellings, ids: idCounts }: TalliedEntry): CountedValue {
  const [value] = mostFirst(spellings);
  const ids = mostFirst(idCounts);
  const id = ids[0] ?? null;
  return { key, value, id, ids, count, written: new TextValue(kind, key, value, id) };
}

/** Sorted by number of products, descending; ties: the smallest text first. */
function mostFirst(products: ReadonlyMap<string, number>): string[] {
  if (products.size === 1) return [...products.keys()];
  return [...products].sort((a, b) => b[1] - a[1] || compareCodePoints(a[0], b[0])).map(([text]) => text);
}
