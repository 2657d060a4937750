/**
 * 1. splitsOf finds what trying every way to cut finds, in the same order; it asks for no term that splitLookups does
 *    not name.
 * 2. joinsOf: real words; what a join puts together, a split takes apart.
 * 3. numberForms: real sizes, units and codes; never what was typed, never twice, always the same characters for codes.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyzerFor, type CompoundData } from "../../../src/index-engine/analysis/index.ts";
import { joinsOf, numberForms, splitLookups, splitsOf } from "../../../src/index-engine/query/expansion/index.ts";
import { MOST_SPLITS } from "../../../src/index-engine/query/expansion/splits.ts";
import { compareCodePoints } from "../../../src/index-engine/base/index.ts";
import { forAll, runs } from "../../support/property.ts";

const GERMAN: CompoundData = {
  links: ["s", "n", "en", "er", "es", "e", "ns", "ens"],
  dropped: ["e"],
  minPartLength: 3,
};
const DUTCH: CompoundData = { links: ["s", "en", "n", "e", "er", "eren"], dropped: ["e"], minPartLength: 3 };

// ---- the twin

interface Reading {
  readonly terms: readonly string[];
  /** Characters of the word that each part covers. */
  readonly lengths: readonly number[];
}

const isDigit = (character: string | undefined): boolean => /^\p{Nd}$/u.test(character ?? "");

/** Every way to write `word` as 2 to 4 parts, by the rules of splits.ts, whether or not the parts are known. */
function readings(word: string, compounds: CompoundData | null): Reading[] {
  const characters = [...word];
  const least = compounds?.minPartLength ?? 3;
  const hasDigits = characters.some(isDigit);
  if (characters.length > 40 || (!hasDigits && characters.length < 4)) return [];
  const kinds = characters.map((character, i) =>
    isDigit(character) || (character === "." && isDigit(characters[i - 1]) && isDigit(characters[i + 1]))
      ? "number"
      : "letter",
  );
  const all: Reading[] = [];
  const cut = (start: number, terms: readonly string[], bounds: readonly [number, number][]): void => {
    if (start === characters.length) {
      if (fits(bounds)) all.push({ terms, lengths: bounds.map(([from, to]) => to - from) });
      return;
    }
    if (bounds.length === 4) return;
    for (let end = start + 1; end <= characters.length; end++) {
      const text = characters.slice(start, end).join("");
      const isLast = end === characters.length;
      const own = [...bounds, [start, end] as [number, number]];
      const endings = hasDigits || isLast ? [""] : ["", ...(compounds?.dropped ?? [])];
      for (const ending of endings) {
        cut(end, [...terms, text + ending], own);
        if (hasDigits || isLast) continue;
        for (const link of compounds?.links ?? []) {
          if (!characters.slice(end).join("").startsWith(link)) continue;
          if (end + link.length < characters.length) {
            cut(end + link.length, [...terms, text + ending], own);
          }
        }
      }
    }
  };
  const fits = (bounds: readonly (readonly [number, number])[]): boolean => {
    if (bounds.length < 2) return false;
    if (hasDigits) {
      return bounds.every(([from, to]) => {
        for (const at of [from, to]) {
          const inside = at > 0 && at < characters.length;
          if (inside && kinds[at - 1] === "number" && kinds[at] === "number") return false;
        }
        const isGuess = [from, to].some(
          (at) => at > 0 && at < characters.length && kinds[at - 1] === "letter" && kinds[at] === "letter",
        );
        return !isGuess || to - from >= least || characters.slice(from, to).some(isDigit);
      });
    }
    const lengths = bounds.map(([from, to]) => to - from);
    if (lengths.every((length) => length >= least)) return true;
    const [a, b] = lengths;
    const isContiguous = bounds[0][1] === bounds[1][0];
    if (bounds.length !== 2 || !isContiguous) return false;
    if (b === 1 && word.endsWith("s")) return false;
    return Math.min(a, b) >= 2 || Math.max(a, b) >= least;
  };
  cut(0, [], []);
  return all;
}

function slowSplits(word: string, frequencyOf: (term: string) => number, compounds: CompoundData | null): string[][] {
  const isShort = ({ lengths }: Reading): boolean => Math.min(...lengths) < (compounds?.minPartLength ?? 3);
  const known = readings(word, compounds)
    .filter(({ terms }) => terms.every((term) => frequencyOf(term) > 0))
    // A short part has not lost an ending.
    .filter((reading) => /\p{Nd}/u.test(word) || !isShort(reading) || reading.terms.join("") === word)
    .map(({ terms, lengths }) => ({
      terms: [...terms],
      shortest: Math.min(...lengths),
      product: terms.reduce((product, term) => product * frequencyOf(term), 1),
    }))
    .sort(
      (a, b) =>
        a.terms.length - b.terms.length ||
        b.shortest - a.shortest ||
        b.product - a.product ||
        compareCodePoints(a.terms.join(" "), b.terms.join(" ")),
    );
  const distinct = new Map<string, string[]>();
  for (const { terms } of known) {
    const key = terms.join(" ");
    if (!distinct.has(key)) distinct.set(key, terms);
  }
  return [...distinct.values()].slice(0, 4);
}

