/**
 * 1. A paged segment says what the segment in one range says, whatever is asked first and however large pages are.
 * 2. A page is read once, and only when something in it is asked for.
 * 3. A page that is missing or damaged is noticed when it is asked for, and can be asked for again.
 * 4. The parts of a merge, put together in pieces of any size, are the bytes of the merge in one range.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { PagedBytes } from "../../src/index-engine/segment/pages.ts";
import { run } from "../../src/index-engine/segment/steps.ts";
import {
  mergePartsSteps,
  mergeSegments,
  openPagedSegment,
  SegmentCorruptError,
  wholeBytes,
} from "../../src/index-engine/segment/index.ts";
import { runs } from "../support/property.ts";
import { anyProduct, build, contentsIn, contentsOf } from "./support/products.ts";

const anyProducts = fc.array(anyProduct, { maxLength: 12 });
const anyPageBytes = fc.integer({ min: 1, max: 700 });

function pagesOf(
  bytes: Uint8Array,
  pageBytes: number,
  onRead: (page: number) => void = () => undefined,
): PagedBytes {
  return new PagedBytes(bytes.length, pageBytes, function* (first, end) {
    for (let page = first; page < end; page++) {
      onRead(page);
      yield bytes.slice(page * pageBytes, (page + 1) * pageBytes);
    }
  });
}

test("1: a paged segment has the same contents", () => {
  fc.assert(
    fc.property(anyProducts, anyPageBytes, fc.infiniteStream(fc.nat()), (products, size, order) => {
      const { segment: whole, bytes, stored } = build(products);
      const paged = openPagedSegment(pagesOf(bytes, size));
      const sections = [...whole.views.sections];
      for (let left = sections.length; left > 0; left -= 2) {
        const [section] = sections.splice((order.next().value ?? 0) % sections.length, 1);
        expect(Buffer.compare(paged.views.u8(section), whole.views.u8(section))).toBe(0);
      }
      expect(contentsIn(paged, { block: stored })).toEqual(contentsOf(products));
    }),
    { numRuns: runs(100) },
  );
});

test("2: a page is read once, when it is asked for", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      anyPageBytes,
      fc.array(fc.tuple(fc.nat(5_000), fc.nat(5_000)), { maxLength: 20 }),
      (length, pageBytes, ranges) => {
        const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
        const read: number[] = [];
        const pages = pagesOf(bytes, pageBytes, (page) => read.push(page));
        const wanted = new Set<number>();
        for (const [a, b] of ranges) {
          const start = Math.min(a, b) % length;
          const end = Math.min(Math.max(a, b), length);
          pages.load(start, end);
          for (let at = start; at < end; at++) {
            wanted.add(Math.floor(at / pageBytes));
            if (pages.bytes[at] !== bytes[at]) throw new Error(`byte ${at}`);
          }
          expect(read.toSorted((x, y) => x - y)).toEqual([...wanted].sort((x, y) => x - y));
        }
      },
    ),
    { numRuns: runs(150) },
  );
});

test("3: what is not there is noticed when it is asked for", () => {
  const { bytes } = build(fc.sample(anyProduct, { numRuns: 60, seed: 3 }));
  const pageBytes = 256;
  let isDown = true;
  const pages = new PagedBytes(bytes.length, pageBytes, function* (first, end) {
    for (let page = first; page < end; page++) {
      if (page > 8 && isDown) throw new SegmentCorruptError("page", `${page} is missing`);
      yield bytes.subarray(page * pageBytes, (page + 1) * pageBytes);
    }
  });
  pages.load(0, 9 * pageBytes);
  expect(() => pages.load(0, bytes.length)).toThrow(SegmentCorruptError);
  expect(() => openPagedSegment(pages).views.verify()).toThrow(SegmentCorruptError);
  isDown = false;
  openPagedSegment(pages).views.verify();
  pages.load(0, bytes.length);
  expect(Buffer.compare(pages.bytes, bytes)).toBe(0);
});

test("4: the parts of a merge are its bytes", () => {
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
        for (const parts of [run(mergePartsSteps(inputs)), wholeBytes(whole)]) {
          expect(parts.sizeBytes).toBe(whole.length);
          for (let start = 0; start < whole.length; start += pieceBytes) {
            const end = Math.min(start + pieceBytes, whole.length);
            const piece = parts.copy(start, end);
            expect(piece.byteOffset).toBe(0);
            expect(Buffer.compare(piece, whole.subarray(start, end))).toBe(0);
          }
        }
      },
    ),
    { numRuns: runs(60) },
  );
});
