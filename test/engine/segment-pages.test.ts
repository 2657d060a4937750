/**
 * 1. A paged segment says what the segment in one range says, whatever is asked first and however large its parts are:
 *    contents, postings by cursor and decoded, terms.
 * 2. A part is read once, and only when something in it is asked for; what is asked for is there.
 * 3. Looking up one list of postings reads little of them.
 * 4. A part that is missing or damaged is noticed when it is asked for, and can be asked for again.
 * 5. Bringing all brings all, in steps of about the size said; then nothing is read any more.
 * 6. Head and parts, as they are kept, are all of a segment.
 * 7. The parts of a merge, put together in pieces of any size, are the bytes of the merge in one range; its places are
 *    those of its sections.
 * 8. Memory that was given back is not read as zeros: neither parts of a merge nor a section on another one's memory.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_MORE_ROWS, type Postings } from "../../src/index-engine/segment/model/index.ts";
import { SECTION } from "../../src/index-engine/segment/format/layout.ts";
import { SectionWriter } from "../../src/index-engine/segment/format/section-writer.ts";
import { run } from "../../src/index-engine/base/steps.ts";
import {
  mergePartsSteps,
  mergeSegments,
  openApart,
  OpenedSegment,
  openSegment,
  PagedSections,
  partsOf,
  placesIn,
  SegmentCorruptError,
  type SegmentCut,
} from "../../src/index-engine/segment/index.ts";
import { release, wholeBytes } from "../../src/index-engine/base/index.ts";
import { forAll, runs } from "../support/property.ts";
import { anyProduct, build, contentsIn, contentsOf, product } from "./support/products.ts";
import { live } from "../../src/index-engine/index/reader.ts";

const anyProducts = fc.array(anyProduct, { maxLength: 12 });
/** Nothing in the head but what fits, everything else in parts of one size. */
function cutInto(partBytes: number, smallBytes = 0): SegmentCut {
  return { smallBytes, partBytes: () => partBytes };
}

/** The head of a segment of which nothing else is kept together. */
function headOf(bytes: Uint8Array): Uint8Array {
  return partsOf(wholeBytes(bytes), cutInto(8)).head;
}

const anyPartBytes = fc.integer({ min: 1, max: 90 }).map((eights) => eights * 8);

const anyCut = fc.record({ size: anyPartBytes, small: fc.constantFrom(0, 16, 100, 400, 65_536) });

/** Rows and codes of a list, by cursor. */
function listOf(postings: Postings, list: number): [number, number][] {
  const cursor = postings.cursor();
  cursor.open(list);
  const found: [number, number][] = [];
  for (; cursor.row !== NO_MORE_ROWS; cursor.next()) found.push([cursor.row, cursor.code]);
  return found;
}

test("1: a paged segment has the same contents", () => {
  forAll(runs(100), anyProducts, anyCut, fc.infiniteStream(fc.nat()), (products, { size, small }, order) => {
    const { segment: whole, bytes, stored } = build(products);
    const paged = openApart(wholeBytes(bytes), cutInto(size, small));
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
  });
});

/** Each product has one of `kinds` words, so there are lists of many blocks and of tails only. */
function catalogue(count: number, kinds: number): ReturnType<typeof build> {
  return build(
    Array.from({ length: count }, (_, i) =>
      product(`p${String(i).padStart(6, "0")}`, {
        texts: [{ field: "title", text: `every word${(i * 7919) % kinds} ${i % 3 === 0 ? "third" : ""}` }],
      }),
    ),
  );
}

test("1: long lists of postings, paged", () => {
  const { segment: whole, bytes } = catalogue(3_000, 40);
  for (const partBytes of [16, 104, 4_096]) {
    const paged = openApart(wholeBytes(bytes), cutInto(partBytes));
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
      const [a, b] = [whole, paged].map(({ postings }, i) => postings.decode(list, rows[i], codes[i]));
      expect(b).toBe(a);
      expect(rows[1].slice(0, b)).toEqual(rows[0].slice(0, a));
      expect(codes[1].slice(0, b)).toEqual(codes[0].slice(0, a));
    }
  }
});

test("2: a part is read once, when it is asked for", () => {
  let whole = 0;
  forAll(
    runs(150),
    fc.integer({ min: 1, max: 9_000 }),
    anyPartBytes,
    fc.array(fc.tuple(fc.nat(9_000), fc.integer({ min: 1, max: 300 }), fc.boolean()), { maxLength: 20 }),
    (length, partBytes, asked) => {
      const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
      const read: number[] = [];
      const paged = new PagedSections(function* (section, first, end) {
        expect(section).toBe(5);
        for (let part = first; part < end; part++) {
          read.push(part);
          yield bytes.slice(part * partBytes, (part + 1) * partBytes);
        }
      }, cutInto(partBytes));
      const wanted = new Set<number>();
      for (const [place, size, isRange] of asked) {
        const start = place % length;
        const end = start + size;
        for (let at = start; at < Math.min(end, length); at++) {
          wanted.add(Math.floor(at / partBytes));
        }
        if (isRange) {
          const range = paged.range(5, length, start, end);
          if (range === null) break;
          const here = range.bytes.subarray(start - range.start, end - range.start);
          const expected = bytes.subarray(start, end);
          expect(Buffer.compare(here.subarray(0, expected.length), expected)).toBe(0);
        } else {
          paged.load(5, length, start, end);
        }
        expect(read.toSorted((x, y) => x - y)).toEqual([...wanted].sort((x, y) => x - y));
      }
      expect(Buffer.compare(paged.whole(5, length), bytes)).toBe(0);
      expect(read.length).toBe(Math.ceil(length / partBytes));
      whole++;
    },
  );
  expect(whole).toBeGreaterThan(0);
});