// ---- splits

const piece = fc.constantFrom("ab", "aba", "s", "e", "en", "ba", "bae", "1", "12", ".", "𝒳", "é");
const compounds = fc.constantFrom<CompoundData | null>(null, GERMAN, {
  links: ["s", "sa"],
  dropped: ["e", "b"],
  minPartLength: 2,
});

test("1: splits", () => {
  forAll(
    runs(500),
    fc.array(piece, { minLength: 1, maxLength: 6 }),
    fc.array(fc.tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.nat(3))),
    fc.array(fc.tuple(fc.nat(12), fc.nat(12), fc.constantFrom("", "e", "b"))),
    compounds,
    (pieces, known, cuts, data) => {
      const word = pieces.join("");
      const counts = new Map<string, number>(known.map(([parts, count]) => [parts.join(""), count]));
      for (const [from, to, ending] of cuts) {
        counts.set([...word].slice(from, to).join("") + ending, 1 + ((from + to) % 3));
      }
      const lookups = new Set(splitLookups(word, data));
      const found = splitsOf(
        word,
        (term) => {
          expect(lookups).toContain(term);
          return counts.get(term) ?? 0;
        },
        data,
      );
      expect(found).toEqual(slowSplits(word, (term) => counts.get(term) ?? 0, data));
      // What may occur, and then has no product, is no part: of a dictionary that goes on naming terms of deleted
      // products.
      const frequency = (term: string): number => counts.get(term) ?? 0;
      const mayOccur = (term: string): boolean => frequency(term) > 0 || term.length % 2 === 0;
      expect(splitsOf(word, frequency, data, mayOccur)).toEqual(found);
      expect(splitsOf(word, frequency, data, () => true)).toEqual(found);
      expect(found.length).toBeLessThanOrEqual(MOST_SPLITS);
    },
  );
});

test("1: words that are too long or too short", () => {
  expect(splitLookups("a".repeat(41), null)).toEqual([]);
  expect(splitLookups("abc", GERMAN)).toEqual([]);
  expect(splitLookups("", null)).toEqual([]);
  // Everything known, in every way: the work stays bounded.
  expect(splitsOf("a".repeat(40), () => 1, GERMAN)).toHaveLength(MOST_SPLITS);
});

// ---- joins

describe("2: joins", () => {
  const text = (words: string, data: CompoundData | null): string[] =>
    joinsOf(words.split(" "), data).map(({ first, count, term }) => `${first}+${count} ${term}`);

  test("plain neighbours", () => {
    expect(text("head phones", null)).toEqual(["0+2 headphones"]);
    expect(text("black t shirt", null)).toEqual(["0+2 blackt", "0+3 blacktshirt", "1+2 tshirt"]);
    expect(text("xyz 123", null)).toEqual(["0+2 xyz123"]);
    expect(text("shoes", null)).toEqual([]);
    expect(joinsOf([], GERMAN)).toEqual([]);
  });
  test("numbers", () => {
    expect(text("27 144", null)).toEqual([]);
    expect(text("12 3456", null)).toEqual(["0+2 123456"]);
    expect(text("2.5 100000", null)).toEqual([]);
    expect(text("ab12 345", null)).toEqual(["0+2 ab12345"]);
    expect(text(`${"a".repeat(40)} ${"b".repeat(40)}`, null)).toEqual([]);
  });
  test("codes of many parts", () => {
    expect(text("978 0 306 40615 7", null)).toContain("0+5 9780306406157");
    expect(text("xk 204 77 b", null)).toContain("0+4 xk20477b");
    expect(text("1 2 3 4 5 6 7 8 9", null).filter((one) => one.includes("+9"))).toEqual([]);
    expect(text("shoe size 42 blue", null).filter((one) => one.includes("+4"))).toEqual([]);
    expect(text("one for the dog", null).filter((one) => one.includes("+4"))).toEqual([]);
  });
  test.each([
    ["schuhe fussball", GERMAN, "fussballschuhe"],
    ["fussball schuhe", GERMAN, "fussballschuhe"],
    ["arbeit schuhe", GERMAN, "arbeitsschuhe"],
    ["schuhe arbeit", GERMAN, "arbeitsschuhe"],
    ["lampe tasche", GERMAN, "taschenlampe"],
    ["schule tasche", GERMAN, "schultasche"],
    ["socken wolle", GERMAN, "wollsocken"],
    ["kind wagen", GERMAN, "kinderwagen"],
    ["kast boek", DUTCH, "boekenkast"],
    ["fiets stad", DUTCH, "stadsfiets"],
    ["telefoon hoofd", DUTCH, "hoofdtelefoon"],
  ] as const)("%s", (words, data, expected) => {
    const joins = joinsOf(words.split(" "), data);
    expect(joins).toContainEqual({ first: 0, count: 2, term: expected });
    expect(joins[0].term).toBe(words.replace(" ", ""));
    expect(new Set(joins.map(({ term }) => term)).size).toBe(joins.length);
  });
  test("too short, and codes, do not grow together", () => {
    expect(text("t shirt", GERMAN)).toEqual(["0+2 tshirt"]);
    expect(text("xyz 123", GERMAN)).toEqual(["0+2 xyz123"]);
  });

  test("what is joined can be split", () => {
    const part = fc
      .array(fc.constantFrom("a", "b", "e", "s"), { minLength: 3, maxLength: 6 })
      .map((letters) => letters.join(""));
    let found = 0;
    forAll(runs(200), part, part, fc.constantFrom(null, GERMAN, DUTCH), (one, other, data) => {
      for (const { term } of joinsOf([one, other], data)) {
        const known = (each: string): number => (each === one || each === other ? 1 : 0);
        const splits = splitsOf(term, known, data).map((parts) => parts.join(" "));
        const isFound = [`${one} ${other}`, `${other} ${one}`].some((each) => splits.includes(each));
        if (isFound) found++;
        // More than MOST_SPLITS readings may hide it, and a stem may have become too short.
        expect(isFound || splits.length === MOST_SPLITS || term.length < one.length + other.length).toBe(true);
      }
    });
    expect(found).toBeGreaterThan(0);
  });
});

