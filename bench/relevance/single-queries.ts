/** Views of single queries: `--query` shows answers side by side, `--worst` lists where Aisle does badly. */
import type { Aisle } from "./aisle.ts";
import type { Contestant, ProductTexts } from "./contestant.ts";
import type { Contestants } from "./contestants.ts";
import type { DamageKind } from "./damage.ts";
import { ask, evaluateClean, evaluateDamage } from "./evaluate.ts";
import type { JudgedQuery } from "./judged.ts";
import { decimal } from "./tables.ts";

/** Of each answer. */
const SHOWN_HITS = 12;
const GRADES = [0, 1, 2, 3];
const TITLE_WIDTH = 100;

/** The first hits of every contestant with their grades. The query need not be a judged one. */
export function queryView(
  { aisle, others, texts }: Contestants,
  queries: readonly JudgedQuery[],
  text: string,
): string {
  const query = queries.find((known) => known.text === text) ?? {
    id: "",
    text,
    grades: new Map<string, number>(),
  };
  const titles = new Map(texts.map((product) => [product.id, titleOf(product)]));
  const counts = GRADES.map((grade) => [...query.grades.values()].filter((known) => known === grade).length);
  const answers = [aisle, ...others].map((contestant) => answerView(contestant, query, titles));
  return [
    `"${text}": ${counts.join(", ")} products of grade 0..3`,
    `meta of Aisle: ${JSON.stringify(aisle.meta(text))}`,
    ...answers,
  ].join("\n\n");
}

function answerView(contestant: Contestant, query: JudgedQuery, titles: ReadonlyMap<string, string>): string {
  const outcome = ask(contestant, query, query.text);
  const head =
    `${contestant.name}: NDCG@10 ${decimal(outcome.ndcg)}, judged only ${decimal(outcome.ndcgJudged)}, ` +
    `recall@100 ${decimal(outcome.recall)}, ${outcome.matchCount} matches`;
  const hits = outcome.hits
    .slice(0, SHOWN_HITS)
    .map((id) => `  ${query.grades.get(id) ?? "-"}  ${id.padEnd(10)} ${titles.get(id) ?? ""}`);
  return [head, ...hits].join("\n");
}

function titleOf({ brand, title }: ProductTexts): string {
  return `${brand}: ${title}`.slice(0, TITLE_WIDTH);
}

/** The queries on which Aisle is furthest behind the best of the others; without others, its lowest NDCG@10. */
export function worstView({ aisle, others }: Contestants, queries: readonly JudgedQuery[], count: number): string {
  const theirs = others.map((contestant) => ({
    name: contestant.name,
    outcomes: evaluateClean(contestant, queries).outcomes,
  }));
  return evaluateClean(aisle, queries)
    .outcomes.map((outcome, at) => {
      const best = theirs
        .map(({ name, outcomes }) => ({ name, ndcg: outcomes[at].ndcg }))
        .sort((a, b) => b.ndcg - a.ndcg)
        .at(0);
      return { outcome, best, gap: (best?.ndcg ?? 1) - outcome.ndcg };
    })
    .sort((a, b) => b.gap - a.gap || a.outcome.ndcg - b.outcome.ndcg)
    .slice(0, count)
    .map(({ outcome, best }) => {
      const other = best === undefined ? "" : `${best.name} ${decimal(best.ndcg)}`;
      return (
        `${decimal(outcome.ndcg)}  judged only ${decimal(outcome.ndcgJudged)}  ` +
        `${String(outcome.matchCount).padStart(6)} matches  ${other.padEnd(24)}  ${outcome.text}`
      );
    })
    .join("\n");
}

export interface DamageView {
  readonly kind: DamageKind;
  readonly seed: number;
  readonly draws: number;
}

/** The queries on which Aisle loses the most to one kind of damage. */
export function worstDamageView(
  aisle: Aisle,
  queries: readonly JudgedQuery[],
  count: number,
  { kind, seed, draws }: DamageView,
): string {
  const clean = evaluateClean(aisle, queries).outcomes;
  const cleanNdcgs = new Map(clean.map(({ query, ndcg }) => [query.id, ndcg]));
  return evaluateDamage(aisle, clean, kind, seed, draws)
    .outcomes.map((outcome) => ({ outcome, before: cleanNdcgs.get(outcome.query.id) ?? 0 }))
    .sort((a, b) => b.before - b.outcome.ndcg - (a.before - a.outcome.ndcg))
    .slice(0, count)
    .map(
      ({ outcome, before }) =>
        `${decimal(before)} -> ${decimal(outcome.ndcg)}  ${outcome.query.text} -> ${outcome.text}  ` +
        JSON.stringify(aisle.meta(outcome.text)),
    )
    .join("\n");
}