test("3: a list of postings is a small part of them", () => {
  const { segment: whole, bytes } = catalogue(6_000, 10);
  const partBytes = 64;
  const read = new Map<number, number>();
  const paged = new OpenedSegment(
    headOf(bytes),
    new PagedSections(function* (section, first, end) {
      read.set(section, (read.get(section) ?? 0) + end - first);
      const section8 = whole.views.u8(section);
      for (let part = first; part < end; part++) {
        yield section8.slice(part * partBytes, (part + 1) * partBytes);
      }
    }, cutInto(partBytes)),
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
  const head = headOf(bytes);
  const open = (): OpenedSegment =>
    new OpenedSegment(
      head,
      new PagedSections(function* (section, first, end) {
        for (let part = first; part < end; part++) {
          if (part > 0 && isDown) throw new SegmentCorruptError("copy", `no part ${part}`);
          yield whole.views.u8(section).slice(part * partBytes, (part + 1) * partBytes);
        }
      }, cutInto(partBytes)),
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
  const paged = new OpenedSegment(
    headOf(bytes),
    new PagedSections(function* (section, first, end) {
      for (let part = first; part < end; part++) {
        const piece = whole.views.u8(section).slice(part * 104, (part + 1) * 104);
        read += piece.length;
        yield piece;
      }
    }, cutInto(104)),
  );
  let before = read;
  for (const _ of paged.views.loadAll(1_000)) {
    expect(read - before).toBeLessThanOrEqual(2_104);
    before = read;
  }
  const total = whole.views.sections.reduce((sum, one) => sum + whole.views.lengthBytes(one), 0);
  expect(read).toBe(total);
  paged.views.verify();
  expect(read).toBe(total);
});

test("6: head and parts are all of a segment, none of it twice", () => {
  forAll(runs(60), anyProducts, anyCut, (products, { size, small }) => {
    const { segment: whole, bytes } = build(products);
    const cut = cutInto(size, small);
    const { head, parts } = partsOf(wholeBytes(bytes), cut);
    const paged = new OpenedSegment(
      head,
      new PagedSections(function* (section, first, end) {
        for (let part = first; part < end; part++) {
          const found = parts.filter((one) => one.section === section && one.part === part);
          expect(found.length).toBe(1);
          yield bytes.slice(found[0].start, found[0].end);
        }
      }, cut),
    );
    for (const section of whole.views.sections) {
      const length = whole.views.lengthBytes(section);
      const isInHead = parts.every((part) => part.section !== section);
      expect(isInHead).toBe(length <= small);
      expect(Buffer.compare(paged.views.u8(section), whole.views.u8(section))).toBe(0);
    }
  });
});

test("7: the parts of a merge are its bytes", () => {
  forAll(
    runs(60),
    fc.array(anyProducts, { minLength: 1, maxLength: 3 }),
    fc.integer({ min: 1, max: 3_000 }),
    (lists, pieceBytes) => {
      const inputs = lists.map((products, i) => live(build(products, `block${i}`).segment));
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
        const { tableEnd, sections } = placesIn(parts);
        expect(tableEnd).toBe(48 + 16 * views.sections.length);
        expect(sections.map(({ section }) => section)).toEqual(views.sections);
        for (const { section, start, end } of sections) {
          expect(Buffer.compare(whole.subarray(start, end), views.u8(section))).toBe(0);
        }
      }
    },
  );
});

test("8: memory that was given back is not read", () => {
  const inputs = [product("a"), product("b")].map((one, i) => live(build([one], `block${i}`).segment));
  const parts = run(mergePartsSteps(inputs));
  expect(parts.copy(0, 8).length).toBe(8);
  parts.release();
  expect(() => parts.copy(0, 8)).toThrow("released");

  const writer = new SectionWriter();
  const shared = new Uint32Array(8).fill(7);
  writer.set(SECTION.counts, shared.subarray(0, 4));
  expect(() => {
    writer.set(SECTION.norms, shared.subarray(4));
  }).toThrow("shares");

  const gone = new SectionWriter();
  // Small arrays are left to the garbage collector.
  const counts = new Uint32Array(8_192);
  gone.set(SECTION.counts, counts);
  release(counts);
  expect(() => run(gone.finish({ language: "en", analysisVersion: 1 }))).toThrow("detached");
});
