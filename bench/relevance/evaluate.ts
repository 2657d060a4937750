/** Judged queries, clean and damaged, through one contestant -> numbers. */
import { median } from "../measure.ts";
import type { Contestant } from "./contestant.ts";
import { damage, DAMAGE_KINDS, type DamageKind } from "./damage.ts";
import type { JudgedQuery } from "./judged.ts";
import { judgedOnly, mean, ndcg, recall } from "./metrics.ts";

/** NDCG is measured on the first page. */
export const PAGE = 10;
export const RECALL_DEPTH = 100;

export interface QueryOutcome {
  readonly query: JudgedQuery;
  /** The query as it was asked: damaged or not. */
  readonly text: string;
  /** Ids, at most `RECALL_DEPTH`. */
  readonly hits: readonly string[];
  /** Products in the whole result. */
  readonly matchCount: number;
  /** NDCG@10, unjudged products count 0. */
  readonly ndcg: number;
  /** NDCG@10 of the judged products among the hits. */
  readonly ndcgJudged: number;
  readonly recall: number;
  readonly us: number;
}

export function ask(contestant: Contestant, query: JudgedQuery, text: string): QueryOutcome {
  const startMs = performance.now();
  const { ids: hits, matchCount } = contestant.search(text, RECALL_DEPTH);
  const us = (performance.now() - startMs) * 1_000;
  return {
    query,
    text,
    hits,
    matchCount,
    ndcg: ndcg(hits, query.grades, PAGE),
    ndcgJudged: ndcg(judgedOnly(hits, query.grades), query.grades, PAGE),
    recall: recall(hits, query.grades, RECALL_DEPTH),
    us,
  };
}

/** Means over the queries, except where noted. */
export interface Summary {
  readonly ndcg: number;
  readonly ndcgJudged: number;
  readonly recall: number;
  /** Share of queries with fewer than `PAGE` hits, none included. */
  readonly shortPages: number;
  /** Share of queries without any hit. */
  readonly zeroResults: number;
  /** Of `matchCount`. */
  readonly matchesMedian: number;
  readonly matchesMean: number;
  readonly medianUs: number;
}

export interface CleanReport extends Summary {
  readonly outcomes: readonly QueryOutcome[];
}

export function evaluateClean(contestant: Contestant, queries: readonly JudgedQuery[]): CleanReport {
  // The first round warms up; times are those of the second.
  for (const query of queries) ask(contestant, query, query.text);
  const outcomes = queries.map((query) => ask(contestant, query, query.text));
  return { outcomes, ...summaryOf(outcomes) };
}

function summaryOf(outcomes: readonly QueryOutcome[]): Summary {
  const shareWith = (holds: (outcome: QueryOutcome) => boolean): number =>
    mean(outcomes.map((outcome) => (holds(outcome) ? 1 : 0)));
  const matches = outcomes.map(({ matchCount }) => matchCount);
  return {
    ndcg: mean(outcomes.map((outcome) => outcome.ndcg)),
    ndcgJudged: mean(outcomes.map((outcome) => outcome.ndcgJudged)),
    recall: mean(outcomes.map((outcome) => outcome.recall)),
    shortPages: shareWith(({ hits }) => hits.length < PAGE),
    zeroResults: shareWith(({ hits }) => hits.length === 0),
    matchesMedian: median(matches),
    matchesMean: mean(matches),
    medianUs: median(outcomes.map(({ us }) => us)),
  };
}

export interface DamageSummary extends Summary {
  /** NDCG@10 of the same queries before the damage. */
  readonly cleanNdcg: number;
  /** ndcg / cleanNdcg. */
  readonly kept: number;
  readonly queries: number;
}

export interface DamageReport extends DamageSummary {
  readonly outcomes: readonly QueryOutcome[];
}

/** @param draws how many times each query is damaged; equal results are asked once */
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
  const summary = summaryOf(outcomes);
  const cleanNdcg = mean(cleanNdcgs);
  return {
    ...summary,
    cleanNdcg,
    kept: summary.ndcg / cleanNdcg,
    queries: outcomes.length,
    outcomes,
  };
}

export type DamageReports = Readonly<Record<DamageKind, DamageReport>>;

export function evaluateAllDamage(
  contestant: Contestant,
  clean: readonly QueryOutcome[],
  seed: number,
  draws: number,
): DamageReports {
  return Object.fromEntries(
    DAMAGE_KINDS.map((kind) => [kind, evaluateDamage(contestant, clean, kind, seed, draws)]),
  ) as Record<DamageKind, DamageReport>;
}
