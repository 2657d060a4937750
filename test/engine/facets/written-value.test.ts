// The forms of values that a segment keeps (written-value.ts) are limited, also where one facet has more.
import { expect, test } from "vitest";
import { run } from "../../../src/index-engine/base/index.ts";
import { countFacets, writtenValueBytes } from "../../../src/index-engine/answer/facets/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { build, path, product } from "../support/products.ts";
import { countInputs, writtenEntry } from "./counting.ts";

const PATHS = 6_000;
const MOST_BYTES = 1_048_576;

test("the paths of one facet", () => {
  const paths = Array.from({ length: PATHS }, (_, i) => `Category of products ${10_000 + i}/Part of this category`);
  const { segment } = build(paths.map((value, i) => product(`p${i}`, { values: [path("Category", value)] })));
  const counts = run(countFacets(countInputs(Reader.of([segment]), () => true, new Map(), true)));
  const entries = counts.local("Category", "path").values();
  expect(entries.map(({ key }) => key)).toEqual(paths);
  expect(writtenValueBytes(segment)).toBeLessThan(MOST_BYTES + 1_000);
  const [first] = entries;
  expect(writtenEntry(first).json).toContain('"path":"Category of products 10000/Part of this category"');
});
