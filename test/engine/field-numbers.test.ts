/**
 * More names of search fields than signatures can number (src/index-engine/segment/dictionary/field-numbers.ts):
 *
 *  1. names beyond share the last number, and keep it;
 *  2. a merge of segments that have more together goes the same way: no name takes the words of another.
 */
import { expect, test } from "vitest";
import { LIMITS } from "../../src/interface/index.ts";
import { mergeSegments, openSegment } from "../../src/index-engine/segment/index.ts";
import { FieldNumbers } from "../../src/index-engine/segment/dictionary/field-numbers.ts";
import { build, product } from "./support/products.ts";
import { live } from "../../src/index-engine/index/reader.ts";

test("1. names beyond share a number", () => {
  const numbers = new FieldNumbers(3);
  expect(["a", "b", "\ud800", "c", "d", "a", "\ufffd", "c"].map((name) => numbers.of(name))).toEqual([
    0, 1, 2, 2, 2, 0, 2, 2,
  ]);
  expect(numbers.names).toEqual(["a", "b", "\ufffd"]);
});

/** Names `from` to `to`, 2,000 to a product; the word of each is its number. */
function segmentOf(from: number, to: number): ReturnType<typeof build>["segment"] {
  const products = [];
  for (let start = from; start < to; start += 2_000) {
    const texts = Array.from({ length: Math.min(2_000, to - start) }, (_, i) => ({
      field: `f${start + i}`,
      text: `w${start + i}`,
    }));
    products.push(product(`p${start}`, { texts }));
  }
  return build(products).segment;
}

test("2. merged", () => {
  const most = LIMITS.searchFieldNames.value;
  const parts = [segmentOf(0, 40_000), segmentOf(40_000, 70_000)];
  const opened = openSegment(mergeSegments(parts.map(live)));
  const fieldOf = (word: string): string | undefined => {
    const term = opened.terms.find(word);
    const rows = new Uint32Array(1);
    const codes = new Uint32Array(1);
    opened.postings.decode(term, rows, codes);
    const { starts, fields } = opened.signatures;
    expect(starts[codes[0] + 1] - starts[codes[0]]).toBe(1);
    return opened.searchFields[fields[starts[codes[0]]]];
  };
  expect(opened.searchFields).toHaveLength(most);
  expect([fieldOf("w5"), fieldOf("w50000"), fieldOf("w69999")]).toEqual(["f5", "f50000", `f${most - 1}`]);
});
