/**
 * Caches unions of posting lists for short prefixes. A short prefix matches hundreds of terms, which together cover a
 * large part of the catalogue. Uniting their lists takes about a millisecond in every search while a shopper types.
 * The cached union stores its rows as bits, and for each row the code of its best posting plus 1, or 0.
 *
 *   lists  de: 3/c1 7/c2   dean: 3/c4   desk: 9/c1
 *   ->     rows 3 7 9      codes  3: c4 + 1   7: c2 + 1   9: c1 + 1   others: 0
 *
 * All terms of a prefix have the same weight, so the best posting of a row is the one with the highest frequency
 * (rank/similarity.ts), which depends on field weights and statistics. Unions are cached by field weights, with
 * BUDGET_BYTES_PER_ROW for each row of the segment, and dropped when statistics change. Without a cached union, a few
 * rows of other words are looked up in the lists.
 */
import { ByteCache, emptyBits, getOrInsert, setBit, sumOfBytes, work, writeRows } from "../../base/index.ts";
import type { Segment } from "../../segment/model/index.ts";
import { areSameStatistics, type Similarity, type Statistics } from "../rank/index.ts";
import { listsScorer } from "./list-scorers.ts";
import { NO_MATCH, type Hits, type Scorer } from "./scorer.ts";
import { scratch } from "./scratch.ts";

/** With up to 254 signatures, a union takes 9 bits per row, so this is enough for 56 prefixes. */
const BUDGET_BYTES_PER_ROW = 64;
const MINIMUM_BYTES = 16_384;
/** Unions of fewer lists, or of fewer postings per row of the segment, are not cached. */
const LEAST_LISTS = 8;
const LEAST_SHARE = 1 / 16;

interface Union {
  readonly rows: Uint32Array;
  /** By row: code of its best posting plus 1. */
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  readonly rowCount: number;
}

interface CachedUnions {
  statistics: Statistics;
  readonly unions: ByteCache<Union>;
}

const cacheBySegment = new WeakMap<Segment, CachedUnions>();

export function prefixUnionBytes(segment: Segment): number {
  return cacheBySegment.get(segment.base)?.unions.bytes ?? 0;
}

/**
 * A scorer of lists [start, end) with the common factor `scale`: of their union, unless they are few or short, or have
 * no matches because only a few fields are searched.
 * @param weightsKey key of the field weights of `similarity`
 */
export function prefixScorer(
  segment: Segment,
  similarity: Similarity,
  weightsKey: string,
  [start, end]: readonly [number, number],
  scale: number,
): Scorer {
  const unsaved = (): Scorer => rangeScorer(segment, similarity, start, end, scale);
  if (similarity.isNarrow || end - start < LEAST_LISTS) return unsaved();
  const { statistics } = similarity;
  const cache = getOrInsert(cacheBySegment, segment.base, (): CachedUnions => {
    const budgetBytes = Math.max(MINIMUM_BYTES, BUDGET_BYTES_PER_ROW * segment.productCount);
    return { statistics, unions: new ByteCache(budgetBytes, ({ rows, codes }) => sumOfBytes(rows, codes)) };
  });
  if (!areSameStatistics(cache.statistics, statistics)) {
    cache.unions.clear();
    cache.statistics = statistics;
  }
  const key = `${start} ${end} ${weightsKey}`;
  let postingCount = 0;
  if (cache.unions.find(key) === undefined) {
    work.spend(end - start);
    for (let list = start; list < end; list++) postingCount += segment.postings.count(list);
    if (postingCount < segment.productCount * LEAST_SHARE) return unsaved();
  }
  const lists = { start, end, postingCount, key };
  return new PrefixScorer(segment, similarity, cache.unions, lists, scale);
}

/** Without their union. */
function rangeScorer(segment: Segment, similarity: Similarity, start: number, end: number, scale: number): Scorer {
  const lists = Array.from({ length: end - start }, (_, i) => ({ list: start + i, scale }));
  return listsScorer(segment, similarity, lists, false);
}

interface Lists {
  readonly start: number;
  readonly end: number;
  /** 0 if their union is cached. */
  readonly postingCount: number;
  readonly key: string;
}

