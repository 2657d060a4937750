/**
 * Ids of numbers in term facets, over random products whose numbers have ids, have several, have none, are of
 * variants, are never listed, or were changed after they were indexed:
 *
 * 1. An entry is a number that some match has and may show, with the products that may, the id that most of them have
 *    it with (of as many the smallest), and whether it is selected: by the number, or by an id that one of its
 *    products has it with. While a filter is in force and the others are not to be seen, the entries are those that it
 *    selects, or that are in its range. All of it as a plain loop over the products says, for one segment, for many
 *    with changed numbers, and over shards with what they tell cloned.
 * 2. An entry's link finds as many products as the entry says, also where the links are by id; more if some have the
 *    number and may not show it.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readFilterParameter } from "../../../src/index-engine/query/filter/index.ts";
import type { FieldValue, IndexableProduct, IndexableRow } from "../../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { sortableFields } from "../../../src/index-engine/answer/render/index.ts";
import { renderParsed } from "../support/answers.ts";
import { search } from "../../../src/index-engine/search.ts";
import {
  builtInTenantConfig,
  DEFAULT_TERM_FACET,
  type Facet,
  type SearchRequest,
  type SearchResult,
  type TenantConfig,
} from "../../../src/interface/index.ts";
import { forAllAsync, runs } from "../../support/property.ts";
import { fields } from "../support/catalogue.ts";
import { buildSegment } from "../support/indexing.ts";
import { plainRequest } from "../support/request.ts";
import { searchClones } from "../support/sharding.ts";

type Numbered = FieldValue & { readonly kind: "number" };

const IDS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const NUMBERS = [-5, 3, 4, 40.5];

const number: fc.Arbitrary<Numbered> = fc.record({
  kind: fc.constant("number" as const),
  field: fc.constant("fit"),
  value: fc.constantFrom(...NUMBERS),
  id: fc.constantFrom(null, "X", "x", "y"),
  facet: fc.constantFrom(true, true, true, false),
});
const color: fc.Arbitrary<FieldValue> = fc
  .constantFrom("red", "blue")
  .map((value) => ({ kind: "term", field: "color", value, id: null, facet: true }));

function productOf(id: string): fc.Arbitrary<IndexableProduct> {
  const row = (numbers: fc.Arbitrary<Numbered[]>): fc.Arbitrary<IndexableRow> =>
    fc
      .tuple(numbers, fc.array(color, { maxLength: 1 }))
      .map(([some, colors]) => ({ texts: [], columns: [], values: [...some, ...colors] }));
  const any = fc.array(number, { maxLength: 2 });
  const one = number.map((own) => [{ ...own, id: null }]);
  const few = fc.array(number, { maxLength: 1 });
  return fc
    .oneof(
      fc.tuple(row(any), fc.array(row(any), { maxLength: 2 })),
      // One whose number may change.
      fc.tuple(row(one), fc.array(row(few), { maxLength: 2 })),
    )
    .map(([own, variants]) => ({ id, source: new Uint8Array(), ...own, variants }));
}

/** In some shops every number has one id, as attributes with codes have. */
function tidied(row: IndexableRow): IndexableRow {
  const values = row.values.map((value) => (value.kind === "number" ? { ...value, id: `n${value.value}` } : value));
  return { ...row, values };
}

const products = fc
  .tuple(
    fc
      .uniqueArray(fc.constantFrom(...IDS), { minLength: 2, maxLength: IDS.length })
      .chain((ids) => fc.tuple(...ids.map(productOf))),
    fc.boolean(),
  )
  .map(([all, isTidy]): readonly IndexableProduct[] =>
    isTidy ? all.map((one) => ({ ...one, ...tidied(one), variants: one.variants.map(tidied) })) : all,
  );

const FILTERS: readonly (readonly [string, readonly string[]])[] = [
  ["fit.id", ["X"]],
  ["fit.id", ["x,y"]],
  ["fit.id", ["nobody"]],
  ["fit.id", ["n3"]],
  ["fit.id", ["n3,n4"]],
  ["fit", ["3"]],
  ["fit", ["3", "40.5"]],
  ["fit", ["0,10"]],
  ["fit", ["!3"]],
  ["fit.id", ["!X"]],
  ["color", ["red"]],
];
const filters = fc.uniqueArray(fc.constantFrom(...FILTERS), { maxLength: 2, selector: ([name]) => name });

const facetSettings = fc.record({
  multiSelect: fc.boolean(),
  showUnselectedOptions: fc.boolean(),
  filterSensitive: fc.constantFrom(false, false, true),
});

