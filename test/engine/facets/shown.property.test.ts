/**
 * Which facets are shown, over random catalogues with more attributes than there is room for, most of them on few
 * products:
 *
 * 1. Names, order, types, coverages, entries, counts and selection are those that making every facet, looking at all
 *    and cutting the list gives (slow-facets.ts), also where values are never listed: whatever is configured or
 *    nothing, for one segment, for several with updates, and over shards.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildFacets } from "../support/answers.ts";
import { filterKey } from "../../../src/index-engine/documents/index.ts";
import { readFilterParameter } from "../../../src/index-engine/query/filter/index.ts";
import type { FieldValue, IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { searchAll } from "../support/search-all.ts";
import {
  builtInTenantConfig,
  DEFAULT_TERM_FACET,
  type Facet,
  type FacetConfig,
  type FacetEntry,
  type SearchRequest,
  type TenantConfig,
} from "../../../src/interface/index.ts";
import { forAll, runs } from "../../support/property.ts";
import { BruteForce } from "../support/brute-force.ts";
import { fields } from "../support/catalogue.ts";
import { buildSegment } from "../support/indexing.ts";
import { number, path, product, term } from "../support/products.ts";
import { plainRequest } from "../support/request.ts";
import { slowFacets, type SlowFacet } from "./slow-facets.ts";

/** A value that is filtered by, and never an entry: as it is, or as a hash. */
function filterOnly(field: string, value: string): FieldValue {
  return term(field, filterKey(value), null, false);
}

/**
 * attr0 to attr23: shared words, words of each product's own, or numbers; the higher, the rarer. Some words are never
 * listed.
 */
const attribute = fc
  .record({ rank: fc.nat(4), step: fc.nat(4), value: fc.nat(3) })
  .map(({ rank, step, value }) => ({ at: rank * (step + 1), value }));

const products: fc.Arbitrary<IndexableProduct[]> = fc
  .array(
    fc.record({
      brand: fc.constantFrom(null, "Acme", "acme", "Bolt", "Zed"),
      path: fc.constantFrom<readonly string[]>([], ["Men"], ["Men", "Men/Shoes"], ["Women", "Women/Shoes"]),
      price: fc.constantFrom(null, 5, 9.5, 20, 30),
      attributes: fc.uniqueArray(attribute, { maxLength: 8, selector: ({ at }) => at }),
      colors: fc.array(fc.constantFrom("Red", "red", "Blue"), { maxLength: 2 }),
    }),
    { minLength: 3, maxLength: 14 },
  )
  .map((all) =>
    all.map(({ brand, path: levels, price, attributes, colors }, i): IndexableProduct =>
      product(
        `p${String(i).padStart(2, "0")}`,
        {
          values: [
            ...(brand === null ? [] : [term("brand", brand)]),
            ...levels.map((value) => path("category", value)),
            ...(price === null ? [] : [number("price", price)]),
            ...attributes.map(({ at, value }) => {
              const field = `attr${at}`;
              if (at % 3 === 2) return number(field, value);
              if (value === 3) return filterOnly(field, `filterOnly ${i % 2}`.repeat(at % 3 === 1 ? 12 : 1));
              return term(field, at % 3 === 1 && value > 0 ? `own ${i}` : `value ${value}`);
            }),
          ],
        },
        colors.map((color) => ({ values: [term("color", color)] })),
      ),
    ),
  );

const settings: fc.Arbitrary<Partial<FacetConfig>> = fc.record({
  order: fc.constantFrom(1, 2, 1000, 1000),
  minFacetCoverage: fc.constantFrom(0, 0.1, 0.1, 0.5),
  minValueCount: fc.constantFrom(1, 2, 2, 3),
  optimalValueCount: fc.constantFrom(2, 5),
  excludeFromFacetLimit: fc.boolean(),
  multiSelect: fc.boolean(),
  showUnselectedOptions: fc.boolean(),
  filterSensitive: fc.boolean(),
  removeOnSingleFullCoverageFacetElement: fc.boolean(),
  filterDependencies: fc.constantFrom([], [], ["brand=acme"], ["color=red", "category=*"]),
});
const numberType = fc.constantFrom<FacetConfig["type"]>(
  null,
  { kind: "range" },
  { kind: "term" },
  { kind: "interval", width: 10 },
  { kind: "ignore" },
);
const otherType = fc.constantFrom<FacetConfig["type"]>(null, null, { kind: "ignore" });

