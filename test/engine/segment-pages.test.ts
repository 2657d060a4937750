/**
 * 1. A paged segment says what the segment in one range says, whatever is asked first and however large its parts are: contents, postings by
 *    cursor and decoded, terms.
 * 2. A part is read once, and only when something in it is asked for; what is asked for is there.
 * 3. Looking up one list of postings reads little of them.
 * 4. A part that is missing or damaged is noticed when it is asked for, and can be asked for again.
 * 5. Bringing all brings all, in steps no larger than said; then nothing is read any more.
 * 6. The parts of a merge, put together in pieces of any size, are the bytes of the merge in one range; its places are those of its sections.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_MORE_ROWS, type Postings } from "../../src/index-engine/model.ts";
import { SECTION } from "../../src/index-engine/segment/format.ts";
import { run } from "../../src/index-engine/segment/steps.ts";
import {
  mergePartsSteps,
  mergeSegments,
  openApart,
  openPagedSegment,
  openSegment,
  PagedSections,
  placesIn,
  SegmentCorruptError,
  wholeBytes,
} from "../../src/index-engine/segment/index.ts";
import { runs } from "../support/property.ts";
import { anyProduct, build, contentsIn, contentsOf, product } from "./support/products.ts";

const anyProducts = fc.array(anyProduct, { maxLength: 12 });
const anyPartBytes = fc.integer({ min: 1, max: 700 });

/** Rows and codes of a list, by cursor. */
function listOf(postings: Postings, list: number): [number, number][] {
  const cursor = postings.cursor();
  cursor.open(list);
  const found: [number, number][] = [];
  for (; cursor.row !== NO_MORE_ROWS; cursor.next()) found.push([cursor.row, cursor.code]);
  return found;
}

test("1: a paged segment has the same contents", () => {
  fc.assert(
    fc.property(anyProducts, anyPartBytes, fc.infiniteStream(fc.nat()), (products, size, order) => {
      const { segment: whole, bytes, stored } = build(products);
      const paged = openApart(wholeBytes(bytes), size);
      const lists = Array.from({ length: whole.terms.size }, (_, list) => list);
      for (let left = lists.length; left > 0; left -= 3) {
        const [list] = lists.splice((order.next().value ?? 0) % lists.length, 1);
        expect(paged.postings.count(list)).toBe(whole.postings.count(list));
        expect(listOf(paged.postings, list)).toEqual(listOf(whole.postings, list));
      }
      const sections = [...whole.views.sections];
      for (let left = sections.length; left > 0; left -= 2) {
        const [section] = sections.splice((order.next().value ?? 0) % sections.length, 1);
        expect(Buffer.compare(paged.views.u8(section), whole.views.u8(section))).toBe(0);
      }
      expect(contentsIn(paged, { block: stored })).toEqual(contentsOf(products));
      paged.views.verify();
    }),
    { numRuns: runs(100) },
  );
});

/** Each product has one of `kinds` words, so there are lists of many blocks and of tails only. */
function catalogue(count: number, kinds: number): ReturnType<typeof build> {
  return build(
    Array.from({ length: count }, (_, i) =>
      product(`p${String(i).padStart(6, "0")}`, {
        texts: [
          { field: "title", text: `every word${(i * 7919) % kinds} ${i % 3 === 0 ? "third" : ""}` },
        ],
      }),
    ),
  );
}

test("1: long lists of postings, paged", () => {
  const { segment: whole, bytes } = catalogue(3_000, 40);
  for (const partBytes of [16, 100, 4_096]) {
    const paged = openApart(wholeBytes(bytes), partBytes);
    const rows = [new Uint32Array(3_000), new Uint32Array(3_000)];
    const codes = [new Uint32Array(3_000), new Uint32Array(3_000)];
    for (let list = 0; list < whole.terms.size; list++) {
      const target = Math.floor((list * 3_000) / whole.terms.size);
      const cursors = [whole, paged].map(({ postings }) => postings.cursor());
      for (const cursor of cursors) cursor.open(list);
      const [expected, actual] = cursors.map((cursor) => [
        cursor.row,
        cursor.code,
        cursor.advance(target),
        cursor.code,
      ]);
      expect(actual).toEqual(expected);
      const [a, b] = [whole, paged].map(({ postings }, i) =>
        postings.decode(list, rows[i], codes[i]),
      );
      expect(b).toBe(a);
      expect(rows[1].slice(0, b)).toEqual(rows[0].slice(0, a));
      expect(codes[1].slice(0, b)).toEqual(codes[0].slice(0, a));
    }
  }
});

