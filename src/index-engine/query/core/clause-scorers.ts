/**
 * Scorers of boolean queries: querystring product sets, and requirements and exclusions of rules.
 *
 * Rows without a score (everything, exclusions) match with score 0.
 */
import { fullBits, writeRows, work } from "../../base/index.ts";
import { scratch } from "./scratch.ts";
import { unionOf } from "./list-scorers.ts";
import { NO_HITS, NO_MATCH, type Hits, type Scorer } from "./scorer.ts";

export interface Clause {
  readonly occur: "must" | "should" | "not";
  readonly scorer: Scorer;
}

/** Every row, with the score 0. */
export function everything(productCount: number): Scorer {
  return {
    mostRows: productCount,
    mostScore: 0,
    collect: (accept) => {
      work.spend(productCount);
      const rows = scratch.rows(productCount);
      const count = writeRows(accept ?? fullBits(productCount), rows);
      return { rows, scores: scratch.scores(productCount).fill(0, 0, count), count };
    },
    score: (_rows, count, scores) => void scores.fill(0, 0, count),
  };
}

/**
 * Matches rows with all `must` and no `not` and, without any `must`, with at least one `should`; only `not` matches
 * everything else. A row's score is the sum over its matching clauses, times `boost`.
 */
export class ClausesScorer implements Scorer {
  readonly mostRows: number;
  readonly mostScore: number;
  readonly #clauses: readonly Clause[];
  readonly #boost: number;
  /** The scorers that supply the rows. If there are none, every row is tested. */
  readonly #leads: readonly Scorer[];
  readonly #needsShould: boolean;
  readonly #productCount: number;

  constructor(clauses: readonly Clause[], boost: number, productCount: number) {
    this.#clauses = clauses;
    this.#boost = boost;
    this.#productCount = productCount;
    const of = (occur: Clause["occur"]): Scorer[] =>
      clauses.flatMap((clause) => (clause.occur === occur ? [clause.scorer] : []));
    const musts = of("must").sort((a, b) => a.mostRows - b.mostRows);
    const shoulds = of("should");
    this.#needsShould = musts.length === 0 && shoulds.length > 0;
    this.#leads = this.#needsShould ? shoulds : musts.slice(0, 1);
    this.mostRows =
      this.#leads.length === 0
        ? productCount
        : Math.min(
            productCount,
            this.#leads.reduce((sum, { mostRows }) => sum + mostRows, 0),
          );
    this.mostScore = boost * [...musts, ...shoulds].reduce((sum, { mostScore }) => sum + mostScore, 0);
  }

  collect(accept: Uint32Array | null): Hits {
    const leads = this.#leads.length === 0 ? [everything(this.#productCount)] : this.#leads;
    const { rows, scores, count } = unionOf(leads, this.mostRows, accept);
    if (count === 0) return NO_HITS;
    this.score(rows, count, scores);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (scores[i] === NO_MATCH) continue;
      rows[kept] = rows[i];
      scores[kept++] = scores[i];
    }
    return { rows, scores, count: kept };
  }

  score(rows: Uint32Array, count: number, scores: Float64Array): void {
    const mark = scratch.mark();
    const own = scratch.scores(count);
    const hits = scratch.codes(count);
    scores.fill(0, 0, count);
    hits.fill(this.#needsShould ? 0 : 1, 0, count);
    for (const { occur, scorer } of this.#clauses) {
      work.spend(count);
      scorer.score(rows, count, own);
      for (let i = 0; i < count; i++) {
        const isMatch = own[i] !== NO_MATCH;
        if (isMatch ? occur === "not" : occur === "must") scores[i] = NaN;
        else if (isMatch) {
          scores[i] += own[i];
          hits[i] = 1;
        }
      }
    }
    for (let i = 0; i < count; i++) {
      const isMatch = hits[i] === 1 && !Number.isNaN(scores[i]);
      scores[i] = isMatch ? scores[i] * this.#boost : NO_MATCH;
    }
    scratch.release(mark);
  }
}
