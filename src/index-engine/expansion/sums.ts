/** What several segments or shards say of dictionary terms, as one list. */
import { compareCodePoints } from "../strings.ts";

/**
 * Each term once with the sum of its frequencies, without those that no live product has: by `compare`, then the most frequent
 * first, then by code points. What else is said of a term is the same in all lists.
 */
export function summedTerms<
  Term extends { readonly term: string; readonly documentFrequency: number },
>(lists: readonly (readonly Term[])[], compare: (a: Term, b: Term) => number): Term[] {
  const sums = new Map<string, Term>();
  for (const list of lists) {
    for (const one of list) {
      if (one.documentFrequency === 0) continue;
      const before = sums.get(one.term)?.documentFrequency ?? 0;
      sums.set(one.term, { ...one, documentFrequency: one.documentFrequency + before });
    }
  }
  return [...sums.values()].sort(
    (a, b) =>
      compare(a, b) ||
      b.documentFrequency - a.documentFrequency ||
      compareCodePoints(a.term, b.term),
  );
}
