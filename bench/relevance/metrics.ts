/**
 * How good one answer is, in numbers from 0 to 1.
 *
 *   DCG@k  = sum over the first k hits of gain / log2(position + 1),  position from 1
 *   NDCG@k = DCG@k / DCG@k of the best possible order of the judged products
 *   recall@k = share of the products with a positive grade that are among the first k hits
 *
 * Products that nobody judged count 0 in all of them. That is hard on a search that finds good ones the judges never saw: of 60 equally
 * good headphones 42 are judged, and which of them come first is chance. `judgedOnly` leaves unjudged products out of the answer before
 * it is measured (condensed lists, Sakai 2007); a change that only moves the first number only moved unjudged products.
 *
 * The gain of a grade is the grade itself (Järvelin and Kekäläinen 2002); `exponential` is 2^grade - 1, which weighs the best
 * answers more (Burges et al. 2005). Orders of contestants are the same with either; the tables show the first.
 */

export type Gain = (grade: number) => number;

export const linear: Gain = (grade) => grade;
export const exponential: Gain = (grade) => 2 ** grade - 1;

export function ndcg(
  hits: readonly string[],
  grades: ReadonlyMap<string, number>,
  k: number,
  gain: Gain = linear,
): number {
  const ideal = [...grades.values()].sort((a, b) => b - a);
  const best = dcg(ideal.slice(0, k), gain);
  if (best === 0) return 0;
  const own = hits.slice(0, k).map((id) => grades.get(id) ?? 0);
  return dcg(own, gain) / best;
}

export function judgedOnly(
  hits: readonly string[],
  grades: ReadonlyMap<string, number>,
): readonly string[] {
  return hits.filter((id) => grades.has(id));
}

function dcg(grades: readonly number[], gain: Gain): number {
  return grades.reduce((sum, grade, at) => sum + gain(grade) / Math.log2(at + 2), 0);
}

export function recall(
  hits: readonly string[],
  grades: ReadonlyMap<string, number>,
  k: number,
): number {
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

export function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}
