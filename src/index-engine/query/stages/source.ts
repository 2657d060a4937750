/**
 * What the dictionary says of words, for expanding them: that of one reader while it searches alone (dictionary.ts),
 * or the merged explorations of several shards (explore.ts).
 */
import type { Likeness, SimilarTerm } from "../expansion/index.ts";
import type { TermGroup } from "../rank/index.ts";

export interface ExpansionSource {
  /** A word with its other forms. The same object for the same word, as long as it is remembered. */
  groupOf(word: string): TermGroup;
  /** Live products of a dictionary term; 0 for unknown ones. Terms that no exploration looked up are unknown. */
  frequencyOf(term: string): number;
  /** Live products of the most frequent form of a word; 0: no product has any. */
  knownIn(word: string): number;
  /** The ways to write a word as several known ones, best first (query/expansion/splits.ts). */
  splitsOf(word: string): readonly (readonly string[])[];
  /** Similar words of the dictionary, best first, at most MOST_SIMILAR. */
  similarTo(word: string, likeness: Likeness): readonly SimilarTerm[];
  /** Sum of the frequencies of all terms with the prefix. */
  prefixFrequency(prefix: string): number;
}