/** Null: as it is built in, for a shop that has configured nothing. */
const tenant: fc.Arbitrary<TenantConfig> = fc
  .option(
    fc.record({
      maxFacets: fc.constantFrom(0, 1, 3, 12),
      term: settings,
      number: fc.tuple(settings, numberType),
      own: fc.uniqueArray(
        fc.tuple(
          fc.constantFrom("brand", "color", "category", "price", "attr1", "attr2", "attr3"),
          settings,
          numberType,
          otherType,
        ),
        { maxLength: 5, selector: ([name]) => name },
      ),
    }),
    { freq: 4 },
  )
  .map((given): TenantConfig => {
    const built = builtInTenantConfig("shop", ["shop"]);
    if (given === null) return built;
    const [number, type] = given.number;
    // Post filters are of configured facets alone, so these say nothing in defaults.
    const none = { multiSelect: false, showUnselectedOptions: false };
    const { defaultTermFacet, defaultNumberFacet } = built.facets;
    return {
      ...built,
      facets: {
        maxFacets: given.maxFacets,
        defaultTermFacet: { ...defaultTermFacet, ...given.term, ...none },
        defaultNumberFacet: { ...defaultNumberFacet, ...number, ...none, type },
        facets: given.own.map(([name, own, ofNumber, other]) => ({
          ...DEFAULT_TERM_FACET,
          ...own,
          sourceField: name,
          label: name,
          type: name === "price" || name === "attr2" ? ofNumber : other,
        })),
      },
    };
  });

const FILTERS: readonly (readonly [string, string])[] = [
  ["brand", "ACME"],
  ["brand", "acme,zed"],
  ["brand", "!bolt"],
  ["color", "red"],
  ["color", "red,blue"],
  ["category", "Men"],
  ["category", "Women/Shoes"],
  ["price", "5,20"],
  ["price", "20"],
  ["attr3", "value 1"],
  ["unknown", "x"],
];
const request: fc.Arbitrary<SearchRequest> = fc
  .uniqueArray(fc.constantFrom(...FILTERS), { maxLength: 2, selector: ([name]) => name })
  .map((sent) =>
    plainRequest({ withFacets: true, filters: sent.flatMap(([name, text]) => readFilterParameter(name, text) ?? []) }),
  );

function flat(entries: readonly FacetEntry[]): FacetEntry[] {
  return entries.flatMap((entry) => (entry.type === "hierarchical" ? [entry, ...flat(entry.children)] : [entry]));
}

function keyOf(entry: FacetEntry): string {
  switch (entry.type) {
    case "term":
      return entry.key.toLowerCase();
    case "hierarchical":
      return entry.path;
    case "interval":
      return `${entry.lowerBound}..${entry.upperBound}`;
    case "range":
      return entry.key;
  }
}

function plain({ fieldName, type, isFiltered, absoluteFacetCoverage, entries }: Facet): SlowFacet {
  return {
    name: fieldName,
    type,
    isFiltered,
    coverage: absoluteFacetCoverage,
    entries: flat(entries)
      .map((entry) => `${entry.selected ? "*" : ""}${keyOf(entry)} ${entry.docCount}`)
      .sort(),
  };
}

test("1: the facets are those of the twin", () => {
  let shown = 0;
  let cut = 0;
  forAll(
    runs(120, 30),
    products,
    tenant,
    fc.array(request, { minLength: 4, maxLength: 4 }),
    (all, config, requests) => {
      const brute = new BruteForce(all, fields);
      const everything = brute.search(plainRequest({ withFacets: true }), config).facets ?? {};
      const updated = (some: readonly IndexableProduct[]): Reader =>
        some.reduce((reader, one) => reader.withUpdate(buildSegment([one]), []), Reader.empty);
      const ways = [
        [Reader.of([buildSegment(all)])],
        [updated(all)],
        [0, 1].map((shard) => updated(all.filter((_, i) => i % 2 === shard))),
      ];
      for (const one of requests) {
        const { matchCount, facets: counts } = brute.search(one, config);
        const expected = slowFacets(
          { matchCount, counts: counts ?? {}, all: everything },
          one.filters,
          config,
          (name) => fields.field(name) !== null,
        );
        for (const readers of ways) {
          const execution = searchAll(readers, one, config, fields);
          if (execution.facets === null) throw new Error("no facets");
          const facets = buildFacets(execution.facets, execution, config, fields, one);
          expect(facets.map(plain)).toEqual(expected);
        }
        shown += expected.length;
        if (Object.keys(counts ?? {}).length > expected.length) cut++;
      }
    },
  );
  expect(shown).toBeGreaterThan(120);
  expect(cut).toBeGreaterThan(40);
});
