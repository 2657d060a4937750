/**
 * How many live products have a term, against a walk along its whole list that leaves out what is deleted.
 *
 * 1. Over any history of deletions, replaced documents, changed numbers and merges, with branches (two updates of the
 *    same reader), every reader says the right number of every term, whatever was asked before: of old and new readers
 *    in any order, and again.
 * 2. So it is for more terms than are kept.
 * 3. Without anything known: lists shorter and longer than what is decoded at once, few and many deletions.
 * 4. Memory: told by the reader, more with each deletion and each frequent term that was asked for; none of a merged
 *    segment.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { countLive, LiveFrequencies } from "../../src/index-engine/index/live-frequency.ts";
import type { IndexableProduct, LiveSegment } from "../../src/index-engine/segment/model/index.ts";
import { liveFrequency, Reader } from "../../src/index-engine/index/reader.ts";
import { mergeSegments, openSegment } from "../../src/index-engine/segment/index.ts";
import { forAll, runs } from "../support/property.ts";
import { build, number, product } from "./support/products.ts";

/** The slow twin. */
function walk({ segment, deleted }: LiveSegment, term: number): number {
  const rows = new Uint32Array(segment.postings.count(term));
  segment.postings.decode(term, rows, null);
  let count = 0;
  for (const row of rows) {
    const isDeleted = deleted !== null && ((deleted[row >>> 5] >>> (row & 31)) & 1) === 1;
    if (!isDeleted) count++;
  }
  return count;
}

/** 1,024 is what is decoded at once. */
const LENGTHS = [1, 3, 100, 1_023, 1_024, 1_025, 1_900, 2_500];
const PRODUCTS = 2_500;

function idOf(place: number): string {
  return `p${String(place % PRODUCTS).padStart(4, "0")}`;
}

/** With a word for each length, which so many products of the catalogue have, spread over it. */
function productAt(place: number, more = ""): IndexableProduct {
  const spread = (place * 1_237) % PRODUCTS;
  const words = LENGTHS.filter((length) => spread < length).map((length) => `of${length}`);
  return product(idOf(place), {
    texts: [{ field: "title", text: `${words.join(" ")} ${more}` }],
    values: [number("price", 1)],
    columns: [{ field: "price", value: 1 }],
  });
}

const catalogue = build(
  Array.from({ length: PRODUCTS }, (_, place) => productAt(place)),
  "catalogue",
).segment;
const WORDS = [...LENGTHS.map((length) => `of${length}`), "new", "missing"];

/** Places from..: few of them, or so many that it is cheaper to walk than to look them up. */
const anyPlaces = fc
  .record({
    from: fc.nat(PRODUCTS - 1),
    count: fc.oneof(
      { weight: 4, arbitrary: fc.nat(6) },
      { weight: 2, arbitrary: fc.nat(150) },
      { weight: 1, arbitrary: fc.nat(PRODUCTS) },
    ),
    step: fc.constantFrom(1, 7, 1_237, PRODUCTS - 1),
  })
  .map(({ from, count, step }) => Array.from({ length: count }, (_, i) => (from + i * step) % PRODUCTS));

const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("delete" as const), places: anyPlaces }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("put" as const),
      places: fc.uniqueArray(fc.nat(PRODUCTS - 1), { minLength: 1, maxLength: 5 }),
      also: fc.array(fc.nat(PRODUCTS - 1), { maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("numbers" as const),
      places: fc.array(fc.nat(PRODUCTS - 1), { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("merge" as const),
      from: fc.nat(4),
      length: fc.integer({ min: 1, max: 4 }),
      // Deleted while the merge runs.
      places: anyPlaces,
    }),
  },
);

const step = fc.record({
  /** Which reader it is done to, counted from the newest. */
  back: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(8) }),
  action,
  /** What is asked afterwards: of a reader counted from the newest, a word. */
  asked: fc.array(fc.tuple(fc.nat(8), fc.nat(WORDS.length - 1)), { maxLength: 12 }),
});

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

function carryOut(reader: Reader, action: Action, at: number): Reader {
  switch (action.kind) {
    case "delete":
      return reader.withUpdate(null, action.places.map(idOf));
    case "put": {
      const written = action.places.map((place) => productAt(place, "new"));
      return reader.withUpdate(build(written, `put${at}`).segment, action.also.map(idOf));
    }
    case "numbers":
      return reader.withNumbers(action.places.map((place, i) => [idOf(place), new Map([["price", at + i]])] as const));
    case "merge": {
      const from = Math.min(action.from, Math.max(0, reader.segments.length - 1));
      const run = reader.segments.slice(from, from + action.length);
      const merged = openSegment(mergeSegments(run));
      return reader.withUpdate(null, action.places.map(idOf)).replaceRun(run, merged);
    }
  }
}

