/**
 * Before a measurement, compares the engine's answers over a part of the data set (split into
 * several segments) with those of the brute-force search, which has no index: hits, order, scores
 * and every count.
 *
 * MiniSearch is not suitable for this, because it analyses differently (no stems, no folding), so
 * its counts differ anyway.
 */
import { isDeepStrictEqual } from "node:util";
import type { Execution } from "../src/index-engine/query/execution.ts";
import type { IndexableProduct } from "../src/index-engine/segment/model/index.ts";
import type { FieldPlan } from "../src/index-engine/documents/index.ts";
import { Reader } from "../src/index-engine/index/reader.ts";
import { search } from "../src/index-engine/search.ts";
import { SegmentBuilder, openSegment } from "../src/index-engine/segment/index.ts";
import { BruteForce } from "../test/engine/support/brute-force.ts";
import { type BenchCase, evenly } from "./cases.ts";
import type { Dataset } from "./datasets.ts";

const DOCUMENTS = 400;
const SEGMENTS = 3;

export interface Mismatch {
  readonly input: string;
  readonly what: string;
}

/** The differences found; empty when all `cases` agree. */
export function compareWithTwin(
  dataset: Dataset,
  plan: FieldPlan,
  cases: readonly BenchCase[],
): Mismatch[] {
  const products = new Map<string, IndexableProduct>();
  const decoder = new TextDecoder();
  for (const source of evenly(dataset.sources, DOCUMENTS)) {
    const outcome = plan.read(JSON.parse(decoder.decode(source)), source);
    if (outcome.status === "indexable") products.set(outcome.product.id, outcome.product);
  }
  const live = [...products.values()];
  const perSegment = Math.ceil(live.length / SEGMENTS);
  let reader = Reader.empty;
  for (let start = 0; start < live.length; start += perSegment) {
    reader = reader.withUpdate(segmentOf(live.slice(start, start + perSegment), plan), []);
  }
  const twin = new BruteForce(live, plan);
  const mismatches: Mismatch[] = [];
  for (const { input, tenant, request } of cases) {
    const own = search(reader, request, tenant, plan);
    const wanted = twin.search(request, tenant);
    const label = input.kind === "address" ? `?${input.query}` : input.json;
    const note = (what: string, a: unknown, b: unknown): void => {
      if (!isDeepStrictEqual(a, b)) {
        mismatches.push({ input: label, what: `${what}: ${brief(a)} instead of ${brief(b)}` });
      }
    };
    note("matchCount", own.matchCount, wanted.matchCount);
    note(
      "hits",
      own.hits.map(({ id, score, variant }) => [id, score, variant]),
      wanted.hits.map(({ id, score, variant }) => [id, score, variant]),
    );
    note("facets", facetCounts(own), wanted.facets);
  }
  return mismatches;
}

function segmentOf(
  products: readonly IndexableProduct[],
  plan: FieldPlan,
): ReturnType<typeof openSegment> {
  const builder = new SegmentBuilder({
    analyzer: plan.analyzer,
    normGroup: (field) => plan.normGroup(field),
    language: plan.language,
    storedBlock: "exactness",
  });
  for (const product of products) builder.add(product);
  return openSegment(builder.finish().index);
}

function facetCounts({ facets }: Execution): Record<string, Record<string, number>> | null {
  if (facets === null) return null;
  return Object.fromEntries(
    facets
      .fields()
      .map(({ name, kind }) => [
        `${name}|${kind}`,
        Object.fromEntries(facets.values(name, kind).map(({ key, count }) => [String(key), count])),
      ]),
  );
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
