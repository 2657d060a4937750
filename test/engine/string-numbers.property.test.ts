/** StringNumbers and PairNumbers against a Map, and the order of strings against the one of code points. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PairNumbers } from "../../src/index-engine/facet-data/pair-numbers.ts";
import { compareCodePoints, StringNumbers } from "../../src/index-engine/strings.ts";
import { run } from "../../src/index-engine/segment/steps.ts";

/** Few letters, so that strings come again, begin alike and hold each other's zero bytes; and anything at all. */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom("a", "b", "\u0000"), maxLength: 9 }) },
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: fc.constantFrom("a", "ß", "\uff41", "\ud800", "\udc00", "😀"), maxLength: 4 }),
  fc.string({ minLength: 40, maxLength: 90 }),
);

describe("StringNumbers", () => {
  it("numbers strings as a Map does, a lone surrogate being U+FFFD", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 120 }), fc.array(text), (added, asked) => {
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
      }),
    );
  });

  it("sorts by code points", () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 60 }),
        fc.integer({ min: 0, max: 3 }),
        (all, skip) => {
          const numbers = new StringNumbers();
          for (const one of all) numbers.add(one);
          const some = [...Array(numbers.size).keys()].filter((number) => number % 4 !== skip);
          const sorted = run(numbers.sorted(some)).map((number) => numbers.text(number));
          expect(sorted).toEqual(
            some.map((number) => numbers.text(number)).sort(compareCodePoints),
          );
        },
      ),
    );
  });

  it("keeps a hundred thousand strings apart, and sorts them in steps", () => {
    const numbers = new StringNumbers();
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

describe("PairNumbers", () => {
  it("numbers pairs as a Map does", () => {
    const word = fc.oneof(
      fc.nat({ max: 12 }),
      fc.integer({ min: 0, max: 0xffff_ffff }),
      fc.constantFrom(0x8000_0000, 0xffff_ffff),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { maxLength: 300 }), (pairs) => {
        const numbers = new PairNumbers();
        const twin = new Map<string, number>();
        for (const [a, b] of [...pairs, ...pairs]) {
          const known = twin.get(`${a} ${b}`) ?? twin.size;
          twin.set(`${a} ${b}`, known);
          expect(numbers.add(a, b)).toBe(known);
        }
        expect(numbers.size).toBe(twin.size);
      }),
    );
  });
});
