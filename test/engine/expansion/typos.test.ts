/**
 * 1. editCost is the cost of the full matrix, up to its limit.
 * 2. similarTerms finds what comparing the word with every exact term finds, and no stem.
 * 3. So does fuzzyTerms.
 * 4. How many typos a word may have.
 * 5. A reader remembers what is similar by what makes it so; how those of shards are merged. (Live counts, over segments
 *    and shards: search.property.test.ts.)
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { editCost } from "../../../src/index-engine/query/expansion/edits.ts";
import {
  autoFuzziness,
  mergeSimilar,
  MOST_SIMILAR,
  similarTo,
  typoBudget,
  type Likeness,
} from "../../../src/index-engine/query/expansion/index.ts";
import { codePointsOf, expansionBytes } from "../../../src/index-engine/query/expansion/letters.ts";
import { fuzzyPrefixTerms, fuzzyTerms, similarTerms } from "../../../src/index-engine/query/expansion/typos.ts";
import { STEM_PREFIX, type StringTable } from "../../../src/index-engine/segment/model/index.ts";
import { dictionaryOf as remember } from "../../../src/index-engine/query/stages/dictionary.ts";
import { compareCodePoints } from "../../../src/index-engine/base/index.ts";
import { forAll, runs } from "../../support/property.ts";
import { batches, fields } from "../support/catalogue.ts";
import { updatedReader } from "../support/indexing.ts";
import { dictionaryOf, isStem, plainCost, sortedTerms } from "./dictionary.ts";

/**
 * Few letters, so that words are close to each other; ê and ü are of the classes of a and s; a Greek letter, and one
 * outside of the basic plane.
 */
const letter = fc.constantFrom("a", "b", "e", "s", "s", "1", "ê", "ü", "λ", "\uffff", "𝒳");
const word = fc.array(letter, { minLength: 1, maxLength: 9 }).map((letters) => letters.join(""));
const stem = word.map((each) => STEM_PREFIX + each);
const terms = fc.array(fc.oneof({ weight: 5, arbitrary: word }, stem), { maxLength: 120 });
const budget = fc.constantFrom<1 | 2>(1, 2);

/** A table that is no FrontCodedTable. */
function plainTable(sorted: readonly string[]): StringTable {
  const bound = (accept: (each: string) => boolean): number => {
    const at = sorted.findIndex(accept);
    return at < 0 ? sorted.length : at;
  };
  return {
    size: sorted.length,
    get: (ordinal) => sorted[ordinal],
    find: (text) => sorted.indexOf(text),
    lowerBound: (text) => bound((each) => compareCodePoints(each, text) >= 0),
    prefixEnd: (prefix) => bound((each) => compareCodePoints(each, prefix) >= 0 && !each.startsWith(prefix)),
  };
}

test("1: cost of edits", () => {
  forAll(runs(2000), word, word, fc.constantFrom(1, 2), fc.nat(4), (from, to, firstLetter, most) => {
    expect(editCost(codePointsOf(from), codePointsOf(to), most, firstLetter)).toBe(
      Math.min(most + 1, plainCost(from, to, firstLetter)),
    );
  });
  const long = codePointsOf("ab".repeat(200));
  expect(editCost(long, [...long.slice(0, 100), 99, ...long.slice(100)], 2, 2)).toBe(1);
  expect(editCost([], [], 2, 2)).toBe(0);
  expect(editCost([], [97], 2, 2)).toBe(2);
  expect(editCost([97], [], 1, 2)).toBe(2);
});

/** Compares the word with every exact term. Where the first letter counts twice, terms with a digit are codes. */
function byEdits(list: readonly string[], typed: string, most: number, firstLetter: 1 | 2): unknown[] {
  return sortedTerms(list).flatMap((term, ordinal) => {
    const edits = plainCost(typed, term, firstLetter);
    const isCode = firstLetter === 2 && edits > 0 && /\p{Nd}/u.test(term);
    return isStem(term) || isCode || edits > most ? [] : [{ term, ordinal, edits }];
  });
}

test("2, 3: similar and fuzzy terms", () => {
  forAll(runs(400), terms, word, budget, (list, typed, most) => {
    for (const dictionary of [dictionaryOf(list), plainTable(sortedTerms(list))]) {
      expect(similarTerms(typed, most)(dictionary)).toEqual(byEdits(list, typed, most, 2));
      expect(fuzzyTerms(typed, most)(dictionary)).toEqual(byEdits(list, typed, most, 1));
    }
  });
});

test("2, 3: more terms of a letter than are looked at one by one, in several dictionaries", () => {
  const word = fc
    .array(fc.constantFrom("a", "b", "c", "é", "1"), { minLength: 1, maxLength: 6 })
    .map((letters) => letters.join(""));
  const many = fc.array(word, { minLength: 250, maxLength: 500, size: "max" });
  let found = 0;
  forAll(
    runs(12),
    fc.array(many, { minLength: 1, maxLength: 2 }),
    fc.array(word, { minLength: 1, maxLength: 3 }),
    (lists, words) => {
      for (const typed of words) {
        const similar = similarTerms(typed, 2);
        const fuzzy = fuzzyTerms(typed, 2);
        for (const list of [...lists, ...lists]) {
          const dictionary = dictionaryOf(list);
          const own = similar(dictionary);
          expect(own).toEqual(byEdits(list, typed, 2, 2));
          expect(fuzzy(dictionary)).toEqual(byEdits(list, typed, 2, 1));
          found += own.filter(({ edits }) => edits === 2).length;
        }
      }
    },
  );
  expect(found).toBeGreaterThan(100);
});

