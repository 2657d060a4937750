/** Approximate memory of the words of a query, for caches. */
import type { Expression, Restriction, ScoreBoost } from "./plan.ts";
import type { TermGroup } from "./rank/index.ts";

const OBJECT_BYTES = 70;

export function groupBytes(groups: readonly TermGroup[]): number {
  let bytes = 0;
  for (const { alternatives, subQueries = [] } of groups) {
    bytes += OBJECT_BYTES * (1 + alternatives.length);
    for (const sub of subQueries) bytes += OBJECT_BYTES + (sub.kind === "all" ? groupBytes(sub.groups) : 0);
  }
  return bytes;
}

export function expressionBytes(expression: Expression): number {
  switch (expression.kind) {
    case "everything":
      return OBJECT_BYTES;
    case "words":
      return OBJECT_BYTES + groupBytes(expression.groups);
    case "clauses":
      return expression.clauses.reduce(
        (sum, clause) => sum + OBJECT_BYTES + expressionBytes(clause.expression),
        OBJECT_BYTES,
      );
  }
}

/** What rules add to the words. */
export function additionBytes(boosts: readonly ScoreBoost[], restrictions: readonly Restriction[]): number {
  let bytes = 0;
  for (const { groups, ids } of boosts) bytes += OBJECT_BYTES * (1 + ids.length) + groupBytes(groups);
  for (const { expression } of restrictions) bytes += OBJECT_BYTES + expressionBytes(expression);
  return bytes;
}
