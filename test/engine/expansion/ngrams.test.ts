/**
 * 1. ngramTerms finds what comparing the trigrams of every exact term finds.
 * 2. prefixRange is the exact terms with the prefix.
 * (Live counts of both, over segments and shards: search.property.test.ts.)
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { prefixRange } from "../../../src/index-engine/query/expansion/index.ts";
import { ngramTerms } from "../../../src/index-engine/query/expansion/ngrams.ts";
import { STEM_PREFIX } from "../../../src/index-engine/segment/model/index.ts";
import { forAll, runs } from "../../support/property.ts";
import { dictionaryOf, isStem, sortedTerms, trigrams } from "./dictionary.ts";

function shareOf(word: string, term: string): number {
  const own = trigrams(word);
  const others = trigrams(term);
  return [...own].filter((trigram) => others.has(trigram)).length / own.size;
}

const letter = fc.constantFrom("a", "b", "c", "e", "e", "s", "1", "_", "ê", "ü", "λ", "𝒳");
const word = fc.array(letter, { minLength: 1, maxLength: 9 }).map((letters) => letters.join(""));
const terms = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: word },
    { weight: 2, arbitrary: fc.tuple(word, word).map((pair) => pair.join("")) },
    { weight: 1, arbitrary: word.map((each) => STEM_PREFIX + each) },
  ),
  { maxLength: 100 },
);

test("1: n-gram terms", () => {
  forAll(
    runs(400),
    terms,
    word,
    fc.constantFrom(0.01, 0.07, 0.3, 0.5, 0.7, 0.75, 0.8, 1),
    fc.array(fc.tuple(fc.nat(9), letter)),
    (list, typed, minShare, changes) => {
      // Terms near the word, and the word itself.
      const near = changes.map(([at, other]) => typed.slice(0, at).toWellFormed() + other + typed);
      const all = [...list, ...near, typed];
      const expected = sortedTerms(all).flatMap((term, ordinal) => {
        const share = shareOf(typed, term);
        return isStem(term) || share < minShare ? [] : [{ term, ordinal, share }];
      });
      expect(ngramTerms(dictionaryOf(all), typed, minShare)).toEqual(expected);
    },
  );
});

test("1: nothing to find", () => {
  expect(ngramTerms(dictionaryOf([]), "shoe", 0.5)).toEqual([]);
  expect(ngramTerms(dictionaryOf(["shoe"]), "", 0.5)).toEqual([]);
  expect(ngramTerms(dictionaryOf(["shoe"]), "shoe", 1.1)).toEqual([]);
  // Longer than letters are counted.
  const long = "abc".repeat(100);
  expect(ngramTerms(dictionaryOf([long]), long, 1)).toHaveLength(1);
});

const text = fc.array(fc.constantFrom("a", "b", "ä", "𝒳"), { maxLength: 4 }).map((p) => p.join(""));

test("2: range of a prefix", () => {
  forAll(
    runs(300),
    fc.array(
      fc.oneof(
        text,
        text.map((each) => STEM_PREFIX + each),
      ),
      { maxLength: 60 },
    ),
    text,
    (list, prefix) => {
      const terms = sortedTerms(list.filter((term) => term !== ""));
      const expected = terms.filter((term) => term.startsWith(prefix) && !isStem(term));
      const [start, end] = prefixRange(dictionaryOf(terms), prefix);
      expect(terms.slice(start, end)).toEqual(expected);
    },
  );
});
