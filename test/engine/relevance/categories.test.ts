/** Categories of products in one segment (relevance/categories.ts): a path with two ids is one parent. */
import { expect, test } from "vitest";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import { SegmentCategories } from "../../../src/index-engine/query/relevance/categories.ts";
import { BUILT_IN_INDEX_CONFIG } from "../../../src/interface/index.ts";
import { documentSegment } from "../support/indexing.ts";

test("the leaf of a path whose root has several ids", () => {
  const fields = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
  const products = ["1", "2", "3"].map((id) => ({
    id,
    data: { title: "Product" },
    categories: [[{ id: `root${id}`, name: "Shoes" }, { name: "Running" }]],
  }));
  const segment = documentSegment(products, fields);
  const categories = new SegmentCategories(segment, fields.categoryField);
  for (const row of [0, 1, 2]) {
    expect(categories.path(categories.onlyLeaf(row))).toBe("Shoes/Running");
    expect(categories.leaves(categories.of(row)).map((leaf) => categories.path(leaf))).toEqual([
      "Shoes/Running",
    ]);
  }
});
