/** Imports, fields, processors, updates: sections 2.2 and 6 of the reference's behaviour. */
import type { DocumentBody, SearchResult } from "../../../src/interface/index.ts";
import {
  answered,
  asking,
  creating,
  datum,
  DOC,
  entries,
  facet,
  found,
  inOrder,
  lastOf,
  main,
  patching,
  put,
  request,
  search,
  SEARCH,
  searched,
  section,
  shown,
  steps,
  UPDATE,
  type Asking,
  type Section,
  type Step,
} from "./claim.ts";

const START: Step = ["GET", "/indexer-api/v1/full/start/{}?locale=en"];
const P = { id: "p", data: { title: "thing", price: 5 } };

/** An import of these documents, up to one of its calls; `{}` names the index. */
function imported(documents: readonly unknown[], ...after: readonly string[]): Asking {
  return async (place) => {
    const index = await place.fresh();
    const session = await answered(place, `/indexer-api/v1/full/start/${index}?locale=en`);
    let last: unknown = null;
    for (const call of ["add", ...after]) {
      const body = call === "add" ? { session, documents } : session;
      const response = await place.call(`/indexer-api/v1/full/${call}`, { method: "POST", body: JSON.stringify(body) });
      const text = await response.text();
      const answer: unknown = text === "" ? null : JSON.parse(text);
      const type = (answer as { type?: unknown } | null)?.type;
      last = [response.status, type ?? answer];
    }
    return last;
  };
}

const session =
  (change: object = {}) =>
  (body: unknown) => ({ ...Object(body), ...change });

const field = (name: string, query = ""): Asking => search(`${query}&limit=1`, datum(name), null, "fields");
const one = (name: string): Asking => field(name, "q=torch");

/** `data` of the document `p` after these steps. */
const stored = (of: (document: DocumentBody) => unknown, ...all: readonly Step[]): Asking =>
  lastOf(of, ...all, ["GET", `${DOC}/p`]);
const variantsOf = ({ variants }: DocumentBody): unknown => (variants ?? []).map(({ data }) => data["size"]);
const withIds = {
  id: "p",
  data: { title: "thing" },
  variants: [{ data: { id: "v1", size: "S" } }, { data: { id: "v2", size: "M" } }],
};
const withoutIds = { id: "p", data: { title: "thing" }, variants: [{ data: { size: "S" } }, { data: { size: "M" } }] };

/**
 * Of a document with the price 4 and another one, 30, under one preset name: the price of its hit, what is found by
 * either, its facet entries, and its place before a document of the price 9 in descending order.
 */
function twice(document: object, patch: object | null = null): Asking {
  return async (place) => {
    const index = await place.fresh();
    const update = `/indexer-api/v1/update/${index}`;
    const other = { id: "q", data: { price: 9, brand: "Other" } };
    await answered(place, `${update}?langCode=en`, "PUT", [{ id: "p", ...document }, other]);
    if (patch !== null) await answered(place, update, "PATCH", [{ id: "p", ...patch }]);
    const at = async (query: string): Promise<SearchResult> =>
      (await answered(place, `/search-api/v1/search/${index}?${query}`)) as SearchResult;
    const keys = facet("price", (f) => f?.entries.map(({ key }) => key).filter((key) => key !== "9"));
    return [
      main(await at("price=4")).hits[0]?.document.data["price"],
      found(await at("price=4")),
      found(await at("price=30")),
      String(keys(await at(""))),
      inOrder(await at("sort=-price")),
    ];
  };
}

