// Searches for unknown words of a language with compounds, each of which is compared with hundreds of possible parts:
// 1. no part of the search (base/work.ts) takes long, so others run between the words: alone, and in every round of a
//    shard;
// 2. many sets of such words end at the limit of the whole search.
import { afterEach, describe, expect, test, vi } from "vitest";
import { run, work, type Parts } from "../../src/index-engine/base/index.ts";
import { compileFieldPlan } from "../../src/index-engine/documents/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { searchParts } from "../../src/index-engine/search.ts";
import { ShardSearch } from "../../src/index-engine/shards/index.ts";
import { BUILT_IN_INDEX_CONFIG, builtInTenantConfig, LIMITS, ServiceError } from "../../src/interface/index.ts";
import { documentSegment } from "./support/indexing.ts";
import { plainRequest } from "./support/request.ts";

/** About 2 ms; a turn of a search takes a million. */
const MOST_STEPS_OF_PART = 200_000;

const FIRST = ["winter", "sommer", "leder", "garten", "kinder", "damen", "herren", "wander", "wasser", "feuer"];
const LAST = ["schuhe", "jacke", "hose", "tasche", "lampe", "tisch", "stuhl", "regal", "kissen", "decke"];
const documents = FIRST.flatMap((first) =>
  LAST.map((last) => ({ id: `${first}-${last}`, data: { title: `${first}${last} ${first} ${last}` } })),
);
const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "de");
const reader = Reader.of([documentSegment(documents, plan)]);
const tenant = builtInTenantConfig("shop", ["shop"]);

/** Words of 22 letters, each in no product. */
function words(set: number): string {
  const word = (i: number): string => {
    const number = set * LIMITS.queryTerms.value + i;
    const mark = String.fromCharCode(97 + (number % 26), 97 + (Math.floor(number / 26) % 26));
    return `${FIRST[number % 10]}${mark}${FIRST[(number * 7 + 3) % 10]}${LAST[(number * 3) % 10]}x`.slice(0, 22);
  };
  return Array.from({ length: LIMITS.queryTerms.value }, (_, i) => word(i)).join(" ");
}

/** Steps of each part, in order of size. */
function stepsOf<T>(parts: Parts<T>): number[] {
  const all = [0];
  const spend = vi.spyOn(work as { spend: (steps: number) => void }, "spend");
  spend.mockImplementation((steps) => void (all[all.length - 1] += steps));
  for (;;) {
    if (parts.next().done === true) break;
    all.push(0);
  }
  return all.toSorted((a, b) => b - a);
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("parts (1)", () => {
  const sum = (steps: readonly number[]): number => steps.reduce((total, one) => total + one, 0);

  test("alone", () => {
    const steps = stepsOf(searchParts(reader, plainRequest({ q: words(0) }), tenant, plan));
    expect(sum(steps)).toBeGreaterThan(10 * MOST_STEPS_OF_PART);
    expect(steps[0]).toBeLessThan(MOST_STEPS_OF_PART);
  });

  test("of a shard", () => {
    const request = plainRequest({ q: words(1) });
    const search = new ShardSearch(reader, plan, { request, tenant, physicalName: "shop" });
    const steps = stepsOf(search.statistics({ known: null, withPlan: true, expansions: null }));
    expect(sum(steps)).toBeGreaterThan(10 * MOST_STEPS_OF_PART);
    expect(steps[0]).toBeLessThan(MOST_STEPS_OF_PART);
  });
});

test("64 sets (2)", () => {
  const sets = Array.from({ length: LIMITS.productSets.value }, (_, i) => ({
    type: "dynamic" as const,
    query: words(2 + i),
    asSeparateSlice: false,
    limit: 10,
  }));
  const arranged = { sets, includeMainResult: true };
  const parts = searchParts(reader, plainRequest({ q: "schuhe", arranged }), tenant, plan);
  try {
    run(work.inParts(parts));
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect([error.type, error.details]).toMatchObject(["search_too_expensive", { limit: "searchSteps" }]);
  }
});
