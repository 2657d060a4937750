/**
 * Scorers of posting lists. A word often has several lists: its exact term, its other forms, corrections, or all terms
 * with a prefix. A row in one list gets the score of that list. In several lists, it gets at least that of the best one.
 * If the lists are alternatives of a word, their fields add up (rank/similarity.ts, "Several alternatives"); of the
 * terms with a prefix, only the best one counts.
 *
 * A few lists are merged. Many short lists are scattered into an array by row. A long list is only
 * searched for given rows: `codesOf` skips blocks without them.
 *
 * A posting only counts if a searched field has the term; its score is then above 0.
 */
import { emptyBits, setBit, writeRows, work } from "../../base/index.ts";
import type { Segment } from "../../segment/model/index.ts";
import { SUM_LENGTH, type Similarity } from "../rank/index.ts";
import { RowTable, scratch } from "./scratch.ts";
import { nothing, NO_HITS, NO_MATCH, type CodedHits, type Hits, type Scorer } from "./scorer.ts";

/** A posting list and the factor of its scores (`scaleOf`). */
export interface ScaledList {
  readonly list: number;
  readonly scale: number;
}

/** Steps of finding rows in a list: each row may require decoding a block. */
function stepsOfLookUp(listLength: number, rowCount: number): number {
  return STEPS_OF_LIST + rowCount + Math.min(listLength, rowCount * STEPS_OF_ROW);
}
const STEPS_OF_LIST = 100;
const STEPS_OF_ROW = 32;

/** Up to this many lists are merged; more are scattered. */
const MOST_MERGED = 4;
/** A list with more postings per given row is searched for the rows; a shorter list is decoded. */
const POSTINGS_PER_ROW = 8;

/** @param addsUp whether the lists are alternatives of a word, whose fields add up */
export function listsScorer(
  segment: Segment,
  similarity: Similarity,
  lists: readonly ScaledList[],
  addsUp: boolean,
): Scorer {
  const { postings } = segment;
  const present: CountedList[] = [];
  let total = 0;
  const isSearched = (signature: number): boolean => similarity.isSearched(signature);
  for (const { list, scale } of lists) {
    const count = postings.count(list);
    if (count === 0 || (similarity.isNarrow && !postings.mayHaveCode(list, isSearched))) continue;
    present.push({ list, scale, count });
    total += count;
  }
  const [first] = present;
  if (first === undefined) return nothing;
  if (present.length === 1) return new ListScorer(segment, similarity, first);
  const most = Math.min(total, segment.productCount);
  return new ListsScorer(segment, similarity, present, most, addsUp && similarity.fieldsAddUp);
}

interface CountedList extends ScaledList {
  readonly count: number;
}

class ListScorer implements Scorer {
  readonly mostRows: number;
  readonly mostScore: number;
  readonly #segment: Segment;
  readonly #similarity: Similarity;
  readonly #list: number;
  readonly #scale: number;

  constructor(segment: Segment, similarity: Similarity, { list, scale, count }: CountedList) {
    this.#segment = segment;
    this.#similarity = similarity;
    this.#list = list;
    this.#scale = scale;
    this.mostRows = count;
    this.mostScore = similarity.mostScore(scale);
  }

  collect(accept: Uint32Array | null): Hits {
    const scores = scratch.scores(this.mostRows);
    const { rows, codes, count } = this.collectCodes(accept);
    this.#similarity.scoreAll(this.#scale, rows, codes, count, scores);
    let left = 0;
    for (let i = 0; i < count; i++) {
      if (scores[i] === 0) continue;
      rows[left] = rows[i];
      scores[left++] = scores[i];
    }
    return { rows, scores, count: left };
  }

  collectCodes(accept: Uint32Array | null): CodedHits {
    work.spend(this.mostRows);
    const rows = scratch.rows(this.mostRows);
    const codes = scratch.rows(this.mostRows);
    const length = this.#segment.postings.decode(this.#list, rows, codes);
    if (accept === null) return { rows, codes, count: length };
    let count = 0;
    for (let i = 0; i < length; i++) {
      const row = rows[i];
      if (((accept[row >>> 5] >>> row) & 1) === 0) continue;
      rows[count] = row;
      codes[count++] = codes[i];
    }
    return { rows, codes, count };
  }