function tenantWith(settings: typeof facetSettings extends fc.Arbitrary<infer T> ? T : never): TenantConfig {
  const facet = { ...DEFAULT_TERM_FACET, minFacetCoverage: 0, minValueCount: 1 };
  const built = builtInTenantConfig("shop", ["shop"]);
  return {
    ...built,
    facets: {
      ...built.facets,
      facets: [{ ...facet, ...settings, sourceField: "fit", label: "fit", type: { kind: "term" } }],
    },
  };
}

/** Whether the product has the number and may not show it. */
function isHidden({ values, variants }: IndexableProduct, number: number): boolean {
  const all = [...values, ...variants.flatMap((one) => one.values)];
  return all.some((value) => value.kind === "number" && value.value === number && !value.facet);
}

function ask(sent: readonly (readonly [string, readonly string[]])[]): SearchRequest {
  return plainRequest({
    withFacets: true,
    filters: sent.flatMap(([name, texts]) => readFilterParameter(name, texts) ?? []),
  });
}

interface Entry {
  readonly key: string;
  readonly id: string | null;
  readonly docCount: number;
  readonly selected: boolean;
}

/** The twin. */
function slowEntries(
  all: readonly IndexableProduct[],
  { filters: sent }: SearchRequest,
  config: TenantConfig,
): Entry[] {
  const [{ multiSelect, showUnselectedOptions, filterSensitive }] = config.facets.facets;
  const rangeOf = (texts: readonly string[]): [number, number] => [
    Math.min(...texts.map(Number)),
    Math.max(...texts.map(Number)),
  ];
  const ofFit = sent.filter(({ name }) => name !== "color");
  const including = ofFit.filter(({ negated }) => !negated);
  const ranges = including.flatMap(({ name, values, texts }) =>
    name === "fit" ? (texts ?? [values]).map(rangeOf) : [],
  );
  const chosenIds = including.flatMap(({ name, values }) => (name === "fit.id" ? values : []));
  const passes = (values: readonly FieldValue[]): boolean =>
    sent.every(({ name, negated, values: wanted, texts }) => {
      // Counted without its own filter where the others are to be seen.
      if (name !== "color" && !negated && !filterSensitive && (multiSelect || showUnselectedOptions)) {
        return true;
      }
      const isMet = values.some((value) => {
        if (name === "color") return value.field === "color" && wanted.includes(String(value.value));
        if (value.kind !== "number") return false;
        if (name === "fit.id") return value.id !== null && wanted.includes(value.id);
        return (texts ?? [wanted]).map(rangeOf).some(([lower, upper]) => value.value >= lower && value.value <= upper);
      });
      return isMet !== negated;
    });

  // A filter-sensitive facet counts the values that pass, not all of the products that do.
  const counts = (value: FieldValue): boolean =>
    !filterSensitive ||
    including.every(({ name, values: wanted, texts }) => {
      if (name === "fit.id") return value.id !== null && wanted.includes(value.id);
      return (texts ?? [wanted])
        .map(rangeOf)
        .some(([lower, upper]) => Number(value.value) >= lower && Number(value.value) <= upper);
    });

  const withNumber = new Map<number, Set<string>>();
  const withId = new Map<number, Map<string, Set<string>>>();
  for (const { id, values, variants } of all) {
    const rows = variants.length === 0 ? [values] : variants.map((one) => [...values, ...one.values]);
    for (const value of rows.filter(passes).flat()) {
      if (value.kind !== "number" || !value.facet || !counts(value)) continue;
      withNumber.set(value.value, (withNumber.get(value.value) ?? new Set()).add(id));
      if (value.id === null) continue;
      const ids = withId.get(value.value) ?? new Map<string, Set<string>>();
      withId.set(value.value, ids.set(value.id, (ids.get(value.id) ?? new Set()).add(id)));
    }
  }
  const isRestricted = including.length > 0 && (filterSensitive || !(multiSelect || showUnselectedOptions));
  return NUMBERS.filter((one) => withNumber.has(one))
    .map((one) => {
      const ids = [...(withId.get(one) ?? [])].sort(
        ([a, some], [b, others]) => others.size - some.size || (a < b ? -1 : 1),
      );
      return {
        number: one,
        key: String(one),
        id: ids[0]?.[0] ?? null,
        docCount: withNumber.get(one)?.size ?? 0,
        selected:
          ranges.some(([lower, upper]) => lower === one && upper === one) || ids.some(([id]) => chosenIds.includes(id)),
      };
    })
    .filter(
      ({ number: one, selected }) =>
        !isRestricted || selected || ranges.some(([lower, upper]) => one >= lower && one <= upper),
    )
    .sort((a, b) => b.docCount - a.docCount || (a.key < b.key ? -1 : 1))
    .map(({ number: _number, ...entry }) => entry);
}

function entriesOf(facets: readonly Facet[] | null): (Entry & { readonly link: string | null })[] {
  const facet = facets?.find(({ fieldName }) => fieldName === "fit");
  return (facet?.entries ?? []).map(({ key, id, docCount, selected, link }) => ({ key, id, docCount, selected, link }));
}