function unite(
  { postings, signatures, productCount }: Segment,
  similarity: Similarity,
  start: number,
  end: number,
): Union {
  const signatureCount = signatures.count;
  const codes =
    signatureCount < 2 ** 8 - 1
      ? new Uint8Array(productCount)
      : signatureCount < 2 ** 16 - 1
        ? new Uint16Array(productCount)
        : new Uint32Array(productCount);
  const bits = emptyBits(productCount);
  let rowCount = 0;
  for (let list = start; list < end; list++) {
    const mark = scratch.mark();
    const count = postings.count(list);
    work.spend(count);
    const rows = scratch.rows(count);
    const found = scratch.rows(count);
    postings.decode(list, rows, found);
    for (let i = 0; i < count; i++) {
      const row = rows[i];
      const code = found[i];
      const known = codes[row];
      if (known === code + 1) continue;
      if (known === 0) {
        if (!similarity.isSearched(code)) continue;
        setBit(bits, row);
        rowCount++;
      } else if (similarity.frequency(row, code) <= similarity.frequency(row, known - 1)) continue;
      codes[row] = code + 1;
    }
    scratch.release(mark);
  }
  return { rows: bits, codes, rowCount };
}

/** Looking a row up in a list costs as much as adding this many postings to a union; so does opening a list. */
const POSTINGS_PER_LOOKUP = 16;

class PrefixScorer implements Scorer {
  readonly mostRows: number;
  readonly mostScore: number;
  readonly #segment: Segment;
  readonly #similarity: Similarity;
  readonly #unions: ByteCache<Union>;
  readonly #lists: Lists;
  readonly #scale: number;
  #union: Union | null;

  constructor(segment: Segment, similarity: Similarity, unions: ByteCache<Union>, lists: Lists, scale: number) {
    this.#segment = segment;
    this.#similarity = similarity;
    this.#unions = unions;
    this.#lists = lists;
    this.#scale = scale;
    this.#union = unions.find(lists.key) ?? null;
    this.mostRows = this.#union?.rowCount ?? Math.min(lists.postingCount, segment.productCount);
    this.mostScore = similarity.mostScore(scale);
  }

  #united(): Union {
    if (this.#union !== null) return this.#union;
    const { start, end, key } = this.#lists;
    const make = (): Union => unite(this.#segment, this.#similarity, start, end);
    return (this.#union = this.#unions.get(key, make));
  }

  collect(accept: Uint32Array | null): Hits {
    const { rows: bits, codes, rowCount } = this.#united();
    work.spend(bits.length + rowCount);
    const rows = scratch.rows(rowCount);
    const own = scratch.codes(rowCount);
    const scores = scratch.scores(rowCount);
    const count = writeRows(bits, rows, accept);
    for (let i = 0; i < count; i++) own[i] = codes[rows[i]] - 1;
    this.#similarity.scoreAll(this.#scale, rows, own, count, scores);
    return { rows, scores, count };
  }

  score(rows: Uint32Array, count: number, scores: Float64Array): void {
    if (this.#union === null && this.#areFew(count)) {
      const { start, end } = this.#lists;
      rangeScorer(this.#segment, this.#similarity, start, end, this.#scale).score(rows, count, scores);
      return;
    }
    const { codes } = this.#united();
    work.spend(count);
    for (let i = 0; i < count; i++) {
      const code = codes[rows[i]];
      scores[i] = code === 0 ? NO_MATCH : this.#similarity.score(this.#scale, rows[i], code - 1);
    }
  }

  /**
   * Whether looking the rows up in the lists is faster than creating the union, which would also serve later searches.
   */
  #areFew(rowCount: number): boolean {
    const { start, end, postingCount } = this.#lists;
    const { postings } = this.#segment;
    let cost = 0;
    for (let list = start; list < end; list++) {
      cost += Math.min(postings.count(list), POSTINGS_PER_LOOKUP * rowCount) + POSTINGS_PER_LOOKUP;
    }
    return cost * 2 < postingCount;
  }
}