  scoreCodes(rows: Uint32Array, codes: Uint32Array | Int32Array, count: number, scores: Float64Array): void {
    this.#similarity.scoreAll(this.#scale, rows, codes, count, scores);
    for (let i = 0; i < count; i++) if (scores[i] === 0) scores[i] = NO_MATCH;
  }

  score(rows: Uint32Array, count: number, scores: Float64Array): void {
    work.spend(stepsOfLookUp(this.mostRows, count));
    const mark = scratch.mark();
    const codes = scratch.codes(count);
    this.#segment.postings.codesOf(this.#list, rows, count, codes);
    this.scoreCodes(rows, codes, count, scores);
    scratch.release(mark);
  }
}

/** Row -> best score so far while scattering. */
const bestScores = new RowTable();
/** Row -> its index among the given rows, from 1. */
const places = new RowTable();

class ListsScorer implements Scorer {
  readonly mostRows: number;
  readonly mostScore: number;
  readonly #segment: Segment;
  readonly #similarity: Similarity;
  readonly #lists: readonly CountedList[];
  readonly #longest: number;
  readonly #addsUp: boolean;

  constructor(
    segment: Segment,
    similarity: Similarity,
    lists: readonly CountedList[],
    mostRows: number,
    addsUp: boolean,
  ) {
    this.#addsUp = addsUp;
    this.#segment = segment;
    this.#similarity = similarity;
    this.#lists = lists;
    this.mostRows = mostRows;
    let most = 0;
    let longest = 0;
    for (const { scale, count } of lists) {
      if (scale > most) most = scale;
      if (count > longest) longest = count;
    }
    this.#longest = longest;
    this.mostScore = similarity.mostScore(most);
  }

  collect(accept: Uint32Array | null): Hits {
    const shared = this.#addsUp ? emptyBits(this.#segment.productCount) : null;
    const hits = this.#union(accept, shared);
    if (shared === null || hits.count === 0) return hits;
    const mark = scratch.mark();
    const rows = scratch.rows(hits.count);
    const count = writeRows(shared, rows);
    if (count > 0) {
      const scores = scratch.scores(count);
      this.score(rows, count, scores);
      for (let i = 0, at = 0; i < count; i++) {
        while (hits.rows[at] < rows[i]) at++;
        hits.scores[at] = scores[i];
      }
    }
    scratch.release(mark);
    return hits;
  }

  /** The rows with the scores of their best lists; marks rows of several lists in `shared`. */
  #union(accept: Uint32Array | null, shared: Uint32Array | null): Hits {
    if (this.#lists.length > MOST_MERGED) return this.#scatter(accept, shared);
    const each = this.#lists.map((one) => new ListScorer(this.#segment, this.#similarity, one));
    return unionOf(each, this.mostRows, accept, shared);
  }

