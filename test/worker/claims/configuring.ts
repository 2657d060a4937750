/** Configuration: section 8 of the reference's behaviour, and what docs/options.md has beyond it. */
import type { SearchResult } from "../../../src/interface/index.ts";
import {
  answered,
  arranged,
  asking,
  CONFIG,
  creating,
  dataOf,
  entries,
  facetNames,
  facetOf,
  found,
  indexedUnder,
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
  section,
  steps,
  stepsUnder,
  whole,
  type Asking,
  type Claim,
  type Entry,
  type Section,
  type Step,
} from "./claim.ts";
import { INDEXER_YAML, RULES, SEARCH_YAML, SUGGEST_HOCON, SUGGEST_PROPERTIES, SUGGEST_YAML } from "./files.ts";

/** Two products with a field that is named like a parameter. */
const LOW_AND_HIGH = creating({ id: "p", data: { limit: "low" } }, { id: "q", data: { limit: "high" } });

/** The hits and the address of each search. */
function both(created: Step, searches: readonly string[]): Asking {
  const shown = (r: SearchResult): unknown => [found(r), r.inputURI];
  const asked = searches.map((query) => lastOf(shown, created, ["GET", `${SEARCH}?${query}`]));
  return async (place) => {
    const answers: unknown[] = [];
    for (const ask of asked) answers.push(await ask(place));
    return answers;
  };
}

/** The paths of warnings, where a whole file is taken. What was stored before is put back. */
function loads(file: string): Asking {
  return async (place) => {
    const before = await answered(place, CONFIG);
    const { status, body } = await requested(place, CONFIG, "PUT", file);
    await answered(place, CONFIG, "PUT", before);
    if (status !== 200) return [status, body];
    return ((body as { warnings?: readonly { path: string }[] }).warnings ?? []).map(({ path }) => path);
  };
}

/** What becomes of a tenant entry: its status, and the paths of its problems. */
function sent(entry: unknown, kind: "tenant" | "index" | "suggest" = "tenant"): Asking {
  return async (place) => {
    const name = await place.fresh();
    const path = `${CONFIG}/${kind}/${name}`;
    const { status, body } = await requested(place, path, "PUT", entry);
    if (status === 200) await requested(place, path, "DELETE");
    const { details } = body as { details?: { problems?: readonly { path: string }[] } };
    return status === 200 ? 200 : [status, ...(details?.problems ?? []).map((one) => one.path)];
  };
}

/** Whether an expression is taken. */
const expression = (text: string): Asking =>
  sent({ "query-configuration": { s: { strategy: "DefaultQuery", condition: { "matching-regex": text } } } });
const REFUSED = [400, "query-configuration.s.condition.matching-regex"];

const fields = (own: object, more: object = {}): object => ({ "field-configuration": { fields: own, ...more } });
const indexed = (
  entry: object,
  of: (result: SearchResult) => unknown = dataOf,
  data: object = { title: "thing", brand: "Acme" },
): Asking => indexedUnder(entry, { data }, of);
const processing = (processor: string, configuration: object): object => ({
  "data-processor-configuration": { processors: [processor], configuration: { [processor]: configuration } },
});

/** The answer to `done` without documents, in an index with settings of its own. */
const emptyImport = (usesDefault: boolean): Asking =>
  stepsUnder(
    { "index-settings": { "use-default-config": usesDefault } },
    ["GET", "/indexer-api/v1/full/start/{}?locale=en"],
    ["POST", "/indexer-api/v1/full/done", (session: unknown) => session],
  );

/** What a search finds of two numbers and a text in the field `stock`, which has these usages and no type. */
const untyped = (usage: readonly string[], query: string, changes: readonly Step[] = []): Asking => {
  const stocks = { p: 5, q: 10, r: "20" };
  const documents = Object.entries(stocks).map(([id, stock]) => ({ id, data: { stock } }));
  const entry = fields({ stock: { usage } });
  return lastUnder(entry, found, creating(...documents), ...changes, ["GET", `${SEARCH}?${query}`]);
};

const relevance = (settings: object): Entry => ({ "relevance-configuration": settings });

const pattern =
  (what: string, why: string | null, expected: unknown) =>
  (text: string): Claim => ({ claim: `${text} is ${what}`, why, ask: expression(text), expected });

