/**
 * The dictionary for expanding words: that of one reader that searches alone (dictionary.ts), or
 * the merged expansions of several shards (term-expansion.ts).
 */
import type { Likeness, SimilarTerm } from "../expansion/index.ts";
import type { TermGroup } from "../rank/index.ts";

export interface ExpansionSource {
  /** A word with its other forms. The same object for the same word while it is cached. */
  groupOf(word: string): TermGroup;
  /**
   * Live products of a dictionary term; 0 if unknown. Terms that no expansions looked up are
   * unknown.
   */
  frequencyOf(term: string): number;
  /** Live products of the most frequent form of a word, or 0. */
  knownIn(word: string): number;
  /** Splits of a word into known words, best first (query/expansion/splits.ts). */
  splitsOf(word: string): readonly (readonly string[])[];
  /** Similar words of the dictionary, best first, at most MOST_SIMILAR. */
  similarTo(word: string, likeness: Likeness): readonly SimilarTerm[];
  /** Sum of the frequencies of all terms with the prefix. */
  prefixFrequency(prefix: string): number;
}
