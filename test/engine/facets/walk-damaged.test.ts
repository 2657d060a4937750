// Facet counts after a search that met a damaged page in the middle (src/index-engine/answer/facets/walk.ts): memory
// that all searches share is as clean as before, for products with and without variants, counted and taken from totals.
import { test } from "vitest";
import { tally } from "../../../src/index-engine/answer/facets/walk.ts";
import { compileFieldPlan, parseDocument } from "../../../src/index-engine/documents/index.ts";
import type { SegmentMatches } from "../../../src/index-engine/query/index.ts";
import { openSegment, SegmentBuilder } from "../../../src/index-engine/segment/index.ts";
import type { Segment } from "../../../src/index-engine/segment/model/index.ts";
import { BUILT_IN_INDEX_CONFIG } from "../../../src/interface/index.ts";

const PRODUCTS = 40;

function shop(hasVariants: boolean): Segment {
  const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
  const builder = new SegmentBuilder({
    analyzer: plan.analyzer,
    normGroup: (field) => plan.normGroup(field),
    language: plan.language,
    storedBlock: "block",
  });
  for (let i = 0; i < PRODUCTS; i++) {
    const sizes = [40 + (i % 3), 41 + (i % 5)];
    const text = JSON.stringify({
      id: `p${i}`,
      data: { title: `Shoe ${i}`, brand: `Brand ${i % 4}`, color: [`c${i % 2}`, `c${i % 7}`] },
      ...(hasVariants && { variants: sizes.map((size) => ({ id: `p${i}-${size}`, data: { size } })) }),
    });
    const outcome = plan.read(parseDocument(text), new TextEncoder().encode(text));
    if (outcome.status !== "indexable") throw new Error(outcome.status);
    builder.add(outcome.product);
  }
  return openSegment(builder.finish().index);
}

/** The same segment, of whose lists one cannot be read from its middle on. */
function damaged(segment: Segment, list: "productDeltas" | "variantDeltas"): Segment {
  const whole = segment.facets[list];
  if (whole === null) throw new Error("no such list");
  const broken = new Proxy(whole, {
    get(target, key) {
      if (Number(key) >= target.length / 2) throw new Error("a damaged page");
      return Reflect.get(target, key, target) as unknown;
    },
  });
  const facets = new Proxy(segment.facets, {
    get: (target, key) => (key === list ? broken : (Reflect.get(target, key, target) as unknown)),
  });
  return new Proxy(segment, {
    get: (target, key) => (key === "facets" ? facets : (Reflect.get(target, key, target) as unknown)),
  });
}

function matches(rows: readonly number[]): SegmentMatches {
  return { rows: Uint32Array.from(rows), variantRows: null } as SegmentMatches;
}

test.for([
  ["productDeltas", false],
  ["variantDeltas", true],
] as const)("counting facets after a damaged page: %s", ([list, hasVariants], { expect }) => {
  const segment = shop(hasVariants);
  const few = matches(Array.from({ length: 12 }, (_, i) => i * 3));
  const many = matches(Array.from({ length: PRODUCTS - 5 }, (_, i) => i));
  const expected = [tally(segment, few), tally(segment, many)];
  const broken = damaged(segment, list);
  for (const some of [few, many, matches([PRODUCTS - 1, PRODUCTS - 2])]) {
    expect(() => tally(broken, some)).toThrow("a damaged page");
    expect([tally(segment, few), tally(segment, many)]).toEqual(expected);
  }
});