test("3: fuzzy terms that have a beginning like the word", () => {
  const costOfBeginning = (typed: string, term: string): number => {
    const letters = [...term];
    return Math.min(
      ...[0, ...letters.keys()].map((_, length) => plainCost(typed, letters.slice(0, length).join(""), 1)),
    );
  };
  let found = 0;
  forAll(runs(400), terms, word, budget, fc.nat(), fc.nat(8), (list, own, most, from, at) => {
    // Half of the words are a term with two letters swapped and its end cut off.
    const letters = [...(list[from % Math.max(1, 2 * list.length)] ?? own)];
    const [a, b] = letters.splice(at, 2);
    if (a !== undefined && b !== undefined) letters.splice(at, 0, b, a);
    const typed = letters.slice(0, at + 4).join("") || own;
    const expected = sortedTerms(list).flatMap((term, ordinal) => {
      const edits = isStem(typed) ? most + 1 : costOfBeginning(typed, term);
      return isStem(term) || /\p{Nd}/u.test(term) || edits > most ? [] : [{ term, ordinal, edits }];
    });
    for (const dictionary of [dictionaryOf(list), plainTable(sortedTerms(list))]) {
      const similar = fuzzyPrefixTerms(typed, most)(dictionary);
      // With one edit, terms that begin with a spelling of the word are not compared any further.
      expect(similar.map(({ ordinal }) => ordinal)).toEqual(expected.map(({ ordinal }) => ordinal));
      if (most === 2) expect(similar).toEqual(expected);
    }
    found += expected.length;
  });
  expect(found).toBeGreaterThan(100);
});

test("2, 3: empty dictionaries and words; memory", () => {
  for (const list of [[], [STEM_PREFIX + "shoe"]]) {
    expect(similarTerms("shoes", 2)(dictionaryOf(list))).toEqual([]);
    expect(fuzzyTerms("shoes", 2)(dictionaryOf(list))).toEqual([]);
    // Stems are no words, whatever is typed.
    expect(similarTerms(STEM_PREFIX + "shoe", 2)(dictionaryOf(list))).toEqual([]);
    expect(fuzzyTerms(STEM_PREFIX + "shoe", 1)(dictionaryOf(list))).toEqual([]);
  }
  const dictionary = dictionaryOf(["shoe", "shoes", "1000", STEM_PREFIX + "shoe"]);
  expect(similarTerms("", 2)(dictionary)).toEqual([]);
  expect(fuzzyTerms("", 2)(dictionary)).toEqual([]);
  expect(expansionBytes(dictionary)).toBe(0);
  similarTerms("shoos", 1)(dictionary);
  expect(expansionBytes(dictionary)).toBe(2 * 5);
  fuzzyTerms("shoos", 1)(dictionary);
  expect(expansionBytes(dictionary)).toBe(3 * 5);
});

test.each([
  ["shoe", 1, 1],
  ["sho", 0, 1],
  ["toshiba", 1, 2],
  ["headphon", 2, 2],
  ["ab", 0, 0],
  ["1000", 0, 1],
  ["iphone15", 0, 2],
  ["𝒳𝒳𝒳", 0, 1],
  ["𝒳𝒳𝒳𝒳", 1, 1],
  ["น้ำผึ้ง", 0, 0],
  ["घड़ियाँ", 1, 2],
])("4: budgets: budget of %s", (typed, own, auto) => {
  expect([typoBudget(typed), autoFuzziness(typed)]).toEqual([own, auto]);
});

test("5: a reader remembers them by what makes them similar", () => {
  forAll(runs(20), batches, (list) => {
    const reader = updatedReader(list);
    const remembered = remember(reader, fields.analyzer);
    const likenesses: readonly Likeness[] = [
      { kind: "typos", edits: 2 },
      { kind: "fuzziness", value: "2" },
      { kind: "typos", edits: 1 },
      { kind: "fuzziness", value: "1" },
      { kind: "ngrams", share: 1 },
    ];
    for (const likeness of [...likenesses, ...likenesses.toReversed()]) {
      const most = MOST_SIMILAR[likeness.kind];
      const found = similarTo(reader.segments, "zunning", likeness).slice(0, most);
      expect(remembered.similarTo("zunning", likeness)).toEqual(found);
    }
  });
});

test("5: order of merged terms", () => {
  const one = { term: "b", share: 0.6, documentFrequency: 5 };
  expect(
    mergeSimilar([
      [one, { term: "c", share: 0.6, documentFrequency: 4 }],
      [
        { term: "z", share: 1, documentFrequency: 1 },
        { term: "a", share: 0.6, documentFrequency: 5 },
        { term: "c", share: 0.6, documentFrequency: 4 },
        { term: "gone", share: 0.6, documentFrequency: 0 },
      ],
    ]).map(({ term, documentFrequency }) => `${term} ${documentFrequency}`),
  ).toEqual(["z 1", "c 8", "a 5", "b 5"]);
});
