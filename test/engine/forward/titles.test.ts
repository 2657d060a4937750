/**
 * 1. A built segment's titles are those of the plain products: order, fields, repeated texts, cuts, what makes a row
 *    not whole.
 * 2. (Merging is building the survivors at once: segment-merge.test.ts. Bytes: segment-golden.test.ts.)
 * 3. A stem's codes are those of the terms in titles that have it; a term's code is its own; ranges hold exactly the
 *    codes of their terms.
 * 4. Codes of all lengths are read as they were written; tables choose the most frequent terms.
 * 5. Edges: no products, no titles, titles of variants, 64 terms and 65, 64 texts and 65.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  codeAt,
  codeBytes,
  codesFor,
  pushCode,
  tableFor,
  WordCodes,
} from "../../../src/index-engine/segment/strings/codes.ts";
import { StemForms, writeStemForms } from "../../../src/index-engine/segment/positions/stem-forms.ts";
import { STEM_PREFIX, type Segment } from "../../../src/index-engine/segment/model/index.ts";
import { PiecedBytes } from "../../../src/index-engine/base/chunks.ts";
import { SectionWriter } from "../../../src/index-engine/segment/format/section-writer.ts";
import { SectionViews } from "../../../src/index-engine/segment/format/sections.ts";
import { run } from "../../../src/index-engine/base/steps.ts";
import { forAll, runs } from "../../support/property.ts";
import { plainAnalyzer, product } from "../support/products.ts";
import { anyTitled, build, byRow, titlesIn, titlesOf } from "./titles.ts";

function allTitlesIn(segment: Segment): unknown[] {
  return Array.from({ length: segment.productCount }, (_, row) => titlesIn(segment, row));
}

test("1: titles as built", () => {
  forAll(runs(60), fc.array(anyTitled, { maxLength: 12 }), (products) => {
    const { segment } = build(products);
    expect(allTitlesIn(segment)).toEqual(byRow(products).map(titlesOf));
  });
});

test("3: what stems, terms and ranges stand for", () => {
  forAll(runs(40), fc.array(anyTitled, { maxLength: 12 }), fc.nat({ max: 24 }), fc.nat(24), (products, a, b) => {
    const { segment } = build(products);
    const { terms, titles } = segment;
    const inTitles = new Set(byRow(products).flatMap((each) => titlesOf(each).texts.flatMap(({ words }) => words)));
    const all = Array.from({ length: terms.size }, (_, ordinal) => terms.get(ordinal));
    all.forEach((text, ordinal) => {
      const meant = text.startsWith(STEM_PREFIX)
        ? all.filter(
            (word) => inTitles.has(word) && word !== text.slice(1) && plainAnalyzer.stem(word) === text.slice(1),
          )
        : [text];
      const words = (titles?.codesOf(ordinal) ?? []).map((code) => terms.get(titles?.term(code) ?? -1));
      expect([text, words]).toEqual([text, meant]);
    });
    const [start, end] = [Math.min(a, b, all.length), Math.min(Math.max(a, b), all.length)];
    const ranges = titles?.rangesOf(start, end) ?? [];
    for (let ordinal = 0; ordinal < all.length; ordinal++) {
      if (all[ordinal].startsWith(STEM_PREFIX)) continue;
      const [code] = titles?.codesOf(ordinal) ?? [];
      let isInside = false;
      for (let i = 0; i < ranges.length; i += 2) {
        if (ranges[i] <= code && code < ranges[i + 1]) isInside = true;
      }
      expect(isInside).toBe(start <= ordinal && ordinal < end);
    }
  });
});

test("4: codes of all lengths", () => {
  const edges = [0, 1, 2, 191, 192, 447, 448, 12_479, 12_480, 12_481, 995_519, 995_520, 2 ** 30];
  const code = fc.oneof(fc.constantFrom(...edges), fc.nat({ max: 14_000 }), fc.nat(4_000_000));
  forAll(runs(100), fc.array(code, { maxLength: 40 }), (codes) => {
    const written = new PiecedBytes();
    for (const each of codes) pushCode(written, each);
    const bytes = Buffer.concat(written.pieces());
    const read: number[] = [];
    for (let at = 0; at < bytes.length; at += codeBytes(bytes[at])) read.push(codeAt(bytes, at));
    expect(read).toEqual(codes);
  });
  expect([1, 191, 192, 12_479, 12_480, 995_519, 995_520].map((each) => lengthOf(each))).toEqual([1, 1, 2, 2, 3, 3, 5]);
});

function lengthOf(code: number): number {
  const written = new PiecedBytes();
  pushCode(written, code);
  return written.length;
}

/** Most frequent first, ties by ordinal: as slow as it is obvious. */
function slowTable(counts: readonly number[]): number[] {
  const ranked = counts
    .map((count, ordinal) => ({ count, ordinal }))
    .sort((a, b) => b.count - a.count || a.ordinal - b.ordinal);
  const one = ranked.slice(0, 190).filter(({ count }) => count >= 3);
  const two = ranked.slice(190, 190 + 12_288).filter(({ count }) => count >= 5);
  const ordinals = (each: typeof ranked): number[] => each.map(({ ordinal }) => ordinal).sort((a, b) => a - b);
  return [one.length, ...ordinals(one), ...ordinals(two)];
}

