/**
 * 1. Any sequence of updates, deletions and merges of random runs keeps a Reader equal to a Map of the live products:
 *    find, counts, sums, document frequencies; older readers stay as they were. Rows that were found out ahead of an
 *    update make no difference.
 * 2. Deletions that happen while a merge runs are carried over to its result.
 * 3. Reader.of gives an id to the newest segment that has it, and takes deletions as given; Reader.ofDisjoint is the
 *    same where all deletions are given.
 * 4. Only segments that lose a row are copied.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { IndexableProduct, LiveSegment } from "../../src/index-engine/segment/model/index.ts";
import { run } from "../../src/index-engine/base/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { mergeSegments, openSegment } from "../../src/index-engine/segment/index.ts";
import { NORM_LENGTHS } from "../../src/index-engine/segment/format/index.ts";
import { forAll, runs } from "../support/property.ts";
import { documentFrequency } from "./support/indexing.ts";
import { anyProduct, build, contentsOf, product, productId } from "./support/products.ts";

type Live = Map<string, IndexableProduct>;

function update(model: Live, products: readonly IndexableProduct[], deleted: readonly string[]): void {
  for (const id of deleted) model.delete(id);
  for (const each of products) model.set(each.id, each);
}

function check(reader: Reader, model: Live, ids: readonly string[]): void {
  const expected = contentsOf([...model.values()]);
  expect(reader.productCount).toBe(model.size);
  expect(reader.variantCount).toBe(expected.variants.reduce((sum, count) => sum + count, 0));
  expect(reader.lengthSums).toEqual(
    expected.norms.map((norms) => norms.reduce((sum, norm) => sum + NORM_LENGTHS[norm], 0)),
  );
  for (const id of ids) {
    const found = reader.find(id);
    expect(found !== null).toBe(model.has(id));
    if (found !== null) {
      expect(reader.segments[found.segment].segment.ids.get(found.row)).toBe(id);
    }
  }
  for (const term of ["shoe", "\u0001shoe", "red", "𝒳", "missing"]) {
    const count = Object.keys(expected.postings[term] ?? {}).length;
    expect(documentFrequency(reader, term)).toBe(count);
  }
  reader.segments.forEach(({ segment, deleted, deletedCount }) => {
    let bits = 0;
    for (let row = 0; row < segment.productCount; row++) {
      if (deleted !== null) bits += (deleted[row >>> 5] >>> row) & 1;
    }
    expect(deletedCount).toBe(bits);
  });
}

const allIds = [..."abcdefghij", "aa", "ab", "ﬀ", "𝒳", "𝒳a", "é", "z".repeat(512), "other"];

const action = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("update" as const),
      products: fc.array(anyProduct, { maxLength: 5 }),
      deleted: fc.array(productId, { maxLength: 3 }),
      ahead: fc.constantFrom("no" as const, "yes" as const, "merged meanwhile" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("merge" as const),
      from: fc.nat({ max: 4 }),
      length: fc.integer({ min: 1, max: 4 }),
      // What happens between the start and the end of the merge.
      products: fc.array(anyProduct, { maxLength: 3 }),
      deleted: fc.array(productId, { maxLength: 3 }),
    }),
  },
);

test("1, 2: a reader is a map of live products", () => {
  forAll(runs(75), fc.array(action, { maxLength: 8 }), (actions) => {
    let reader = Reader.empty;
    const model: Live = new Map();
    const earlier: { reader: Reader; model: Live }[] = [];
    actions.forEach((each, i) => {
      earlier.push({ reader, model: new Map(model) });
      let inputs: readonly LiveSegment[] = [];
      let merged: Uint8Array | null = null;
      if (each.kind === "merge") {
        const from = Math.min(each.from, Math.max(0, reader.segments.length - 1));
        inputs = reader.segments.slice(from, from + each.length);
        if (inputs.length > 0) merged = mergeSegments(inputs);
      }
      const distinct = new Map(each.products.map((one) => [one.id, one]));
      const segment = distinct.size === 0 ? null : build([...distinct.values()], `block${i}`).segment;
      const isAhead = each.kind === "update" && each.ahead !== "no";
      const replaced = isAhead ? run(reader.replacedRows(segment, each.deleted)) : null;
      if (each.kind === "update" && each.ahead === "merged meanwhile" && reader.segments.length > 0) {
        const { segments } = reader;
        reader = reader.replaceRun(segments, openSegment(mergeSegments(segments)));
      }
      reader = reader.withUpdate(segment, each.deleted, replaced);
      update(model, each.products, each.deleted);
      if (merged !== null) reader = reader.replaceRun(inputs, openSegment(merged));
      check(reader, model, allIds);
    });
    const given = reader.segments.map(({ segment, deleted, deletedCount }) => {
      return { segment, deleted, deletedCount };
    });
    check(Reader.ofDisjoint(given), model, allIds);
    for (const before of earlier) check(before.reader, before.model, allIds);
  });
});

const title = (id: string, text: string): IndexableProduct => product(id, { texts: [{ field: "title", text }] });

test("2: only runs of the reader are replaced", () => {
  const [first, second] = ["a", "b"].map((id) => build([title(id, "x")], id).segment);
  const reader = Reader.of([first, second]);
  const merged = openSegment(mergeSegments(reader.segments));
  const after = reader.replaceRun(reader.segments, merged);
  expect(after.segments.map(({ segment }) => segment)).toEqual([merged]);
  expect(() => after.replaceRun(reader.segments, merged)).toThrow("not a run");
});

test("3: Reader.of", () => {
  const first = build([title("a", "x"), title("b", "x")], "1").segment;
  const second = build([title("b", "y"), title("c", "y")], "2").segment;
  const reader = Reader.of([first, { segment: second, deleted: Uint32Array.of(0b01), deletedCount: 1 }]);
  expect([reader.find("a"), reader.find("b"), reader.find("c")]).toEqual([
    { segment: 0, row: 0 },
    null,
    { segment: 1, row: 1 },
  ]);
  expect(reader.productCount).toBe(2);
  expect(reader.lengthSums).toEqual([2, 0, 0]);
  expect(Reader.empty.find("a")).toBeNull();
});

test("3: Reader.of with large segments", () => {
  const ids = Array.from({ length: 3000 }, (_, i) => `sku-${(i * 7919) % 10_007}`);
  const first = build(
    ids.map((id) => product(id)),
    "1",
  ).segment;
  const newer = build(
    ids.filter((_, i) => i % 2 === 0).map((id) => product(id)),
    "2",
  ).segment;
  const reader = Reader.of([first, newer]);
  expect(reader.productCount).toBe(3000);
  ids.forEach((id, i) => expect(reader.find(id)?.segment).toBe(i % 2 === 0 ? 1 : 0));
});

test("4: what is copied", () => {
  const [first, second] = ["a", "b"].map((id) => build([title(id, "x"), title(`${id}2`, "x")], id).segment);
  const reader = Reader.of([first, second]);
  const one = reader.withUpdate(null, ["a"]);
  expect(one.segments[1]).toBe(reader.segments[1]);
  expect(one.segments[0]).not.toBe(reader.segments[0]);
  expect(reader.withUpdate(null, ["unknown"])).toBe(reader);
  expect(one.withUpdate(null, ["a"])).toBe(one);
  expect(one.sizeBytes).toBeGreaterThan(reader.sizeBytes);
});
