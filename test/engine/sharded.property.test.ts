// A search over several shards, with everything that goes between them cloned as it is by RPC, answers what one shard
// answers.
//
// 1. Over random catalogues with updates and deletions, tenants and requests, the whole answer (hits with their
//    documents, order, scores, explanations, variants, product sets, facets with counts, ids and links, sort options,
//    meta) of 4
//    shards and of 1 shard asked in rounds equals that of the plain search on one segment; also after merges of
//    segments.
// 2. That holds whatever the shards tell of their facets unasked: nothing, a little, everything. With nothing they are
//    asked again, and are asked at all only where that changes something.
// 3. Windows that are too large to be sent unasked get their documents in a last round, or in several where shards send
//    fewer than they are asked for.
// 4. Two indexes with different products answer as one index of them all, but for the index that each hit names.
// 5. A shard may begin an answer again, wherever it was before (src/objects/expensive-searches.ts).
// 6. Different values with one hash, on two shards, are told apart: neither repeats, so the field makes no facet.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { EAGERNESS, hashText, type Eagerness } from "../../src/index-engine/answer/facets/index.ts";
import type { FieldValue, IndexableProduct } from "../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { sortableFields } from "../../src/index-engine/answer/render/index.ts";
import { renderParsed } from "./support/answers.ts";
import { search } from "../../src/index-engine/search.ts";
import {
  builtInTenantConfig,
  type FacetConfig,
  type SearchRequest,
  type SearchResult,
  type TenantConfig,
} from "../../src/interface/index.ts";
import { EAGER_WINDOW, ShardSearch } from "../../src/index-engine/shards/index.ts";
import { forAllAsync, long, runs, seed } from "../support/property.ts";
import { crowdedBatches, fields, liveProducts, request, tenant, wordsRequest } from "./support/catalogue.ts";
import { buildSegment, documentSegment, merged, shardedReaders, updatedReader } from "./support/indexing.ts";
import { plainRequest } from "./support/request.ts";
import { searchClones } from "./support/sharding.ts";

const INDEX_NAME = "ocs-1-shop-en";
const TRACED: SearchRequest["trace"] = ["Explain", "Request", "EsQuery"];

function plainAnswer(
  reader: Reader,
  sources: ReadonlyMap<string, unknown>,
  one: SearchRequest,
  config: TenantConfig,
): SearchResult {
  const execution = search(reader, one, config, fields);
  return renderParsed({
    execution,
    request: one,
    tenant: config,
    plan: fields,
    indexName: () => INDEX_NAME,
    sources: execution.hits.map(({ id }) => sources.get(id)),
    sortable: sortableFields(reader.segments, fields, config.sortOptions),
    tookInMillis: 0,
  });
}

/** What shards tell without being asked. */
interface Unasked {
  readonly eagerness: Eagerness;
  readonly eagerWindow: number;
  readonly mostSent?: number;
}
const NOTHING: Unasked = {
  eagerness: { totals: 0.99, configured: false, fieldsPerFacet: 0, entries: -1, hashedFrom: -1, largest: 0 },
  eagerWindow: 0,
};
const LITTLE: Unasked = {
  eagerness: { totals: 0.9, configured: true, fieldsPerFacet: 0.1, entries: 3, hashedFrom: 2, largest: 1 },
  eagerWindow: 5,
  mostSent: 0,
};
const EVERYTHING: Unasked = { eagerness: EAGERNESS, eagerWindow: EAGER_WINDOW };

/**
 * More fields than there is room for, none of them configured: values that repeat, or each product's own, several
 * numbers, values that are listed for one product and never for another, spellings and ids that differ.
 */
