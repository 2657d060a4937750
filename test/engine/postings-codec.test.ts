/**
 * 1. decode and count give back what was written, with and without codes, for lists of any length (0, 1, 62, 63, 127,
 *    128, 129, ...).
 * 2. A cursor's next and advance, mixed in any way, stand where a walk over the array stands, with the same codes; it
 *    can be reopened.
 * 3. One-row lists whose code does not fit beside the row are stored like others.
 * 4. codesOf gives the codes of any rows, as a map of the list has them; -1 for rows that the list has not.
 * 5. Blocks with a few large gaps and codes take the bits of the small ones; the format note's example.
 * 6. Where most lists are empty, all of them read as they were written, and the directory takes bytes for the others
 *    only.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_MORE_ROWS } from "../../src/index-engine/segment/model/index.ts";
import { packDirectory } from "../../src/index-engine/segment/postings/directory.ts";
import { PackedPostings, PostingsWriter } from "../../src/index-engine/segment/postings/index.ts";
import { run } from "../../src/index-engine/base/steps.ts";
import { PART } from "../../src/index-engine/segment/format/layout.ts";
import { SectionWriter } from "../../src/index-engine/segment/format/section-writer.ts";
import { SectionViews } from "../../src/index-engine/segment/format/sections.ts";
import { forAll, runs } from "../support/property.ts";
import { list } from "./support/products.ts";

interface List {
  readonly rows: readonly number[];
  readonly codes: readonly number[];
}

function opened(
  lists: readonly List[],
  rowCount: number,
  withCodes: boolean,
): { readonly views: SectionViews; readonly postings: PackedPostings } {
  const writer = new PostingsWriter(rowCount);
  for (const { rows, codes } of lists) {
    // Written from the middle of larger arrays, as the builder does.
    const padded = Uint32Array.from([7, ...rows, 7]);
    const paddedCodes = withCodes ? Uint32Array.from([9, ...codes, 9]) : null;
    writer.add(padded, paddedCodes, 1, 1 + rows.length);
  }
  const sections = new SectionWriter();
  writer.finish(sections, 16);
  const bytes = run(sections.finish({ language: "en", analysisVersion: 1 }));
  const views = new SectionViews(bytes);
  return { views, postings: new PackedPostings(views, 16) };
}

function written(lists: readonly List[], rowCount: number, withCodes: boolean): PackedPostings {
  return opened(lists, rowCount, withCodes).postings;
}

const ROWS = 100_000_000;
const length = fc.oneof(
  fc.constantFrom(0, 1, 2, 61, 62, 63, 64, 127, 128, 129, 255, 256, 257, 384),
  fc.nat({ max: 700 }),
);

const anyList: fc.Arbitrary<List> = fc
  .record({
    length,
    gaps: fc.constantFrom(1, 2, 9, 1000),
    first: fc.constantFrom(0, 1, 77, 1_000_000),
    codes: fc.constantFrom(1, 2, 5, 70_000),
    /** One of so many gaps and codes is 300 times as large. */
    larger: fc.constantFrom(3, 30, 1_000_000),
    seed: fc.nat(),
  })
  .map((given) => {
    const rows: number[] = [];
    const codes: number[] = [];
    let row = given.first;
    // xorshift: thousands of numbers per list, drawn from one
    let state = given.seed + 1;
    const random = (below: number): number => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) % below;
    };
    for (let i = 0; i < given.length; i++) {
      rows.push(row);
      row += 1 + random(given.gaps) * (random(given.larger) === 0 ? 300 : 1);
      codes.push(random(given.codes) * (random(given.larger) === 0 ? 300 : 1));
    }
    return { rows, codes };
  });

test("1: decode and count", () => {
  forAll(runs(240, 80), fc.array(anyList, { maxLength: 8 }), fc.boolean(), (lists, withCodes) => {
    const postings = written(lists, ROWS, withCodes);
    lists.forEach(({ rows, codes }, i) => {
      expect(postings.count(i)).toBe(rows.length);
      const read = list(postings, i);
      expect(read.rows).toEqual(rows);
      expect(read.codes).toEqual(withCodes ? codes : rows.map(() => 0));
      const alone = new Uint32Array(rows.length);
      expect(postings.decode(i, alone, null)).toBe(rows.length);
      expect([...alone]).toEqual(rows);
    });
    // Lists that were never written are empty.
    expect(postings.count(lists.length)).toBe(0);
  });
});

