/**
 * 1. A phrase matches a row as the plain texts say: some way of giving every place its own position with the slop; in
 *    fields without positions (and titles that are not whole) all words in one field; never across fields, texts or
 *    unsearched fields.
 * 2. The same in segments without titles: everything by fields.
 * 3. Nothing asked; several readings, and a last word that is being typed.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { PhraseTest } from "../../../src/index-engine/segment/positions/phrase.ts";
import { type QueryWord } from "../../../src/index-engine/segment/positions/words.ts";
import { STEM_PREFIX, type Segment } from "../../../src/index-engine/segment/model/index.ts";
import { forAll, runs } from "../../support/property.ts";
import { plainAnalyzer, product } from "../support/products.ts";
import { slowPhrase } from "../support/slow-titles.ts";
import { ANALYSIS, anyTitled, build, byRow, standsFor, WORDS } from "./titles.ts";

/** A word and its other forms. */
function wordIn(segment: Segment, word: string): QueryWord {
  const stem = plainAnalyzer.stem(word);
  const lists = [...new Set([word, stem, STEM_PREFIX + stem])]
    .map((term) => segment.terms.find(term))
    .filter((list) => list >= 0);
  return { lists, ranges: [] };
}

/** The rows of the segment that hold the phrase. */
function phraseRows(
  segment: Segment,
  phrase: ConstructorParameters<typeof PhraseTest>[1],
  searched: (field: string) => boolean = () => true,
): number[] {
  const phraseTest = new PhraseTest(segment, phrase, searched);
  return Array.from({ length: segment.productCount }, (_, row) => row).filter((row) => phraseTest.matches(row));
}

const phrase = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 });
const unsearched = fc.constantFrom("", "", "title", "title-b", "long");

test("1, 2: phrases are where the plain texts have them", () => {
  let found = 0;
  forAll(
    runs(300),
    fc.array(anyTitled, { minLength: 1, maxLength: 10 }),
    phrase,
    fc.nat({ max: 3 }),
    unsearched,
    (given, words, slop, left) => {
      // The slow twin tries everything: not on texts of 60 words.
      const products = given.filter(({ texts }) => texts.every(({ text }) => text.length < 60));
      const { segment } = build(products);
      const readings = [words.map((word) => wordIn(segment, word))];
      const searched = (field: string): boolean => field !== left;
      const expected = byRow(products).flatMap((each, row) =>
        slowPhrase(each, words.map(standsFor), slop, searched, ANALYSIS) ? [row] : [],
      );
      const rows = phraseRows(segment, { readings, slop }, searched);
      expect(rows).toEqual(expected);
      found += rows.length;
    },
  );
  expect(found).toBeGreaterThan(20);
});

test("3: nothing asked, or nothing that the segment has", () => {
  const { segment } = build([product("p", { texts: [{ field: "title", text: "red shoe" }] })]);
  const [red, missing] = ["red", "missing"].map((word) => wordIn(segment, word));
  for (const readings of [[], [[]], [[red, missing]], [[missing]]]) {
    expect(phraseRows(segment, { readings, slop: 9 })).toEqual([]);
  }
});

test("3: other readings, and a last word that is still being typed", () => {
  const titles = ["head phones red", "headphones red", "phones head red", "red headphones"];
  const { segment } = build([
    ...titles.map((text, i) => product(`p${i}`, { texts: [{ field: "title", text }] })),
    product("q", { texts: [{ field: "long", text: "red and headphones" }] }),
  ]);
  const word = (text: string): QueryWord => wordIn(segment, text);
  const { terms } = segment;
  const re: QueryWord = { lists: [], ranges: [[terms.lowerBound("re"), terms.prefixEnd("re")]] };
  const found = (readings: readonly (readonly QueryWord[])[]): number[] => phraseRows(segment, { readings, slop: 0 });
  const apart = [word("head"), word("phones")];
  expect(found([[...apart, word("red")]])).toEqual([0]);
  expect(
    found([
      [...apart, word("red")],
      [word("headphones"), word("red")],
    ]),
  ).toEqual([0, 1, 4]);
  expect(
    found([
      [...apart, re],
      [word("headphones"), re],
    ]),
  ).toEqual([0, 1]);
});