function withManyFields(one: IndexableProduct, salt: number): IndexableProduct {
  const random = (what: string, below: number): number => hashText(`${one.id} ${what} ${salt}`) % below;
  const values: FieldValue[] = [];
  for (let i = 0; i < 9; i++) {
    const field = `extra${i}`;
    if (random(field, 3) === 0) continue;
    const isFacetable = i % 3 > 0 || random(`${field} listed`, 3) > 0;
    const value = i % 4 === 0 ? `own ${one.id}` : ["Many", "many", "few", "Other"][random(`${field}=`, 4)];
    values.push({
      kind: "term",
      field,
      value: isFacetable || random(`${field} hash`, 2) === 0 ? value : `\u0002${value}`,
      id: [null, "1", "2"][random(`${field} id`, 3)],
      facet: isFacetable,
    });
    if (random(`${field} number`, 4) > 0) continue;
    for (let n = 0; n < (i % 2) + 1; n++) {
      const number = random(`${field} ${n}`, 5);
      values.push({ kind: "number", field, value: number, id: null, facet: isFacetable });
    }
  }
  return { ...one, values: [...one.values, ...values] };
}

/** Facets of all types and limits. */
const facetSettings: fc.Arbitrary<Partial<FacetConfig>> = fc.record({
  type: fc.constantFrom<FacetConfig["type"]>(
    null,
    null,
    { kind: "term" },
    { kind: "range" },
    { kind: "interval", width: 5 },
  ),
  minValueCount: fc.constantFrom(1, 2, 3),
  minFacetCoverage: fc.constantFrom(0, 0.1, 0.5),
  showUnselectedOptions: fc.boolean(),
  filterSensitive: fc.boolean(),
  removeOnSingleFullCoverageFacetElement: fc.boolean(),
  excludeFromFacetLimit: fc.boolean(),
  order: fc.constantFrom(1, 2, 1000),
});

const facetSetup = fc.record({
  maxFacets: fc.constantFrom(1, 2, 12),
  settings: fc.array(facetSettings, { minLength: 5, maxLength: 5 }),
  kept: fc.subarray([0, 1, 2, 3, 4]),
  defaults: facetSettings,
});

function withFacetSetup(
  given: TenantConfig,
  { maxFacets, settings, kept, defaults }: typeof facetSetup extends fc.Arbitrary<infer T> ? T : never,
): TenantConfig {
  const { facets } = given;
  return {
    ...given,
    facets: {
      maxFacets,
      defaultTermFacet: { ...facets.defaultTermFacet, ...defaults, type: null },
      defaultNumberFacet: { ...facets.defaultNumberFacet, ...defaults },
      facets: facets.facets.map((facet, i) => ({ ...facet, ...settings[i] })).filter((_, i) => kept.includes(i)),
    },
  };
}

test(`1 to 4: as one shard (seed ${seed})`, async () => {
  let askedMore = 0;
  let answeredAtOnce = 0;
  let turn = 0;
  await forAllAsync(
    runs(25, 8),
    crowdedBatches,
    tenant,
    facetSetup,
    fc.array(fc.oneof(request, wordsRequest), { minLength: 6, maxLength: 6 }),
    fc.nat(6),
    async (plain, given, setup, asked, cut) => {
      // Every other one is explained.
      const requests = asked.map((one, i): SearchRequest => (i % 2 === 0 ? one : { ...one, trace: TRACED }));
      const config = withFacetSetup(given, setup);
      const all = plain.map(({ products, deleted }) => ({
        products: products.map((one) => withManyFields(one, cut)),
        deleted,
      }));
      const live = liveProducts(all);
      const sources = new Map(
        live.map(({ id, source }): [string, unknown] => [id, JSON.parse(new TextDecoder().decode(source))]),
      );
      const whole = live.length === 0 ? Reader.empty : Reader.of([buildSegment(live)]);
      const four = shardedReaders(all, 4);
      const shards: [string, readonly Reader[]][] = [
        ["one shard", [updatedReader(all)]],
        ["four shards", four],
        [
          "four shards, merged",
          four.map((reader) => merged(reader, Math.min(cut, reader.segments.length), reader.segments.length)),
        ],
      ];
      for (const one of requests) {
        const expected = plainAnswer(whole, sources, one, config);
        const { json: ofTwo } = await searchClones(
          four.map((reader, i) => ({
            reader,
            fields,
            sources,
            physicalName: i < 2 ? "ocs-1-one-en" : "ocs-1-other-en",
          })),
          one,
          config,
        );
        expect(JSON.parse(ofTwo.replaceAll(/ocs-1-(?:one|other)-en/g, INDEX_NAME))).toEqual(expected);
        turn++;
        for (const [i, [name, readers]] of shards.entries()) {
          // A short run takes one of them, in turn.
          const all = [NOTHING, LITTLE, EVERYTHING];
          for (const unasked of all.filter((_, at) => long || at === (i + turn) % 3)) {
            const { json, rounds } = await searchClones(
              readers.map((reader) => ({ reader, fields, sources, physicalName: INDEX_NAME })),
              one,
              config,
              unasked,
            );
            const answer = JSON.parse(json) as SearchResult;
            if (!isDeepStrictEqual(answer, expected)) {
              expect({ name, unasked, ...answer }).toEqual({ name, unasked, ...expected });
            }
            if (unasked === NOTHING && rounds.more > 0) askedMore++;
            if (unasked === EVERYTHING && rounds.more === 0) answeredAtOnce++;
          }
        }
      }
    },
  );
  // The follow-up round is real, and it is rare.
  expect(askedMore).toBeGreaterThan(3);
  expect(answeredAtOnce).toBeGreaterThan(askedMore / 4);
});

