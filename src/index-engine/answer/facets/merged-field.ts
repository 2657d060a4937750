/** The counts of one field summed over shards (merged.ts). Unknown ones are requested; placeholders stand for them. */
import { countBelow, pushTo } from "../../base/index.ts";
import type { CountedValue, FieldCounts, KeyTest, NumberedEntries } from "../../query/index.ts";
import type { FacetKind } from "../../segment/model/index.ts";
import { hashText, HashSums, sharedHashes, type HashedCounts } from "./key-hashes.ts";
import type { FollowUps } from "./follow-ups.ts";
import { findLargest } from "./largest.ts";
import { compareKeys, keyOfText } from "./keys.ts";
import type { FacetAnswer, FacetFollowUp, FieldDetail } from "./partial.ts";
import {
  countedValue,
  mergeEntries,
  mergeNumbers,
  type NumberCounts,
  type PlainEntries,
  type TalliedEntry,
} from "./plain.ts";
import type { Range } from "./row-values.ts";
import { leastOfLargest } from "./value-order.ts";

export class MergedField implements FieldCounts {
  readonly name: string;
  readonly kind: FacetKind;
  /** By shard; an upper bound until the shard has sent the field. */
  readonly coverages: number[];
  readonly #details: (FieldDetail | null)[];
  readonly #followUps: FollowUps;
  /** Unsorted; null until known. */
  #entries: readonly TalliedEntry[] | null = null;
  #sums: HashSums | null = null;
  /** The entries requested as the largest ones; null before. */
  #largest: readonly TalliedEntry[] | null = null;
  /** Of `#entries`, by key, and by each of their ids in the order of keys; found when needed. */
  #byKey: ReadonlyMap<string | number, TalliedEntry> | null = null;
  #byId: ReadonlyMap<string, readonly CountedValue[]> | null = null;
  /** Whether the shards have been asked for what is likely to be needed. */
  #hasLikely = false;
  #repeats: boolean | null = null;
  #numbers: NumberCounts | null = null;
  readonly #ranges = new Map<string, readonly number[]>();
  readonly #owners = new Map<string, boolean>();

  constructor(name: string, kind: FacetKind, mostUnsent: number[], followUps: FollowUps) {
    this.name = name;
    this.kind = kind;
    this.coverages = mostUnsent;
    this.#details = mostUnsent.map(() => null);
    this.#followUps = followUps;
  }

  add(shard: number, detail: FieldDetail): void {
    this.#details[shard] = detail;
    this.coverages[shard] = detail.coverage;
    this.#entries = this.#sums = this.#largest = this.#numbers = this.#byKey = this.#byId = null;
  }

  /** If a shard has not sent the field, this is an upper bound. Looking at the field's values requests them. */
  get coverage(): number {
    return this.coverages.reduce((sum, coverage) => sum + coverage, 0);
  }

