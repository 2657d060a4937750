/** Judged queries, clean and damaged, through one contestant -> numbers. */
import { median } from "../measure.ts";
import type { Contestant } from "./contestant.ts";
import { damage, DAMAGE_KINDS, type DamageKind } from "./damage.ts";
import type { JudgedQuery } from "./judged.ts";
import { exponential, judgedOnly, mean, ndcg, recall } from "./metrics.ts";

export const NDCG_DEPTH = 10;
export const RECALL_DEPTH = 100;

export interface QueryOutcome {
  readonly query: JudgedQuery;
  /** As asked: damaged or not. */
  readonly text: string;
  readonly hits: readonly string[];
  readonly ndcg: number;
  readonly ndcgExponential: number;
  /** Without the products that nobody judged. */
  readonly ndcgJudged: number;
  readonly recall: number;
  readonly us: number;
}

export function ask(contestant: Contestant, query: JudgedQuery, text: string): QueryOutcome {
  const startMs = performance.now();
  const hits = contestant.search(text, RECALL_DEPTH);
  return {
    query,
    text,
    hits,
    ndcg: ndcg(hits, query.grades, NDCG_DEPTH),
    ndcgExponential: ndcg(hits, query.grades, NDCG_DEPTH, exponential),
    ndcgJudged: ndcg(judgedOnly(hits, query.grades), query.grades, NDCG_DEPTH),
    recall: recall(hits, query.grades, RECALL_DEPTH),
    us: (performance.now() - startMs) * 1_000,
  };
}

export interface CleanReport {
  readonly ndcg: number;
  readonly ndcgExponential: number;
  readonly ndcgJudged: number;
  readonly recall: number;
  /** Share of queries without any hit. */
  readonly zeroResults: number;
  readonly medianUs: number;
}

export function evaluateClean(
  contestant: Contestant,
  queries: readonly JudgedQuery[],
): CleanReport & { readonly outcomes: readonly QueryOutcome[] } {
  // Once for warming up: the times are of the second round.
  for (const query of queries) ask(contestant, query, query.text);
  const outcomes = queries.map((query) => ask(contestant, query, query.text));
  return {
    outcomes,
    ndcg: mean(outcomes.map((outcome) => outcome.ndcg)),
    ndcgExponential: mean(outcomes.map((outcome) => outcome.ndcgExponential)),
    ndcgJudged: mean(outcomes.map((outcome) => outcome.ndcgJudged)),
    recall: mean(outcomes.map((outcome) => outcome.recall)),
    zeroResults: mean(outcomes.map(({ hits }) => (hits.length === 0 ? 1 : 0))),
    medianUs: median(outcomes.map(({ us }) => us)),
  };
}

export interface DamageReport {
  /** Mean over the damaged queries, and over the same queries clean. */
  readonly ndcg: number;
  readonly cleanNdcg: number;
  /** ndcg / cleanNdcg. */
  readonly kept: number;
  readonly zeroResults: number;
  readonly medianUs: number;
  readonly queries: number;
  readonly outcomes: readonly QueryOutcome[];
}

/** @param draws how many times each query is damaged, each time otherwise */
export function evaluateDamage(
  contestant: Contestant,
  clean: readonly QueryOutcome[],
  kind: DamageKind,
  seed: number,
  draws: number,
): DamageReport {
  const outcomes: QueryOutcome[] = [];
  const cleanNdcgs: number[] = [];
  for (const { query, ndcg: cleanNdcg } of clean) {
    const texts = new Set<string>();
    for (let at = 0; at < draws; at++) {
      const text = damage(query.text, kind, seed + at);
      if (text !== null) texts.add(text);
    }
    for (const text of texts) {
      outcomes.push(ask(contestant, query, text));
      cleanNdcgs.push(cleanNdcg);
    }
  }
  const damagedNdcg = mean(outcomes.map((outcome) => outcome.ndcg));
  const cleanNdcg = mean(cleanNdcgs);
  return {
    ndcg: damagedNdcg,
    cleanNdcg,
    kept: damagedNdcg / cleanNdcg,
    zeroResults: mean(outcomes.map(({ hits }) => (hits.length === 0 ? 1 : 0))),
    medianUs: median(outcomes.map(({ us }) => us)),
    queries: outcomes.length,
    outcomes,
  };
}

export function evaluateAllDamage(
  contestant: Contestant,
  clean: readonly QueryOutcome[],
  seed: number,
  draws: number,
): Record<DamageKind, DamageReport> {
  return Object.fromEntries(
    DAMAGE_KINDS.map((kind) => [kind, evaluateDamage(contestant, clean, kind, seed, draws)]),
  ) as Record<DamageKind, DamageReport>;
}
