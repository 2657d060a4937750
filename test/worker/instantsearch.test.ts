/**
 * packages/instantsearch under the real helper of InstantSearch, against the real Worker:
 * 1. a page is one request, whatever is refined, and its counts are those of the catalogue;
 * 2. facets that show their choice only are completed by one request each;
 * 3. trees: every level, siblings, counts of the chosen branch;
 * 4. numbers: ranges, stats, strict bounds, empty intersections;
 * 5. sort, pages, offsets, retrieved fields;
 * 6. highlights and snippets with the tags asked for;
 * 7. values of facets are searched; completions are hits of `<tenant>/suggest`;
 * 8. `filters`, exclusions;
 * 9. what cannot be done is refused by name;
 * 10. events reach the sink;
 * 11. `*` asks for every facet, trees included, and answers their order;
 * 12. what the service made of the query reaches the page;
 * 13. the same search for other widgets (dynamicWidgets) is answered from the last one; not after a refresh, and not
 *    later.
 */
import { exports } from "cloudflare:workers";
import algoliasearchHelper, { type SearchResults } from "algoliasearch-helper";
import { beforeAll, describe, test, vi } from "vitest";
import { AisleClient, type Product } from "../../packages/client/src/index.ts";
import {
  aisleSearchClient,
  insightsSink,
  UnsupportedError,
  type InsightsEvent,
} from "../../packages/instantsearch/src/index.ts";
import { freshName, HOST } from "./support.ts";

const index = freshName("instant");
let requests: string[] = [];
const aisle = new AisleClient({
  url: HOST,
  fetch: (request) => {
    requests.push(decodeURIComponent(request.url.slice(HOST.length)));
    return exports.default.fetch(request);
  },
});
const searchClient = aisleSearchClient({ client: aisle });

const BRANDS = ["Ada", "Bex", "Cor & Co"];
const SIZES = ["XS", "M", "-L"];
const KINDS = [
  ["Men", "Shoes", "Boots"],
  ["Men", "Shoes", "Sandals"],
  ["Men", "Hats"],
  ["Women", "Shoes"],
];
interface Item {
  readonly id: string;
  readonly brand: string;
  readonly size: string;
  readonly price: number;
  readonly kind: readonly string[];
}
const items: readonly Item[] = Array.from({ length: 60 }, (_, at) => ({
  id: `I${String(at).padStart(2, "0")}`,
  brand: BRANDS[at % 3] ?? "",
  size: SIZES[Math.floor(at / 3) % 3] ?? "",
  price: at,
  kind: KINDS[at % 4] ?? [],
}));
const catalogue: Product[] = items.map(({ id, brand, size, price, kind }) => ({
  id,
  data: {
    title: `${kind.at(-1)} of ${brand} (${id})`,
    brand,
    size,
    price,
    notes: ["plain", `made for boots and hats, ${"a long sentence, ".repeat(4)}that is all`],
  },
  categories: [kind.map((name) => ({ name }))],
}));

beforeAll(async () => {
  await aisle.import(index, catalogue, { locale: "en" });
});

/** Distinct products per value, of the items that pass. */
function counted(of: "brand" | "size", passes: (item: Item) => boolean): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { [of]: value } of items.filter(passes)) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

const OPTIONS = {
  disjunctiveFacets: ["brand", "size", "price"],
  hierarchicalFacets: [
    { name: "cat", attributes: ["category.lvl0", "category.lvl1", "category.lvl2"] },
    { name: "brandMenu", attributes: ["maker"] },
  ],
  maxValuesPerFacet: 20,
};
type Helper = ReturnType<typeof algoliasearchHelper>;

function helperOf(options: object = {}, indexName = index): Helper {
  return algoliasearchHelper(searchClient, indexName, { ...OPTIONS, ...options });
}
/** One search, as a widget's change would cause it. */
function search(helper: Helper): Promise<SearchResults> {
  requests = [];
  return new Promise((resolve, reject) => {
    helper.once("result", ({ results }) => {
      if (results === null) reject(new Error("no results"));
      else resolve(results);
    });
    helper.once("error", ({ error }) => reject(error));
    helper.search();
  });
}
function valuesOf(results: SearchResults, facet: string): Record<string, number> {
  const values = results.getFacetValues(facet, {}) as { name: string; count: number }[];
  return Object.fromEntries(values.map(({ name, count }) => [name, count]));
}
const idsOf = ({ hits }: SearchResults): string[] => hits.map(({ objectID }) => objectID);

