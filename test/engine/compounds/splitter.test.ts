/**
 * German compounds of documents (index-engine/documents/compounds).
 *
 * 1. Of random words over random lists the reading is the best of all readings there are (slow-splitter.ts).
 * 2. By our list: compounds of shops, and words that are none. This is the golden list: a change here changes
 *    documents.
 * 3. Of words that were written down after the list, and to which it was not fitted, most are read as a German would
 *    read them; next to none is taken apart that is no compound.
 * 4. The list holds each word once.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyzerFor, fold } from "../../../src/index-engine/analysis/index.ts";
import {
  GERMAN_COLOURS,
  GERMAN_FIRST_WORDS,
  GERMAN_WORDS,
} from "../../../src/index-engine/documents/compounds/german-words.ts";
import { CompoundSplitter, germanSplitter } from "../../../src/index-engine/documents/compounds/index.ts";
import { forAll, runs } from "../../support/property.ts";
import { slowSplit } from "./slow-splitter.ts";

describe("1: the best reading", () => {
  const letters = fc.constantFrom(..."aaebnstüß", "ue", "-");
  const word = fc.array(letters, { minLength: 3, maxLength: 6 }).map((some) => some.join(""));
  const made = fc.tuple(
    fc.array(word, { minLength: 1, maxLength: 6 }),
    fc.array(word, { maxLength: 2 }),
    fc.array(
      fc.record({
        word: fc.nat(),
        ending: fc.constantFrom("", "", "", "e", "s", "n", "en", "er", "es", "ens", "-", "s-"),
        lost: fc.boolean(),
        isUpper: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  );

  test("is the twin's", () => {
    let split = 0;
    forAll(runs(400), made, ([words, first, parts]) => {
      const text = parts
        .map(({ word: at, ending, lost, isUpper }) => {
          const all = [...words, ...first];
          const own = all[at % all.length] ?? "";
          const written = (lost ? own.replace(/e$/, "") : own) + ending;
          return isUpper ? written.toUpperCase() : written;
        })
        .join("");
      const splitter = new CompoundSplitter(words, first);
      const found = splitter.split(text);
      expect(found).toEqual(slowSplit(text, words, first));
      if (found.length > 1) split++;
    });
    expect(split).toBeGreaterThan(50);
  });

  test("what is longer than any word stays", () => {
    const splitter = new CompoundSplitter(["haus"], []);
    expect(splitter.split("haus".repeat(16))).toHaveLength(16);
    expect(splitter.split("haus".repeat(17))).toEqual(["haus".repeat(17)]);
  });
});

describe("2: by our list", () => {
  const splitter = germanSplitter([]);
  test.each([
    ["Arbeitshose", "Arbeit hose"],
    ["Bücherregal", "Bücher regal"],
    ["BÜCHERREGAL", "BÜCHER REGAL"],
    ["Buecherregale", "Buecher regale"],
    ["Bu\u0308cherregal", "Bücher regal"],
    ["Wollsocken", "Wolle socken"],
    ["WOLLSOCKEN", "WOLLE SOCKEN"],
    ["Fußballschuhe", "Fußball schuhe"],
    ["Kinderschlafanzug", "Kinder schlafanzug"],
    ["Lederhandschuhe", "Leder handschuhe"],
    ["Leder-Handschuhe", "Leder Handschuhe"],
    ["Arbeits-Hose", "Arbeit Hose"],
    ["Damenwinterstiefel", "Damen winter stiefel"],
    ["Edelstahlkochtopf", "Edelstahl koch topf"],
    ["Wachstuchtischdecke", "Wachs tuch tisch decke"],
    ["dunkelblauer", "dunkel blauer"],
    ["Minirock", "Mini rock"],
    ["Mini-Rock", "Mini Rock"],
    ["Tageslicht", "Tag licht"],
    ["Hundeleinen", "Hunde leinen"],
    ["Kirschkernkissen", "Kirsche kern kissen"],
    // Words of their own, whatever they look like.
    ["Handschuhe", "Handschuhe"],
    ["Schmetterlinge", "Schmetterlinge"],
    ["Zahnpasta", "Zahnpasta"],
    ["Steckdose", "Steckdose"],
    ["T-Shirt", "T-Shirt"],
    ["Zauberwuzsocken", "Zauberwuzsocken"],
    ["500-ml-Becher", "500-ml-Becher"],
    ["WH1000XM4", "WH1000XM4"],
    ["", ""],
  ])("%s", (word, parts) => {
    expect(splitter.split(word).join(" ")).toBe(parts);
  });

  test("and by more words", () => {
    const more = germanSplitter(["Zauberwuz", "Bücherregal"]);
    expect(more.split("Zauberwuzsocken")).toEqual(["Zauberwuz", "socken"]);
    expect(more.split("Bücherregal")).toEqual(["Bücherregal"]);
    expect(more.split("Kinderbücherregale")).toEqual(["Kinder", "bücherregale"]);
    expect(splitter.split("Zauberwuzsocken")).toEqual(["Zauberwuzsocken"]);
  });
});

describe("3: words written down afterwards", () => {
  const splitter = germanSplitter([]);
  const german = analyzerFor("de");
  const textOf = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8").trim();
  // Which form of a part it is makes no difference to a search.
  const same = (parts: readonly string[]): string => parts.map((part) => german.stem(fold(part, "de"))).join(" ");

  test("compounds", () => {
    const words = textOf("fresh-compounds.txt")
      .split(/,\s/)
      .map((one) => one.split(" "));
    const read = words.map(([word = "", ...parts]) => ({ word, parts, found: splitter.split(word) }));
    const right = read.filter(({ parts, found }) => same(found) === same(parts));
    const whole = read.filter(({ found }) => found.length === 1);
    expect(words).toHaveLength(163);
    expect(right.length).toBeGreaterThanOrEqual(147);
    // What is not read right is not read at all: none is taken apart wrongly.
    expect(right.length + whole.length).toBe(words.length);
  });

  test("others", () => {
    const words = textOf("fresh-words.txt").split(/\s/);
    expect(words).toHaveLength(145);
    const split = words.filter((word) => splitter.split(word).length > 1);
    expect(split).toEqual(["Goldmann", "Bergmann", "Boxershorts"]);
  });
});

test("4: each word once", () => {
  const listed = [GERMAN_WORDS, GERMAN_FIRST_WORDS].flatMap((text) => text.toLowerCase().match(/\S+/gu) ?? []);
  expect(listed.filter((word, i) => listed.indexOf(word) !== i)).toEqual([]);
  expect(GERMAN_COLOURS.split(/\s+/u)).toContain("blau");
});
