/**
 * Finds dictionary terms that share trigrams with a word, like the reference's NgramQuery with its
 * `.ngram` sub-fields, which have no postings here.
 *
 *   trigrams("shoe") = _sh sho hoe oe_
 *   share of a term  = trigrams of the word that it has / trigrams of the word (distinct ones)
 *   "shoe" in "shoes" = 3 / 4         in "horseshoe" = 3 / 4        in "show" = 2 / 4
 *
 * Before a term is read, its letters (letters.ts) must allow enough trigrams. A trigram with a
 * missing letter is missing. Among n letters, q missing ones remove at least q + 1 trigrams: those
 * around q of n consecutive positions are those positions and at least one neighbour. Repeated
 * trigrams count once, so the number is reduced by the repetitions.
 */
import type { StringTable } from "../../segment/model/index.ts";
import { codePointsOf, lettersOf, maskOf, MOST_COUNTED } from "./letters.ts";

const BORDER = "_";
/** Class bits of letters; the others mark second occurrences (letters.ts). */
const LETTER_BITS = 0x1fffffff;

export interface FoundTerm {
  readonly term: string;
  readonly ordinal: number;
  /** Above 0, up to 1. */
  readonly share: number;
}

/** Distinct trigrams of `_word_`, in order; none for an empty word. */
function trigramsOf(word: string): string[] {
  const characters = [BORDER, ...word, BORDER];
  const trigrams = new Set<string>();
  for (let i = 0; i + 2 < characters.length; i++) {
    trigrams.add(characters.slice(i, i + 3).join(""));
  }
  return [...trigrams];
}

/** Exact terms with at least `minShare` (above 0, up to 1) of the word's trigrams, in dictionary order. */
export function ngramTerms(dictionary: StringTable, word: string, minShare: number): FoundTerm[] {
  const trigrams = trigramsOf(word);
  const needed = neededOf(trigrams.length, minShare);
  if (trigrams.length === 0 || needed > trigrams.length) return [];
  const mayMiss = Math.max(0, codePointsOf(word).length - needed - 1);
  // Every term has underscores as borders, so they are never missing.
  const maskOfLetters = (text: string): number => maskOf(codePointsOf(text.replaceAll(BORDER, "")));
  const own = maskOfLetters(word) & LETTER_BITS;
  const masks = trigrams.map(maskOfLetters);
  const shortest = Math.min(needed, MOST_COUNTED);
  const found: FoundTerm[] = [];
  for (const group of lettersOf(dictionary).all) {
    const { start, end } = group;
    const { masks: termMasks, lengths } = group.letters;
    for (let i = 0; i < end - start; i++) {
      // There are as many trigrams as letters.
      if (lengths[i] < shortest) continue;
      const lacking = ~termMasks[i];
      let missing = own & lacking;
      for (let k = 0; missing !== 0 && k < mayMiss; k++) missing &= missing - 1;
      if (missing !== 0) continue;
      let possible = 0;
      for (let t = 0; t < masks.length; t++) if ((masks[t] & lacking) === 0) possible++;
      if (possible < needed) continue;
      const term = dictionary.get(start + i);
      const bordered = BORDER + term + BORDER;
      let has = 0;
      for (const trigram of trigrams) if (bordered.includes(trigram)) has++;
      if (has >= needed) found.push({ term, ordinal: start + i, share: has / trigrams.length });
    }
  }
  return found;
}

/** The smallest number that is at least `share` of `count`; at least 1. */
function neededOf(count: number, share: number): number {
  let needed = Math.ceil(share * count);
  // 0.07 * 100 is more than 7 in floating point.
  if ((needed - 1) / count >= share) needed--;
  return Math.max(1, needed);
}
