/**
 * Matches the words of a query on one segment: rows with score and match weight, in one buffer.
 *
 *   for each lead i:
 *     rows = accepted rows of word i, without rows of earlier leads
 *     for each later word: add its scores; drop rows that can no longer reach `least`
 *     stop when rows without any of the words so far cannot matter
 *
 * A row's match weight is the sum of the weights of its words. A Requirement defines what must match, in which order
 * words lead and when to stop. Every visited row is scored, so counts are exact.
 */
import { emptyBits, fullBits, hasBit, rowsOf, setBit, work } from "../../base/index.ts";
import { scratch } from "./scratch.ts";
import { NO_MATCH, type Hits, type Scorer } from "./scorer.ts";

/** A word of the query on one segment. */
export interface MatchWord {
  readonly scorer: Scorer;
  readonly weight: number;
}

/** Rows ascend. Owned by the caller: not in scratch memory. */
export interface Matches {
  readonly rows: Uint32Array;
  /** Integers >= 0. */
  readonly scores: Int32Array;
  /** Match weights. Null: every row has all words, or there are no words. */
  readonly weights: Int32Array | null;
}

export const NO_MATCHES: Matches = {
  rows: new Uint32Array(0),
  scores: new Int32Array(0),
  weights: null,
};

/** What must match. Shared by the segments of a reader, so that results of one let later ones stop earlier. */
export interface Requirement {
  /** Which words lead: those with the fewest rows, or the largest weights, as required by the stop rule of a fill. */
  readonly order: "rarest" | "heaviest";
  /** Rows with a smaller match weight do not match. May increase. */
  readonly least: number;
  /** Whether rows with at most this weight and score may match. */
  mayMatter(weight: number, score: number): boolean;
  /**
   * Whether every visited row with at least the match weight `least` matches: `least` and `keeps` no longer matter.
   */
  readonly isSettled: boolean;
  /** Whether a visited row with at least the match weight `least` matches. */
  keeps(score: number, weight: number): boolean;
  note(rows: Uint32Array, scores: Float64Array, weights: Int32Array, count: number): void;
}

/** The words of a query on one segment, and the rows that may match there. */
export interface SegmentWords {
  readonly words: readonly MatchWord[];
  readonly productCount: number;
  /** Bit per row that may match; null: all. */
  readonly accept: Uint32Array | null;
  /** Quoted phrases, and requirements and exclusions of rules; they do not add to scores. */
  readonly restrictions: readonly { readonly scorer: Scorer; readonly negated: boolean }[];
}

/** Rows visited by a lead. */
interface Visited {
  readonly rows: Uint32Array;
  readonly scores: Float64Array;
  readonly weights: Int32Array;
  readonly count: number;
}

/** Scratch memory of a lead is retained if it is small or if at least one in MOST_UNUSED of its places is used. */
const MOST_UNUSED = 4;
const SMALL_SCRATCH = 2_048;

/** Runs all leads that matter. */
export function match(segment: SegmentWords, requirement: Requirement): Matches {
  const mark = scratch.mark();
  try {
    const visits = new Visits(segment, requirement);
    while (visits.next());
    return visits.matches();
  } finally {
    scratch.release(mark);
  }
}

/**
 * Fills from all segments of a reader. If at least `enough` rows have all words, returns only these. The first lead is
 * enough to decide that, because every row with all words has the first word.
 */
export function matchOrFill(
  segments: readonly SegmentWords[],
  fill: Requirement,
  enough: number,
): { readonly found: readonly Matches[]; readonly completeCount: number } {
  const mark = scratch.mark();
  try {
    const isSeveral = segments.length > 1;
    const all = segments.map((segment) => new Visits(segment, fill, isSeveral));
    for (const visits of all) visits.next();
    const completeCount = all.reduce((sum, visits) => sum + visits.completeCount, 0);
    if (completeCount >= enough) {
      return { found: all.map((visits) => visits.complete()), completeCount };
    }
    for (const visits of all) while (visits.next());
    return { found: all.map((visits) => visits.matches()), completeCount };
  } finally {
    scratch.release(mark);
  }
}

/** The leads of one segment, in scratch memory. */
class Visits {
  readonly #words: readonly MatchWord[];
  readonly #requirement: Requirement;
  readonly #segment: SegmentWords;
  readonly #total: number;
  readonly #visited: Visited[] = [];
  #lead = 0;
  /** Upper bounds of weight and score of the words from `#lead`. */
  #restWeight: number;
  #restScore: number;
  #seen: Uint32Array | null = null;
  readonly #isOneOfSeveral: boolean;