test("2: a part is read once, when it is asked for", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      anyPartBytes,
      fc.array(fc.tuple(fc.nat(5_000), fc.nat(5_000)), { maxLength: 20 }),
      (length, partBytes, ranges) => {
        const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
        const read: number[] = [];
        const paged = new PagedSections(partBytes, function* (section, first, end) {
          expect(section).toBe(5);
          for (let part = first; part < end; part++) {
            read.push(part);
            yield bytes.slice(part * partBytes, (part + 1) * partBytes);
          }
        });
        const view = paged.sparse(5, length);
        const wanted = new Set<number>();
        for (const [a, b] of ranges) {
          const start = Math.min(a, b) % length;
          const end = Math.max(a, b);
          paged.bring(5, length, start, end);
          for (let at = start; at < Math.min(end, length); at++) {
            wanted.add(Math.floor(at / partBytes));
            if (view[at] !== bytes[at]) throw new Error(`byte ${at}`);
          }
          expect(read.toSorted((x, y) => x - y)).toEqual([...wanted].sort((x, y) => x - y));
        }
        expect(paged.sparse(5, length)).toBe(view);
      },
    ),
    { numRuns: runs(150) },
  );
});

test("3: a list of postings is a small part of them", () => {
  const { segment: whole, bytes } = catalogue(6_000, 10);
  const partBytes = 64;
  const read = new Map<number, number>();
  const paged = openPagedSegment(
    bytes.slice(0, placesIn(wholeBytes(bytes)).headBytes),
    new PagedSections(partBytes, function* (section, first, end) {
      read.set(section, (read.get(section) ?? 0) + end - first);
      const section8 = whole.views.u8(section);
      for (let part = first; part < end; part++) {
        yield section8.slice(part * partBytes, (part + 1) * partBytes);
      }
    }),
  );
  expect(listOf(paged.postings, paged.terms.find("word1")).length).toBe(600);
  for (const [section, atLeast] of [
    [SECTION.termPostings + 1, 0],
    [SECTION.termPostings + 5, 1],
  ] as const) {
    const brought = read.get(section) ?? 0;
    expect(brought).toBeGreaterThanOrEqual(atLeast);
    expect(brought * partBytes).toBeLessThanOrEqual(
      Math.max(1_024 + 2 * partBytes, whole.views.lengthBytes(section) / 4),
    );
  }
});

test("4: what is not there is noticed when it is asked for", () => {
  const products = fc.sample(anyProduct, { numRuns: 60, seed: 3 });
  const { segment: whole, bytes, stored } = build(products);
  const partBytes = 64;
  const large = whole.views.sections.find((one) => whole.views.lengthBytes(one) > partBytes) ?? -1;
  let isDown = true;
  const head = bytes.slice(0, placesIn(wholeBytes(bytes)).headBytes);
  const open = (): ReturnType<typeof openPagedSegment> =>
    openPagedSegment(
      head,
      new PagedSections(partBytes, function* (section, first, end) {
        for (let part = first; part < end; part++) {
          if (part > 0 && isDown) throw new SegmentCorruptError("copy", `part ${part} is missing`);
          yield whole.views.u8(section).slice(part * partBytes, (part + 1) * partBytes);
        }
      }),
    );
  const paged = open();
  expect(() => paged.views.u8(large)).toThrow(SegmentCorruptError);
  expect(() => paged.views.verify()).toThrow(SegmentCorruptError);
  isDown = false;
  paged.views.verify();
  expect(contentsIn(paged, { block: stored })).toEqual(contentsIn(whole, { block: stored }));
});

test("5: bringing all", () => {
  const { segment: whole, bytes } = catalogue(500, 20);
  let read = 0;
  const paged = openPagedSegment(
    bytes.slice(0, placesIn(wholeBytes(bytes)).headBytes),
    new PagedSections(100, function* (section, first, end) {
      for (let part = first; part < end; part++) {
        const piece = whole.views.u8(section).slice(part * 100, (part + 1) * 100);
        read += piece.length;
        yield piece;
      }
    }),
  );
  let before = read;
  for (const _ of paged.views.bringAll(1_000)) {
    expect(read - before).toBeLessThanOrEqual(1_100);
    before = read;
  }
  const total = whole.views.sections.reduce((sum, one) => sum + whole.views.lengthBytes(one), 0);
  expect(read).toBe(total);
  paged.views.verify();
  expect(read).toBe(total);
});

test("6: the parts of a merge are its bytes", () => {
  fc.assert(
    fc.property(
      fc.array(anyProducts, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 3_000 }),
      (lists, pieceBytes) => {
        const inputs = lists.map((products, i) => ({
          segment: build(products, `block${i}`).segment,
          deleted: null,
          deletedCount: 0,
        }));
        const whole = mergeSegments(inputs);
        const { views } = openSegment(whole);
        for (const parts of [run(mergePartsSteps(inputs)), wholeBytes(whole)]) {
          expect(parts.sizeBytes).toBe(whole.length);
          for (let start = 0; start < whole.length; start += pieceBytes) {
            const end = Math.min(start + pieceBytes, whole.length);
            const piece = parts.copy(start, end);
            expect(piece.byteOffset).toBe(0);
            expect(Buffer.compare(piece, whole.subarray(start, end))).toBe(0);
          }
          const { headBytes, sections } = placesIn(parts);
          expect(headBytes).toBe(48 + 16 * views.sections.length);
          expect(sections.map(({ section }) => section)).toEqual(views.sections);
          for (const { section, start, end } of sections) {
            expect(Buffer.compare(whole.subarray(start, end), views.u8(section))).toBe(0);
          }
        }
      },
    ),
    { numRuns: runs(60) },
  );
});
