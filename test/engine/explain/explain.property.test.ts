// Explanations over random catalogues, tenants (stages, functions, rules) and requests:
//
// 1. What an explanation says adds up, exactly, to the score of its hit: fields to words, parts to subQueries, words
//    and boosts and title to the text, without stages by the factors of the order; the text by functions to the score.
// 2. Every word of the stage is either explained or missing, as many as it says, and at least as many as must.
// 3. An explanation does not depend on how products are spread over segments and shards (I4), and neither does what
//    meta says of stages.
// 4. The variant it says is picked is the one that is shown, and the score it gives it is the hit's.
// 5. The stages it tells: all before the one that found something were tried and found nothing, none behind it was.
// 6. Asking changes nothing else of an answer, and without asking nothing is explained.
// (Over several shards, with everything cloned on its way: sharded.property.test.ts.)
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EngineHit, Execution } from "../../../src/index-engine/query/execution.ts";
import { distribute } from "../../../src/index-engine/query/explain/row.ts";
import type { HitExplanation, WordExplanation } from "../../../src/index-engine/query/explain/explanation.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { search } from "../../../src/index-engine/search.ts";
import { searchAll } from "../support/search-all.ts";
import type { SearchRequest } from "../../../src/interface/index.ts";
import { forAll, runs, seed } from "../../support/property.ts";
import { compiled } from "../rules/support.ts";
import { crowdedBatches, fields, liveProducts, request, rules, tenant, wordsRequest } from "../support/catalogue.ts";
import { buildSegment, merged, shardedReaders, updatedReader } from "../support/indexing.ts";

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function checkWord({ word, points, by }: WordExplanation): void {
  if (by.kind === "term") {
    expect(by.fields.length).toBeGreaterThan(0);
    expect(sum(by.fields.map((field) => field.points))).toBe(points);
    for (const field of by.fields) {
      expect(field.points).toBeGreaterThanOrEqual(0);
      expect(field.frequency).toBeGreaterThan(0);
      expect(field.weight).toBeGreaterThan(0);
    }
    if (by.because === "prefix") expect(by.term.startsWith(word)).toBe(true);
    return;
  }
  expect(by.parts.length).toBeGreaterThan(0);
  by.parts.forEach(checkWord);
  const mean = (by.share * sum(by.parts.map((part) => part.points))) / by.parts.length;
  expect(Math.abs(points - Math.max(1, mean))).toBeLessThanOrEqual(0.5 + 1e-6);
}

