/**
 * Several words that were meant as one: "head phones" -> headphones, "t shirt" -> tshirt, "xyz 123" -> xyz123.
 *
 * Neighbours, two or three of them, written together as they stand. Where words grow together, two neighbours also in
 * the other order ("schuhe fussball" -> fussballschuhe), with what the language puts between them ("arbeit schuhe" ->
 * arbeitsschuhe), and without what it takes away there ("schule tasche" -> schultasche).
 *
 * Nothing is known of the dictionary here: the caller looks the terms up and keeps those it finds.
 */
import type { CompoundData } from "../../analysis/index.ts";
import { canBeOne, hasDigit } from "./pieces.ts";

/** `term` stands for words [first, first + count). Plain data. */
interface Join {
  readonly first: number;
  readonly count: number;
  readonly term: string;
}

const MOST_WORDS = 3;

/** Distinct per place, plain ones first. @param words in the order typed */
export function joinsOf(words: readonly string[], compounds: CompoundData | null): Join[] {
  const joins: Join[] = [];
  for (let first = 0; first < words.length; first++) {
    for (let count = 2; count <= MOST_WORDS && first + count <= words.length; count++) {
      const some = words.slice(first, first + count);
      const terms = new Set<string>();
      if (canBeOne(some)) terms.add(some.join(""));
      if (count === 2 && compounds !== null) addCompounds(some[0], some[1], compounds, terms);
      for (const term of terms) joins.push({ first, count, term });
    }
  }
  return joins;
}

function addCompounds(
  one: string,
  other: string,
  compounds: CompoundData,
  terms: Set<string>,
): void {
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
