// 1. Searching with synonyms, in any mix, finds every product that the same query finds without: with all words
//    required, with one, with half of them. (Not so where a stage asks for as many words as anything has: what matches
//    more words by a synonym raises the mark for all. That is what such a stage is for. Nor without stages, where a
//    better product raises the cut.)
// 2. Rules whose inputs do not hold change nothing: hits, order and scores.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { applyRules, compileRules } from "../../../src/index-engine/query/rules/index.ts";
import { search } from "../../../src/index-engine/search.ts";
import { analyze } from "../../../src/index-engine/query/user-query/index.ts";
import { builtInTenantConfig, type StageConfig, type TenantConfig } from "../../../src/interface/index.ts";
import { forAll, runs } from "../../support/property.ts";
import { fields, IDS, product } from "../support/catalogue.ts";
import { buildSegment } from "../support/indexing.ts";
import { plainRequest } from "../support/request.ts";
import { parsed } from "./support.ts";

/** One stage that takes what it finds. */
function tenantOf(settings: Readonly<Record<string, string>>): TenantConfig {
  const stage: StageConfig = {
    name: "only",
    strategy: "ConfigurableQuery",
    condition: { minTermCount: 1, maxTermCount: null, maxQueryLength: null, matchingRegex: null },
    settings: { acceptNoResult: "true", allowParallelSpellcheck: "false", ...settings },
    weightedFields: { title: 3, brand: 2, description: 1 },
  };
  return { ...builtInTenantConfig("t", ["t"]), analyzer: "QuerqyQueryExpander", stages: [stage] };
}

const word = fc.constantFrom(..."shoe shoes running run red acme 42 sock t-shirt".split(" "));
const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
const weighted = fc.tuple(fc.constantFrom("", "(0.3)", "(2)"), phrase);

/** A query, and rules of which most wait for a piece of it. */
const queryAndRules = fc.array(word, { minLength: 1, maxLength: 4 }).chain((words) => {
  const piece = fc
    .tuple(fc.nat(words.length - 1), fc.integer({ min: 1, max: 3 }))
    .map(([first, count]) => words.slice(first, first + count).join(" "));
  const rule = fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: piece }, { weight: 1, arbitrary: phrase }),
      fc.array(weighted, { minLength: 1, maxLength: 3 }),
    )
    .map(([input, synonyms]) =>
      [`${input} =>`, ...synonyms.map(([weight, own]) => `SYNONYM${weight}: ${own}`)].join("\n"),
    );
  return fc.tuple(fc.constant(words.join(" ")), fc.array(rule, { minLength: 1, maxLength: 4 }));
});
const products = fc
  .uniqueArray(fc.constantFrom(...IDS), { minLength: 1, maxLength: 15 })
  .chain((ids) => fc.tuple(...ids.map((id) => product(id))));

test("synonyms only add (1), rules that do not act change nothing (2)", () => {
  let kept = 0;
  let added = 0;
  forAll(
    runs(200),
    products,
    queryAndRules,
    fc.constantFrom<Record<string, string>[]>(
      { operator: "AND" },
      { operator: "OR" },
      { operator: "OR", minShouldMatch: "50%" },
    ),
    (all, [q, texts], settings) => {
      const reader = Reader.of([buildSegment(all)]);
      const tenant = tenantOf(settings);
      const rules = compileRules({ rules: parsed(texts.join("\n")) }, fields.analyzer);
      const run = (own: typeof rules | null) => search(reader, plainRequest({ q, limit: 1000 }), tenant, fields, own);
      const plain = run(null);
      const expanded = run(rules);
      const ids = ({ hits }: typeof plain) => hits.map((hit) => hit.id);
      if (applyRules(rules, analyze(q, tenant)).applied.length === 0) {
        expect(expanded.hits).toEqual(plain.hits);
        return;
      }
      const found = new Set(ids(expanded));
      expect(ids(plain).filter((id) => !found.has(id))).toEqual([]);
      kept += ids(plain).length;
      added += found.size - ids(plain).length;
    },
  );
  expect(kept).toBeGreaterThan(0);
  expect(added).toBeGreaterThan(0);
});