interface Node {
  name: string;
  count: number;
  isRefined: boolean;
  data: Node[] | null;
}
/** `Men 45 [Hats 15], Women 15` */
const treeOf = (nodes: readonly Node[] | null): string =>
  (nodes ?? [])
    .map(({ name, count, data }) => `${name} ${count}${data === null ? "" : ` [${treeOf(data)}]`}`)
    .join(", ");

describe("InstantSearch on Aisle", () => {
  test("1: a page is one request", async ({ expect }) => {
    const helper = helperOf().addDisjunctiveFacetRefinement("brand", "Ada");
    helper.addDisjunctiveFacetRefinement("brand", "Cor & Co");
    const results = await search(helper);
    expect(requests).toHaveLength(1);
    expect(results.nbHits).toBe(40);
    expect(results.hits).toHaveLength(20);
    expect(results.nbPages).toBe(2);
    expect(valuesOf(results, "brand")).toEqual(counted("brand", () => true));
    expect(valuesOf(results, "size")).toEqual(counted("size", ({ brand }) => brand !== "Bex"));
    expect(results.hits[0]).toMatchObject({ brand: expect.any(String) as string });
    // A menu of a field that does not exist has no values, and no failure.
    expect(results.getFacetValues("brandMenu", {})).toMatchObject({ data: [] });

    const plain = await search(helperOf({ disjunctiveFacets: [], hierarchicalFacets: [] }));
    expect(plain.nbHits).toBe(60);
    expect(requests).toEqual([expect.stringContaining("withFacets=false")]);
  });

  test("2: facets that show their choice only", async ({ expect }) => {
    const helper = helperOf().addDisjunctiveFacetRefinement("size", "\\-L");
    helper.addDisjunctiveFacetRefinement("brand", "Ada");
    const results = await search(helper);
    // `size` is not multi-select in the preset, `brand` is.
    expect(requests).toHaveLength(2);
    expect(requests[1]).toContain("facetQuery=size:");
    expect(requests[1]).not.toContain("size=");
    expect(results.nbHits).toBe(items.filter(({ size, brand }) => size === "-L" && brand === "Ada").length);
    expect(valuesOf(results, "size")).toEqual(counted("size", ({ brand }) => brand === "Ada"));
    expect(valuesOf(results, "brand")).toEqual(counted("brand", ({ size }) => size === "-L"));
  });

  test("3: trees", async ({ expect }) => {
    const tree = async (path: string | null): Promise<string> => {
      const helper = helperOf();
      if (path !== null) helper.addHierarchicalFacetRefinement("cat", path);
      const results = await search(helper);
      expect(requests.length).toBe(path === null ? 1 : 2);
      return treeOf((results.getFacetValues("cat", {}) as unknown as Node).data);
    };
    expect(await tree(null)).toBe("Men 45, Women 15");
    expect(await tree("Men")).toBe("Men 45 [Shoes 30, Hats 15], Women 15");
    // Without what is chosen in the tree itself.
    const whole = "Men 45 [Shoes 30 [Boots 15, Sandals 15], Hats 15], Women 15";
    expect(await tree("Men > Shoes")).toBe(whole);
    expect(await tree("Men > Shoes > Boots")).toBe(whole);
  });

  test("4: numbers", async ({ expect }) => {
    const helper = helperOf();
    helper.addNumericRefinement("price", ">=", 10);
    helper.addNumericRefinement("price", "<=", 19);
    const results = await search(helper);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toContain("price=10,19");
    expect(results.nbHits).toBe(10);
    expect(valuesOf(results, "brand")).toEqual(counted("brand", ({ price }) => price >= 10 && price <= 19));
    const stats = results.getFacetStats("price") as { min: number; max: number };
    expect(stats.min).toBeLessThanOrEqual(0);
    expect(stats.max).toBeGreaterThanOrEqual(59);
    // Intervals end at 59.99 or the like; a slider or an input shows whole numbers.
    expect([stats.min, stats.max].every(Number.isInteger)).toBe(true);

    helper.addNumericRefinement("price", ">", 10);
    helper.addNumericRefinement("price", "<", 19);
    expect((await search(helper)).nbHits).toBe(8);
    helper.addNumericRefinement("price", "=", 15);
    expect(idsOf(await search(helper))).toEqual(["I15"]);
    helper.addNumericRefinement("price", "=", 16);
    expect(await search(helper)).toMatchObject({ nbHits: 0, hits: [] });
    // Nothing to ask.
    expect(requests).toEqual([]);
    helper.removeNumericRefinement("price");
    helper.addNumericRefinement("price", "!=", 15);
    expect((await search(helper)).nbHits).toBe(59);
    const either = helperOf({ numericFilters: [["price=3", "price=5", "price:7 TO 9"], "price>3"] });
    expect(idsOf(await search(either)).toSorted()).toEqual(["I05", "I07", "I08", "I09"]);
  });

  test("5: sort and pages", async ({ expect }) => {
    const helper = helperOf({ hitsPerPage: 7 }, `${index}/sort/-price`);
    helper.setPage(2);
    const results = await search(helper);
    expect(idsOf(results)).toEqual(["I45", "I44", "I43", "I42", "I41", "I40", "I39"]);
    expect(results).toMatchObject({ page: 2, nbPages: 9, hitsPerPage: 7, index: `${index}/sort/-price` });
    const part = helperOf({ offset: 3, length: 2, attributesToRetrieve: ["brand"] }, `${index}/sort/brand.Bex,price`);
    const { hits } = await search(part);
    expect(hits.map(({ objectID, brand, title }) => [objectID, brand, title])).toEqual([
      ["I10", "Bex", undefined],
      ["I13", "Bex", undefined],
    ]);
    const [bare] = (await search(helperOf({ attributesToRetrieve: [], hitsPerPage: 1 }))).hits;
    expect(bare).toEqual({ objectID: expect.any(String) as string, _highlightResult: {} });
  });

  test("6: highlights", async ({ expect }) => {
    const helper = helperOf({
      highlightPreTag: "__ais-highlight__",
      highlightPostTag: "__/ais-highlight__",
      attributesToSnippet: ["notes:3"],
      hitsPerPage: 1,
    });
    const results = await search(helper.setQuery("boots ad"));
    expect(requests[0]).toContain("typing=true");
    const [hit] = results.hits;
    const title = `__ais-highlight__Boots__/ais-highlight__ of __ais-highlight__Ada__/ais-highlight__ (${hit?.objectID})`;
    expect(hit?._highlightResult).toMatchObject({
      title: { value: title, matchLevel: "full", matchedWords: ["boots", "ada"] },
      size: { value: expect.any(String) as string, matchLevel: "none", matchedWords: [] },
      price: { value: String(hit?.price) },
      notes: [
        { value: "plain", matchLevel: "none" },
        { value: expect.stringMatching(/^made for __ais-highlight__boots/) as string },
      ],
    });
    expect(hit?._snippetResult).toMatchObject({ notes: [{ value: "plain" }, { matchLevel: "full" }] });
    await search(helperOf({ attributesToHighlight: [] }).setQuery("boots "));
    expect(requests[0]).not.toContain("highlight");
    expect(requests[0]).not.toContain("typing");
    const [other] = (await search(helperOf({ attributesToSnippet: ["notes:3"] }))).hits;
    expect(other?._snippetResult).toMatchObject({ notes: [{}, { value: "made for boots…" }] });
  });

  test("6: long titles are whole in highlights, fragments in snippets", async ({ expect }) => {
    const long = freshName("long");
    const title = `Acme Professional Hammer Drill, ${"quick and quiet, ".repeat(12)}for Masonry and Wood`;
    const description = `<p>${title}</p>`;
    await aisle.import(long, [{ id: "1", data: { title, description } }], { locale: "en" });
    const helper = helperOf({ attributesToSnippet: ["title:9"] }, long);
    const [hit] = (await search(helper.setQuery("masonry "))).hits;
    expect(hit?._highlightResult).toMatchObject({
      title: { value: title.replace("Masonry", "<em>Masonry</em>") },
      // A page would show the markup.
      description: {
        value: expect.stringMatching(/^…(quick|and|quiet,) .* for <em>Masonry<\/em> and Wood$/) as string,
      },
    });
    const snippet = hit?._snippetResult?.["title"];
    expect(snippet).toMatchObject({ value: expect.stringMatching(/^…\w.* for <em>Masonry<\/em> and Wood$/) as string });
  });

  test("12: what was made of the query", async ({ expect }) => {
    const outdoor = freshName("outdoor");
    const titles = ["Acme Hiking Boots", "Acme Hiking Socks", "Bex Hiking Socks", "Acme Lamp"];
    const products = titles.map((title, at) => ({ id: `${at}`, data: { title } }));
    await aisle.import(outdoor, products, { locale: "en" });
    const results = await search(helperOf({}, outdoor).setQuery("acme hikng boots "));
    expect(results.userData).toMatchObject([{ query_corrected: "acme hiking boots", query_complete: 1 }]);
    const partial = results.hits.map(({ objectID, _partial }) => [objectID, _partial] as const);
    expect(partial.slice(0, 2)).toEqual([
      ["0", undefined],
      ["1", true],
    ]);
  });

  test("7: values of facets, completions", async ({ expect }) => {
    const helper = helperOf({ highlightPreTag: "<b>", highlightPostTag: "</b>" });
    helper.addDisjunctiveFacetRefinement("brand", "Ada");
    helper.addDisjunctiveFacetRefinement("size", "M");
    const { facetHits } = await helper.searchForFacetValues("brand", "co", 5, {});
    const ofM = counted("brand", ({ size }) => size === "M");
    expect(facetHits).toEqual([
      {
        value: "Cor & Co",
        escapedValue: "Cor & Co",
        highlighted: "<b>Co</b>r & <b>Co</b>",
        count: ofM["Cor & Co"],
        isRefined: false,
      },
    ]);
    const { results } = await searchClient.search<{ results: { facetHits: unknown[] }[] }>([
      { indexName: index, type: "facet", facet: "brand", params: { facetQuery: "", maxFacetHits: 2 } },
    ]);
    expect(results[0]?.facetHits).toHaveLength(2);

    const { hits } = await search(helperOf({ hitsPerPage: 3 }, `${index}/suggest`).setQuery("bex"));
    expect(hits[0]).toMatchObject({
      query: "Bex",
      type: "brand",
      _highlightResult: { query: { value: "<em>Bex</em>", matchLevel: "full" } },
    });
  });

  test("8: filters", async ({ expect }) => {
    const found = async (filters: string): Promise<number> => (await search(helperOf({ filters }))).nbHits;
    const expected = (passes: (item: Item) => boolean): number => items.filter(passes).length;
    expect(await found(`brand:"Cor & Co" AND price < 30`)).toBe(
      expected(({ brand, price }) => brand === "Cor & Co" && price < 30),
    );
    expect(await found(`(brand:Ada OR brand:'Bex') AND NOT size:M AND NOT size:XS`)).toBe(
      expected(({ brand, size }) => brand !== "Cor & Co" && size === "-L"),
    );
    expect(await found("price:10 TO 20 AND NOT brand:Ada")).toBe(
      expected(({ brand, price }) => price >= 10 && price <= 20 && brand !== "Ada"),
    );
    expect(await found("category.lvl1:'Men > Shoes' AND category.lvl0:Men")).toBe(
      expected(({ kind }) => kind[0] === "Men" && kind[1] === "Shoes"),
    );
    const excluded = helperOf({ facets: ["maker"], facetFilters: ["brand:-Ada", "brand:-Bex"] });
    expect((await search(excluded)).nbHits).toBe(20);
    // Beside the refinements of widgets.
    const both = helperOf({ filters: "brand:Ada" }).addDisjunctiveFacetRefinement("size", "M");
    expect((await search(both)).nbHits).toBe(expected(({ brand, size }) => brand === "Ada" && size === "M"));
  });

  test("9: refuses by name", async ({ expect }) => {
    const refused = async (options: object, message: string, indexName = index): Promise<void> => {
      const queries = [{ indexName, params: { query: "", ...options } }];
      const failure: unknown = await searchClient.search(queries).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(UnsupportedError);
      expect(String(failure)).toContain(message);
    };
    await refused({ aroundLatLng: "1,2" }, "geoSearch");
    await refused({ ruleContexts: ["x"] }, "queryRuleContext");
    await refused({ tagFilters: ["x"] }, "configure({tagFilters})");
    await refused({ facets: ["category"] }, "hierarchicalMenu");
    await refused({ facets: ["brand.lvl0"] }, "holds no categories");
    await refused({ facets: ["brand"], facetFilters: ["brand:Ada"] }, 'operator: "and"');
    await refused({ facetFilters: ["size:S", "size:M"] }, 'operator: "and"');
    await refused({ facetFilters: [["size:S", "brand:Ada"]] }, '"size" or "brand"');
    await refused({ facetFilters: ["size:S", "size:-M"] }, "including and excluding");
    await refused({ facetFilters: [["size:-S", "size:M"]] }, "within OR");
    await refused({ numericFilters: ["price>=abc"] }, "not a number");
    await refused({ filters: "brand:Ada AND" }, "configure({filters");
    await refused({ filters: "brand:Ada size:S" }, "configure({filters");
    await refused({ filters: 'brand:"Ada' }, "cannot be parsed at");
    await refused({}, "<tenant>/suggest", `${index}/other`);
    await expect(searchClient.getRecommendations([])).rejects.toThrow("relatedProducts");
    const categories = { indexName: index, type: "facet", facet: "category", params: {} };
    await expect(searchClient.search([categories])).rejects.toThrow("hierarchicalMenu");
    expect(() => aisleSearchClient({})).toThrow("`url`");
    await expect(search(helperOf({}, "no-such-tenant"))).rejects.toMatchObject({ type: "index_not_found" });
  });

  test("10: events", ({ expect }) => {
    const events: InsightsEvent[] = [];
    const sink = insightsSink((event) => events.push(event));
    const tokens: unknown[] = [];
    sink("onUserTokenChange", (token: unknown) => tokens.push(token), { immediate: true });
    sink("init", { userToken: "me" });
    sink("getUserToken", null, (_: unknown, token: unknown) => tokens.push(token));
    const payload = { eventName: "Clicked", index, objectIDs: ["I01"], queryID: "q" };
    sink("clickedObjectIDsAfterSearch", payload);
    sink("sendEvents", [{ eventType: "view" }]);
    expect(tokens).toEqual(["me", "me"]);
    expect(events).toEqual([
      { method: "clickedObjectIDsAfterSearch", payload, userToken: "me" },
      { method: "sendEvents", payload: { eventType: "view" }, userToken: "me" },
    ]);
    // @ts-expect-error: there is nowhere else to send them
    expect(() => insightsSink()).toThrow("Aisle does not record");
  });

  test("11: every facet", async ({ expect }) => {
    const helper = helperOf({ facets: ["*"] });
    helper.addHierarchicalFacetRefinement("cat", "Men > Shoes");
    const results = await search(helper);
    const order = results.renderingContent?.facetOrdering?.facets?.order ?? [];
    expect(order).toEqual(["category.lvl0", "brand", "price", "size", "notes"]);
    expect(valuesOf(results, "brand")).toEqual(
      counted("brand", ({ kind }) => kind[0] === "Men" && kind[1] === "Shoes"),
    );
    const { data } = results.getFacetValues("cat", {}) as unknown as Node;
    expect(treeOf(data)).toBe("Men 45 [Shoes 30 [Boots 15, Sandals 15], Hats 15], Women 15");
  });

  test("13: widgets that are mounted by an answer need no search of their own", async ({ expect }) => {
    const none = { disjunctiveFacets: [], hierarchicalFacets: [], facets: ["*"], query: "boots" };
    const before = await search(helperOf(none));
    expect(requests).toHaveLength(1);
    const mounted = helperOf({ ...OPTIONS, facets: ["*"], query: "boots" });
    const after = await search(mounted);
    expect(requests).toEqual([]);
    expect(idsOf(after)).toEqual(idsOf(before));
    const { data } = after.getFacetValues("cat", {}) as unknown as Node;
    expect(treeOf(data)).toContain("Men");
    // As `refresh` does.
    await search(mounted.clearCache());
    expect(requests).toHaveLength(1);
    // Another search, and back.
    await search(helperOf({ ...none, query: "hats" }));
    await search(helperOf(none));
    expect(requests).toHaveLength(1);
    // Later.
    vi.setSystemTime(Date.now() + 60_000);
    await search(helperOf(none));
    vi.useRealTimers();
    expect(requests).toHaveLength(1);
  });
});
