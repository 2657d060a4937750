/**
 * 1. Merging random parts with replaced ids and deletions, also of all products, gives the contents of building the
 *    survivors at once; every section but the stored places has the same bytes.
 * 2. Merging merged segments gives the same bytes as merging all at once.
 * 3. mergeSteps yields often, and answers the same.
 *    Of thousands of columns with few values it has far fewer steps than columns: each may be a pause.
 * 4. Segments of different languages do not merge; nothing does not merge.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { bitsOf } from "../../src/index-engine/base/bits.ts";
import type { IndexableProduct, LiveSegment } from "../../src/index-engine/segment/model/index.ts";
import { SECTION } from "../../src/index-engine/segment/format/layout.ts";
import {
  mergeSegments,
  mergeSteps,
  openSegment,
  SegmentBuilder,
  verifySegment,
  type OpenedSegment,
} from "../../src/index-engine/segment/index.ts";
import { forAll, runs } from "../support/property.ts";
import {
  anyProduct,
  build,
  contentsIn,
  contentsOf,
  normGroup,
  number,
  plainAnalyzer,
  product,
  term,
} from "./support/products.ts";

interface Part {
  readonly products: readonly IndexableProduct[];
  /** Ids that are deleted from this part. */
  readonly deleted: readonly string[];
}

function liveOf(segment: OpenedSegment, deleted: readonly string[]): LiveSegment {
  const rows = deleted.map((id) => segment.ids.find(id)).filter((row) => row >= 0);
  if (rows.length === 0) return { segment, deleted: null, deletedCount: 0 };
  const distinct = new Set(rows).size;
  return { segment, deleted: bitsOf(rows, segment.productCount), deletedCount: distinct };
}

function survivors(parts: readonly Part[]): IndexableProduct[] {
  const byId = new Map<string, IndexableProduct | null>();
  for (const { products, deleted } of parts) {
    for (const each of products) byId.set(each.id, each);
    for (const id of deleted) if (products.some((each) => each.id === id)) byId.set(id, null);
  }
  return [...byId.values()].filter((each) => each !== null);
}

function sameIndex(actual: OpenedSegment, expected: OpenedSegment): void {
  const index = (segment: OpenedSegment): number[] =>
    segment.views.sections.filter((section) => section < SECTION.storedBlocksIndex || section > SECTION.storedOffsets);
  expect(index(actual)).toEqual(index(expected));
  for (const section of index(expected)) {
    // Not toEqual, which takes long for arrays.
    const order = Buffer.compare(actual.views.u8(section), expected.views.u8(section));
    expect([section, order]).toEqual([section, 0]);
  }
}

const anyParts: fc.Arbitrary<Part[]> = fc.array(
  fc
    .array(anyProduct, { maxLength: 9 })
    .chain((products) =>
      fc.record({ products: fc.constant(products), deleted: fc.subarray(products.map(({ id }) => id)) }),
    ),
  { minLength: 1, maxLength: 5 },
);

test("1: a merge is a build of the survivors", () => {
  forAll(runs(120, 50), anyParts, (parts) => {
    const built = parts.map(({ products }, i) => build(products, `block${i}`));
    const bytes = mergeSegments(built.map(({ segment }, i) => liveOf(segment, parts[i].deleted)));
    verifySegment(bytes);
    const merged = openSegment(bytes);
    const blocks = Object.fromEntries(built.map(({ stored }, i) => [`block${i}`, stored]));
    const expected = survivors(parts);
    expect(contentsIn(merged, blocks)).toEqual(contentsOf(expected));
    sameIndex(merged, build(expected).segment);
    const used = new Set(Array.from({ length: merged.productCount }, (_, row) => merged.storedRef(row).block));
    expect(merged.storedBlocks).toEqual([...used].sort());
  });
});

test("2: merging in steps of pairs gives the same bytes", () => {
  forAll(runs(75, 30), anyParts, (parts) => {
    const inputs = parts.map(({ products, deleted }, i) => liveOf(build(products, `block${i}`).segment, deleted));
    const once = mergeSegments(inputs);
    // A deletion in a newer part must not be lost before the older part is merged in: a run is merged from its old
    // end.
    let bytes = mergeSegments(inputs.slice(0, 1));
    for (const input of inputs.slice(1)) {
      bytes = mergeSegments([liveOf(openSegment(bytes), []), input]);
    }
    expect(Buffer.compare(bytes, once)).toBe(0);
  });
});

function catalogue(from: number, count: number): IndexableProduct[] {
  return Array.from({ length: count }, (_, i) => {
    const n = from + i * 3;
    return product(
      `sku-${(n * 7919) % 100_003}`,
      {
        texts: [
          { field: "title", text: `product model${n % 97} word${n % 1009}` },
          { field: "long", text: `the best product${n % 31} of all ${"x ".repeat(n % 9)}` },
        ],
        values: [term("colour", `Colour ${n % 23}`, `${n % 23}`), number("price", n % 499)],
        columns: [
          { field: "price", value: n % 499 },
          { field: "name", value: `name ${n % 1999}` },
        ],
      },
      n % 4 === 0 ? [{ values: [term("size", "S")] }, { texts: [{ field: "size", text: "xl" }] }] : [],
    );
  });
}

test("3: larger parts, in steps", () => {
  const parts: Part[] = [0, 1, 2, 3].map((part) => ({
    products: catalogue(part, 2000),
    deleted: catalogue(part, 2000)
      .filter((_, i) => i % 5 === part)
      .map(({ id }) => id),
  }));
  const inputs = parts.map(({ products, deleted }, i) => liveOf(build(products, `block${i}`).segment, deleted));
  const steps = mergeSteps(inputs);
  let count = 0;
  let step = steps.next();
  while (step.done !== true) {
    count++;
    step = steps.next();
  }
  expect(count).toBeGreaterThan(60);
  verifySegment(step.value);
  sameIndex(openSegment(step.value), build(survivors(parts)).segment);
});

test("3: thousands of names with a value each", () => {
  const names = 6_000;
  const parts: Part[] = [0, 1].map((part) => ({
    products: Array.from({ length: 3 }, (_, i) =>
      product(`p${part}-${i}`, {
        columns: Array.from({ length: names }, (_, n) => ({
          field: `name${n}`,
          value: n % 2 === 0 ? n : `text ${n % 7}`,
        })),
      }),
    ),
    deleted: [],
  }));
  const steps = mergeSteps(parts.map(({ products }, i) => liveOf(build(products, `b${i}`).segment, [])));
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count++;
  expect(count).toBeGreaterThan(names / 100);
  expect(count).toBeLessThan(names / 10);
  sameIndex(openSegment(step.value), build(survivors(parts)).segment);
});

test("4: what does not merge", () => {
  expect(() => mergeSegments([])).toThrow("nothing to merge");
  const english = build([product("a")]).segment;
  const builder = new SegmentBuilder({ analyzer: plainAnalyzer, normGroup, language: "de", storedBlock: "b" });
  const german = openSegment(builder.finish().index);
  expect(() => mergeSegments([liveOf(english, []), liveOf(german, [])])).toThrow("do not merge");
});