function checkHit(hit: EngineHit): HitExplanation {
  const { explanation } = hit;
  if (explanation === undefined) throw new Error("not explained");
  const { words, optional, boosts, title, order, text, scoring, score, matched } = explanation;
  [...words, ...optional].forEach(checkWord);
  if (title !== null) expect(sum(Object.values(title.parts))).toBe(title.points);
  const points = [...words, ...optional, ...boosts].map((part) => part.points);
  const all = sum(points) + (title?.points ?? 0);
  if (order === null) expect(all).toBe(text);
  else {
    expect(order.score).toBe(text);
    const { share, head, categories, unwanted } = order;
    // The share is shown in thousandths, the rest is exact; each factor is rounded down.
    const lifted = [Math.round(head * 1_000), Math.round(categories * 1_000), Math.round(unwanted * 1_000)];
    const ofShare = (exact: number): number =>
      Math.max(
        1,
        lifted.reduce((score, by) => Math.floor((score * by) / 1_000), Math.floor(all * exact)),
      );
    expect(text).toBeGreaterThanOrEqual(ofShare(share - 0.000_51));
    expect(text).toBeLessThanOrEqual(ofShare(share + 0.000_51));
    if (explanation.missing.length === 0) expect([share, text]).toEqual([1, ofShare(1)]);
  }
  if (scoring !== null) {
    if (scoring.words !== null) expect(scoring.words.score).toBe(text);
    expect(scoring.score).toBe(score);
  } else {
    expect(text).toBe(score);
  }
  if (hit.score !== null) expect(score).toBe(hit.score);
  if (matched !== null) {
    expect(words.length).toBe(matched.words);
    expect(matched.words + explanation.missing.length).toBe(matched.of);
    expect(matched.words).toBeGreaterThanOrEqual(matched.required ?? 1);
    if (order !== null) {
      // What a set names belongs to the result as it is.
      const isPartial =
        matched.words < matched.of && !hit.matchedQueries.some((name) => name.startsWith("hero-product-set"));
      expect(hit.matchedQueries.includes("_partial")).toBe(isPartial);
    }
  }
  const { variant } = explanation;
  if (variant === null) expect(hit.variant).toBeNull();
  else {
    expect(variant.picked).toBe(hit.variant);
    const places = variant.variants.flatMap(({ place }) => place ?? []);
    expect(places.toSorted((a, b) => a - b)).toEqual(places.map((_, i) => i + 1));
    expect(places.length).toBe(variant.matching);
    const shown = variant.variants.find((one) => one.variant === variant.picked);
    expect(shown?.score ?? null).toBe(hit.variantScore);
    if (shown !== undefined) expect(shown).toMatchObject({ place: 1, passesFilters: true });
  }
  expect(explanation.lines.length).toBeGreaterThan(0);
  for (const line of explanation.lines) expect(line).not.toMatch(/undefined|NaN|\[object|\u0001/);
  return explanation;
}

interface Stages {
  readonly stages: readonly { readonly number: number; readonly tried: boolean; readonly found: number }[];
}

function checkStages({ meta, matchCount }: Execution, one: SearchRequest): void {
  const { stages } = meta["trace"] as Stages;
  const found = stages.findIndex((stage) => stage.found > 0);
  if (found >= 0) {
    stages.forEach((stage, i) => expect([i, stage.tried]).toEqual([i, i <= found]));
    expect(stages.filter((stage) => stage.found > 0).length).toBe(1);
    expect(stages[found].number).toBe(meta["query_stage"]);
    if (one.arranged === null) expect(stages[found].found).toBe(matchCount);
  } else {
    for (const stage of stages) expect(stage).toMatchObject({ tried: true, found: 0 });
  }
}

test(`1 to 6: adds up, whatever the segments (seed ${seed})`, () => {
  const seen = new Set<string>();
  forAll(
    runs(30, 15),
    crowdedBatches,
    tenant,
    fc.array(fc.oneof(request, wordsRequest), { minLength: 6, maxLength: 6 }),
    fc.nat(6),
    rules,
    (all, config, requests, cut, rulesText) => {
      const rulesOf = rulesText === null ? null : compiled(rulesText);
      const live = liveProducts(all);
      const seven = updatedReader(all);
      const whole = live.length === 0 ? Reader.empty : Reader.of([buildSegment(live)]);
      const others: [string, readonly Reader[]][] = [
        ["seven segments", [seven]],
        ["some merged", [merged(seven, Math.min(cut, seven.segments.length), seven.segments.length)]],
        ["three shards", shardedReaders(all, 3)],
      ];
      for (const plain of requests) {
        const one: SearchRequest = { ...plain, trace: ["Explain", "Request", "EsQuery"] };
        const explained = search(whole, one, config, fields, rulesOf);
        const explanations = explained.hits.map(checkHit);
        checkStages(explained, one);
        for (const { words, optional, order } of explanations) {
          for (const [name, factor] of Object.entries(order ?? {})) if (factor !== 1) seen.add(name);
          for (const { by } of [...words, ...optional]) seen.add(by.because);
        }
        const { trace, elasticsearch_query, ...meta } = explained.meta;
        expect(trace).toHaveProperty("request");
        expect(elasticsearch_query).toHaveProperty("weightedFields");

        const unexplained = search(whole, plain, config, fields, rulesOf);
        expect(unexplained.meta).toEqual(meta);
        expect(unexplained.hits.every((hit) => hit.explanation === undefined)).toBe(true);
        const again = unexplained.hits.map((hit, i) => ({ ...hit, explanation: explained.hits[i]?.explanation }));
        expect(again).toEqual(explained.hits);
        for (const [name, readers] of others) {
          const other = searchAll(readers, one, config, fields, rulesOf);
          expect({ name, meta: other.meta }).toEqual({ name, meta: explained.meta });
          expect({ name, hits: other.hits.map(checkHit) }).toEqual({ name, hits: explanations });
        }
      }
    },
  );
  // Each reason has a test of its own in explain.test.ts; here it must only be more than plain words.
  for (const reason of ["word", "stem", "typo"]) expect(seen).toContain(reason);
  for (const factor of ["share", "head", "categories", "unwanted"]) expect(seen).toContain(factor);
});

test("points are cut to integers without a rest", () => {
  forAll(
    runs(200),
    fc.nat(200_000),
    fc.array(fc.double({ min: 0.001, max: 50, noNaN: true }), { minLength: 1, maxLength: 8 }),
    (total, strengths) => {
      const shares = distribute(total, strengths);
      expect(sum(shares)).toBe(total);
      const whole = sum(strengths);
      shares.forEach((share, i) => expect(Math.abs(share - (total * strengths[i]) / whole)).toBeLessThan(1 + 1e-6));
    },
  );
});
