/** StringNumbers against a Map, and the order of strings against the one of code points. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzerFor } from "../../src/index-engine/analysis/index.ts";
import { compareCodePoints, StringNumbers } from "../../src/index-engine/base/index.ts";
import { run } from "../../src/index-engine/base/steps.ts";
import { forAll, runs } from "../support/property.ts";

/** Few letters, so that strings come again, begin alike and hold each other's zero bytes; and anything at all. */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom("a", "b", "\u0000"), maxLength: 9 }) },
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: fc.constantFrom("a", "ß", "\uff41", "\ud800", "\udc00", "😀"), maxLength: 4 }),
  fc.string({ minLength: 40, maxLength: 90 }),
);

describe("StringNumbers", () => {
  it("numbers strings as a Map does, a lone surrogate being U+FFFD", () => {
    forAll(runs(100), fc.array(text, { maxLength: 120 }), fc.array(text), (added, asked) => {
      const numbers = new StringNumbers();
      const twin = new Map<string, number>();
      for (const one of added) {
        const known = twin.get(one.toWellFormed()) ?? twin.size;
        twin.set(one.toWellFormed(), known);
        expect(numbers.add(one)).toBe(known);
      }
      expect(numbers.size).toBe(twin.size);
      for (const one of [...added, ...asked]) {
        expect(numbers.find(one)).toBe(twin.get(one.toWellFormed()) ?? -1);
      }
      expect([...twin.keys()].map((_, number) => numbers.text(number))).toEqual([...twin.keys()]);
    });
  });

  it("numbers bytes as a Map does, which need not be a text", () => {
    const word = fc.oneof(fc.nat({ max: 12 }), fc.constantFrom(0x8000_0000, 0xffff_ffff), fc.nat({ max: 0xffff_ffff }));
    forAll(runs(100), fc.array(fc.tuple(word, word), { maxLength: 300 }), (pairs) => {
      const numbers = new StringNumbers();
      const twin = new Map<string, number>();
      for (const pair of [...pairs, ...pairs]) {
        const known = twin.get(pair.join()) ?? twin.size;
        twin.set(pair.join(), known);
        expect(numbers.addBytes(new Uint8Array(Uint32Array.from(pair).buffer), 0, 8)).toBe(known);
      }
      expect(numbers.size).toBe(twin.size);
    });
  });

  it("sorts by code points", () => {
    forAll(runs(100), fc.array(text, { maxLength: 60 }), fc.integer({ min: 0, max: 3 }), (all, skip) => {
      const numbers = new StringNumbers();
      for (const one of all) numbers.add(one);
      const some = [...Array(numbers.size).keys()].filter((number) => number % 4 !== skip);
      const sorted = run(numbers.sorted(some)).map((number) => numbers.text(number));
      expect(sorted).toEqual(some.map((number) => numbers.text(number)).sort(compareCodePoints));
    });
  });

  it("keeps a hundred thousand strings apart, and sorts them in steps", () => {
    const numbers = new StringNumbers(0.5);
    for (let i = 0; i < 100_000; i++) expect(numbers.add(`sku-${i}`)).toBe(i);
    for (let i = 0; i < 100_000; i += 7) expect(numbers.find(`sku-${i}`)).toBe(i);
    expect(numbers.find("sku-100000")).toBe(-1);
    const sorting = numbers.sorted([...Array(numbers.size).keys()]);
    let steps = 0;
    let step = sorting.next();
    for (; step.done !== true; step = sorting.next()) steps++;
    expect(steps).toBeGreaterThan(100);
    expect(step.value.map((number) => `sku-${number}`)).toEqual(
      [...Array(100_000).keys()].map((i) => `sku-${i}`).sort(),
    );
  });
});

describe("what is emptied when full", () => {
  it("knows stems as before", () => {
    const word = (i: number): string => Array.from(String(i), (digit) => "abcdefghij"[Number(digit)]).join("") + "ing";
    const analyzer = analyzerFor("en");
    const fresh = (text: string): string => analyzerFor("en").stem(text);
    for (let i = 0; i < 45_000; i++) {
      const stem = analyzer.stem(word(i));
      if (i % 1_000 === 0) expect(stem).toBe(fresh(word(i)));
    }
    for (let i = 0; i < 45_000; i += 997) expect(analyzer.stem(word(i))).toBe(fresh(word(i)));
  });
});
