/** Suggestions: sections 2.3 and 7 of the reference's behaviour. */
import type { Suggestion } from "../../../src/interface/index.ts";
import { asking, request, requested, section, suggests, type Asking, type Section } from "./claim.ts";

const phrases = (all: readonly Suggestion[]): string => all.map(({ phrase }) => phrase).join(", ");
const typed = (all: readonly Suggestion[]): string => all.map(({ phrase, type }) => `${type} ${phrase}`).join(", ");
const payload =
  (name: string) =>
  ([first]: readonly Suggestion[]): unknown =>
    first?.payload?.[name];
const groupOf = payload("meta.matchGroupName");

/** These fields alone. */
const from = (...fields: readonly string[]): Record<string, unknown> => ({ "source-fields": fields });
const BRANDS = from("brand");
const ALL = from("brand", "category", "title");

const header =
  (name: string, query: string): Asking =>
  async (place) => {
    const response = await place.call(`/suggest-api/v1/${place.index("labels")}/suggest?${query}`);
    await response.text();
    return response.headers.get(name);
  };

const OWN = [{ phrase: "pump up the sale", weight: 50, type: "campaign", payload: { url: "/sale" }, tags: ["promo"] }];

export const SUGGESTING: readonly Section[] = [
  section("2.3")`
    userQuery is required | ${request("/suggest-api/v1/{}/suggest")} | ${[400, "invalid_parameter"]}
    its body is [], a header Warning says why; Aisle: the body is an error as everywhere and says why
      | ${asking(async (place) => {
        const path = `/suggest-api/v1/${place.index("labels")}/suggest`;
        const { body } = await requested(place, path);
        return (body as { readonly message: string }).message;
      })} | ${"userQuery: is missing"}
    an empty userQuery | ${request("/suggest-api/v1/{}/suggest?userQuery=")} | ${[400, "invalid_parameter"]}
    limit is 10
      | ${suggests(
        "userQuery=own",
        (all) => all.length,
        BRANDS,
        Array.from({ length: 12 }, (_, i) => `own ${i}`),
      )} | ${10}
    limit | ${suggests("userQuery=p&limit=1", (all) => all.length)} | ${1}
    limit=x is 500; Aisle: 400
      | ${request("/suggest-api/v1/{}/suggest?userQuery=a&limit=x")} | ${[400, "invalid_parameter"]}
    CORS allows any origin | ${header("access-control-allow-origin", "userQuery=p")} | ${"*"}
    Cache-Control: public, max-age=60; Aisle: no-cache with an ETag, because the next suggestion reflects every update
      | ${header("cache-control", "userQuery=p")} | ${"no-cache"}
    an unknown index has no suggestions | ${request("/suggest-api/v1/{}-x/suggest?userQuery=a")} | ${[200, []]}
    the first call for an index returns nothing; Aisle: the first call returns suggestions
      | ${suggests("userQuery=pum&limit=2", phrases, BRANDS)} | ${"Puma, Pumpkin"}
  `,
  section("7.1")`
    suggestions cannot be added over HTTP; Aisle: own queries can be added
      | ${suggests("userQuery=pump+up", phrases, BRANDS, OWN)} | ${"pump up the sale"}
    updates do not refresh suggestions; Aisle: the next suggestion reflects them
      | ${asking(async (place) => {
        const index = place.index("labels");
        const update = `/indexer-api/v1/update/${index}`;
        const added = [{ id: "new", data: { title: "x", brand: "Zebra" } }];
        await requested(place, update, "PUT", added);
        const after = await suggests("userQuery=zeb", phrases)(place);
        await requested(place, `${update}?id=new`, "DELETE");
        return [after, await suggests("userQuery=zeb", phrases)(place)];
      })} | ${["Zebra", ""]}
  `,
  section("7.2")`
    without sourceFields there are no suggestions; Aisle: the sources are brands, categories, phrases, then titles
      | ${suggests("userQuery=pum", (all) => all.length > 0)} | ${true}
    enable: false | ${suggests("userQuery=pum", phrases, { enable: false })} | ${""}
    sourceFields, as a list with commas
      | ${suggests("userQuery=pum", typed, { sourceFields: "brand" })} | ${"brand Puma, brand Pumpkin"}
    maxFetchSize | ${suggests("userQuery=pum", phrases, { ...BRANDS, maxFetchSize: 1 })} | ${"Puma"}
    deduplicate
      | ${suggests("userQuery=shoes", (all) => typed(all.filter(({ phrase }) => phrase === "Shoes")), {
        ...from("category", "title"),
        deduplicate: true,
      })} | ${"category Shoes"}
    the weight is the number of documents | ${suggests("userQuery=puma", payload("meta.weight"), BRANDS)} | ${"2"}
    payload: count | ${suggests("userQuery=puma", payload("count"), BRANDS)} | ${"2"}
    payload: id | ${suggests("userQuery=hik", payload("id"), from("category"))} | ${"hiking"}
    payload: catPath of a category | ${suggests("userQuery=hik", payload("catPath"), from("category"))} | ${"Shoes"}
    the label of a category is its last name | ${suggests("userQuery=hik", phrases, from("category"))} | ${"Hiking"}
  `,
  section("7.3")`
    case is ignored | ${suggests("userQuery=PUMA", phrases, BRANDS)} | ${"Puma"}
    a blank query has no suggestions | ${suggests("userQuery=%20%20", phrases, BRANDS)} | ${""}
    ASCII folding: fur finds Für
      | ${suggests("userQuery=fur", (all) => [phrases(all), groupOf(all)], BRANDS)} | ${["Für", "best matches"]}
    sharpened: the whole query is a key
      | ${suggests("userQuery=pum", (all) => [all[0].phrase, groupOf(all)], BRANDS, {
        sharpened: { pum: ["puma sale"] },
      })} | ${["puma sale", "sharpened matches"]}
    max-sharpened-queries
      | ${suggests(
        "userQuery=pum",
        phrases,
        { ...BRANDS, "max-sharpened-queries": 1 },
        { sharpened: { pum: ["one", "two"] } },
      )} | ${"one, Puma, Pumpkin"}
    best: every word, the last as a prefix
      | ${suggests("userQuery=running+sho&limit=2", (all) => [phrases(all), groupOf(all)], from("title"))}
      | ${["Blue running shoe, Green running shorts", "best matches"]}
    best: words before the last must be complete
      | ${suggests("userQuery=runni+sho&limit=1", groupOf, from("title"))} | ${"shingle matches"}
    best: words in any order
      | ${suggests("userQuery=shoe+run", phrases, from("title"))} | ${"Blue running shoe, Red running shoe"}
    secondary: the parent path of a category
      | ${suggests(
        "userQuery=shoes",
        (all) => all.map(({ phrase, payload: own }) => `${phrase} ${own?.["meta.matchGroupName"]}`),
        from("category"),
      )} | ${["Shoes best matches", "Running secondary matches", "Hiking secondary matches", "Pumps secondary matches"]}
    one edit
      | ${suggests("userQuery=pyma", (all) => [phrases(all), groupOf(all)], BRANDS)}
      | ${["Puma", "fuzzy matches with 1 edit"]}
    two edits: the first letter | ${suggests("userQuery=klothimg", phrases, from("category"))} | ${"Clothing"}
    Aisle: phrases from titles, also for two words
      | ${suggests("userQuery=runn&filter=keyword", phrases)} | ${"running, running shoe"}
    Aisle: titles fill at most a quarter of the places
      | ${suggests("userQuery=sho&limit=4", (all) => all.filter(({ type }) => type === "title").length <= 1)}
      | ${true}
    one edit: the first letter | ${suggests("userQuery=mike", phrases, BRANDS)} | ${"Nike"}
    two edits are allowed from three letters; Aisle: two edits from six letters; one edit from three
      | ${asking(async (place) => [
        await suggests("userQuery=punpkim", phrases, BRANDS)(place),
        await suggests("userQuery=pumpk", phrases, BRANDS)(place),
        await suggests("userQuery=nke", phrases, BRANDS)(place),
        await suggests("userQuery=xxk", phrases, BRANDS)(place),
      ])} | ${["Pumpkin", "Pumpkin", "Nike", ""]}
    two edits
      | ${suggests("userQuery=clohtimg", (all) => [phrases(all), groupOf(all)], from("category"))}
      | ${["Clothing", "fuzzy matches with 2 edits"]}
    no edits below three characters | ${suggests("userQuery=qu", phrases, BRANDS)} | ${""}
    no edits if something was found | ${suggests("userQuery=puma", phrases, BRANDS)} | ${"Puma"}
    always-do-fuzzy
      | ${suggests("userQuery=puma", phrases, { ...BRANDS, "always-do-fuzzy": true })} | ${"Puma, Pumpkin"}
    shingles: parts of the query
      | ${suggests("userQuery=zzzz+puma", (all) => [phrases(all), groupOf(all)], BRANDS)}
      | ${["Puma", "shingle matches"]}
    relaxed: the whole query is a key
      | ${suggests("userQuery=zzzz", (all) => [phrases(all), groupOf(all)], BRANDS, {
        relaxed: { zzzz: ["puma sale"] },
      })} | ${["puma sale", "relaxed matches"]}
    by weight, then common prefix, then label | ${suggests("userQuery=pu", phrases, BRANDS)} | ${"Puma, Pumpkin"}
    MatchGroupsSeparated
      | ${suggests("userQuery=s&limit=3", phrases, {
        ...from("category"),
        "sort-strategy": "MatchGroupsSeparated",
      })} | ${"Shoes, Shorts, Running"}
    PrimaryAndSecondaryByWeight, the default
      | ${suggests("userQuery=s&limit=3", phrases, from("category"))} | ${"Shoes, Running, Shorts"}
    filter: a tag | ${suggests("userQuery=pum&filter=promo", phrases, BRANDS, OWN)} | ${"pump up the sale"}
    filter: OR of tags | ${suggests("userQuery=pum&filter=promo,brand", (all) => all.length, BRANDS, OWN)} | ${3}
    filter: the type of the source | ${suggests("userQuery=pum&filter=category", typed, ALL)} | ${"category Pumps"}
    a filter disables typo correction; Aisle: typos are corrected with and without a filter
      | ${suggests("userQuery=pyma&filter=brand", phrases, ALL)} | ${"Puma"}
  `,
  section("7.4")`
    phrase, type, payload
      | ${suggests("userQuery=puma", (all) => all, BRANDS)}
      | ${[
        {
          phrase: "Puma",
          type: "brand",
          payload: { count: "2", "meta.matchGroupName": "best matches", "meta.weight": "2", "meta.matchKey": "Puma" },
        },
      ]}
    a custom type
      | ${suggests("userQuery=pump+up", ([first]) => [first.type, first.payload?.["url"]], BRANDS, OWN)}
      | ${["campaign", "/sale"]}
    without a type: keyword
      | ${suggests("userQuery=pump+up", ([first]) => first.type, BRANDS, ["pump up"])} | ${"keyword"}
  `,
  section("7.5")`
    share-conf: groups in order with these shares, others last
      | ${suggests("userQuery=pu&limit=4", typed, {
        ...ALL,
        group: { key: "type", "share-conf": "title=0.5,brand=0.5" },
      })} | ${"title Purple cap, title Leather pump, brand Puma, category Pumps"}
    share-conf: shares of absent groups go to others
      | ${suggests("userQuery=puma&limit=2", typed, {
        ...BRANDS,
        group: { key: "type", "share-conf": "title=0.5,brand=0.5" },
      })} | ${"brand Puma"}
    cutoff-conf: the maximum per group; five for others
      | ${suggests("userQuery=pu", typed, { ...ALL, group: { key: "type", "cutoff-conf": "category=1,brand=1" } })}
      | ${"category Pumps, brand Puma, title Purple cap, title Leather pump"}
    deduplication-order
      | ${suggests("userQuery=shoes", (all) => typed(all.filter(({ phrase }) => phrase === "Shoes")), {
        ...from("category", "title"),
        group: { key: "type", "deduplication-order": "title,category" },
      })} | ${"title Shoes"}
    prefetch-limit-factor is accepted
      | ${suggests("userQuery=puma", phrases, { ...BRANDS, group: { key: "type", "prefetch-limit-factor": 2 } })}
      | ${"Puma"}
  `,
];
