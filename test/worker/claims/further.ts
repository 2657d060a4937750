/**
 * Lines of the reference's behaviour beside those of the other files: second halves of sentences, defaults, and what
 * follows from two of them together; sections as in the other files.
 */
import type { DocumentBody, Suggestion } from "../../../src/interface/index.ts";
import {
  answered,
  arranged,
  asking,
  creating,
  datum,
  DOC,
  entry,
  facetOf,
  found,
  inOrder,
  lastOf,
  lastUnder,
  link,
  main,
  meta,
  patching,
  requested,
  ruled,
  search,
  SEARCH,
  searched,
  section,
  slicesOf,
  status,
  steps,
  stepsUnder,
  suggests,
  UPDATE,
  whole,
  type Section,
} from "./claim.ts";

const fields = (own: object): object => ({ "field-configuration": { fields: own } });

const querystring = (more: object): object => ({
  type: "querystring",
  name: "x",
  query: "title:shoe",
  fieldWeights: { title: 1 },
  ...more,
});
const set = (more: object): object => ({ q: "nothing", arrangedProductSets: [querystring(more)] });
const staged = (...operators: readonly string[]): object =>
  Object.fromEntries(
    operators.map((operator, i) => [
      `s${i}`,
      { strategy: "ConfigurableQuery", settings: { operator }, "weighted-fields": { title: 1 } },
    ]),
  );

const sizesOf = ({ variants }: DocumentBody): unknown => variants?.map(({ data }) => data["size"]);

