/**
 * What the dictionary says of words, for expanding them: asked of one reader while it searches alone (explore.ts), or of the merged
 * explorations of several shards.
 */
import type { NgramTerm, TypoTerm } from "../../expansion/index.ts";

/**
 * How similar words are found. "own": by length, at most `edits` (expansion/typos.ts). "fuzziness": as the reference's setting has it.
 */
export type TypoSetting =
  | { readonly kind: "own"; readonly edits: 1 | 2 }
  | { readonly kind: "fuzziness"; readonly value: string };

export interface ExpansionSource {
  /** Live products of a dictionary term; 0 for unknown ones. Terms that no exploration looked up are unknown. */
  frequencyOf(this: void, term: string): number;
  /** Live products of the most frequent form of a word; 0: no product has any. */
  knownIn(this: void, word: string): number;
  /** The ways to write a word as several known ones, best first (expansion/splits.ts). */
  splitsOf(word: string): readonly (readonly string[])[];
  /** Similar words of the dictionary, best first. */
  typosOf(word: string, setting: TypoSetting): readonly TypoTerm[];
  ngramsOf(word: string, share: number): readonly NgramTerm[];
  /** Sum of the frequencies of all terms with the prefix. */
  prefixFrequency(prefix: string): number;
}