function plainFacets(reader: Reader, request: SearchRequest, tenant: TenantConfig): Facet[] | null {
  const execution = search(reader, request, tenant, fields);
  const result = renderParsed({
    execution,
    request,
    tenant,
    plan: fields,
    indexName: () => "ocs-1-shop-en",
    sources: execution.hits.map(({ id }) => ({ id, data: {} })),
    sortable: sortableFields(reader.segments, fields, tenant.sortOptions),
    tookInMillis: 0,
  });
  return result.slices[0].facets;
}

test("1, 2: numbers have the ids that their products have them with", async () => {
  const seen = { ids: 0, byId: 0, linksById: 0, changed: 0 };
  await forAllAsync(
    runs(60, 25),
    products,
    fc.array(fc.tuple(fc.constantFrom(...IDS), fc.constantFrom(...NUMBERS)), { maxLength: 6 }),
    facetSettings,
    fc.array(filters, { minLength: 4, maxLength: 4 }),
    async (given, changes, settings, requests) => {
      const config = tenantWith(settings);
      // A number may change where it is the only one and has no id (documents/number-updates.ts).
      const mayChange = ({ values, variants }: IndexableProduct): boolean => {
        const numbers = values.filter(({ field }) => field === "fit");
        const isOne = numbers.length === 1 && numbers[0].id === null;
        const count = (one: { readonly values: readonly FieldValue[] }): number =>
          one.values.filter(({ field }) => field === "fit").length;
        return isOne && variants.every((one) => count(one) <= 1);
      };
      const usable = changes.filter(([id]) => given.some((one) => one.id === id && mayChange(one)));
      seen.changed += usable.length;
      const live = given.map((one) => {
        const change = usable.findLast(([id]) => id === one.id);
        if (change === undefined) return one;
        const values = one.values.map((value) => (value.kind === "number" ? { ...value, value: change[1] } : value));
        return { ...one, values };
      });
      const readerOf = (some: readonly IndexableProduct[]): Reader =>
        [0, 1, 2]
          .map((part) => some.filter((_, i) => i % 3 === part))
          .filter((part) => part.length > 0)
          .reduce((reader, part) => reader.withUpdate(buildSegment(part), []), Reader.empty)
          .withNumbers(
            usable
              .filter(([id]) => some.some((one) => one.id === id))
              .map(([id, value]) => [id, new Map([["fit", value]])] as const),
          );
      const whole = Reader.of([buildSegment(live)]);
      const parts = readerOf(given);
      const shards = [0, 1, 2].map((shard) => readerOf(given.filter(({ id }) => id.charCodeAt(0) % 3 === shard)));
      const sources = new Map(live.map(({ id }) => [id, { id, data: {} }]));
      for (const sent of [...requests, [["fit.id", ["n3"]]] as const]) {
        const request = ask(sent);
        const expected = slowEntries(live, request, config);
        const entries = entriesOf(plainFacets(whole, request, config));
        const shown = entries.map(({ link: _link, ...entry }) => entry);
        expect({ sent, shown }).toEqual({ sent, shown: expected });
        expect(entriesOf(plainFacets(parts, request, config))).toEqual(entries);
        const { json } = await searchClones(
          shards.map((reader) => ({ reader, fields, sources, physicalName: "ocs-1-shop-en" })),
          request,
          config,
        );
        const [slice] = (JSON.parse(json) as SearchResult).slices;
        expect(entriesOf(slice.facets)).toEqual(entries);

        const byId = sent.some(([name, [text]]) => name === "fit.id" && !text.startsWith("!"));
        const isPlain = sent.every(([name]) => name === "color");
        for (const { key, id, docCount, selected, link } of entries) {
          if (id !== null) seen.ids++;
          if (selected && byId) seen.byId++;
          if (link === null || selected) continue;
          if (!isPlain && (settings.multiSelect || sent.some(([, [text]]) => text.startsWith("!")))) continue;
          // A link replaces all filters on the field; an entry that was counted within one of them may count less.
          const several = sent.filter(([name]) => name !== "color").length > 1;
          const isWithin = settings.filterSensitive || (several && !settings.showUnselectedOptions);
          if (!isPlain && isWithin) continue;
          const parameters = new URLSearchParams(link);
          if (parameters.has("fit.id")) seen.linksById++;
          const next = ask([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)]));
          const { matchCount } = search(whole, next, config, fields);
          const number = Number(key);
          if (live.some((one) => isHidden(one, number))) expect(matchCount).toBeGreaterThanOrEqual(docCount);
          else expect({ sent, link, matchCount }).toEqual({ sent, link, matchCount: docCount });
        }
      }
    },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});