  /** @param isOneOfSeveral leads of several segments are in memory at the same time */
  constructor(segment: SegmentWords, requirement: Requirement, isOneOfSeveral = false) {
    const { words } = segment;
    this.#isOneOfSeveral = isOneOfSeveral;
    const present = words.filter(({ scorer }) => scorer.mostRows > 0);
    this.#words = present.toSorted(
      requirement.order === "rarest"
        ? (a, b) => a.scorer.mostRows - b.scorer.mostRows
        : (a, b) => b.weight - a.weight || a.scorer.mostRows - b.scorer.mostRows,
    );
    this.#requirement = requirement;
    this.#segment = segment;
    this.#total = words.reduce((sum, { weight }) => sum + weight, 0);
    this.#restWeight = present.reduce((sum, { weight }) => sum + weight, 0);
    this.#restScore = present.reduce((sum, { scorer }) => sum + scorer.mostScore, 0);
  }

  /** Visits the rows of the next lead. False: none is left, or its rows cannot matter. */
  next(): boolean {
    const requirement = this.#requirement;
    const lead = this.#lead;
    if (lead === this.#words.length) return false;
    if (!requirement.mayMatter(this.#restWeight, this.#restScore)) return false;
    this.#lead++;
    const { scorer, weight } = this.#words[lead];
    this.#restWeight -= weight;
    this.#restScore -= scorer.mostScore;
    const { accept, productCount, restrictions } = this.#segment;
    const mark = scratch.mark();
    const others = this.#words.slice(lead + 1);
    // If all words must match, most rows are dropped, so only the remaining ones are scored.
    if (requirement.least === this.#total && others.length > 0 && scorer.collectCodes) {
      const coded = scorer.collectCodes(accept);
      const hits = { rows: coded.rows, scores: scratch.scores(coded.count), count: coded.count };
      hits.scores.fill(0, 0, coded.count);
      const all = addScores(hits, weight, others, requirement.least, coded.codes);
      // This is the last lead: the scratch memory is released with the result.
      this.#visited.push(kept(withLead(all, scorer, coded.codes), restrictions));
      return true;
    }
    const hits = this.#unseen(scorer.collect(accept));
    if (hits.count === 0) {
      scratch.release(mark);
      return true;
    }
    if (others.length > 0 && requirement.mayMatter(this.#restWeight, this.#restScore)) {
      this.#seen ??= emptyBits(productCount);
      for (let i = 0; i < hits.count; i++) setBit(this.#seen, hits.rows[i]);
    }
    const found = kept(addScores(hits, weight, others, requirement.least, null), restrictions);
    requirement.note(found.rows, found.scores, found.weights, found.count);
    this.#keep(found, mark);
    return true;
  }

  /** Releases the memory of a lead with few rows left: scratch memory grows with the segment, not with the words. */
  #keep(visited: Visited, mark: ReturnType<typeof scratch.mark>): void {
    const { rows, scores, weights, count } = visited;
    const isDense = rows.length <= SMALL_SCRATCH || count * MOST_UNUSED >= rows.length;
    if (count > 0 && isDense && !this.#isOneOfSeveral) {
      this.#visited.push(visited);
      return;
    }
    if (count > 0) {
      this.#visited.push({
        rows: rows.slice(0, count),
        scores: scores.slice(0, count),
        weights: weights.slice(0, count),
        count,
      });
    }
    scratch.release(mark);
  }

  matches(): Matches {
    return mergedRuns(this.#visited, this.#requirement, this.#total);
  }

  /** Number of visited rows with all words. */
  get completeCount(): number {
    let complete = 0;
    for (const { weights, count } of this.#visited) {
      for (let i = 0; i < count; i++) if (weights[i] === this.#total) complete++;
    }
    return complete;
  }

  /** The visited rows with all words. */
  complete(): Matches {
    const all = { least: this.#total, isSettled: false, keeps: () => true };
    return mergedRuns(this.#visited, all, this.#total);
  }

  #unseen(hits: Hits): Hits {
    const seen = this.#seen;
    if (seen === null) return hits;
    const { rows, scores } = hits;
    let count = 0;
    for (let i = 0; i < hits.count; i++) {
      if (hasBit(seen, rows[i])) continue;
      rows[count] = rows[i];
      scores[count++] = scores[i];
    }
    return { rows, scores, count };
  }
}

/**
 * The hot loop: adds the scores of all other words to the rows of a lead and compacts its arrays in place.
 * @param codes of the lead's rows, if not scored yet; compacted with the rows
 */
function addScores(
  { rows, scores, count }: Hits,
  leadWeight: number,
  others: readonly MatchWord[],
  least: number,
  codes: Uint32Array | null,
): Visited {
  const weights = scratch.codes(count).fill(leadWeight, 0, count);
  const mark = scratch.mark();
  const own = scratch.scores(count);
  const byRows = others.toSorted((a, b) => a.scorer.mostRows - b.scorer.mostRows);
  let rest = others.reduce((sum, { weight }) => sum + weight, 0);
  let left = count;
  for (const { scorer, weight } of byRows) {
    if (left === 0) break;
    rest -= weight;
    scorer.score(rows, left, own);
    const needed = least - rest;
    let kept = 0;
    for (let i = 0; i < left; i++) {
      const score = own[i];
      const isMatch = score !== NO_MATCH;
      const sum = isMatch ? weights[i] + weight : weights[i];
      if (sum < needed) continue;
      rows[kept] = rows[i];
      scores[kept] = isMatch ? scores[i] + score : scores[i];
      if (codes !== null) codes[kept] = codes[i];
      weights[kept++] = sum;
    }
    left = kept;
  }
  scratch.release(mark);
  return { rows, scores, weights, count: least > leadWeight && others.length === 0 ? 0 : left };
}

function withLead(visited: Visited, lead: Scorer, codes: Uint32Array): Visited {
  const { rows, scores, weights, count } = visited;
  const mark = scratch.mark();
  const own = scratch.scores(count);
  lead.scoreCodes?.(rows, codes, count, own);
  let left = 0;
  for (let i = 0; i < count; i++) {
    if (own[i] === NO_MATCH) continue;
    rows[left] = rows[i];
    weights[left] = weights[i];
    scores[left++] = scores[i] + own[i];
  }
  scratch.release(mark);
  return { rows, scores, weights, count: left };
}

function kept(visited: Visited, restrictions: SegmentWords["restrictions"]): Visited {
  const { rows, scores, weights } = visited;
  let { count } = visited;
  const mark = scratch.mark();
  for (const { scorer, negated } of restrictions) {
    if (count === 0) break;
    const own = scratch.scores(count);
    scorer.score(rows, count, own);
    let left = 0;
    for (let i = 0; i < count; i++) {
      if ((own[i] === NO_MATCH) !== negated) continue;
      rows[left] = rows[i];
      scores[left] = scores[i];
      weights[left++] = weights[i];
    }
    count = left;
  }
  scratch.release(mark);
  return { rows, scores, weights, count };
}

/** The matching visited rows, in one buffer. */
function mergedRuns(
  visited: readonly Visited[],
  requirement: Pick<Requirement, "least" | "isSettled" | "keeps">,
  total: number,
): Matches {
  const { least, isSettled } = requirement;
  let count = 0;
  const kept = visited.map((run) => {
    const { rows, scores, weights } = run;
    if (isSettled) {
      count += run.count;
      return run;
    }
    let left = 0;
    for (let i = 0; i < run.count; i++) {
      if (weights[i] < least || !requirement.keeps(scores[i], weights[i])) continue;
      rows[left] = rows[i];
      scores[left] = scores[i];
      weights[left++] = weights[i];
    }
    count += left;
    return { rows, scores, weights, count: left };
  });
  const [first] = kept;
  if (count === 0 || first === undefined) return NO_MATCHES;
  const hasWeights = least < total;
  if (first.count === count) {
    return {
      rows: first.rows.slice(0, count),
      scores: new Int32Array(first.scores.subarray(0, count)),
      weights: hasWeights ? first.weights.slice(0, count) : null,
    };
  }
  // Runs are disjoint: take the run with the smallest next row.
  const rows = new Uint32Array(count);
  const scores = new Int32Array(count);
  const weights = hasWeights ? new Int32Array(count) : null;
  const at = kept.map(() => 0);
  for (let out = 0; out < count; out++) {
    let next = -1;
    for (let v = 0; v < kept.length; v++) {
      const run = kept[v];
      if (at[v] === run.count) continue;
      if (next < 0 || run.rows[at[v]] < kept[next].rows[at[next]]) next = v;
    }
    const run = kept[next];
    const from = at[next]++;
    rows[out] = run.rows[from];
    scores[out] = run.scores[from];
    if (weights !== null) weights[out] = run.weights[from];
  }
  return { rows, scores, weights };
}

/** All accepted rows, with score 0. */
export function everyRow(productCount: number, accept: Uint32Array | null): Matches {
  const rows = rowsOf(accept ?? fullBits(productCount));
  work.spend(rows.length);
  return { rows, scores: new Int32Array(rows.length), weights: null };
}