test("4: tables", () => {
  const few = fc.array(fc.nat({ max: 9 }), { maxLength: 600 });
  const many = fc
    .record({ size: fc.integer({ min: 12_000, max: 30_000 }), seed: fc.nat(1000) })
    .map(({ size, seed }) => Array.from({ length: size }, (_, i) => ((i * 7919 + seed) % 97) % 31));
  forAll(runs(40), fc.oneof({ weight: 9, arbitrary: few }, { weight: 1, arbitrary: many }), (counts) => {
    const table = run(tableFor(Uint32Array.from(counts)));
    expect([...table]).toEqual(slowTable(counts));
    const all = codesFor(table, counts.length);
    const codes = new WordCodes(table);
    expect(new Set(all).size).toBe(counts.length);
    for (let ordinal = 0; ordinal < counts.length; ordinal += counts.length > 999 ? 37 : 1) {
      expect(codes.codeOf(ordinal)).toBe(all[ordinal]);
      expect(codes.ordinalOf(all[ordinal])).toBe(ordinal);
    }
  });
});

function stemFormsOf(stemOf: readonly number[]): StemForms {
  const sections = new SectionWriter();
  const none = 0xffffffff;
  run(
    writeStemForms(
      sections,
      Uint32Array.from(stemOf, (stem) => (stem < 0 ? none : stem)),
    ),
  );
  return new StemForms(new SectionViews(run(sections.finish({ language: "en", analysisVersion: 1 }))));
}

test("3: stems and their forms, in any order", () => {
  const relation = fc
    .integer({ min: 1, max: 400 })
    .chain((size) => fc.array(fc.integer({ min: -size, max: size - 1 }), { minLength: size, maxLength: size }));
  forAll(runs(40), relation, (stemOf) => {
    const forms = stemFormsOf(stemOf);
    const pairs: number[][] = [];
    forms.each((stem, form) => pairs.push([stem, form]));
    for (let stem = 0; stem < stemOf.length; stem++) {
      const expected = stemOf.flatMap((each, form) => (each === stem ? [form] : []));
      expect(forms.of(stem)).toEqual(expected);
      expect(pairs.filter((pair) => pair[0] === stem).map((pair) => pair[1])).toEqual(expected);
    }
  });
});

test("5: no products, no titles", () => {
  expect(build([]).segment.titles.fields).toEqual([]);
  const { segment } = build([product("a", { texts: [{ field: "brand", text: "x" }] })]);
  expect(titlesIn(segment, 0)).toEqual({ isWhole: true, texts: [] });
  expect(segment.bytesBySection.titles).toBeLessThan(20);
});

test("5: titles of variants count only where the product has them itself", () => {
  const title = [{ field: "title", text: "red shoe" }];
  const { segment } = build([
    product("a", { texts: title }, [{ texts: title }, {}]),
    product("b", { texts: title }, [{ texts: [{ field: "title", text: "red shoe 42" }] }]),
    product("c", {}, [{ texts: title }]),
    product("d", { texts: title }, [{ texts: [{ field: "brand", text: "other" }] }]),
  ]);
  const texts = [{ field: "title", words: ["red", "shoe"] }];
  expect(allTitlesIn(segment)).toEqual([
    { isWhole: true, texts },
    { isWhole: false, texts },
    { isWhole: false, texts: [] },
    { isWhole: true, texts },
  ]);
});

test.each([
  [64, 1, true],
  [65, 1, false],
  [1, 64, true],
  [1, 65, false],
])("6: %i terms in each of %i texts", (terms, texts, isWhole) => {
  const many = product("a", {
    texts: Array.from({ length: texts }, (_, t) => ({
      field: "title",
      text: Array.from({ length: terms }, (__, i) => `w${t * terms + i}`).join(" "),
    })),
  });
  const { segment } = build([many, product("b", { texts: [{ field: "title", text: "next" }] })]);
  const [first, second] = allTitlesIn(segment);
  expect(first).toEqual(titlesOf(many));
  expect(first).toMatchObject({ isWhole });
  expect(second).toEqual({ isWhole: true, texts: [{ field: "title", words: ["next"] }] });
});