export const CONFIGURING: readonly Section[] = [
  section("8", { isOnce: true })`
    indexer-service.yml with every key; profile documents give a warning | ${loads(INDEXER_YAML)} | ${["document 2"]}
    search-service.yml with every key | ${loads(SEARCH_YAML)} | ${[]}
    suggest.properties with every key | ${loads(SUGGEST_PROPERTIES)} | ${[]}
    suggest.conf (HOCON) | ${loads(SUGGEST_HOCON)} | ${[]}
    suggest.yml | ${loads(SUGGEST_YAML)} | ${[]}
    rules in every form | ${ruled(RULES, "q=cap", found)} | ${"d"}
    keys in camelCase | ${search("", facetNames, { facetConfiguration: { maxFacets: 1 } })} | ${"category"}
    keys in snake_case and capitals
      | ${search("", facetNames, { FACET_CONFIGURATION: { max_facets: 1 } })} | ${"category"}
    the indexer refuses unknown keys | ${sent({ "field-configuraton": {} }, "index")} | ${[400, "field-configuraton"]}
    the search service ignores unknown keys; Aisle: a single entry with unknown keys is refused with their paths; in
    whole documents they are warnings
      | ${sent({ "max-facets": 3 })} | ${[400, "max-facets"]}
  `,
  section("8.1", { isOnce: true })`
    no entry: the default entry
      | ${whole(
        { "default-index-config": fields({ title: { usage: ["Result"] } }) },
        lastOf(dataOf, creating({ id: "p", data: { title: "thing", brand: "Acme" } }), ["GET", SEARCH]),
      )} | ${{ title: "thing" }}
    own fields | ${indexed(fields({ title: { usage: ["Result"] } }))} | ${{ title: "thing" }}
    use-default-config: own and default
      | ${whole(
        { "default-index-config": fields({ brand: { usage: ["Result"] } }) },
        indexed(fields({ title: { usage: ["Result"] } }, { "use-default-config": true })),
      )} | ${{ title: "thing", brand: "Acme" }}
    an entry without fields and without the flag indexes nothing; Aisle: a part that is not mentioned comes from the
    default
      | ${indexed({ "index-settings": { "refresh-interval": "1s" } })} | ${{ title: "thing", brand: "Acme" }}
    use-default-config: false and no fields: nothing
      | ${indexed(fields({}, { "use-default-config": false }))} | ${{}}
    use-default-config of processors: those of the default behind the own ones
      | ${whole(
        { "default-index-config": processing("SkipDocumentDataProcessor", { title: "gone.*" }) },
        async (place) => {
          const own = { processors: ["AsciiFoldingDataProcessor"], configuration: {} };
          const skipped = async (flag: boolean): Promise<unknown> =>
            indexed(
              { "data-processor-configuration": { ...own, "use-default-config": flag } },
              (r) => main(r).matchCount,
              { title: "gone for good" },
            )(place);
          return [await skipped(true), await skipped(false)];
        },
      )} | ${[0, 1]}
    use-default-config of index-settings: minimum-document-count of the default
      | ${whole({ "default-index-config": { "index-settings": { "minimum-document-count": 1 } } }, async (place) => [
        await emptyImport(true)(place),
        await emptyImport(false)(place),
      ])} | ${[
        [400, "too_few_documents"],
        [200, true],
      ]}
    settings of a cluster are accepted
      | ${sent(
        {
          "index-settings": {
            "replica-count": 2,
            "refresh-interval": "5s",
            "wait-time-ms-for-healthy-index": 10,
            "use-default-config": false,
          },
        },
        "index",
      )} | ${200}
    connection-configuration, disabled-plugins, prefered-plugins are accepted
      | ${whole(
        { "connection-configuration": { hosts: "x" }, "disabled-plugins": ["a.B"], "prefered-plugins": { a: "b" } },
        search("q=cap", found),
      )} | ${"d"}
  `,
  section("8.2", { isOnce: true })`
    no entry: the default entry in full
      | ${whole({ "default-tenant-config": { "facet-configuration": { "max-facets": 1 } } }, search("", facetNames))}
      | ${"category"}
    use-default-facet-config
      | ${whole(
        { "default-tenant-config": { "facet-configuration": { "max-facets": 1 } } },
        search("", facetNames, { "use-default-facet-config": true }),
      )} | ${"category"}
    parts without a flag are the tenant's own, even if missing; Aisle: a part that is not mentioned comes from the
    default
      | ${whole(
        { "default-tenant-config": { "facet-configuration": { "max-facets": 1 } } },
        search("", facetNames, { locale: "en" }),
      )} | ${"category"}
    use-default-query-config
      | ${whole(
        { "default-tenant-config": { "query-configuration": { only: { strategy: "NgramQuery" } } } },
        search("q=cap", meta("query_strategy"), { "use-default-query-config": true }),
      )} | ${"NgramQuery"}
    use-default-sort-config
      | ${whole(
        { "default-tenant-config": { "sort-configuration": [{ label: "x", field: "price" }] } },
        search("", ({ sortOptions }) => sortOptions.map(({ label }) => label), { "use-default-sort-config": true }),
      )} | ${["x"]}
    the variant strategy is the tenant's own
      | ${whole(
        { "default-tenant-config": { "variant-picking-strategy": "pickAlways" } },
        search("q=shirt", (r) => main(r).hits[0]?.document.data["size"], { locale: "en" }),
      )} | ${undefined}
    an empty query-configuration means a DefaultQuery of all fields; Aisle: Aisle's own search
      | ${search("q=cap", meta("query_strategy"), { "query-configuration": {} })} | ${"relevance"}
    index-name of the default entry applies to all tenants; Aisle: it has no effect: each tenant searches the index of
    its own name
      | ${whole({ "default-tenant-config": { "index-name": "somewhere-else" } }, search("q=cap", found))} | ${"d"}
    scheduler is accepted
      | ${whole({ scheduler: { enabled: true, "refresh-config-delay-ms": 1 } }, search("q=cap", found))} | ${"d"}
    custom-product-set-resolver is accepted | ${sent({ "custom-product-set-resolver": { Generic: "a.B" } })} | ${200}
    plugin-configuration of unknown plugins is accepted
      | ${sent({ "plugin-configuration": { "[a.b.C]": { x: 1 } } })} | ${200}
  `,
  section("8.3")`
    category first, then brand, price, size
      | ${search("", (r) => facetNames(r).split(" ").slice(0, 4))} | ${["category", "brand", "price", "size"]}
    brand is multi-select | ${search("brand=Nike", entries("brand"))} | ${"Puma 3, Adidas 1, Nike 1*"}
    price shows unselected options | ${facetOf("price=10", "price", (f) => (f?.entries.length ?? 0) > 1)} | ${true}
    price has the unit €; Aisle: no unit, because the currency depends on the shop
      | ${facetOf("", "price", (f) => f?.meta["unit"])} | ${undefined}
    color is multi-select | ${search("color=Red", link("color", "Blue"))} | ${"color=red%2Cblue"}
    no sort-configuration: every Sort field
      | ${search("", ({ sortOptions }) => sortOptions.map(({ label }) => label).join(" "))}
      | ${"Article.asc Article.desc mixed.asc mixed.desc price.asc price.desc shelf.asc shelf.desc title.asc title.desc vip.asc vip.desc"}
    stock is a score function with weight 2.5; Aisle: products in stock come first among near-equal ones
      | ${search("q=shoe", (r) => main(r).hits.map(({ document }) => document.id))} | ${["a", "b"]}
  `,
  section("Facets")`
    Aisle: a filtered facet with entries is shown, whatever max-facets says
      | ${search("material=Wool", facetNames, {
        "facet-configuration": {
          "max-facets": 1,
          facets: [{ "source-field": "brand", order: 1, "min-value-count": 1 }],
        },
      })} | ${"material"}
    Aisle: a filtered facet without entries is not shown
      | ${search("color=blue&size=M", (r) => [main(r).matchCount, facetNames(r).includes("size")])} | ${[0, false]}
    Aisle: a filtered range of one value is not shown
      | ${facetOf("price=15&brand=puma&q=cap", "price", (f) => f, {
        "facet-configuration": { facets: [{ "source-field": "price", type: "range" }] },
      })} | ${undefined}
    Aisle: a filtered facet of the type ignore is not shown
      | ${facetOf("brand=puma", "brand", (f) => f, {
        "facet-configuration": { facets: [{ "source-field": "brand", type: "ignore" }] },
      })} | ${undefined}
    Aisle: one facet per field; a second one is refused
      | ${sent({ "facet-configuration": { facets: [{ "source-field": "a" }, { "source-field": "a" }] } })}
      | ${[400, "facet-configuration.facets[1].source-field"]}
    Aisle: source-field is required
      | ${sent({ "facet-configuration": { facets: [{ label: "x" }] } })}
      | ${[400, "facet-configuration.facets[0].sourceField"]}
    Aisle: types of plugins are refused
      | ${sent({ "facet-configuration": { facets: [{ "source-field": "a", type: "rating" }] } })}
      | ${[400, "facet-configuration.facets[0].type"]}
    Aisle: interval_0 is refused
      | ${sent({ "facet-configuration": { facets: [{ "source-field": "a", type: "interval_0" }] } })}
      | ${[400, "facet-configuration.facets[0].type"]}
    Aisle: type term of a number field: an entry per number
      | ${search("", entries("price"), {
        "facet-configuration": {
          facets: [{ "source-field": "price", type: "term", "value-order": "HUMAN_NUMERIC_ASC" }],
        },
      })} | ${"5.5 1, 10 1, 15 1, 20 1, 30 1, 40 1"}
    Aisle: its links select single numbers
      | ${search("price=10", link("price", "15"), {
        "facet-configuration": { facets: [{ "source-field": "price", type: "term", "multi-select": true }] },
      })} | ${"price=10&price=15"}
    Aisle: docCount equals the match count of the link
      | ${asking(async (place) => {
        const leads: unknown[] = [];
        await search("q=shoe", (r) =>
          leads.push(
            ...["brand", "color", "size"].flatMap((name) =>
              (main(r).facets ?? [])
                .filter((f) => f.fieldName === name)
                .flatMap((f) => f.entries.map((e) => [e.docCount, e.link])),
            ),
          ),
        )(place);
        const finds: unknown[] = [];
        for (const [count, to] of leads as [number, string][]) {
          finds.push((await search(to, (r) => main(r).matchCount)(place)) === count);
        }
        return finds.length > 4 && finds.every(Boolean);
      })} | ${true}
  `,
  section("Filters and sorting in requests")`
    Aisle: price=,20 means up to 20 | ${search("price=,20", found)} | ${"a b c d"}
    Aisle: several ranges | ${search("price=5,6&price=30,50", found)} | ${"c e"}
    Aisle: several ranges in a body: one per field | ${arranged({ filters: { price: "5,6" } }, found)} | ${"c"}
    Aisle: a range of a number field that is not configured | ${search("shelf=1-1000", found)} | ${"e"}
    Aisle: a range of a field with usage Filter without a type, if JSON numbers were sent
      | ${untyped(["Filter"], "stock=1-1000")} | ${"p q"}
    Aisle: the same after a PATCH | ${untyped(["Filter"], "stock=900-1000", [patching({ id: "q", data: { stock: 999 } })])}
      | ${"q"}
    Aisle: its numbers as texts are texts | ${untyped(["Filter"], "stock=20")} | ${"r"}
    Aisle: with usage Facet it lists and filters texts, as in the reference
      | ${untyped(["Facet"], "stock=1-1000")} | ${""}
    Aisle: f.<name> is the field that is named like a parameter
      | ${lastOf((r: SearchResult) => [found(r), r.inputURI], LOW_AND_HIGH, [
        "GET",
        `${SEARCH}?f.limit=low&limit=5`,
      ])} | ${["p", "?f.limit=low&limit=5"]}
    in the filters of a body it is the field itself
      | ${lastOf((r: SearchResult) => [found(r), r.inputURI], LOW_AND_HIGH, [
        "POST",
        "/search-api/v1/search/arranged/{}",
        { filters: { limit: "low" }, limit: 5 },
      ])} | ${["p", "?f.limit=low&limit=5"]}
    Aisle: f.<name>.id is its id
      | ${lastOf(
        (r: SearchResult) => [found(r), r.inputURI],
        creating({ id: "p", data: {}, attributes: [{ name: "trace", value: "v", code: "C" }] }, { id: "q", data: {} }),
        ["GET", `${SEARCH}?f.trace.id=C`],
      )} | ${["p", "?trace.id=C"]}
    Aisle: x.id is the id of x, f.x.id the field x.id
      | ${both(
        creating(
          { id: "p", data: { "x.id": "C" } },
          { id: "q", data: {}, attributes: [{ name: "x", value: "v", code: "C" }] },
        ),
        ["x.id=C", "f.x.id=C"],
      )} | ${[
        ["q", "?x.id=C"],
        ["p", "?f.x.id=c"],
      ]}
    Aisle: x.id is the field x.id if there is no field x
      | ${both(creating({ id: "p", data: { "x.id": "C" } }, { id: "q", data: {} }), ["x.id=C", "f.x.id=C"])}
      | ${[
        ["p", "?f.x.id=c"],
        ["p", "?f.x.id=c"],
      ]}
    Aisle: !!x excludes the value !x
      | ${both(creating({ id: "p", data: { maker: "!Bang" } }, { id: "q", data: { maker: "Bang" } }), [
        "maker=!!Bang",
        "maker=!Bang",
      ])}
      | ${[
        ["q", "?maker=!%21bang"],
        ["p", "?maker=!bang"],
      ]}
    Aisle: ids . and .. are refused
      | ${steps(creating({ id: ".", data: {} }, { id: "..", data: {} }))} | ${[200, { ".": "DISMISSED", "..": "DISMISSED" }]}
    Aisle: an option with a null order is omitted
      | ${search("", ({ sortOptions }) => sortOptions.length, {
        "sort-configuration": [{ label: "x", field: "price", order: null }],
      })} | ${0}
    Aisle: a sort option of a facet value
      | ${search("", ({ sortOptions: [first] }) => first.link, {
        "sort-configuration": [{ label: "x", field: "brand.Puma" }],
      })} | ${"sort=brand.Puma"}
  `,
  section("Searching")`
    Aisle: fill: false returns only products with all words
      | ${search("q=makita+saw+blade", found, relevance({ fill: false }), "tools")} | ${""}
    Aisle: fill adds products with fewer words
      | ${search("q=makita+saw+blade", (r) => [found(r), r.meta["query_filled"]], null, "tools")}
      | ${["t0 t1 t2 t3 t4 t5", true]}
    Aisle: with "enough" products none are added
      | ${search("q=saw+blade", found, relevance({ enough: 1 }), "tools")} | ${"t1"}
    Aisle: cut: 1 adds only equally good products
      | ${search("q=makita+saw+blade", (r) => main(r).matchCount < 6, relevance({ cut: 1, "low-cut": 1 }), "tools")}
      | ${true}
    Aisle: typing=true completes the last word | ${search("q=mak&typing=true", found, null, "tools")} | ${"t0 t2 t4"}
  `,
  section("Indexing")`
    Aisle: answers never contain a private field
      | ${indexed(fields({ title: { usage: ["Result"] }, cost: { private: true } }), dataOf, {
        title: "thing",
        cost: 5,
      })} | ${{ title: "thing" }}
    Aisle: a private field is never searched
      | ${sent(fields({ cost: { usage: ["Search"], private: true } }), "index")}
      | ${[400, "field-configuration.fields.cost.usage"]}
    Aisle: value-delimiter is accepted
      | ${sent(fields({ a: { "value-delimiter": "|", usage: ["Result"] } }), "index")} | ${200}
    Aisle: unknown processors are refused
      | ${sent({ "data-processor-configuration": { processors: ["OtherProcessor"] } }, "index")}
      | ${[400, "data-processor-configuration.processors[0]"]}
  `,
  {
    of: "Regular expressions",
    isOnce: true,
    claims: [
      ...[
        String.raw`\Qa.b\E\x{1F600}\0101\cA`,
        String.raw`\A\R\h\v\Z`,
        String.raw`\d\w\s\p{Punct}\p{IsPunct}`,
        String.raw`\p{Lu}\p{IsAlphabetic}\p{IsLatin}\p{javaLowerCase}`,
        "[a-z&&[^b]]",
        "(?i)a(?-i)b(?s:c)",
        String.raw`\bx\B`,
        String.raw`(?<n>a)\k<n>\1(?=b)(?<!c)`,
        "(a|aa)+c",
        "(|a)*",
      ].map(pattern("taken", null, 200)),
      ...["a++", "(?>a)", String.raw`\G`, String.raw`\X`, "(?x)a"].map(
        pattern("taken", "refused with its position", REFUSED),
      ),
      pattern("taken", "more than 2,000 parts are refused", REFUSED)("(?:ab){1001}"),
      ...["{x}", "a**", String.raw`\y`, String.raw`\p{Letter}`].map(pattern("refused", null, REFUSED)),
    ],
  },
  section("Suggest", { isOnce: true })`
    Aisle: invalid parts of share-conf are refused
      | ${sent({ group: { "share-conf": "brand" } }, "suggest")} | ${[400, "group.share-conf"]}
    Aisle: settings of an index with the name of a setting
      | ${asking(async (place) => {
        const path = `${CONFIG}/suggest/server`;
        await answered(place, path, "PUT", { "source-fields": ["brand"] });
        const stored = await answered(place, path);
        await requested(place, path, "DELETE");
        return stored;
      })} | ${{ "source-fields": ["brand"] }}
  `,
];