test("5: answers that begin again", async () => {
  let stopped = 0;
  await forAllAsync(
    runs(25, 8),
    crowdedBatches,
    tenant,
    fc.array(fc.oneof(request, wordsRequest), { minLength: 3, maxLength: 3 }),
    fc.array(fc.nat(2_000), { minLength: 10, maxLength: 10 }),
    async (all, config, asked, budgets) => {
      const live = liveProducts(all);
      const sources = new Map(
        live.map(({ id, source }): [string, unknown] => [id, JSON.parse(new TextDecoder().decode(source))]),
      );
      const shards = shardedReaders(all, 3).map((reader) => ({ reader, fields, sources, physicalName: INDEX_NAME }));
      let at = 0;
      for (const one of asked) {
        const { json: expected } = await searchClones(shards, one, config);
        const forget = vi.spyOn(ShardSearch.prototype, "forgetMatches");
        const { json } = await searchClones(shards, one, config, { firstSteps: () => budgets[at++ % budgets.length] });
        // Every execution forgets them once.
        stopped += forget.mock.calls.length - shards.length;
        forget.mockRestore();
        expect(JSON.parse(json)).toEqual(JSON.parse(expected));
      }
    },
  );
  expect(stopped).toBeGreaterThan(30);
});

test("6: equal hashes", async () => {
  // A known pair of FNV-1a.
  const twins = ["costarring", "liquid"];
  expect(hashText("costarring")).toBe(hashText("liquid"));
  const config = builtInTenantConfig("shop", ["shop"]);
  const everything = plainRequest({ withFacets: true });
  const asked = async (values: readonly string[]): Promise<{ names: string[]; more: number }> => {
    const shards = values.map((value, i) => {
      const document = { id: `p${i}`, data: { title: "shoe", motto: value } };
      const sources = new Map([[`p${i}`, { id: `p${i}`, data: {} }]]);
      const reader = Reader.of([documentSegment([document], fields)]);
      return { reader, fields, sources, physicalName: INDEX_NAME };
    });
    const eagerness = { ...EAGERNESS, hashedFrom: 0 };
    const { json, rounds } = await searchClones(shards, everything, config, { eagerness });
    const { slices } = JSON.parse(json) as SearchResult;
    return {
      names: slices.flatMap(({ facets }) => (facets ?? []).map(({ fieldName }) => fieldName)),
      more: rounds.more,
    };
  };
  const different = await asked(twins);
  expect(different.names).not.toContain("motto");
  expect(different.more).toBe(1);
  expect((await asked(["liquid", "Liquid", "costarring"])).names).toContain("motto");
});
