/**
 * Over random catalogues, tenants and requests (words, filters of all kinds, excluding ones, variants, product sets):
 *
 * 1. An entry's docCount is the matchCount of the search its link leads to, for every entry whose link sets the field
 *    to exactly this entry: term, hierarchical (also above what is chosen) and interval, by value and by id, whatever
 *    else is filtered.
 * 2. A multi-select link filters by what was sent and this; a selected entry's link leaves the others: terms, and
 *    intervals, whose next facet is the same but for this entry. In a tree a node stands instead of those above and
 *    below it.
 * (The same for several segments and after merges: shown.property.test.ts, and whatever a LittleShop is asked.)
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildFacets } from "../support/answers.ts";
import { readFilterParameter } from "../../../src/index-engine/query/filter/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { search } from "../../../src/index-engine/search.ts";
import {
  DEFAULT_LIMIT,
  type Facet,
  type FacetEntry,
  type SearchRequest,
  type TenantConfig,
} from "../../../src/interface/index.ts";
import { forAll, long, runs } from "../../support/property.ts";
import { batches, fields, liveProducts, request, tenant } from "../support/catalogue.ts";
import { buildSegment } from "../support/indexing.ts";

/** Every facet visible, with `showUnselected` and narrow intervals at random. */
const facetTenant = fc
  .record({ base: tenant, shown: fc.subarray(["brand", "price", "category"]), width: fc.constantFrom(null, 5, 0.1) })
  .map(({ base, shown, width }): TenantConfig => ({
    ...base,
    // What a fallback searched instead is not told by the answer.
    stages:
      base.stages?.map((stage) => ({
        ...stage,
        settings: Object.fromEntries(Object.entries(stage.settings).filter(([name]) => name !== "fallbackQuery")),
      })) ?? null,
    facets: {
      ...base.facets,
      maxFacets: 100,
      facets: base.facets.facets.map((facet) => ({
        ...facet,
        minFacetCoverage: 0,
        minValueCount: 1,
        showUnselectedOptions: shown.includes(facet.sourceField),
        type: facet.sourceField === "price" ? { kind: "interval", width } : facet.type,
        optimalValueCount: 3,
      })),
    },
  }));

/** Requests, most of them with a filter on a field that may be multi-select besides. */
const facetRequest = fc
  .record({
    asked: request,
    name: fc.constantFrom(null, "brand", "color", "color", "price"),
    values: fc.uniqueArray(fc.constantFrom("red", "Blue", "GREEN", "acme", "Zed, Inc", "nothing"), {
      minLength: 1,
      maxLength: 2,
    }),
    paths: fc.option(
      fc.uniqueArray(fc.constantFrom("Men", "Men/Shoes", "Women", "Women/Shoes"), { minLength: 1, maxLength: 3 }),
      { freq: 1 },
    ),
  })
  .map(({ asked, name, values, paths }): SearchRequest => ({
    ...asked,
    withFacets: true,
    // A parameter sent twice is one filter (query/filter/parameter.ts).
    filters: [
      ...new Map(
        [
          ...(name === null ? [] : [{ name, negated: false, values }]),
          ...(paths === null ? [] : [{ name: "category", negated: false, values: paths }]),
          ...asked.filters,
        ].map((filter) => [filter.name, filter]),
      ).values(),
    ],
  }));

/** Reads a link as the service reads an address: decoded once, then the filter grammar. */
function follow(link: string, from: SearchRequest): SearchRequest {
  const parameters = new URLSearchParams(link);
  const filters = [...new Set(parameters.keys())]
    .filter((name) => !["q", "sort", "limit", "offset", "withFacets"].includes(name))
    .map((name) => readFilterParameter(name, parameters.getAll(name)))
    .filter((filter) => filter !== null);
  expect(parameters.get("q") ?? "").toBe(from.q);
  expect(Number(parameters.get("limit") ?? DEFAULT_LIMIT)).toBe(from.limit);
  expect(parameters.has("offset")).toBe(false);
  return { ...from, filters, offset: 0 };
}

function facetsOf(reader: Reader, asked: SearchRequest, config: TenantConfig): Facet[] {
  const execution = search(reader, asked, config, fields);
  if (execution.facets === null) return [];
  return buildFacets(execution.facets, execution, config, fields, asked);
}

function flat(entries: readonly FacetEntry[]): FacetEntry[] {
  return entries.flatMap((entry) => (entry.type === "hierarchical" ? [entry, ...flat(entry.children)] : [entry]));
}

/** What identifies an entry in its facet. */
function nameOf(entry: FacetEntry): string {
  if (entry.type === "interval") return `${entry.lowerBound}..${entry.upperBound}`;
  return entry.type === "hierarchical" ? entry.path : entry.key.toLowerCase();
}

/** By what the words were searched. */
function stageOf(meta: Readonly<Record<string, unknown>>): string {
  const names = ["query_stage", "query_strategy", "query_executed", "query_corrected"];
  return JSON.stringify(names.map((name) => meta[name] ?? null));
}

