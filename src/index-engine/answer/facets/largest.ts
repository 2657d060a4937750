/**
 * The largest entries of a field with many entries over several shards, from the hashes and counts of all entries and
 * the largest entries of each shard (partial.ts, "Many entries").
 *
 *   sums by hash -> `least`, the smallest count among the `limit` largest. Hashes with a larger sum are wanted.
 *                   Hashes with this sum are ties; of their keys, the `missing` smallest are wanted
 *   a known entry is whole if its count is the sum of its hash. If all wanted ones are known and whole, and no
 *   unknown tie can have a smaller key than those chosen, they are the answer
 *
 * An unknown tie can be ruled out: a shard sends its entries by count, then by key. If the last one sent has the count
 * that the tie has on this shard, the key of the tie sorts after it. So nothing is requested of 400,000 values with one
 * product each, although all of them are ties.
 *
 * Different keys with one hash have smaller counts than its sum, so an entry of theirs is never whole, and nothing that
 * is whole is displaced by them.
 */
import type { FacetKind } from "../../segment/model/index.ts";
import { hashText, type HashSums } from "./key-hashes.ts";
import { compareKeys, keyOfText } from "./keys.ts";
import type { FieldDetail, WantedEntries } from "./partial.ts";
import { mergeEntries, type TalliedEntry } from "./plain.ts";
import { leastOfLargest } from "./value-order.ts";

export type Largest =
  | { readonly kind: "found"; readonly entries: readonly TalliedEntry[] }
  | { readonly kind: "wanted"; readonly wanted: WantedEntries }
  /** Only all entries can tell. */
  | { readonly kind: "all" };

/**
 * @param details of all shards with the field
 * @param answered the entries that were requested; null before
 */
export function findLargest(
  kind: FacetKind,
  details: readonly FieldDetail[],
  sums: HashSums,
  limit: number,
  answered: readonly TalliedEntry[] | null,
): Largest {
  if (sums.size <= limit) return { kind: "all" };
  const { hashes, counts } = sums;
  const { least, missing } = leastOfLargest(counts, limit);
  const known =
    answered ??
    mergeEntries(
      kind,
      details.map(({ entries }) => entries),
    );
  const sumOf = (entry: TalliedEntry): number => sums.countOf(hashOf(entry));
  const above = known.filter((entry) => sumOf(entry) > least);
  const tied = known.filter((entry) => sumOf(entry) === least).sort((a, b) => compareKeys(a.key, b.key));
  const entries = [...above, ...tied.slice(0, missing)];
  const isWhole = entries.length === limit && entries.every((entry) => entry.count === sumOf(entry));
  if (answered !== null) return isWhole ? { kind: "found", entries } : { kind: "all" };

  const isRuledOut = new Uint8Array(sums.size);
  for (const entry of tied) isRuledOut[sums.placeOf(hashOf(entry))] = 1;
  if (tied.length >= missing) ruleOutTies(isRuledOut, details, sums, tied[missing - 1].key);
  const open = hashes.filter((_, place) => counts[place] === least && isRuledOut[place] === 0);
  if (isWhole && open.length === 0) return { kind: "found", entries };
  const wanted = hashes.filter((_, place) => counts[place] > least);
  const ties = Uint32Array.from([...tied.map(hashOf), ...open]);
  return { kind: "wanted", wanted: { hashes: wanted, ties, missing } };
}

function hashOf({ key }: Pick<TalliedEntry, "key">): number {
  return hashText(String(key));
}

/** Marks the hashes whose keys are known to sort after `last`. */
function ruleOutTies(
  isRuledOut: Uint8Array,
  details: readonly FieldDetail[],
  sums: HashSums,
  last: string | number,
): void {
  for (const { kind, entries, hashed } of details) {
    if (hashed === null) continue;
    let end: Pick<TalliedEntry, "key" | "count"> | null = null;
    for (let i = 0; i < hashed.largest; i++) {
      const entry = { key: keyOfText(kind, entries.texts[i]), count: entries.counts[i] };
      const isBehind = end === null || entry.count < end.count;
      if (isBehind || (entry.count === end?.count && compareKeys(entry.key, end.key) > 0)) end = entry;
    }
    if (end === null || compareKeys(end.key, last) < 0) continue;
    for (let i = 0; i < hashed.hashes.length; i++) {
      if (hashed.counts[i] === end.count) isRuledOut[sums.placeOf(hashed.hashes[i])] = 1;
    }
  }
}