/** The ordinal is asked for, so that what is known by it is, as a search does. */
function expectFrequency(reader: Reader, word: string): void {
  for (const live of reader.segments) {
    const term = live.segment.terms.find(word);
    if (term < 0) continue;
    expect(liveFrequency(live, term)).toBe(walk(live, term));
  }
}

test("1: any history, asked in any order", () => {
  let branches = 0;
  let merges = 0;
  forAll(
    runs(60),
    fc.array(step, { minLength: 1, maxLength: 14 }),
    fc.array(fc.tuple(fc.nat(14), fc.nat(WORDS.length - 1)), { maxLength: 30 }),
    (steps, atLast) => {
      const readers = [Reader.of([catalogue])];
      const newest = (back: number): Reader => readers[Math.max(0, readers.length - 1 - back)];
      steps.forEach(({ back, action, asked }, at) => {
        const reader = newest(back);
        if (back > 0 && readers.length > 1) branches++;
        if (action.kind === "merge" && reader.segments.length > 1) merges++;
        readers.push(carryOut(reader, action, at));
        for (const [which, word] of asked) expectFrequency(newest(which), WORDS[word]);
      });
      for (const [which, word] of atLast) expectFrequency(newest(which), WORDS[word]);
      for (const word of WORDS) expectFrequency(newest(0), word);
    },
  );
  expect(branches).toBeGreaterThan(0);
  expect(merges).toBeGreaterThan(0);
});

test("2: more terms than are kept", () => {
  // Of each 150 products all but a few have it: rare terms are counted anyway, and none of them is kept.
  const ROWS = 150;
  const TERMS = 1_200;
  const words = Array.from({ length: TERMS }, (_, i) => `own${i}`);
  const { segment } = build(
    Array.from({ length: ROWS }, (_, row) =>
      product(`p${row}`, { texts: [{ field: "title", text: words.filter((_, i) => i % ROWS !== row).join(" ") }] }),
    ),
  );
  expect(segment.terms.size).toBeGreaterThan(1_024);
  forAll(
    runs(5),
    fc.array(fc.array(fc.nat(ROWS - 1), { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 3 }),
    fc.nat(TERMS),
    (deletions, first) => {
      const readers = [Reader.of([segment])];
      for (const rows of deletions) {
        readers.push(
          readers[readers.length - 1].withUpdate(
            null,
            rows.map((row) => `p${row}`),
          ),
        );
      }
      // Oldest first, newest first, and both ways once more.
      for (const order of [readers, readers.toReversed()]) {
        for (const { segments } of order) {
          const said: number[] = [];
          const expected: number[] = [];
          for (let i = 0; i < segment.terms.size; i++) {
            const term = (first + i) % segment.terms.size;
            said.push(liveFrequency(segments[0], term));
            expected.push(walk(segments[0], term));
          }
          expect(said).toEqual(expected);
        }
      }
    },
  );
});

test("3: nothing is known", () => {
  forAll(runs(60), fc.array(anyPlaces, { maxLength: 3 }), (groups) => {
    const rows = new Set(groups.flat());
    const deleted = new Uint32Array(Math.ceil(PRODUCTS / 32));
    for (const row of rows) deleted[row >>> 5] |= 1 << (row & 31);
    const live = { segment: catalogue, deleted, deletedCount: rows.size };
    for (let term = 0; term < catalogue.terms.size; term++) {
      const expected = walk(live, term);
      expect(countLive(live, term)).toBe(expected);
      expect(liveFrequency(live, term)).toBe(expected);
      expect(new LiveFrequencies().frequency(live, 0, term)).toBe(expected);
    }
  });
});

test("4: what is kept is told", () => {
  const reader = Reader.of([catalogue]);
  expect(reader.countedBytes).toBe(0);
  const deleted = reader.withUpdate(null, [idOf(0), idOf(1), idOf(2)]);
  expect(deleted.countedBytes).toBe(3 * 8);
  expectFrequency(deleted, "of1900");
  expectFrequency(deleted, "of2500");
  // Short lists are counted whenever they are asked for.
  expectFrequency(deleted, "of3");
  expect(deleted.countedBytes).toBe(3 * 8 + 2 * 100);
  const merged = openSegment(mergeSegments(deleted.segments));
  expect(deleted.replaceRun(deleted.segments, merged).countedBytes).toBe(0);
});