  #scatter(accept: Uint32Array | null, shared: Uint32Array | null): Hits {
    const { postings, productCount } = this.#segment;
    const similarity = this.#similarity;
    const outRows = scratch.rows(this.mostRows);
    const outScores = scratch.scores(this.mostRows);
    const mark = scratch.mark();
    const touched = emptyBits(productCount);
    const rows = scratch.rows(this.#longest);
    const codes = scratch.rows(this.#longest);
    let count = 0;
    const scatter = (best: Int32Array): void => {
      for (const { list, scale, count: length } of this.#lists) {
        work.spend(length);
        postings.decode(list, rows, codes);
        for (let i = 0; i < length; i++) {
          const row = rows[i];
          if (accept !== null && ((accept[row >>> 5] >>> row) & 1) === 0) continue;
          const score = similarity.score(scale, row, codes[i]);
          if (score === 0) continue;
          if (best[row] === 0) setBit(touched, row);
          else if (shared !== null) setBit(shared, row);
          if (score > best[row]) best[row] = score;
        }
      }
      count = writeRows(touched, outRows);
      for (let i = 0; i < count; i++) outScores[i] = best[outRows[i]];
    };
    bestScores.use(productCount, scatter, () => outRows.subarray(0, count));
    scratch.release(mark);
    return { rows: outRows, scores: outScores, count };
  }

  score(rows: Uint32Array, count: number, scores: Float64Array): void {
    const { postings } = this.#segment;
    const similarity = this.#similarity;
    scores.fill(NO_MATCH, 0, count);
    const outer = scratch.mark();
    const sums = this.#addsUp ? similarity.noSums(scratch.scores(count * SUM_LENGTH), count) : null;
    const add = (i: number, scale: number, code: number): void => {
      const score = similarity.score(scale, rows[i], code);
      if (score === 0) return;
      if (score > scores[i]) scores[i] = score;
      if (sums !== null) similarity.addTo(sums, i, scale, code);
    };
    const few = this.#lists.length <= MOST_MERGED;
    const isAsked = (one: CountedList): boolean => few || one.count > count * POSTINGS_PER_ROW;
    for (const one of this.#lists) {
      if (!isAsked(one)) continue;
      work.spend(stepsOfLookUp(one.count, count));
      const mark = scratch.mark();
      const codes = scratch.codes(count);
      postings.codesOf(one.list, rows, count, codes);
      for (let i = 0; i < count; i++) if (codes[i] >= 0) add(i, one.scale, codes[i]);
      scratch.release(mark);
    }
    if (!few) this.#lookUpShort(rows, count, isAsked, add);
    if (sums !== null) {
      for (let i = 0; i < count; i++) scores[i] = Math.max(scores[i], similarity.sumOf(sums, i, rows[i]));
    }
    scratch.release(outer);
  }

  /** Decodes the short lists. */
  #lookUpShort(
    rows: Uint32Array,
    count: number,
    isAsked: (one: CountedList) => boolean,
    add: (i: number, scale: number, code: number) => void,
  ): void {
    const { postings, productCount } = this.#segment;
    const mark = scratch.mark();
    const listRows = scratch.rows(this.#longest);
    const codes = scratch.rows(this.#longest);
    const lookUp = (placeOf: Int32Array): void => {
      for (let i = 0; i < count; i++) placeOf[rows[i]] = i + 1;
      for (const one of this.#lists) {
        if (isAsked(one)) continue;
        work.spend(one.count);
        postings.decode(one.list, listRows, codes);
        for (let p = 0; p < one.count; p++) {
          const place = placeOf[listRows[p]];
          if (place > 0) add(place - 1, one.scale, codes[p]);
        }
      }
    };
    places.use(productCount, lookUp, () => rows.subarray(0, count));
    scratch.release(mark);
  }
}

/**
 * The union of the scorers' rows, each with its best score.
 * @param mostRows sum over all scorers
 * @param shared gets a bit for each row of several scorers; null: not asked
 */
export function unionOf(
  scorers: readonly Scorer[],
  mostRows: number,
  accept: Uint32Array | null,
  shared: Uint32Array | null = null,
): Hits {
  const [first, ...others] = scorers;
  if (first === undefined) return NO_HITS;
  let { rows, scores, count } = first.collect(accept);
  // Two buffers, alternately read and written.
  const room = others.slice(0, 2).map(() => ({
    rows: scratch.rows(mostRows),
    scores: scratch.scores(mostRows),
  }));
  for (const [turn, scorer] of others.entries()) {
    const mark = scratch.mark();
    const hits = scorer.collect(accept);
    work.spend(count + hits.count);
    const into = room[turn % 2];
    let i = 0;
    let j = 0;
    let merged = 0;
    while (i < count && j < hits.count) {
      const a = rows[i];
      const b = hits.rows[j];
      if (a < b) into.scores[merged] = scores[i++];
      else if (b < a) into.scores[merged] = hits.scores[j++];
      else {
        into.scores[merged] = Math.max(scores[i++], hits.scores[j++]);
        if (shared !== null) setBit(shared, a);
      }
      into.rows[merged++] = a < b ? a : b;
    }
    for (; i < count; merged++) {
      into.rows[merged] = rows[i];
      into.scores[merged] = scores[i++];
    }
    for (; j < hits.count; merged++) {
      into.rows[merged] = hits.rows[j];
      into.scores[merged] = hits.scores[j++];
    }
    scratch.release(mark);
    ({ rows, scores } = into);
    count = merged;
  }
  return count === 0 ? NO_HITS : { rows, scores, count };
}
