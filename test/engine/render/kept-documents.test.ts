/**
 * 1. A hit that was shown before is the same JSON without its source, whatever is searched for and whichever variant
 *    it shows.
 * 2. Nothing is kept of hits that show only a part of their document, marks, a sorted number, or changed numbers.
 * 3. What is kept is bounded: what was not shown for long is forgotten, what is shown again is not.
 */
import { expect, test } from "vitest";
import { compileFieldPlan, type FieldPlan } from "../../../src/index-engine/documents/index.ts";
import type { EngineHit } from "../../../src/index-engine/query/index.ts";
import type { StoredRef } from "../../../src/index-engine/segment/model/index.ts";
import {
  hitViewOf,
  keptDocumentBytes,
  keptHit,
  renderHit,
  type HitInput,
} from "../../../src/index-engine/answer/render/index.ts";
import { BUILT_IN_INDEX_CONFIG, type SearchRequest } from "../../../src/interface/index.ts";
import { storedBytes } from "../support/answers.ts";
import { plainRequest } from "../support/request.ts";

const source = {
  id: "A1",
  data: { title: "Trail shoe", price: 99, colour: 'ü"' },
  categories: [[{ name: "Men" }, { name: "Shoes" }]],
  variants: [{ id: "A1-1", data: { color: "Red" } }],
};
const stored = storedBytes(source);
const ref: StoredRef = { block: "b", chunk: 3, offset: 40 };
const hit: EngineHit = {
  segment: 0,
  row: 0,
  id: "A1",
  score: 12,
  sortValues: [],
  sortedFields: [],
  variant: null,
  variantScore: null,
  isSoldOut: false,
  matchedQueries: ["default"],
  set: -1,
};

function newPlan(): FieldPlan {
  return compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
}

function inputOf(plan: FieldPlan, asked: Partial<SearchRequest> = {}): HitInput {
  const request = plainRequest(asked);
  return { request, plan, view: hitViewOf(request, [], plan.analyzer), indexName: "ocs-1-shop-en" };
}

test("1: the same JSON as of the source", () => {
  const plan = newPlan();
  const variants: EngineHit[] = [hit, { ...hit, variant: 0, variantScore: 1.5 }];
  for (const one of variants) {
    expect(keptHit(one, ref, inputOf(plan))).toBeNull();
    renderHit(one, stored, inputOf(plan), ref);
  }
  for (const one of variants) {
    const later = { ...one, score: 7, matchedQueries: ["default", "_partial"], sortValues: [3, "a"] };
    const expected = renderHit(later, stored, inputOf(newPlan()));
    expect(keptHit(later, ref, inputOf(plan))).toEqual({ json: expected, sourceBytes: stored.length });
  }
  expect(keptHit(hit, { ...ref, offset: 41 }, inputOf(plan))).toBeNull();
  expect(keptHit(hit, ref, inputOf(newPlan()))).toBeNull();
});

test("2: only whole documents, as they are stored", () => {
  const plan = newPlan();
  const sortedFields = [{ field: "price", value: 9, prefix: "{from}" }];
  const numbers = new Map([["price", 5]]);
  renderHit(hit, stored, inputOf(plan, { fields: ["title"] }), ref);
  renderHit(hit, stored, inputOf(plan, { highlight: ["title"] }), ref);
  renderHit({ ...hit, sortedFields }, stored, inputOf(plan), ref);
  renderHit(hit, stored, inputOf(plan), { ...ref, numbers });
  expect(keptDocumentBytes(plan)).toBe(0);

  renderHit(hit, stored, inputOf(plan), ref);
  expect(keptDocumentBytes(plan)).toBeGreaterThan(0);
  expect(keptHit(hit, ref, inputOf(plan, { fields: ["title"] }))).toBeNull();
  expect(keptHit(hit, ref, inputOf(plan, { highlight: ["title"] }))).toBeNull();
  expect(keptHit({ ...hit, sortedFields }, ref, inputOf(plan))).toBeNull();
  expect(keptHit(hit, { ...ref, numbers }, inputOf(plan))).toBeNull();
});

test("3: bounded, and by use", () => {
  const plan = newPlan();
  const input = inputOf(plan);
  const long = storedBytes({ ...source, data: { title: "x".repeat(20_000) } });
  const refOf = (offset: number): StoredRef => ({ ...ref, offset });
  let most = 0;
  for (let offset = 0; offset < 800; offset++) {
    renderHit(hit, long, input, refOf(offset));
    expect(keptHit(hit, refOf(0), input)).not.toBeNull();
    most = Math.max(most, keptDocumentBytes(plan));
  }
  expect(most).toBeGreaterThan(4_000_000);
  expect(most).toBeLessThan(9_000_000);
  expect(keptHit(hit, refOf(1), input)).toBeNull();
  expect(keptHit(hit, refOf(799), input)).not.toBeNull();

  const larger = storedBytes({ ...source, data: { title: "x".repeat(40_000) } });
  renderHit(hit, larger, input, refOf(1_000));
  expect(keptHit(hit, refOf(1_000), input)).toBeNull();

  // Another plan takes its room from the first one.
  const other = newPlan();
  for (let offset = 0; offset < 200; offset++) {
    renderHit(hit, long, inputOf(other), refOf(offset));
  }
  expect(keptDocumentBytes(other)).toBeGreaterThan(4_000_000);
  expect(keptDocumentBytes(plan) + keptDocumentBytes(other)).toBeLessThan(9_000_000);
});
