/**
 * How good one answer is, as numbers from 0 to 1.
 *
 *   gain     = 2^grade - 1, for grades 0..3 (Burges et al. 2005): one perfect product outweighs two good ones
 *   DCG@k    = sum over the first k hits of gain / log2(position + 1), positions from 1
 *   NDCG@k   = DCG@k / DCG@k of the best order of the judged products
 *   recall@k = share of the products with a positive grade that are among the first k hits
 *
 * An unjudged product has a gain of 0. This underrates a search that finds good products which the judges never saw.
 * `judgedOnly` removes unjudged products from an answer before it is measured (condensed lists, Sakai 2007). A change
 * that moves only the first number has moved unjudged products.
 */

export function ndcg(hits: readonly string[], grades: ReadonlyMap<string, number>, k: number): number {
  const ideal = [...grades.values()].sort((a, b) => b - a);
  const best = dcg(ideal.slice(0, k));
  if (best === 0) return 0;
  return dcg(hits.slice(0, k).map((id) => grades.get(id) ?? 0)) / best;
}

export function judgedOnly(hits: readonly string[], grades: ReadonlyMap<string, number>): readonly string[] {
  return hits.filter((id) => grades.has(id));
}

function dcg(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

export function recall(hits: readonly string[], grades: ReadonlyMap<string, number>, k: number): number {
  const found = new Set(hits.slice(0, k));
  let positives = 0;
  let reached = 0;
  for (const [id, grade] of grades) {
    if (grade <= 0) continue;
    positives++;
    if (found.has(id)) reached++;
  }
  return positives === 0 ? 0 : reached / positives;
}

/** NaN of no values. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}