export const INDEXING: readonly Section[] = [
  section("2.2")`
    start returns a session
      | ${lastOf((body) => Object.keys(body).toSorted(), START)} | ${["finalIndexName", "temporaryIndexName"]}
    add returns the number of documents | ${imported([P, { ...P, id: "q" }])} | ${[200, 2]}
    done returns true | ${imported([P], "done")} | ${[200, true]}
    cancel is 202 without a body | ${imported([P], "cancel")} | ${[202, null]}
    PUT returns results by id | ${steps(creating(P))} | ${[200, { p: "CREATED" }]}
    PATCH returns results by id
      | ${steps(creating(P), patching({ id: "p", data: { price: 6 } }))} | ${[200, { p: "UPDATED" }]}
    DELETE returns results by id
      | ${steps(creating(P), ["DELETE", `${UPDATE}?id=p&id=q`])} | ${[200, { p: "DELETED", q: "NOT_FOUND" }]}
    DELETE accepts a comma-separated list
      | ${steps(creating(P), ["DELETE", `${UPDATE}?id=p,q`])} | ${[200, { p: "DELETED", q: "NOT_FOUND" }]}
    DELETE accepts id[] | ${steps(creating(P), ["DELETE", `${UPDATE}?id[]=p`])} | ${[200, { p: "DELETED" }]}
    start without locale | ${request("/indexer-api/v1/full/start/{}")} | ${[400, "invalid_locale"]}
    start with an empty locale | ${request("/indexer-api/v1/full/start/{}?locale=")} | ${[400, "invalid_locale"]}
    start with an invalid locale | ${request("/indexer-api/v1/full/start/{}?locale=1-2")} | ${[400, "invalid_locale"]}
    start with de_DE
      | ${lastOf(
        (body: { temporaryIndexName: string }) => body.temporaryIndexName.endsWith("-de"),
        ["GET", "/indexer-api/v1/full/start/{}?locale=de_DE"],
      )} | ${true}
    start with capitals in the name
      | ${request("/indexer-api/v1/full/start/Shop?locale=en")} | ${[400, "invalid_index_name"]}
    add without a session
      | ${request("/indexer-api/v1/full/add", "POST", { documents: [P] })} | ${[400, "invalid_body"]}
    add without documents
      | ${steps(START, ["POST", "/indexer-api/v1/full/add", (s: unknown) => ({ session: s })])}
      | ${[400, "invalid_body"]}
    add with an empty list
      | ${steps(START, ["POST", "/indexer-api/v1/full/add", (s: unknown) => ({ session: s, documents: [] })])}
      | ${[400, "invalid_body"]}
    add to an unknown session
      | ${request("/indexer-api/v1/full/add", "POST", {
        session: { finalIndexName: "x", temporaryIndexName: "ocs-9-x-en" },
        documents: [P],
      })} | ${[400, "session_unknown"]}
    add after done | ${imported([P], "done", "add")} | ${[400, "session_completed"]}
    add after cancel | ${imported([P], "cancel", "add")} | ${[400, "session_cancelled"]}
    a temporary name without the final one
      | ${steps(START, ["POST", "/indexer-api/v1/full/done", session({ finalIndexName: "other" })])}
      | ${[400, "session_mismatch"]}
    a body that is not JSON | ${request("/indexer-api/v1/full/add", "POST", "{broken")} | ${[400, "bad_request"]}
    done twice | ${imported([P], "done", "done")} | ${[400, "session_completed"]}
    done without documents is refused; Aisle: an empty session completes, unless minimum-document-count is higher
      | ${steps(START, ["POST", "/indexer-api/v1/full/done", session()])} | ${[200, true]}
    cancel after done | ${imported([P], "done", "cancel")} | ${[400, "session_completed"]}
    PUT on a missing index without langCode | ${steps(["PUT", UPDATE, [P]])} | ${[400, "invalid_locale"]}
    PATCH needs a list; Aisle: a single document is also accepted
      | ${steps(creating(P), ["PATCH", UPDATE, { id: "p", data: { price: 7 } }])} | ${[200, { p: "UPDATED" }]}
    PATCH {} is 400; Aisle: a document without an id is DISMISSED
      | ${steps(creating(P), ["PATCH", UPDATE, {}])} | ${[200, { "": "DISMISSED" }]}
    PATCH on a missing index | ${steps(["PATCH", UPDATE, [P]])} | ${[404, "index_not_found"]}
    DELETE on a missing index | ${steps(["DELETE", `${UPDATE}?id=p`])} | ${[404, "index_not_found"]}
    DELETE without id is 400; Aisle: 200 {}, because ids are optional in the contract
      | ${steps(creating(P), ["DELETE", UPDATE])} | ${[200, {}]}
    DELETE of a missing document is 200; Aisle: 304 without a body, as in the contract
      | ${steps(creating(P), ["DELETE", `${UPDATE}?id=zz`])} | ${[304, null]}
    updates are searchable after five seconds; Aisle: with the next request
      | ${searched("?q=new", (r) => main(r).matchCount, creating(P), [
        "PUT",
        UPDATE,
        [{ id: "q", data: { title: "new thing" } }],
      ])} | ${1}
    getDocument returns an update immediately
      | ${stored(({ data }) => data["price"], creating(P), patching({ id: "p", data: { price: 6 } }))} | ${6}
  `,
  section("2.4")`
    basic auth is declared and never checked; Aisle: a deployment checks it for every write; the tests run as local
    development, where everything is allowed
      | ${asking(
        async (place) =>
          (
            await place.call(`/search-api/v1/search/${place.index("shop")}?limit=0`, {
              headers: { authorization: "Basic eDp5" },
            })
          ).status,
      )} | ${200}
  `,
  section("6.1")`
    ocs-<n>-<name>-<language>
      | ${asking(async (place) => {
        const index = await place.fresh();
        const started = await answered(place, `/indexer-api/v1/full/start/${index}?locale=fr`);
        return (started as { temporaryIndexName: string }).temporaryIndexName.replace(index, "NAME");
      })} | ${"ocs-1-NAME-fr"}
    finalIndexName is the name as sent
      | ${asking(async (place) => {
        const index = await place.fresh();
        const started = await answered(place, `/indexer-api/v1/full/start/${index}?locale=fr`);
        return (started as { finalIndexName: string }).finalIndexName === index;
      })} | ${true}
    the language is not appended to a name that ends with it; Aisle: it is always appended, so shop-de and shop never
    collide
      | ${asking(async (place) => {
        const index = `${await place.fresh()}-de`;
        const started = await answered(place, `/indexer-api/v1/full/start/${index}?locale=de`);
        return (started as { temporaryIndexName: string }).temporaryIndexName.endsWith("-de-de");
      })} | ${true}
    languages of a name count separately; Aisle: n counts over all languages of a name
      | ${lastOf((body: { temporaryIndexName: string }) => body.temporaryIndexName.slice(0, 6), START, [
        "GET",
        "/indexer-api/v1/full/start/{}?locale=de",
      ])} | ${"ocs-2-"}
    a name with other characters is accepted, and every add fails; Aisle: start refuses it
      | ${request("/indexer-api/v1/full/start/a.b?locale=en")} | ${[400, "invalid_index_name"]}
    PUT with langCode on shop-de replaces the index; Aisle: langCode of an existing index is ignored
      | ${asking(async (place) => {
        const index = `${await place.fresh()}-de`;
        const at = `/indexer-api/v1/update/${index}?langCode=de`;
        await answered(place, at, "PUT", [P]);
        await answered(place, at, "PUT", [{ ...P, id: "q" }]);
        return main((await answered(place, `/search-api/v1/search/${index}`)) as SearchResult).matchCount;
      })} | ${2}
  `,
  section("6.2")`
    imports of one index may run in parallel | ${lastOf((body) => Object.keys(body).length, START, START)} | ${2}
    an id sent twice counts twice | ${imported([P, { ...P, data: { title: "later" } }])} | ${[200, 2]}
    an invalid document is not counted
      | ${imported([P, { id: "bad", data: { price: "cheap" } }, "no object"])} | ${[200, 1]}
    a document skipped by a processor is not indexed | ${search("q=skipped", found, null, "fields")} | ${""}
    nothing is searchable before done | ${steps(START, ["GET", SEARCH])} | ${[404, "index_not_found"]}
    cancel deletes everything
      | ${steps(START, ["POST", "/indexer-api/v1/full/cancel", session()], ["GET", SEARCH])}
      | ${[404, "index_not_found"]}
    index-settings are ignored because of a bug; Aisle: minimum-document-count works; the session stays open
      | ${asking(async (place) => {
        const index = await place.fresh();
        const config = `/admin-api/v1/config/index/${index}`;
        await answered(place, config, "PUT", { "index-settings": { "minimum-document-count": 2 } });
        const ask = await answered(place, `/indexer-api/v1/full/start/${index}?locale=en`);
        const init = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });
        const codes: number[] = [];
        for (const [call, body] of [
          // One document, however often it was sent.
          ["add", { session: ask, documents: [P, P] }],
          ["done", ask],
          ["add", { session: ask, documents: [{ ...P, id: "q" }] }],
          ["done", ask],
        ] as const) {
          const response = await place.call(`/indexer-api/v1/full/${call}`, init(body));
          await response.text();
          codes.push(response.status);
        }
        await answered(place, config, "DELETE");
        return codes;
      })} | ${[200, 400, 200, 200]}
  `,
  section("6.3")`
    a source name feeds the field | ${one("title")} | ${"Creme brulee torch"}
    one input feeds several fields | ${search("q=aether", found, null, "fields")} | ${"one"}
    type raw keeps objects | ${one("box")} | ${{ any: [1, { thing: 2 }] }}
    level master: a variant's value is ignored | ${search("q=never", found, null, "fields")} | ${""}
    level variant: a product's value is ignored | ${search("colour=master", found, null, "fields")} | ${""}
    level variant: variants' values | ${search("colour=blue", found, null, "fields")} | ${"one"}
    usages in any case | ${search("brand=bolt", found, null, "fields")} | ${"three two"}
    a field without usage is ignored
      | ${asking(async (place) => [
        await search("q=unseen", found, null, "fields")(place),
        await one("nothing")(place),
      ])} | ${["", undefined]}
    search-content-prefix | ${search("q=sn", found, null, "fields")} | ${"one two"}
    the prefix precedes the value | ${search("q=sn+4711&limit=1", found, null, "fields")} | ${"two"}
    a normal field takes precedence over dynamic ones, also for attributes
      | ${field("note", "q=pepper")} | ${undefined}
    several inputs of a field appear as a list; Aisle: data takes precedence over attributes, and the field's name
    over its source names
      | ${one("note")} | ${"shownonly"}
    dynamic number: values that parse as numbers | ${one("num_watt")} | ${90}
    dynamic number: other texts are not accepted | ${one("num_text")} | ${undefined}
    dynamic source-names are unanchored | ${one("text_x")} | ${"other"}
    a dynamic field called attribute only takes attributes | ${one("else")} | ${undefined}
    a dynamic field for numeric attributes before one for texts
      | ${search("height=9-9.5", found, null, "fields")} | ${"one"}
    attributes of texts | ${search("finish.id=F2", found, null, "fields")} | ${"two"}
    the preset's field "others" ignores numbers and lists; Aisle: it indexes them
      | ${search("shelf=7&q=shirt", datum("mixed"))} | ${[123, 23.4, "x"]}
  `,
  section("6.4")`
    Search of categories: their names | ${search("q=kitchen", found, null, "fields")} | ${"one two"}
    Search of variants is found in the product | ${search("q=blue", found, null, "fields")} | ${"one"}
    Result of a number field: a number | ${one("price")} | ${12.5}
    Result of a category: paths | ${one("category")} | ${["Kitchen/Tools"]}
    Result of an attribute: an object
      | ${search("q=pepper", datum("finish"), null, "fields")} | ${{ name: "finish", code: "F2", value: "gloss" }}
    Facet of a path: one per level
      | ${search(
        "",
        entries("category"),
        { "facet-configuration": { facets: [{ "source-field": "category" }] } },
        "fields",
      )} | ${"Kitchen 2 [Tools 1], Sale/Now 1"}
    Filter with Facet: listed as a facet once | ${search("tag=new", found, null, "fields")} | ${"one"}
    texts of numbers become single-precision floats; Aisle: they become 64-bit floats
      | ${shown({ price: "16777217.5" }, "price")} | ${16_777_217.5}
    a text of an integer is a number in a number field | ${shown({ price: "12" }, "price")} | ${12}
    a value that is not a number drops the document
      | ${put({ id: "1", data: { price: "cheap" } })} | ${[200, { "1": "DISMISSED" }]}
    a list of numbers in a field drops the document; Aisle: the field has all of them
      | ${shown({ price: [1, 2.5] }, "price")} | ${[1, 2.5]}
    a list of texts | ${shown({ color: ["red", "blue"] }, "color")} | ${["red", "blue"]}
    categories go to the only category field | ${shown({}, "category", { categories: [[{ name: "A" }]] })} | ${["A"]}
    a slash in a name is %2F | ${shown({}, "category", { categories: [[{ name: "A/B" }]] })} | ${["A%2FB"]}
    a text in a category field is split at / | ${shown({ category: "foo/bar" }, "category")} | ${["foo/bar"]}
  `,
  section("6.5")`
    AsciiFolding folds Search fields | ${one("title")} | ${"Creme brulee torch"}
    AttributeToDataField: attributes without code are data | ${one("plainAttribute")} | ${"moved"}
    ExtractCategoryLevel: lvl_<n> and leaf
      | ${asking(async (place) => [await one("category_lvl_0")(place), await one("category_leaf")(place)])}
      | ${["Kitchen", "Tools"]}
    ExtractCategoryLevel: several paths, joined by a space
      | ${field("category_leaf", "q=pepper")} | ${"Kitchen Sale/Now"}
    FlagField: the first expression that matches | ${one("flagged")} | ${"sure"}
    FlagField: the second | ${field("flagged", "q=pepper")} | ${"unsure"}
    FlagField: none | ${field("flagged", "q=salt")} | ${"none"}
    RemoveFieldContentDelimiter | ${one("delimited")} | ${"red|blue"}
    RemoveValues | ${one("words")} | ${"red blue"}
    ReplacePattern with a destination
      | ${asking(async (place) => [await one("sku")(place), await one("skuDigits")(place)])} | ${["AB-12-34", "1234"]}
    SplitValue
      | ${asking(async (place) => [
        await one("split")(place),
        await one("splitWidth")(place),
        await one("splitDepth")(place),
      ])} | ${["10 x 20", "10", "20"]}
    WordSplitter | ${search("q=stuhl", found, null, "fields")} | ${"one"}
  `,
  section("6.6")`
    PUT: CREATED, UPDATED
      | ${steps(creating(P), ["PUT", UPDATE, [P, { ...P, id: "q" }]])} | ${[200, { p: "UPDATED", q: "CREATED" }]}
    PUT replaces the whole document
      | ${stored(({ data }) => data, creating(P), ["PUT", UPDATE, [{ id: "p", data: { title: "other" } }]])}
      | ${{ title: "other" }}
    replaceExisting=false: DISMISSED
      | ${steps(creating(P), ["PUT", `${UPDATE}?replaceExisting=false`, [P]])} | ${[200, { p: "DISMISSED" }]}
    and nothing is changed
      | ${stored(({ data }) => data["price"], creating(P), [
        "PUT",
        `${UPDATE}?replaceExisting=false`,
        [{ id: "p", data: { price: 1 } }],
      ])} | ${5}
    skipped by a processor: NOOP
      | ${request("/indexer-api/v1/update/{}", "PUT", [{ id: "zz", data: { state: "off" } }], "fields")}
      | ${[200, { zz: "NOOP" }]}
    an invalid document: DISMISSED
      | ${steps(creating(P), ["PUT", UPDATE, [{ id: "p", data: { price: "x" } }]])} | ${[200, { p: "DISMISSED" }]}
    PUT on a missing index reports CREATED for all documents, even dropped ones; Aisle: each has its own result
      | ${steps(creating(P, { id: "q", data: { price: "x" } }))} | ${[200, { p: "CREATED", q: "DISMISSED" }]}
    langCode is ignored for an existing index
      | ${steps(creating(P), ["PUT", `${UPDATE}?langCode=zz-bad-bad-bad`, [P]])} | ${[200, { p: "UPDATED" }]}
    PATCH: NOOP if nothing changes | ${steps(creating(P), ["PATCH", UPDATE, [P]])} | ${[200, { p: "NOOP" }]}
    PATCH: NOT_FOUND | ${steps(creating(P), patching({ id: "q", data: {} }))} | ${[200, { q: "NOT_FOUND" }]}
    PATCH: data by name
      | ${stored(({ data }) => data, creating(P), patching({ id: "p", data: { price: 9 } }))}
      | ${{ title: "thing", price: 9 }}
    PATCH: null removes a value
      | ${stored(
        ({ data }) => data,
        creating({ id: "p", data: { title: "thing", x: "y" } }),
        patching({ id: "p", data: { x: null } }),
      )} | ${{ title: "thing" }}
    PATCH: attributes replace data of their names
      | ${stored(
        ({ data, attributes }) => [data, attributes],
        creating({ id: "p", data: { title: "thing", color: "red" } }),
        patching({ id: "p", attributes: [{ name: "color", value: "blue" }] }),
      )} | ${[{ title: "thing" }, [{ name: "color", value: "blue" }]]}
    PATCH: the new values are searchable
      | ${searched("?price=9", found, creating(P), patching({ id: "p", data: { price: 9 } }))} | ${"p"}
    PATCH: attributes of the same names are replaced, others stay
      | ${stored(
        ({ attributes }) =>
          (attributes as { name: string; value: string }[]).map(({ name, value }) => `${name} ${value}`).toSorted(),
        creating({
          ...P,
          attributes: [
            { name: "a", value: "1x" },
            { name: "a", value: "2x" },
            { name: "b", value: "3x" },
          ],
        }),
        patching({ id: "p", attributes: [{ name: "a", value: "4x" }] }),
      )} | ${["a 4x", "b 3x"]}
    PATCH: categories replace all paths
      | ${searched(
        "",
        datum("category"),
        creating({ ...P, categories: [[{ name: "A" }], [{ name: "B" }]] }),
        patching({ id: "p", categories: [[{ name: "C" }]] }),
      )} | ${["C"]}
    PATCH of attributes only removes the facets of other attributes; Aisle: other attributes are unchanged
      | ${searched(
        "?b=3x&a=4x",
        found,
        creating({ ...P, attributes: [{ name: "b", value: "3x" }] }),
        patching({ id: "p", attributes: [{ name: "a", value: "4x" }] }),
      )} | ${"p"}
    PATCH: fields of several sources are recomputed
      | ${searched("?q=acme+thing", found, creating(P), patching({ id: "p", data: { brand: "Acme" } }))} | ${"p"}
    PATCH of the master keeps variants
      | ${stored(variantsOf, creating(withIds), patching({ id: "p", data: { price: 1 } }))} | ${["S", "M"]}
    PATCH: variants by id
      | ${stored(variantsOf, creating(withIds), patching({ id: "p", variants: [{ data: { id: "v2", size: "L" } }] }))}
      | ${["S", "L"]}
    PATCH: a new variant is appended
      | ${stored(variantsOf, creating(withIds), patching({ id: "p", variants: [{ data: { id: "v3", size: "L" } }] }))}
      | ${["S", "M", "L"]}
    PATCH: the id member names the variant
      | ${stored(variantsOf, creating(withIds), patching({ id: "p", variants: [{ id: "v2", data: { size: "L" } }] }))}
      | ${["S", "L"]}
    PATCH: without ids the list is replaced
      | ${stored(variantsOf, creating(withoutIds), patching({ id: "p", variants: [{ data: { size: "L" } }] }))} | ${["L"]}
    PATCH by id removes stored variants without an id; Aisle: if a stored variant has no id, the list is replaced
      | ${stored(
        variantsOf,
        creating({ ...withIds, variants: [...withIds.variants, { data: { size: "XL" } }] }),
        patching({ id: "p", variants: [{ data: { id: "v2", size: "L" } }] }),
      )} | ${["L"]}
    getDocument: a product has variants | ${stored(({ variants }) => variants?.length, creating(withIds))} | ${2}
    getDocument: a document has none | ${stored((document) => "variants" in document, creating(P))} | ${false}
    getDocument: a variant's id is its data field, else <id>_<position>
      | ${stored(
        ({ variants }) => variants?.map(({ id }) => id),
        creating({ ...P, variants: [{ data: { id: "v1" } }, { data: { size: "M" } }] }),
      )} | ${["v1", "p_1"]}
    getDocument returns fields with usage Result; Aisle: it returns all data as sent; ids and names of categories and
    values of attributes as texts, lists without nulls
      | ${stored(
        ({ data, categories }) => [data, categories],
        creating({
          id: "p",
          data: { Title: "thing", x: { y: 1 }, tags: ["a", null] },
          categories: [[{ id: 11, name: "Men" }]],
        }),
      )} | ${[{ Title: "thing", x: { y: 1 }, tags: ["a"] }, [[{ id: "11", name: "Men" }]]]}
  `,
  section("6.7")`
    id, artNr with its older names
      | ${searched(
        "?q=A-77",
        (r) => [found(r), datum("artNr")(r)],
        creating({ id: "p", data: { ArticleNumber: "A-77" } }),
      )} | ${["p", "A-77"]}
    ean with its older name
      | ${searched("?q=4006381333931", found, creating({ id: "p", data: { EAN: "4006381333931" } }))} | ${"p"}
    title with its older names | ${shown({ product_name: "x" }, "title")} | ${"x"}
    brand with its older name | ${shown({ Brand: "x" }, "brand")} | ${"x"}
    price with its older name | ${shown({ Price: "3" }, "price")} | ${3}
    category with its older names | ${shown({ CategoryPath: "A/B" }, "category")} | ${["A/B"]}
    shortDescription | ${shown({ Short: "x" }, "shortDescription")} | ${"x"}
    description | ${shown({ Text: "x" }, "description")} | ${"x"}
    productUrl | ${shown({ Deeplink: "https://x.example" }, "productUrl")} | ${"https://x.example"}
    imageUrl | ${shown({ ImageURL: "https://x.example" }, "imageUrl")} | ${"https://x.example"}
    stock with its older names | ${shown({ OnStock: 4 }, "stock")} | ${4}
    price and Price of one document: hit, filter, facet and sort
      | ${twice({ data: { Price: 30, price: 4 } })} | ${[4, "p", "", "4", "q p"]}
    price and an attribute price of one document: hit, filter, facet and sort
      | ${twice({ data: { price: 4 }, attributes: [{ name: "price", value: "30", code: "x" }] })}
      | ${[4, "p", "", "4", "q p"]}
    the same with an attribute Price | ${twice({ data: { price: 4 }, attributes: [{ name: "Price", value: "30" }] })}
      | ${[4, "p", "", "4", "q p"]}
    the same after a PATCH of both spellings
      | ${twice({ data: { price: 1, Price: 2 } }, { data: { price: 4, Price: 30 } })} | ${[4, "p", "", "4", "q p"]}
    an attribute of the value that the data has adds its id
      | ${searched(
        "?brand.id=n",
        found,
        creating({ id: "p", data: { brand: "Nike" }, attributes: [{ name: "brand", value: "nike", code: "n" }] }),
      )} | ${"p"}
    without configuration and profile nothing is indexed; Aisle: the preset applies
      | ${shown({ anything: "x" }, "anything")} | ${"x"}
  `,
];
