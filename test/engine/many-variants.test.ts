// A page of products with thousands of variants: each product's variants are a part (src/index-engine/base/work.ts) and
// count as steps, in a search alone and on a shard, so that others run in between.
import { expect, test, vi } from "vitest";
import { run, work, type Parts } from "../../src/index-engine/base/index.ts";
import { compileFieldPlan } from "../../src/index-engine/documents/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { searchParts } from "../../src/index-engine/search.ts";
import { BUILT_IN_INDEX_CONFIG, builtInTenantConfig } from "../../src/interface/index.ts";
import { documentSegment } from "./support/indexing.ts";
import { plainRequest } from "./support/request.ts";
import { searchClones } from "./support/sharding.ts";

const PRODUCTS = 12;
const VARIANTS = 2_000;
const fields = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
const tenant = builtInTenantConfig("shop", ["shop"]);
const documents = Array.from({ length: PRODUCTS }, (_, i) => ({
  id: `p${i}`,
  data: { title: `shoe ${i}` },
  variants: Array.from({ length: VARIANTS }, (_, v) => ({ id: `p${i}-${v}`, data: { size: v % 50 } })),
}));
const reader = Reader.of([documentSegment(documents, fields)]);
const request = plainRequest({ q: "shoe", limit: PRODUCTS });

/** Of its parts. */
function stepsOf(parts: Parts<unknown>): number[] {
  const all: number[] = [];
  let steps = 0;
  const spend = vi.spyOn(work, "spend").mockImplementation((count) => void (steps += count));
  for (;;) {
    const part = parts.next();
    all.push(steps);
    steps = 0;
    if (part.done !== true) continue;
    spend.mockRestore();
    return all;
  }
}

test("variants of a page", () => {
  const steps = stepsOf(searchParts(reader, request, tenant, fields));
  const ofVariants = steps.filter((own) => own >= VARIANTS * 10);
  expect(ofVariants.length).toBeGreaterThanOrEqual(PRODUCTS);
  expect(Math.max(...steps)).toBeLessThan(VARIANTS * PRODUCTS * 10);
});

test("variants of a shard's page", async () => {
  const sources = new Map(documents.map((one): [string, unknown] => [one.id, one]));
  const shard = { reader, fields, sources, physicalName: "ocs-1-shop-en" };
  const expected = await searchClones([shard], request, tenant);
  // Too few for two products, so that their parts begin again.
  const again = await searchClones([shard], request, tenant, { firstSteps: () => VARIANTS * 30 });
  expect(again.json).toBe(expected.json);
  expect(run(searchParts(reader, request, tenant, fields)).hits).toHaveLength(PRODUCTS);
});
