/**
 * Joins words that were meant as one: "head phones" -> headphones, "t shirt" -> tshirt, "xyz 123" -> xyz123,
 * "978-0-306-40615-7" -> 9780306406157.
 *
 * Joins two or three adjacent words as typed, and up to MOST_PARTS parts of a code. In languages with compounds also
 * joins two adjacent words in reverse order ("schuhe fussball" -> fussballschuhe), with linking elements ("arbeit
 * schuhe" -> arbeitsschuhe), and without endings that first parts lose ("schule tasche" -> schultasche).
 *
 * Does not use the dictionary: the caller looks up the terms.
 */
import type { CompoundData } from "../../analysis/index.ts";
import { canBeOne, hasDigit } from "./pieces.ts";

/** `term` replaces words [first, first + count). Plain data. */
interface Join {
  readonly first: number;
  readonly count: number;
  readonly term: string;
}

const MOST_WORDS = 3;
const MOST_PARTS = 8;
/** A part of a code without digits is not longer. */
const LETTERS_OF_PART = 3;

/**
 * Distinct per position, plain ones first.
 * @param words in typed order
 */
export function joinsOf(words: readonly string[], compounds: CompoundData | null): Join[] {
  const joins: Join[] = [];
  for (let first = 0; first < words.length; first++) {
    for (let count = 2; count <= MOST_PARTS && first + count <= words.length; count++) {
      const some = words.slice(first, first + count);
      if (count > MOST_WORDS && !isCode(some)) break;
      const terms = new Set<string>();
      if (canBeOne(some)) terms.add(some.join(""));
      if (count === 2 && compounds !== null) addCompounds(some[0], some[1], compounds, terms);
      for (const term of terms) joins.push({ first, count, term });
    }
  }
  return joins;
}

function isCode(parts: readonly string[]): boolean {
  return parts.some(hasDigit) && parts.every((part) => hasDigit(part) || part.length <= LETTERS_OF_PART);
}

function addCompounds(one: string, other: string, compounds: CompoundData, terms: Set<string>): void {
  const { minPartLength } = compounds;
  const isPart = (word: string): boolean => !hasDigit(word) && [...word].length >= minPartLength;
  if (!isPart(one) || !isPart(other)) return;
  for (const [modifier, head] of [
    [one, other],
    [other, one],
  ]) {
    const stems = [modifier];
    for (const ending of compounds.dropped) {
      if (modifier.endsWith(ending)) stems.push(modifier.slice(0, -ending.length));
    }
    for (const stem of stems.filter(isPart)) {
      for (const link of ["", ...compounds.links]) {
        if (canBeOne([stem, link, head])) terms.add(stem + link + head);
      }
    }
  }
}
