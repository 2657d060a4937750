/**
 * Categories of products in one segment (relevance/categories.ts).
 *
 * 1. Parents are those that the texts of the paths say, whatever paths there are; a path with two ids is one parent.
 * 2. Thousands of long paths, of long names and of categories of one product do not stop searches, and what is kept of
 *    them is bounded.
 * 3. Long paths have no votes and long names no words; others have.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import { categoryBytes } from "../../../src/index-engine/query/index.ts";
import {
  MOST_CATEGORIES,
  MOST_NAME_BYTES,
  MOST_PATH,
  MOST_VOTED,
  categoriesOf,
  type SegmentCategories,
} from "../../../src/index-engine/query/relevance/categories.ts";
import { categoryParents, NO_PARENT } from "../../../src/index-engine/query/relevance/category-parents.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { search } from "../../../src/index-engine/search.ts";
import type { Segment } from "../../../src/index-engine/segment/model/index.ts";
import { BUILT_IN_INDEX_CONFIG, builtInTenantConfig } from "../../../src/interface/index.ts";
import { parseSearchParameters } from "../../../src/worker/parameters.ts";
import { documentSegment } from "../support/indexing.ts";
import { forAll, runs } from "../../support/property.ts";

const fields = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");

function segmentOf(categories: readonly unknown[], title = "Product"): Segment {
  const products = categories.map((category, p) => ({
    id: `p${String(p).padStart(5, "0")}`,
    data: { title, category },
  }));
  return documentSegment(products, fields);
}

function categoriesIn(segment: Segment): SegmentCategories {
  const found = categoriesOf(segment, fields.categoryField);
  if (found === null) throw new Error("no categories");
  return found;
}

test("1: the leaf of a path whose root has several ids", () => {
  const products = ["1", "2", "3"].map((id) => ({
    id,
    data: { title: "Product" },
    categories: [[{ id: `root${id}`, name: "Shoes" }, { name: "Running" }]],
  }));
  const segment = documentSegment(products, fields);
  const categories = categoriesIn(segment);
  for (const row of [0, 1, 2]) {
    expect(categories.path(categories.onlyLeaf(row))).toBe("Shoes/Running");
    expect(categories.leaves(categories.of(row)).map((leaf) => categories.path(leaf))).toEqual(["Shoes/Running"]);
  }
});

test("1: parents of any paths", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b", "é", " ", "-"), minLength: 1, maxLength: 4 });
  const path = fc
    .array(name, { minLength: 1, maxLength: 4 })
    .map((names) => names.map((one) => one.trim() || "x").join("/"));
  const others = fc.array(fc.string({ maxLength: 3 }), { maxLength: 30 });
  forAll(runs(100), fc.array(fc.array(path, { minLength: 1, maxLength: 4 })), others, (paths, before) => {
    const products = paths.map((category, p) => ({
      id: `p${p}`,
      data: { title: "Product", a_field: before, category },
    }));
    const segment = documentSegment(products, fields);
    const field = segment.facets.field(fields.categoryField ?? "", "path");
    if (field === null) return;
    const texts = Array.from({ length: field.end - field.start }, (_, i) => segment.facets.text(field.start + i));
    const { groups, parents } = categoryParents(segment, field);
    expect([...groups]).toEqual(texts.map((text) => texts.indexOf(text)));
    expect([...parents]).toEqual(
      texts.map((text) => (text.includes("/") ? texts.indexOf(text.slice(0, text.lastIndexOf("/"))) : NO_PARENT)),
    );
    for (let i = 0; i < texts.length; i++) {
      const bytes = new TextEncoder().encode(texts[i]);
      for (const most of [1, 2, 3, bytes.length, 99]) {
        expect(segment.facets.textEnd(field.start + i, most)).toBe(
          new TextDecoder().decode(bytes.slice(Math.max(0, bytes.length - most))),
        );
      }
    }
  });
});

const HOSTILE: Readonly<Record<string, () => readonly unknown[]>> = {
  "long paths": () =>
    Array.from({ length: 800 }, (_, p) =>
      Array.from({ length: 20 }, (__, i) => `${"x".repeat(88)}${i}-${p}`).join("/"),
    ),
  "paths that differ in their end": () =>
    Array.from({ length: 4_000 }, (_, p) => `${`${"y".repeat(90)}/`.repeat(19)}${p}`),
  "long names": () =>
    Array.from({ length: 400 }, (_, p) =>
      Array.from({ length: 250 }, (__, i) => `w${i}x${p}`)
        .join(" ")
        .slice(0, 1_900),
    ),
  "many categories of a product": () =>
    Array.from({ length: 40 }, (_, p) => Array.from({ length: 2_000 }, (__, i) => `c${i}-${p}`)),
};

test.for(Object.entries(HOSTILE))("2: %s", ([, categories]) => {
  const segment = segmentOf(categories());
  const reader = Reader.of([segment]);
  const tenant = builtInTenantConfig("shop", ["shop"]);
  for (const query of ["q=product", "q=product&withFacets=false", "q=product&trace=Explain"]) {
    const { matchCount } = search(reader, parseSearchParameters(query), tenant, fields, null);
    expect(matchCount).toBe(segment.productCount);
  }
  const field = segment.facets.field(fields.categoryField ?? "", "path");
  const values = field === null ? 0 : field.end - field.start;
  expect(categoryBytes(segment)).toBeLessThan(6_291_456 + 8 * values);
});

test("3: what is too long", () => {
  const long = "n".repeat(MOST_NAME_BYTES + 1);
  const many = Array.from({ length: MOST_CATEGORIES + 9 }, (_, i) => `C${String(i).padStart(3, "0")}`);
  const segment = segmentOf([
    `${"a".repeat(MOST_PATH - 2)}/bc`,
    `${"a".repeat(MOST_PATH - 3)}/bc`,
    `Things/${long}`,
    `Things/${long.slice(1)}`,
    many,
  ]);
  const categories = categoriesIn(segment);
  expect(categories.votedPaths(0)).toEqual(["a".repeat(MOST_PATH - 2)]);
  expect(categories.votedPaths(1)).toHaveLength(2);
  const wordsOf = (row: number): readonly string[] =>
    categories.wordsOf(categories.onlyLeaf(row), fields.analyzer).map(({ text }) => text);
  expect(wordsOf(0)).toEqual(["bc"]);
  expect(wordsOf(2)).toEqual([]);
  expect(wordsOf(3)).toHaveLength(1);
  expect(categories.of(4)).toHaveLength(MOST_CATEGORIES);
  expect(categories.votedPaths(4)).toEqual(many.slice(0, MOST_VOTED));
});