  get hasRepeats(): boolean {
    if (this.#details.some((detail) => detail !== null && detail.largestCount > 1)) return true;
    if (this.#repeats !== null) return this.#repeats;
    if (this.#hasSent(({ hashed }) => hashed === null)) return this.#assumed().some(({ count }) => count > 1);
    if (!this.#hasSent(() => true)) this.#ask("detail");
    else {
      const shared = sharedHashes(this.#hashes().map(({ hashes }) => hashes));
      if (shared.size === 0) return (this.#repeats = false);
      const { name, kind } = this;
      this.#followUps.ask({ name, kind, what: "named", hashes: [...shared].sort((a, b) => a - b) });
    }
    return !this.#followUps.isAbsent(this);
  }

  values(): readonly CountedValue[] {
    const sorted = this.#assumed().toSorted((a, b) => compareKeys(a.key, b.key));
    return sorted.map((entry) => countedValue(this.kind, entry));
  }

  numbered(): NumberedEntries {
    const entries = this.#assumed();
    return {
      size: entries.length,
      keyOf: (entry) => entries[entry].key,
      countOf: (entry) => entries[entry].count,
      valueOf: (entry) => countedValue(this.kind, entries[entry]),
    };
  }

  top(limit: number, isWithin: KeyTest | null = null): readonly CountedValue[] {
    return limit <= 0 ? [] : this.#topEntries(limit, isWithin).map((entry) => countedValue(this.kind, entry));
  }

  #topEntries(limit: number, isWithin: KeyTest | null): readonly TalliedEntry[] {
    if (isWithin !== null) {
      // All entries, because none of the largest may be within.
      const within = this.#assumed().filter(({ key }) => isWithin(key));
      return largestOf(within, limit);
    }
    if (!this.#hasSent(() => true)) {
      this.#ask("detail");
      return this.#followUps.isAbsent(this) ? [] : placeholders(this.kind);
    }
    if (!this.#isHashed) return largestOf(this.#assumed(), limit);
    return this.#largestBySums(limit) ?? placeholders(this.kind);
  }

  /** Whether every shard has sent the field, and some of them not all entries. */
  get #isHashed(): boolean {
    return this.#details.some((detail) => detail !== null && detail.hashed !== null) && this.#hasSent(() => true);
  }

  /** Null if entries have been requested. Always with the same limit. */
  #largestBySums(limit: number): readonly TalliedEntry[] | null {
    const { name, kind } = this;
    if (!this.#hasLikely && this.#details.some((detail) => detail?.hashed?.largest === 0)) {
      this.#ask("detail");
      return null;
    }
    const details = this.#details.filter((detail) => detail !== null);
    const largest = findLargest(kind, details, this.#summed(), limit, this.#largest);
    if (largest.kind === "found") return largest.entries;
    if (largest.kind === "all") this.#ask("entries");
    else this.#followUps.ask({ name, kind, what: "largest", ...largest.wanted });
    return null;
  }

  #summed(): HashSums {
    return (this.#sums ??= new HashSums(this.#hashes()));
  }

  /** Of the entries of each shard. */
  #hashes(): HashedCounts[] {
    return this.#details.flatMap((detail) => (detail === null ? [] : [detail.hashed ?? hashedOf(detail)]));
  }

  entry(key: string | number): CountedValue | null {
    if (this.#isHashed) return this.#sentEntry(key);
    const entries = this.#known();
    const found = entries === null ? undefined : (this.#byKey ??= byKeys(entries)).get(key);
    return found === undefined ? null : countedValue(this.kind, found);
  }

  /** Shards have sent the selected entries. Requests all if this one is not among them. */
  #sentEntry(key: string | number): CountedValue | null {
    const sum = this.#summed().countOf(hashText(String(key)));
    if (sum === 0) return null;
    const found = (this.#byKey ??= byKeys(mergeEntries(this.kind, this.#sent()))).get(key);
    if (found?.count === sum) return countedValue(this.kind, found);
    this.#ask("entries");
    return null;
  }

  entriesWithId(id: string): readonly CountedValue[] {
    if (this.#known() === null) return [];
    this.#byId ??= byIds(this.values());
    return this.#byId.get(id) ?? [];
  }

  numbers(): NumberCounts {
    if (this.#knowsAll()) return (this.#numbers ??= mergeNumbers(this.#sent()));
    return mergeNumbers(this.#followUps.isAbsent(this) ? [] : [PLACEHOLDERS.number]);
  }

  countRanges(ranges: readonly Range[]): readonly number[] {
    const { name } = this;
    const unknown = ranges.map(() => 1);
    if (!this.#knowsAll()) return unknown;
    if (this.#hasSent(({ isSingleValued }) => isSingleValued)) {
      const { values, counts } = this.numbers();
      return ranges.map(({ lower, upper }) => {
        let sum = 0;
        for (let i = countBelow(values, lower, false); i < values.length && values[i] <= upper; i++) {
          sum += counts[i];
        }
        return sum;
      });
    }
    const known = this.#ranges.get(JSON.stringify(ranges));
    if (known === undefined) this.#followUps.ask({ name, kind: "number", what: "ranges", ranges });
    return known ?? unknown;
  }

  ownsId({ key, id }: Pick<CountedValue, "key" | "id">): boolean {
    if (id === null || this.#known() === null) return false;
    const { name, kind } = this;
    const known = this.#owners.get(ownerKey(key, id));
    if (known === undefined) this.#followUps.ask({ name, kind, what: "owner", key, id });
    return known ?? false;
  }

  distinctValues(atMost: number): number {
    // Counted values are live, so enough of them are enough distinct values. Different hashes are different keys.
    if (this.#isHashed && this.#summed().size >= atMost) return atMost;
    const entries = this.#known();
    if (entries === null) return 0;
    if (entries.length >= atMost) return atMost;
    const keys = new Set(this.#details.flatMap((detail) => detail?.distinct ?? []));
    if (keys.size >= atMost) return atMost;
    if (this.#details.every((detail) => detail !== null)) return keys.size;
    this.#ask("entries");
    return this.#followUps.isAbsent(this) ? atMost : keys.size;
  }

  /** `answers` are those of all shards. */
  supply(followUp: FacetFollowUp, answers: readonly (FacetAnswer | undefined)[]): void {
    switch (followUp.what) {
      case "detail":
      case "entries":
        this.#hasLikely = true;
        only("detail", answers).forEach(({ detail }, shard) => this.add(shard, detail));
        return;
      case "named": {
        // Each shard sends a key once.
        const named = only("named", answers).flatMap(({ keys }) => keys);
        this.#repeats = new Set(named).size < named.length;
        return;
      }
      case "largest":
        this.#largest = mergeEntries(
          this.kind,
          only("largest", answers).map(({ entries }) => entries),
        );
        return;
      case "ranges": {
        const sent = only("ranges", answers);
        const sums = followUp.ranges.map((_, i) => sent.reduce((sum, { counts }) => sum + counts[i], 0));
        this.#ranges.set(JSON.stringify(followUp.ranges), sums);
        return;
      }
      case "owner":
        this.#owners.set(
          ownerKey(followUp.key, followUp.id),
          only("owner", answers).every(({ owns }) => owns),
        );
        return;
    }
  }

  #ask(what: "detail" | "entries"): void {
    this.#followUps.ask({ name: this.name, kind: this.kind, what });
  }

  #hasSent(isSuch: (detail: FieldDetail) => boolean): boolean {
    return this.#details.every((detail, shard) => (detail === null ? this.coverages[shard] === 0 : isSuch(detail)));
  }

  /** Requests the entries if some are unknown. */
  #knowsAll(): boolean {
    const isAll = this.#hasSent(({ hashed }) => hashed === null);
    if (!isAll) this.#ask("entries");
    return isAll;
  }

  /** What the shards have sent. */
  #sent(): PlainEntries[] {
    return this.#details.flatMap((detail) => (detail === null ? [] : [detail.entries]));
  }

  /** Null if the entries have been requested. */
  #known(): readonly TalliedEntry[] | null {
    if (this.#entries !== null) return this.#entries;
    return this.#knowsAll() ? (this.#entries = mergeEntries(this.kind, this.#sent())) : null;
  }

  /** The entries. If they have been requested: none, or placeholders if the field is assumed to be a facet. */
  #assumed(): readonly TalliedEntry[] {
    return this.#known() ?? (this.#followUps.isAbsent(this) ? [] : placeholders(this.kind));
  }
}

const ONE_EACH = { counts: Uint32Array.of(1, 1), ids: null, special: [] };
const PLACEHOLDERS: Readonly<Record<"number" | "text", PlainEntries>> = {
  number: { texts: [], numbers: Float64Array.of(0, 1), ...ONE_EACH },
  text: { texts: ["a", "b"], numbers: null, ...ONE_EACH },
};

function byKeys(entries: readonly TalliedEntry[]): Map<string | number, TalliedEntry> {
  return new Map(entries.map((entry) => [entry.key, entry]));
}

function byIds(values: readonly CountedValue[]): Map<string, CountedValue[]> {
  const found = new Map<string, CountedValue[]>();
  for (const value of values) for (const id of value.ids) pushTo(found, id, value);
  return found;
}

function placeholders(kind: FacetKind): TalliedEntry[] {
  return mergeEntries(kind, [PLACEHOLDERS[kind === "number" ? "number" : "text"]]);
}

/** Those with the largest counts; ties: smallest keys. */
function largestOf(entries: readonly TalliedEntry[], limit: number): readonly TalliedEntry[] {
  if (limit >= entries.length) return entries.toSorted((a, b) => compareKeys(a.key, b.key));
  const { least, missing } = leastOfLargest(
    Uint32Array.from(entries, ({ count }) => count),
    limit,
  );
  const tied = entries.filter(({ count }) => count === least).sort((a, b) => compareKeys(a.key, b.key));
  return [...entries.filter(({ count }) => count > least), ...tied.slice(0, missing)];
}

/** Of all entries of a shard. */
function hashedOf({ kind, entries: { texts, numbers, counts } }: FieldDetail): HashedCounts {
  const hashes = Uint32Array.from(counts, (_, at) =>
    hashText(numbers === null ? keyOfText(kind, texts[at]) : String(numbers[at])),
  );
  return { hashes, counts };
}

/** Throws if a shard has answered something else, or nothing. */
function only<What extends FacetAnswer["what"]>(
  what: What,
  answers: readonly (FacetAnswer | undefined)[],
): Extract<FacetAnswer, { readonly what: What }>[] {
  const own = answers.filter(
    (answer): answer is Extract<FacetAnswer, { readonly what: What }> => answer?.what === what,
  );
  if (own.length < answers.length) throw new Error(`a shard did not answer ${what}`);
  return own;
}

function ownerKey(key: string | number, id: string): string {
  return JSON.stringify([key, id]);
}