export const FURTHER: readonly Section[] = [
  section("1.1")`
    a variant has attributes, and its hit shows them
      | ${searched(
        "?q=thing&size=L",
        datum("weight"),
        creating({
          id: "p",
          data: { title: "thing" },
          variants: [
            { data: { size: "M" }, attributes: [{ name: "weight", value: 4 }] },
            { data: { size: "L" }, attributes: [{ name: "weight", value: 6, code: "six" }] },
          ],
        }),
      )} | ${{ name: "weight", code: "six", value: "6" }}
  `,
  section("1.2")`
    a querystring set has at most three products
      | ${arranged(set({ query: "title:(shoe OR sock OR cap OR shirt)" }), (r) => main(r).matchCount)} | ${3}
    its limit, sort and filters
      | ${arranged(set({ query: "*:*", limit: 2, sort: "-price", filters: { brand: "Puma" } }), slicesOf)}
      | ${"null: d a"}
    its query selects variants if there are no variantBoostTerms
      | ${arranged(set({ query: "trail OR 100_2", fieldWeights: { title: 1, artNr: 1 } }), datum("artNr"))}
      | ${"100_2"}
  `,
  section("2.2")`
    errors of add and done have the bodies 0 and false; Aisle: the body is an error as everywhere
      | ${asking(async (place) => [
        await steps(["POST", "/indexer-api/v1/full/add", { session: null, documents: [] }])(place),
        await steps(["POST", "/indexer-api/v1/full/done", { finalIndexName: "x", temporaryIndexName: "ocs-1-x-en" }])(
          place,
        ),
      ])} | ${[
        [400, "invalid_body"],
        [400, "session_unknown"],
      ]}
    locale=de-DE | ${status("/indexer-api/v1/full/start/claim-locale?locale=de-DE")} | ${200}
    PATCH of an empty list changes nothing
      | ${steps(creating({ id: "p", data: {} }), ["PATCH", UPDATE, []])} | ${[200, {}]}
  `,
  section("3.6")`
    a filter in the body of an arranged search is ignored by its own facet, too
      | ${arranged(
        { filters: { brand: "Nike" } },
        entry("brand", "Puma", (one) => one?.docCount),
      )} | ${3}
  `,
  section("3.9")`
    equal values are ordered by score
      | ${searched(
        "?q=shoe&sort=price",
        inOrder,
        creating(
          { id: "a", data: { title: "A long title of many words around a shoe", price: 1 } },
          { id: "b", data: { title: "Shoe", price: 1 } },
          { id: "c", data: { title: "Shoe", price: 0 } },
        ),
      )} | ${"c b a"}
    brand.id.<id> of a field of texts: products with it first
      | ${search("q=shoe&sort=material.id.L", inOrder)} | ${"b a"}
  `,
  section("4.3")`
    values of dependencies are URL-decoded
      | ${facetOf("material=Mesh%252C%20fine", "size", (f) => f?.entries.length, {
        "facet-configuration": {
          "max-facets": 20,
          facets: [{ "source-field": "size", "filter-dependencies": ["material=%4desh%2C%20fine"] }],
        },
      })} | ${2}
  `,
  section("4.4")`
    coverage of intervals is the sum of counts
      | ${facetOf("", "price", (f) => [
        f?.absoluteFacetCoverage,
        f?.entries.reduce((sum, { docCount }) => sum + docCount, 0),
      ])} | ${[6, 6]}
  `,
  section("4.6")`
    multi-select trees: other branches stay
      | ${search("category=Men/Shoes", link("category", "Women"), {
        "facet-configuration": { facets: [{ "source-field": "category", "multi-select": true }] },
      })} | ${"category=Men%2FShoes%2CWomen"}
  `,
  section("5.3")`
    AsciifyQuerqyQueryAnalyzer applies rules with and without accents
      | ${asking(async (place) => {
        const entry = (rules: string): object => ({
          "query-processing": { "user-query-analyzer": "AsciifyQuerqyQueryAnalyzer" },
          "plugin-configuration": { AsciifyQuerqyQueryAnalyzer: { common_rules_url: rules } },
        });
        const rules = await place.rules("böot =>\n  SYNONYM: sock");
        return Promise.all(
          ["b%C3%B6ot", "boot"].map(async (q) => search(`q=${q}`, found, entry(rules) as never)(place)),
        );
      })} | ${["c", "c"]}
    common_rules_url is the address of a file; Aisle: the text that is stored under its last segment
      | ${asking(async (place) => {
        const rules = await place.rules("boot =>\n  SYNONYM: cap");
        return search("q=boot", found, {
          "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
          "plugin-configuration": {
            QuerqyQueryExpander: {
              common_rules_url: `https://rules.example/prod/${rules}.txt`,
              do_asciiy_rules: true,
              do_lowercase_rules: true,
            },
          },
        })(place);
      })} | ${"d"}
    a synonym of one word for several is an alternative of each
      | ${ruled("foot glove =>\n  SYNONYM: sock", "q=foot+glove", found)} | ${"c"}
    a synonym is no boost | ${ruled("cap =>\n  SYNONYM: sock", "q=cap", found)} | ${"c d"}
  `,
  section("5.4")`
    corrections of one stage are kept by the next
      | ${search(
        "q=makitta+blade+saw",
        (r) => [meta("query_stage")(r), meta("query_corrected")(r)],
        { "query-configuration": staged("AND", "OR") as never },
        "tools",
      )} | ${[1, "makita blade saw"]}
  `,
  section("5.9")`
    variantBoostTerms of all sets are joined
      | ${arranged(
        {
          q: "nothing",
          arrangedProductSets: [
            { type: "static", name: "x", ids: ["a"], variantBoostTerms: "nothing" },
            { type: "static", name: "y", ids: ["b"], variantBoostTerms: "100_2" },
          ],
        },
        datum("artNr"),
      )} | ${"100_2"}
  `,
  section("6.1")`
    a name that begins with ocs- is that of a physical index; Aisle: it is a name like any other
      | ${asking(async (place) => {
        const name = `ocs-${place.index("shop")}`;
        const session = await answered(place, `/indexer-api/v1/full/start/${name}?locale=en`);
        await answered(place, "/indexer-api/v1/full/cancel", "POST", session).catch(() => null);
        return (session as { temporaryIndexName: string }).temporaryIndexName === `ocs-1-${name}-en`;
      })} | ${true}
    a physical index is found by its own name; Aisle: 404, because a generation is replaced by the next import
      | ${asking(async (place) => {
        const result = String(await search("", (r) => main(r).hits[0]?.index)(place));
        const { status: code } = await requested(place, `/search-api/v1/search/${result}`);
        return [result.startsWith("ocs-"), code];
      })} | ${[true, 404]}
  `,
  section("6.3")`
    dynamic fields of other types take any value
      | ${lastUnder(
        {
          "field-configuration": {
            fields: {},
            "dynamic-fields": [{ name: "trees", type: "category", "source-names": ["_path$"], usage: ["Facet"] }],
          },
        },
        found,
        creating({ id: "p", data: { a_path: "A/B" } }, { id: "q", data: { a_path: "A" } }),
        ["GET", `${SEARCH}?a_path=A/B`],
      )} | ${"p"}
  `,
  section("6.4")`
    a number field with usage Facet alone skips values that are no numbers; Aisle: they make the document invalid, as in
    every number field
      | ${stepsUnder(
        fields({ title: { usage: ["Result"] }, size: { type: "number", usage: ["Facet"] } }),
        creating({ id: "p", data: { title: "t", size: "XL" } }),
      )} | ${[200, { p: "DISMISSED" }]}
  `,
  section("6.6")`
    the variant id is the first field of the type id
      | ${lastUnder(
        fields({
          title: { usage: ["Result"] },
          sku: { type: "id", "field-level": "both", "source-names": ["SKU"], usage: ["Result"] },
          size: { "field-level": "variant", usage: ["Result"] },
        }),
        sizesOf,
        creating({
          id: "p",
          data: { title: "t" },
          variants: [{ data: { sku: "1", size: "S" } }, { data: { SKU: "2", size: "M" } }],
        }),
        patching({ id: "p", variants: [{ id: "2", data: { size: "L" } }, { data: { sku: "3", size: "XL" } }] }),
        ["GET", `${DOC}/p`],
      )} | ${["S", "L", "XL"]}
    a patched variant without an id is ignored
      | ${lastOf(
        sizesOf,
        creating({ id: "p", data: {}, variants: [{ data: { id: "1", size: "S" } }, { data: { id: "2", size: "M" } }] }),
        patching({ id: "p", variants: [{ data: { id: "1", size: "L" } }, { data: { size: "XL" } }] }),
        ["GET", `${DOC}/p`],
      )} | ${["L", "M"]}
    PATCH: a field of Search alone survives
      | ${lastUnder(
        fields({
          title: { usage: ["Result"] },
          words: { usage: ["Search"] },
          price: { type: "number", usage: ["Facet"] },
        }),
        found,
        creating({ id: "p", data: { title: "t", words: "unseen", price: 1 } }),
        patching({ id: "p", data: { price: 2 } }),
        ["GET", `${SEARCH}?q=unseen&price=2`],
      )} | ${"p"}
    PATCH: ids of facet values survive
      | ${lastOf(
        entry("color", "red", (one) => one?.id) as (body: never) => unknown,
        creating({ id: "p", data: { title: "t" }, attributes: [{ name: "color", value: "red", code: "r" }] }),
        patching({ id: "p", data: { title: "u" } }),
        ["GET", `${SEARCH}?color=red`],
      )} | ${"r"}
  `,
  section("7.1")`
    the index noop is always empty; Aisle: an index like any other, so there are no suggestions if it does not exist
      | ${asking(async (place) => (await requested(place, "/suggest-api/v1/noop/suggest?userQuery=a")).body)} | ${[]}
  `,
  section("7.3")`
    matching drops stop words; Aisle: they are words like others, so only a part of "the running" is found
      | ${suggests("userQuery=the+running", ([first]) => [first.phrase, first.payload?.["meta.matchGroupName"]])}
      | ${["Running", "shingle matches"]}
    labels are unique, also between groups
      | ${suggests("userQuery=shoes&limit=50", (all: readonly Suggestion[]) => {
        const labels = all.map(({ phrase }) => phrase.toLowerCase());
        return new Set(labels).size === labels.length;
      })} | ${true}
  `,
  section("8.2")`
    query-processing is the tenant's own; Aisle: a part that is not mentioned comes from the default
      | ${whole(
        {
          "default-tenant-config": {
            "query-processing": { "user-query-preprocessors": ["NonAlphanumericStripPreprocessor"] },
          },
        },
        search("q=Lounge,+4-tlg.", meta("preprocessedQuery"), { locale: "en" }),
      )} | ${"lounge 4-tlg"}
  `,
];
