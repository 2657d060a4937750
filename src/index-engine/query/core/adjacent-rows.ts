/**
 * The rows in which the parts of a split word are adjacent in a title: "head phones" for
 * headphones. Every search for such a word needs them, so they are cached per segment.
 *
 *   headphones   head 120 rows, phones 310 rows  ->  both 40 rows  ->  adjacent in 31 rows, cached
 *   kitchen      kit 90 rows, chen 2 rows         ->   none: the empty result is cached
 *
 * They only depend on the searched fields, not on statistics or deletions.
 */
import { ByteCache, getOrInsert, work } from "../../base/index.ts";
import type { Segment } from "../../segment/model/index.ts";
import { scratch } from "./scratch.ts";
import { NO_MATCH, type Scorer } from "./scorer.ts";

/** Per segment. */
const BUDGET_BYTES = 262_144;
/** If the rarest part has more rows, titles are only read where all other words match too. */
const MOST_LEADS = 4_096;
/** The same for rows with all parts. */
const MOST_TITLES = 1_024;
/** Approximate cost of reading a row's title. */
const STEPS_OF_PHRASE = 100;

const NONE = new Uint32Array(0);
/** Compared by identity. */
const TOO_MANY = new Uint32Array(0);

const cacheBySegment = new WeakMap<Segment, ByteCache<Uint32Array>>();

export function adjacentBytes(segment: Segment): number {
  return cacheBySegment.get(segment.base)?.bytes ?? 0;
}

/**
 * Ascending rows of the segment, including deleted ones. Null if there are too many to cache.
 * @param key equal only for equal parts and field weights
 * @param parts ascending by number of rows
 * @param makeTest creates a test of titles, which is called with ascending rows
 */
export function adjacentRows(
  segment: Segment,
  key: string,
  parts: readonly Scorer[],
  makeTest: () => (row: number) => boolean,
): Uint32Array | null {
  const cache = getOrInsert(
    cacheBySegment,
    segment.base,
    () => new ByteCache<Uint32Array>(BUDGET_BYTES, ({ byteLength }) => byteLength),
  );
  const rows = cache.get(key, () => find(parts, makeTest));
  return rows === TOO_MANY ? null : rows;
}

function find([lead, ...others]: readonly Scorer[], makeTest: () => (row: number) => boolean): Uint32Array {
  if (lead.mostRows > MOST_LEADS) return TOO_MANY;
  const mark = scratch.mark();
  try {
    const { rows, count } = lead.collect(null);
    const scores = scratch.scores(count);
    let left = count;
    for (const other of others) {
      other.score(rows, left, scores);
      let both = 0;
      for (let i = 0; i < left; i++) if (scores[i] !== NO_MATCH) rows[both++] = rows[i];
      left = both;
    }
    if (left === 0) return NONE;
    if (left > MOST_TITLES) return TOO_MANY;
    work.spend(left * STEPS_OF_PHRASE);
    const isPhrase = makeTest();
    const found: number[] = [];
    for (let i = 0; i < left; i++) if (isPhrase(rows[i])) found.push(rows[i]);
    return Uint32Array.from(found);
  } finally {
    scratch.release(mark);
  }
}
