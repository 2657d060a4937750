/**
 * 1. compareCodePoints and sortByCodePoints order as UTF-8 bytes do.
 * 2. A table answers get, find, lowerBound and prefixEnd as a sorted array does, also from a block in the middle on.
 * 3. StringMerge visits the union in order and names every table that has the string.
 * 4. sortInStepsBy sorts as sortByCodePoints does.
 * 5. A scan knows what a string shares with the one before it, also one of some blocks; ends of strings are read alone.
 * 6. Of long strings their length is work, of ordinary ones nothing; of an end only what is read of it.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { run } from "../../src/index-engine/base/steps.ts";
import { SectionWriter } from "../../src/index-engine/segment/format/section-writer.ts";
import { SectionViews } from "../../src/index-engine/segment/format/sections.ts";
import { compareCodePoints, sortByCodePoints, sortInStepsBy } from "../../src/index-engine/base/index.ts";
import {
  FrontCodedTable,
  FrontCodedWriter,
  scanOf,
  STRING_BLOCK,
  StringMerge,
  StringScan,
} from "../../src/index-engine/segment/strings/index.ts";
import { work } from "../../src/index-engine/base/work.ts";
import { LIMITS } from "../../src/interface/index.ts";
import { forAll, runs } from "../support/property.ts";
import { compareUtf8 } from "./support/products.ts";

const letters = fc.constantFrom("a", "b", "ab", "é", "ﬀ", "\uffff", "𝒳", "😀", "\u0000", "\u0001");
const text = fc.oneof(
  fc.array(letters, { maxLength: 8 }).map((parts) => parts.join("")),
  fc.array(fc.constantFrom("a", "b"), { minLength: 10, maxLength: 40 }).map((p) => p.join("")),
  fc.string({ unit: "binary", maxLength: 12 }),
);

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(compareUtf8);
}

function tableOf(texts: readonly string[], before: readonly string[] = []): FrontCodedTable {
  const writer = new FrontCodedWriter();
  for (const each of before) writer.add(each);
  const start = writer.startBlock();
  for (const each of texts) writer.add(each);
  const sections = new SectionWriter();
  writer.finish(sections, 2, 3);
  const bytes = run(sections.finish({ language: "en", analysisVersion: 1 }));
  return new FrontCodedTable(new SectionViews(bytes), 2, 3, { start, size: texts.length });
}

test("1: order of code points", () => {
  forAll(runs(2000), text, text, (a, b) => {
    expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(compareUtf8(a, b)));
  });
  forAll(runs(400), fc.array(text), (texts) => {
    expect(sortByCodePoints([...texts])).toEqual([...texts].sort(compareUtf8));
  });
});

test("2: a table is a sorted array", () => {
  forAll(
    runs(200),
    fc.array(text, { maxLength: 80 }),
    fc.array(text, { maxLength: 20 }),
    fc.array(text, { maxLength: 20 }),
    (texts, before, probes) => {
      const array = sorted(texts);
      const table = tableOf(array, before);
      expect(table.size).toBe(array.length);
      expect(array.map((_, i) => table.get(i))).toEqual(array);
      for (const probe of [...probes, ...array, ...array.map((each) => each.slice(0, 2).toWellFormed())]) {
        expect(table.find(probe)).toBe(array.indexOf(probe));
        const bound = array.findIndex((each) => compareUtf8(each, probe) >= 0);
        expect(table.lowerBound(probe)).toBe(bound < 0 ? array.length : bound);
        const starts = array.filter((each) => each.startsWith(probe)).length;
        expect(table.prefixEnd(probe) - table.lowerBound(probe)).toBe(starts);
      }
      expect(() => table.get(array.length)).toThrow(RangeError);
      expect(() => table.get(-1)).toThrow(RangeError);
    },
  );
});

test("2: tables of many blocks that begin alike, looked up often enough to have heads and a filter", () => {
  const part = fc.constantFrom(
    "",
    "a",
    "abcdefgh",
    "abcd",
    "abcdefghi",
    "\u0000",
    "é",
    "\u{10ffff}",
    "z",
    "y".repeat(65),
    "y".repeat(130),
  );
  const long = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(""));
  const alike = fc.tuple(long, fc.nat(40)).map(([begin, i]) => `${begin}${i}`);
  forAll(
    runs(25),
    fc.array(fc.oneof(alike, long), { minLength: 60, maxLength: 400 }),
    fc.array(fc.oneof(alike, long, text), { maxLength: 60 }),
    (texts, probes) => {
      const array = sorted(texts);
      const tables = [tableOf(array), tableOf(array, ["m", "n"])];
      const asked = [...probes, ...array.slice(0, 40), ...array.map((each) => `${each}\u0000`)];
      // The tables by turns, and all of it twice: what was looked up before must not matter.
      for (const probe of [...asked, ...asked]) {
        const bound = array.findIndex((each) => compareUtf8(each, probe) >= 0);
        const found = array.indexOf(probe);
        const starts = array.filter((each) => each.startsWith(probe)).length;
        const said = tables.map((table) => [
          table.find(probe),
          table.lowerBound(probe),
          table.prefixEnd(probe) - table.lowerBound(probe),
          table.find(probe),
        ]);
        const expected = [found, bound < 0 ? array.length : bound, starts, found];
        expect(said).toEqual([expected, expected]);
      }
      for (const table of tables) expect(table.lookupBytes).toBeGreaterThan(0);
    },
  );
});

test("2: long strings, shared and own parts beyond 15, 127 and 16,383 bytes", () => {
  const array = sorted(
    [14, 15, 16, 29, 30, 127, 128, 142, 143, 16_383, 16_384, 16_400].flatMap((length) => [
      "a".repeat(length),
      "a".repeat(length) + "b".repeat(length),
      "é".repeat(length),
    ]),
  );
  const table = tableOf(array);
  array.forEach((each, i) => {
    expect(table.get(i)).toBe(each);
    expect(table.find(each)).toBe(i);
    expect(table.find(`${each}c`)).toBe(-1);
  });
});

test("3: merging tables", () => {
  forAll(runs(400), fc.array(fc.array(text, { maxLength: 40 }), { maxLength: 5 }), (lists) => {
    const arrays = lists.map(sorted);
    const merge = new StringMerge(arrays.map((array) => scanOf(tableOf(array))));
    const seen: string[] = [];
    while (merge.next()) {
      const current = merge.scans[merge.members[0]].text();
      seen.push(current);
      const having = arrays.flatMap((array, i) => (array.includes(current) ? [i] : []));
      expect(merge.members).toEqual(having);
      for (const member of merge.members) {
        expect(merge.scans[member].ordinal).toBe(arrays[member].indexOf(current));
      }
    }
    expect(seen).toEqual(sorted(arrays.flat()));
  });
});

test("4: sorting in steps is sorting", () => {
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 4 }), fc.string({ maxLength: 3 }));
  forAll(runs(32), fc.array(text, { maxLength: 40 }), fc.nat(9_000), (some, repeated) => {
    // Long enough for several runs; equal ones among them.
    const strings = [...some, ...Array.from({ length: repeated }, (_, i) => String((i * 7919) % 5_003)), ...some];
    expect(run(sortInStepsBy(strings, compareCodePoints))).toEqual(sortByCodePoints([...strings]));
  });
});

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

test("5: scans and ends", () => {
  forAll(runs(200), fc.array(text, { minLength: 1, maxLength: 80 }), fc.nat(), fc.nat(), (texts, a, b) => {
    const array = sorted(texts);
    const table = tableOf(array, ["m", "n"]);
    const from = a % array.length;
    const end = from + 1 + (b % (array.length - from));
    const scan = new StringScan();
    const start = from - (from % STRING_BLOCK);
    scan.reset(table.blocks(from, end), start);
    for (let i = start; i < end; i++) {
      expect(scan.next()).toBe(true);
      expect(scan.text()).toBe(array[i]);
      const [before, own] = [bytesOf(i === start ? "" : array[i - 1]), bytesOf(array[i])];
      const different = own.findIndex((byte, at) => byte !== before[at]);
      expect(scan.shared).toBe(different < 0 ? own.length : different);
      for (const most of [0, 1, 5, own.length, own.length + 1]) {
        const ending = own.slice(Math.max(0, own.length - most));
        expect(table.getEnd(i, most)).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(ending));
      }
    }
  });
});

/** How often it can be done within the budget of one search. */
function timesWithin(body: () => unknown, most: number): number {
  let times = 0;
  try {
    work.within(() => {
      for (; times < most; times++) body();
    });
  } catch {
    // The budget is spent.
  }
  return times;
}

test("6: work of long strings", () => {
  const long = Array.from({ length: 20 }, (_, i) => "x".repeat(4_000) + String(i).padStart(2, "0"));
  const [ordinary, table] = [tableOf(["x".repeat(128)]), tableOf(long)];
  const most = LIMITS.searchPartSteps.value;
  expect(timesWithin(() => ordinary.get(0), 60_000)).toBe(60_000);
  // A step for every eight bytes, of heads of blocks and of those that follow.
  for (const at of [0, 1, 16, 19]) {
    expect(timesWithin(() => table.get(at), 60_000)).toBe(Math.floor(most / Math.ceil(4_002 / 8)));
    expect(timesWithin(() => table.getEnd(at, 128), 60_000)).toBe(60_000);
  }
  // Finding a place reads a head and some strings of its block.
  const compare = (): number => table.partition(0, 20, (_, start, end) => start - end);
  const found = timesWithin(compare, 60_000);
  expect(found).toBeGreaterThan(most / 501 / 25);
  expect(found).toBeLessThan(most / 501);
});