test("2: cursors", () => {
  const step = fc.oneof(fc.constant(-1), fc.nat({ max: 20 }), fc.nat({ max: 2000 }), fc.nat({ max: 200_000 }));
  forAll(
    runs(320, 110),
    fc.array(fc.tuple(anyList, fc.array(step, { maxLength: 300 })), { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    (given, withCodes) => {
      const postings = written(
        given.map(([each]) => each),
        ROWS,
        withCodes,
      );
      const cursor = postings.cursor();
      expect(cursor.row).toBe(NO_MORE_ROWS);
      given.forEach(([{ rows, codes }, steps], i) => {
        cursor.open(i);
        expect(cursor.count).toBe(rows.length);
        let at = 0;
        const seen: number[] = [];
        const expected: number[] = [];
        const check = (answer: number): void => {
          const row = at < rows.length ? rows[at] : NO_MORE_ROWS;
          seen.push(answer, cursor.row, cursor.code);
          expected.push(row, row, withCodes && at < rows.length ? codes[at] : 0);
        };
        check(cursor.row);
        for (const move of steps) {
          if (move < 0) {
            at = Math.min(at + 1, rows.length);
            check(cursor.next());
          } else {
            // Targets before and after the current row.
            const target = (at < rows.length ? rows[at] : 0) + move - 3;
            while (at < rows.length && rows[at] < target) at++;
            check(cursor.advance(target));
          }
        }
        while (at < rows.length) {
          at++;
          check(cursor.next());
        }
        check(cursor.next());
        check(cursor.advance(ROWS));
        expect(seen).toEqual(expected);
      });
    },
  );
});

test("2: every row of long lists by advance alone", () => {
  const rows = Array.from({ length: 128 * 40 + 5 }, (_, i) => i * 3);
  const postings = written([{ rows, codes: rows.map((row) => row % 7) }], ROWS, true);
  const cursor = postings.cursor();
  for (const stride of [1, 5, 127, 128, 129, 1000, 4000]) {
    cursor.open(0);
    for (let i = 0; i < rows.length; i += stride) {
      expect(cursor.advance(rows[i] - 1)).toBe(rows[i]);
      expect(cursor.code).toBe(rows[i] % 7);
    }
  }
});

test("3: one row with a large code, one row of one", () => {
  const lists = [
    { rows: [ROWS - 1], codes: [1023] },
    { rows: [ROWS - 1], codes: [1024] },
    { rows: [0], codes: [0x7fffffff] },
    { rows: [], codes: [] },
    { rows: [0], codes: [0] },
  ];
  const postings = written(lists, ROWS, true);
  expect(lists.map((_, i) => list(postings, i))).toEqual(lists);
  const cursor = postings.cursor();
  cursor.open(1);
  expect([cursor.row, cursor.code]).toEqual([ROWS - 1, 1024]);

  const single = written([{ rows: [0], codes: [3] }], 1, true);
  expect(list(single, 0)).toEqual({ rows: [0], codes: [3] });
});

test("4: codes of given rows", () => {
  const some = fc.array(fc.tuple(fc.nat(700), fc.integer({ min: -1, max: 1 })), { maxLength: 200 });
  forAll(runs(100, 40), fc.array(anyList, { maxLength: 3 }), some, fc.boolean(), (lists, picks, every) => {
    const postings = written(lists, ROWS, true);
    lists.forEach(({ rows, codes }, i) => {
      const codeOf = new Map(rows.map((row, at) => [row, codes[at]]));
      // Rows of the list, and their neighbours.
      const near = picks.map(([at, step]) => (rows[at % Math.max(1, rows.length)] ?? at) + step);
      const asked = [...new Set([...near, ...(every ? rows : [])])].filter((row) => row >= 0).sort((a, b) => a - b);
      const found = new Int32Array(asked.length + 1).fill(7);
      postings.codesOf(i, Uint32Array.from([...asked, ROWS]), asked.length, found);
      expect([...found]).toEqual([...asked.map((row) => codeOf.get(row) ?? -1), 7]);
    });
  });
});

test("5: exceptions", () => {
  const block = (large: readonly number[], value: number): number[] =>
    Array.from({ length: 128 }, (_, i) => (large.includes(i) ? value : i & 1));
  const listOf = (gaps: readonly number[], codes: readonly number[]): List => {
    let row = -1;
    return { rows: gaps.map((gap) => (row += gap + 1)), codes };
  };
  const wordsOf = (one: List): Uint32Array => {
    const { views, postings } = opened([one], ROWS, true);
    expect(list(postings, 0)).toEqual(one);
    return views.u32(16 + PART.words);
  };
  const even = block([], 0);
  expect(wordsOf(listOf(even, even)).length).toBe(8);
  // A word with the counts and the gap, and half a word for each other exception.
  expect(wordsOf(listOf(block([1], 300), even)).length).toBe(9);
  expect(wordsOf(listOf(block([1, 9], 300), block([7, 70], 2))).length).toBe(11);
  const example = wordsOf(listOf(block([1], 300), even));
  expect(example[8]).toBe(0x4b01_0001);
});

test("6: mostly empty lists", () => {
  forAll(
    runs(120, 40),
    fc.integer({ min: 1, max: 400 }),
    fc.uniqueArray(fc.nat({ max: 399 }), { maxLength: 60 }),
    (size, filled) => {
      const lists = Array.from({ length: size }, (_, i): List => {
        const rows = filled.includes(i) ? [i, i + 1].slice(0, 1 + (i % 2)) : [];
        return { rows, codes: rows };
      });
      const postings = written(lists, 2_000, false);
      const cursor = postings.cursor();
      lists.forEach(({ rows }, i) => {
        expect(postings.count(i)).toBe(rows.length);
        expect(list(postings, i).rows).toEqual(rows);
        cursor.open(i);
        expect(cursor.row).toBe(rows.at(0) ?? NO_MORE_ROWS);
      });
      expect(postings.count(size)).toBe(0);
    },
  );
  const empty = { rows: [], codes: [] };
  const sparse = Uint32Array.from({ length: 1_281 }, (_, i) => (i % 128 === 5 ? 0x80000000 + i : 0));
  // Ranked bits, and ten entries of 11 bits and the highest one.
  expect(packDirectory(11, sparse).length).toBe(2 + 44 + 11 + 4);
  expect(written([empty, empty], 10, false).count(1)).toBe(0);
});
