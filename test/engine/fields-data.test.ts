/**
 * Real catalogues through the built-in preset (skipped where the data sets are not beside the project).
 *
 *  1. No document of the first 2,000 of each is rejected, no value ignored.
 *  2. Hits show every data field and attribute under some name, unless a rule of the preset keeps it to the other
 *     level.
 *  3. Every category level of a document is a path value; every attribute value is filterable.
 */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { compileFieldPlan, filterKey } from "../../src/index-engine/documents/index.ts";
import { BUILT_IN_INDEX_CONFIG, Product } from "../../src/interface/index.ts";

const MAX_DOCUMENTS = 2_000;

interface RealDocument {
  id: string;
  data: Record<string, unknown>;
  attributes?: { name: string; value: string | number }[];
  categories?: { name: string }[][];
  variants?: { data: Record<string, unknown> }[];
}

/** Split by hand: `node:readline` also ends lines at U+2028, which is an ordinary character inside JSON. */
function documents(path: string): string[] {
  return gunzipSync(readFileSync(path)).toString("utf8").split("\n", MAX_DOCUMENTS);
}

for (const name of ["icecat", "magento", "bestbuy", "scale"]) {
  const path = new URL(`../../../shared/data/${name}/products.ndjson.gz`, import.meta.url).pathname;
  test(`${name}: nothing is rejected, ignored or lost`, ({ skip }) => {
    if (!existsSync(path)) skip(`no data set ${name} beside the project`);
    const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
    const encoder = new TextEncoder();
    let count = 0;
    for (const line of documents(path)) {
      if (line === "") continue;
      const document = JSON.parse(line) as RealDocument;
      const outcome = plan.read(document, encoder.encode(line));
      if (outcome.status !== "indexable") throw new Error(`${document.id}: ${JSON.stringify(outcome)}`);
      expect(outcome.ignored).toEqual([]);
      expect(Product.safeParse(document).success).toBe(true);
      count++;

      const shown = plan.show(document, null).data;
      for (const [field, value] of Object.entries(document.data)) {
        if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) continue;
        if (!(field in shown)) throw new Error(`${document.id}: ${field} is not shown`);
      }
      const { values } = outcome.product;
      const held = new Set(values.map(({ kind, field, value }) => `${kind} ${field} ${value}`));
      for (const attribute of document.attributes ?? []) {
        expect(attribute.name in shown).toBe(true);
        if (plan.field(attribute.name) !== null || String(attribute.value).trim() === "") continue;
        const text = String(attribute.value).trim();
        const isNumber = typeof attribute.value === "number" || /^-?(?:0|[1-9]\d{0,6})(?:\.\d+)?$/.test(text);
        const expected = isNumber
          ? `number ${attribute.name} ${Number(text)}`
          : `term ${attribute.name} ${filterKey(text)}`;
        if (!held.has(expected)) throw new Error(`${document.id}: ${expected} is missing`);
      }
      for (const categories of document.categories ?? []) {
        const level = categories.map((node) => node.name.trim().replaceAll("/", "%2F")).join("/");
        if (level !== "") expect(held).toContain(`path category ${level}`);
      }
      expect(outcome.product.variants.length).toBe(document.variants?.length ?? 0);
    }
    expect(count).toBeGreaterThan(100);
  });
}