function selectedNames(facet: Facet | undefined): string[] {
  return flat(facet?.entries ?? [])
    .filter(({ selected }) => selected)
    .map(nameOf)
    .sort();
}

test("1, 2: links lead to what their entries say", () => {
  let exact = 0;
  let added = 0;
  let removed = 0;
  let intervals = 0;
  let ancestors = 0;
  let branches = 0;
  forAll(
    runs(80, 30),
    batches,
    facetTenant,
    fc.array(facetRequest, { minLength: 4, maxLength: 4 }),
    (all, config, requests) => {
      const reader = Reader.of([buildSegment(liveProducts(all))]);
      for (const asked of requests) {
        const { filters, meta } = search(reader, asked, config, fields);
        for (const facet of facetsOf(reader, asked, config)) {
          // A name with two kinds of values is filtered over both (query/filter/resolve.ts): its entries count one of
          // them.
          if (facet.fieldName === "Size" || facet.type === "range") continue;
          const own = filters.filter(({ field }) => field === facet.fieldName);
          const isExcluding = own.some(({ negated }) => negated);
          const isMulti = facet.meta["multiSelect"] === true;
          const isRanged = own.some(({ ranges }) => ranges.length > 0);
          const before = selectedNames(facet);
          for (const entry of flat(facet.entries)) {
            if (entry.link === null) continue;
            const next = follow(entry.link, asked);
            // Above what is chosen in a tree, a node's link chooses it instead.
            const isAncestor =
              entry.type === "hierarchical" &&
              entry.selected &&
              next.filters.some(
                ({ name, values }) => name === facet.fieldName && values.length === 1 && values[0] === entry.path,
              );
            const setsOnlyThis = isAncestor || (!entry.selected && (!isMulti || (before.length === 0 && !isRanged)));
            if (isAncestor) ancestors++;
            const { matchCount, meta: nextMeta } = search(reader, next, config, fields);
            // A narrower search may find so little that it is relaxed; then it is another search.
            const isSameStage = stageOf(nextMeta) === stageOf(meta);
            if (setsOnlyThis && !isExcluding && isSameStage) {
              expect({ of: nameOf(entry), matchCount, link: entry.link, asked }).toEqual({
                link: entry.link,
                asked,
                of: nameOf(entry),
                matchCount: entry.docCount,
              });
              exact++;
            }
            if (facet.type === "interval" && isMulti && isSameStage && !isExcluding) {
              const stateOf = (shown: Facet | undefined, toggled?: string): string[] =>
                (shown?.entries ?? []).map(
                  ({ key, docCount, selected }) => `${key} ${docCount} ${selected !== (key === toggled)}`,
                );
              const facetAfter = (one: SearchRequest): Facet | undefined =>
                facetsOf(reader, one, config).find(
                  ({ fieldName, type }) => fieldName === facet.fieldName && type === "interval",
                );
              const after = facetAfter(next);
              expect(stateOf(after)).toEqual(stateOf(facet, entry.key));
              // And another one beside it.
              const other = after?.entries.find(({ selected }) => !selected);
              if (other?.link !== undefined && other.link !== null) {
                const both = follow(other.link, next);
                const bothMeta = search(reader, both, config, fields).meta;
                if (stageOf(bothMeta) === stageOf(meta)) {
                  expect(stateOf(facetAfter(both))).toEqual(stateOf(after, other.key));
                  if (!entry.selected) intervals++;
                }
              }
            }
            if (entry.type === "hierarchical" && isMulti && !isExcluding && !own.some(({ byId }) => byId)) {
              const chosen = [...new Set(own.flatMap(({ values }) => values))];
              const isRelated = (other: string): boolean =>
                other.startsWith(`${entry.path}/`) || entry.path.startsWith(`${other}/`);
              const linked = next.filters.filter(({ name }) => name === facet.fieldName);
              expect(linked.flatMap(({ values }) => values)).toEqual(
                chosen.includes(entry.path)
                  ? chosen.filter((other) => other !== entry.path)
                  : [...chosen.filter((other) => !isRelated(other)), entry.path],
              );
              if (chosen.length > 0) branches++;
            }
            if (facet.type !== "term" || isExcluding || !isMulti || own.some(({ byId }) => byId)) {
              continue;
            }
            const sent = own.flatMap(({ values }) => values.map((value) => value.toLowerCase()));
            const rest = sent.filter((value) => value !== nameOf(entry));
            const linked = next.filters.filter(({ name }) => name === facet.fieldName);
            expect(linked.flatMap(({ values }) => values)).toEqual([
              ...new Set(entry.selected ? rest : [...sent, nameOf(entry)]),
            ]);
            expect(entry.selected).toBe(sent.includes(nameOf(entry)));
            if (entry.selected) removed++;
            else if (sent.length > 0) added++;
          }
        }
      }
    },
  );
  // The property says something: nearly all of it occurs in a short run, all of it in a long one.
  expect(exact + added + removed + intervals + ancestors + branches).toBeGreaterThan(10);
  if (long) expect(Math.min(exact, added, removed, intervals, ancestors, branches)).toBeGreaterThan(0);
});
