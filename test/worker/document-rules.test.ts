// Documents as shops send them, written and changed through HTTP (docs/indexing.md 6.6, 6.8). What each form and
// member means: claims of 1.1, 6.3, 6.4 and 6.6.
// 1. Patches that are none leave a document as it was.
// 2. replaceExisting=false writes what was deleted.
// 3. langCode: its forms, and what it decides.
// 4. Results are per document, over several shards: good ones are written whatever becomes of the others; what is not
//    written stays as it was; replaceExisting=false keeps what is there, in any case of letters.
// 5. What a processor makes of documents (compounds taken apart), and the ids of numbers, are the same at an import
//    and after updates, over shards.
import { describe, test } from "vitest";
import { type DocumentBody, type SearchResult } from "../../src/interface/index.ts";
import { call, errorOf, freshName, idsOf, json, publish, send } from "./support.ts";

const path = (name: string): string => `/indexer-api/v1/update/${name}`;

function update(method: string, name: string, body: unknown, query = ""): Promise<Record<string, string>> {
  return json(path(name) + query, send(method, body));
}

/** An index with these documents; they must be good ones. */
async function indexOf(prefix: string, documents: readonly unknown[]): Promise<string> {
  const name = freshName(prefix);
  const results = await update("PUT", name, documents, "?langCode=en");
  const others = Object.values(results).filter((result) => result !== "CREATED");
  if (others.length > 0) throw new Error(JSON.stringify(results));
  return name;
}

const stored = (name: string, id: string): Promise<DocumentBody> => json(`/search-api/v1/doc/${name}/${id}`);
const search = (name: string, query: string): Promise<SearchResult> => json(`/search-api/v1/search/${name}?${query}`);

async function ids(name: string, query: string): Promise<string[]> {
  return idsOf(await search(name, query)).toSorted();
}

test("results per document: of PATCH (1)", async ({ expect }) => {
  const name = await indexOf("patch", [{ id: "a", data: { title: "Apple", price: 1 } }]);
  for (const bad of [{ data: [] }, { attributes: {} }, { categories: "A" }, { variants: [5] }]) {
    expect(await update("PATCH", name, { id: "a", ...bad })).toEqual({ a: "DISMISSED" });
  }
  expect(await stored(name, "a")).toMatchObject({ data: { title: "Apple", price: 1 } });
});

test("replaceExisting: a deleted document is not there (2)", async ({ expect }) => {
  const name = await indexOf("again", [{ id: "a", data: { title: "Apple" } }]);
  await (await call(`${path(name)}?id=a`, { method: "DELETE" })).text();
  const again = { id: "a", data: { title: "Pear" } };
  expect(await update("PUT", name, again, "?replaceExisting=false")).toEqual({ a: "CREATED" });
  expect(await ids(name, "q=pear")).toEqual(["a"]);
});

describe("langCode (3)", () => {
  const shoe = { id: "a", data: { title: "Häuser" } };

  test.for([
    ["de", "de"],
    ["de_DE", "de"],
    ["de-AT", "de"],
    ["DE", "de"],
    ["xx", "xx"],
  ] as const)("%s", async ([written, language], { expect }) => {
    const name = freshName("lang");
    expect(await update("PUT", name, shoe, `?langCode=${written}`)).toEqual({ a: "CREATED" });
    const [hit] = (await search(name, "")).slices[0]?.hits ?? [];
    expect(hit?.index).toMatch(new RegExp(`^ocs-\\d+-${name}-${language}`));
    // Only German knows that Häuser are houses; elsewhere the word just begins like them.
    const { meta } = await search(name, "q=haus");
    expect(meta["query_executed"]).toBe(language === "de" ? "haus" : "haus*");
  });

  test("a refused one creates nothing", async ({ expect }) => {
    const name = freshName("refused");
    const error = await errorOf(await call(`${path(name)}?langCode=%20`, send("PUT", [shoe])));
    expect(error).toMatchObject({ type: "invalid_locale" });
    expect((await call(`/search-api/v1/search/${name}`)).status).toBe(404);
  });
});

test("over several shards (4)", async ({ expect }) => {
  const name = freshName("shards");
  const documents = Array.from({ length: 8 }, (_, i) => ({ id: `p${i}`, data: { title: `Hat ${i}`, price: i } }));
  await publish(name, documents, 4);
  expect(
    await update("PUT", name, [
      ...documents.slice(0, 3).map(({ id }) => ({ id, data: { title: "Cap" } })),
      { id: "p3", data: { price: "cheap" } },
      { id: "new", data: { title: "Cap" } },
      5,
    ]),
  ).toEqual({ p0: "UPDATED", p1: "UPDATED", p2: "UPDATED", p3: "DISMISSED", new: "CREATED", "": "DISMISSED" });
  expect(await ids(name, "q=cap")).toEqual(["new", "p0", "p1", "p2"]);
  expect((await stored(name, "p3")).data).toEqual({ title: "Hat 3", price: 3 });
  const keep = documents.map(({ id }) => ({ id, data: { title: "Bonnet" } }));
  const kept = await update(
    "PUT",
    name,
    [...keep, { id: "late", data: { title: "Bonnet" } }],
    "?replaceExisting=FALSE",
  );
  expect(kept).toEqual({ ...Object.fromEntries(documents.map(({ id }) => [id, "DISMISSED"])), late: "CREATED" });
  expect(await ids(name, "q=bonnet")).toEqual(["late"]);
  expect(
    await update("PATCH", name, [
      { id: "p4", data: { price: 40 } },
      { id: "p5", data: { price: 5 } },
      { id: "p6", data: { price: "dear" } },
      { id: "gone", data: { price: 1 } },
      { data: {} },
    ]),
  ).toEqual({ p4: "UPDATED", p5: "NOOP", p6: "DISMISSED", gone: "NOT_FOUND", "": "DISMISSED" });
  expect(await ids(name, "price=40")).toEqual(["p4"]);
});