// ---- numbers

describe("3: numbers", () => {
  const units = (term: string): readonly string[] => {
    const lines = [["inch", "in", "zoll"], ["kg", "kilo"], ["gb"]];
    return lines.find((line) => line.includes(term))?.filter((each) => each !== term) ?? [];
  };
  const forms = (words: string): string[] =>
    numberForms(words.split(" "), units).map(
      ({ first, count, alternatives }) => `${first}+${count} ${alternatives.map((each) => each.join(" ")).join(", ")}`,
    );

  test.each([
    ["15 inch", "0+2 15inch, 15in, 15 in, 15zoll, 15 zoll, 15.0inch, 15.0 inch, 15.0in, 15.0 in, 15.0zoll, 15.0 zoll"],
    ["15in", "0+1 15 in, 15inch, 15 inch, 15zoll, 15 zoll, 15.0in, 15.0 in, 15.0inch, 15.0 inch, 15.0zoll, 15.0 zoll"],
    ["2.5 kg", "0+2 2.5kg, 2.5kilo, 2.5 kilo"],
    ["2.50kg", "0+1 2.50 kg, 2.50kilo, 2.50 kilo, 2.5kg, 2.5 kg, 2.5kilo, 2.5 kilo"],
    ["1.000 kg", "0+2 1.000kg, 1.000kilo, 1.000 kilo"],
    ["128gb", "0+1 128 gb"],
    ["xyz 123", "0+2 xyz123"],
    ["xyz123", "0+1 xyz 123"],
    // Not "galaxys 7": letters of two words are not a part.
    ["galaxy s7", "0+2 galaxys7; 1+1 s 7"],
    ["wh1000", "0+1 wh 1000"],
    ["27 144", ""],
    ["running shoes", ""],
    ["123", ""],
  ])("%s", (words, expected) => {
    expect(forms(words).join("; ")).toBe(expected);
  });

  test("codes of several pieces", () => {
    expect(forms("wh1000xm4")).toEqual([
      "0+1 wh 1000xm4, wh1000 xm4, wh1000xm 4, wh 1000 xm4, wh 1000xm 4, wh1000 xm 4, wh 1000 xm 4",
    ]);
    expect(forms("wh 1000xm4")).toEqual([
      "0+2 wh1000xm4, wh1000 xm4, wh1000xm 4, wh1000 xm 4",
      "1+1 1000 xm4, 1000xm 4, 1000 xm 4",
    ]);
    expect(forms("wh 1000 xm4")[1]).toBe("0+3 wh1000xm4, wh1000xm 4");
    expect(forms("a1b2c3")[0].split(", ")).toHaveLength(6);
  });

  test("real analysis and units", () => {
    const alternatives = (language: string, text: string): string[] =>
      numberForms(analyzerFor(language).terms(text)).flatMap((form) => form.alternatives.map((each) => each.join(" ")));
    expect(alternatives("en", "15.6 inch")).toContain("15.6 zoll");
    expect(alternatives("de", "15,6 Zoll")).toContain("15.6in");
    expect(alternatives("de", "2,5kg")).toContain("2.5 kg");
    expect(alternatives("nl", "1,5 liter")).toContain("1.5l");
    expect(alternatives("en", "XYZ-123")).toContain("xyz123");
  });

  test("never what was typed, never twice, and codes keep their characters", () => {
    const word = fc
      .array(fc.constantFrom("a", "bc", "1", "20", "in", "2.5", "kg", "é", "𝒳"), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join(""));
    let found = 0;
    forAll(runs(200), fc.array(word, { maxLength: 5 }), (words) => {
      for (const { first, count, alternatives } of numberForms(words, () => [])) {
        found += alternatives.length;
        const typed = words.slice(first, first + count);
        const keys = alternatives.map((each) => each.join(" "));
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys).not.toContain(typed.join(" "));
        for (const each of alternatives) {
          expect(each.join("")).toBe(typed.join(""));
          expect(each).not.toContain("");
        }
      }
    });
    expect(found).toBeGreaterThan(0);
  });
});