test("reasons, if they are asked for (4)", async ({ expect }) => {
  const documents = ["a", "b", "c"].map((id) => ({ id, data: { title: "Hat", price: 1 } }));
  for (const shards of [1, 4]) {
    const name = freshName("reasons");
    await publish(name, documents, shards);
    const not = (path: string): string => `${path} must be a number (field price), not "12,99"`;
    const report = async (method: string, body: unknown, query = ""): Promise<unknown> =>
      json(`${path(name)}?report=true${query}`, send(method, body));
    const prices = [
      { id: "a", data: { price: "12,99" } },
      { id: "b", data: { price: 2 } },
      { data: {} },
      { id: "gone", data: { price: 2 } },
      { id: "c", variants: [{ data: { price: "12,99" } }] },
      { id: "b", categories: "x" },
    ];
    expect(await report("PATCH", prices)).toEqual({
      indexed: 1,
      rejected: [
        { position: 0, id: "a", reason: not("data.price") },
        { position: 2, id: null, reason: "it is not a document with a readable id" },
        { position: 4, id: "c", reason: not("variants[0].data.price") },
      ],
      results: { a: "DISMISSED", b: "UPDATED", "": "DISMISSED", gone: "NOT_FOUND", c: "DISMISSED" },
    });
    const kept = [documents[0], { id: "d", data: { price: "12,99" } }, 5, { id: "e", data: {} }];
    expect(await report("PUT", kept, "&replaceExisting=false")).toEqual({
      indexed: 1,
      rejected: [
        { position: 0, id: "a", reason: "it exists, and replaceExisting is false" },
        { position: 1, id: "d", reason: not("data.price") },
        { position: 2, id: null, reason: "a document must be an object" },
      ],
      results: { a: "DISMISSED", d: "DISMISSED", "": "DISMISSED", e: "CREATED" },
    });
    expect(await update("PUT", name, kept[1])).toEqual({ d: "DISMISSED" });
  }
});

test("compounds and ids of numbers (5)", async ({ expect }) => {
  const name = freshName("compounds");
  const configure = async (what: string, body: object): Promise<void> => {
    const response = await call(`/admin-api/v1/config/${what}/${name}`, send("PUT", body));
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  };
  await configure("index", {
    "data-processor-configuration": {
      processors: ["WordSplitterDataProcessor"],
      configuration: { WordSplitterDataProcessor: { fieldName: "words", "fields.0": "title" } },
    },
    "field-configuration": {
      fields: { title: { usage: ["Result"] }, words: { usage: ["Search"] } },
      "dynamic-fields": [{ name: "attribute", type: "number", usage: ["Facet"] }],
    },
  });
  await configure("tenant", {
    "facet-configuration": {
      facets: [{ "source-field": "volt", type: "term", "min-value-count": 1, "multi-select": true }],
    },
  });
  const document = (id: string, title: string, volt: number): object => ({
    id,
    data: { title },
    attributes: [{ name: "volt", value: volt, code: `V${volt}` }],
  });
  await publish(
    name,
    [
      document("a", "Bücherregal", 12),
      document("b", "Schuhregal", 12),
      document("c", "Kochtopf", 230),
      document("d", "Lederhandschuhe", 230),
    ],
    4,
    "de",
  );
  const volts = async (query: string): Promise<string[]> => {
    const facets = (await search(name, query)).slices[0]?.facets ?? [];
    const entries = facets.find(({ fieldName }) => fieldName === "volt")?.entries ?? [];
    return entries.map(
      ({ key, id, docCount, selected, link }) => `${selected ? "*" : ""}${key} ${id} ${docCount} ${link}`,
    );
  };
  expect(await ids(name, "q=regal")).toEqual(["a", "b"]);
  expect(await ids(name, "q=handschuhe")).toEqual(["d"]);
  expect(await volts("volt.id=V12")).toEqual(["*12 V12 2 ", "230 V230 2 volt.id=V12%2CV230"]);

  await update("PATCH", name, [
    { id: "b", data: { title: "Suppentopf" } },
    { id: "c", attributes: [{ name: "volt", value: 12, code: "V12" }] },
  ]);
  await update("PUT", name, document("e", "Weinregal", 24));
  expect(await ids(name, "q=regal")).toEqual(["a", "e"]);
  expect(await ids(name, "q=topf")).toEqual(["b", "c"]);
  expect(await volts("volt.id=V12")).toEqual([
    "*12 V12 3 ",
    "24 V24 1 volt.id=V12%2CV24",
    "230 V230 1 volt.id=V12%2CV230",
  ]);
  expect(await ids(name, "volt.id=V12,V24")).toEqual(["a", "b", "c", "e"]);
});
