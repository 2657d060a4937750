// Documents as shops send them, written and changed through HTTP (docs/indexing.md 6.6, 6.8).
// 1. Every accepted form is stored as sent, is shown as documented, and filters, facets and words follow it.
// 2. Results are per document: good ones are written whatever becomes of the others; what is not written stays as it was.
// 3. replaceExisting=false keeps what is there, in any case of letters, also within one body.
// 4. langCode: its forms, what it decides, and that an existing index ignores it.
// 5. PATCH of variants: by id where all stored ones have one, else the list is replaced; single variants go by leaving them out.
// 6. PATCH of attributes, categories and fields with several sources: what searches find follows.
// 7. Over several shards the same.
// 8. What a processor makes of documents (compounds taken apart), and the ids of numbers, are the same at an import and after updates, over shards.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { ImportSession, type DocumentBody, type SearchResult } from "../../src/interface/index.ts";
import { call, errorOf, freshName, send } from "./support.ts";

const path = (name: string): string => `/indexer-api/v1/update/${name}`;

async function update(
  method: string,
  name: string,
  body: unknown,
  query = "",
): Promise<Record<string, string>> {
  const response = await call(path(name) + query, send(method, body));
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

/** An index with these documents; they must be good ones. */
async function indexOf(prefix: string, documents: readonly unknown[]): Promise<string> {
  const name = freshName(prefix);
  const results = await update("PUT", name, documents, "?langCode=en");
  const others = Object.values(results).filter((result) => result !== "CREATED");
  if (others.length > 0) throw new Error(JSON.stringify(results));
  return name;
}

async function stored(name: string, id: string): Promise<DocumentBody> {
  const response = await call(`/search-api/v1/doc/${name}/${id}`);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

async function search(name: string, query: string): Promise<SearchResult> {
  const response = await call(`/search-api/v1/search/${name}?${query}`);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

async function ids(name: string, query: string): Promise<string[]> {
  const { slices } = await search(name, query);
  return slices.flatMap(({ hits }) => hits.map(({ document }) => document.id)).toSorted();
}

describe("forms (1)", () => {
  const attributes = [
    { name: "fit", value: "slim", code: "f1" },
    { name: "width", value: 12.5 },
  ];
  const document = {
    id: 17,
    data: {
      title: "Cotton shirt",
      price: "19.90",
      available: true,
      sizes: [38, 40.5],
      materials: ["cotton", "linen"],
      brand: "  ",
      color: null,
      origin: { name: "origin", value: "Portugal", code: "pt" },
      specs: { any: { thing: 1 } },
      Categories: "Men/Shirts",
    },
    attributes: [...attributes, null],
    variants: [
      { id: "v1", data: { size: "M" }, categories: [[{ name: "Sale" }]] },
      { data: { size: "L" }, attributes: [{ name: "lining", value: true }] },
    ],
    more: "members are ignored",
  };

  test("as sent, as shown, as found", async ({ expect }) => {
    const name = await indexOf("forms", [document]);
    expect(await stored(name, "17")).toEqual({
      id: "17",
      data: document.data,
      // Nulls in the list are no attributes; values are texts.
      attributes: [attributes[0], { name: "width", value: "12.5" }],
      categories: null,
      variants: [
        { ...document.variants[0], attributes: null },
        {
          id: "17_1",
          data: { size: "L" },
          attributes: [{ name: "lining", value: "true" }],
          categories: null,
        },
      ],
    });
    const [hit] = (await search(name, "size=L")).slices[0]?.hits ?? [];
    expect(hit?.document.data).toEqual({
      title: "Cotton shirt",
      price: 19.9,
      available: "true",
      sizes: [38, 40.5],
      materials: ["cotton", "linen"],
      origin: { name: "origin", value: "Portugal", code: "pt" },
      category: ["Men/Shirts"],
      fit: { name: "fit", value: "slim", code: "f1" },
      width: { name: "width", value: "12.5", code: null },
      size: "L",
      lining: { name: "lining", value: "true", code: null },
    });
    for (const found of [
      "q=cotton+portugal+slim",
      "price=19.9",
      "available=TRUE",
      "sizes=40,41",
      "materials=Linen",
      "origin.id=pt",
      "fit.id=f1",
      "width=12.5",
      "category=Men/Shirts",
      "size=M,XL",
      "lining=true&size=L",
    ]) {
      expect([found, await ids(name, found)]).toEqual([found, ["17"]]);
    }
    for (const nothing of [
      "brand=x",
      "lining=true&size=M",
      // Category facets use product level.
      "category=Sale",
      "q=thing",
    ]) {
      expect([nothing, await ids(name, nothing)]).toEqual([nothing, []]);
    }
  });
});

describe("results per document (2)", () => {
  test("of PUT", async ({ expect }) => {
    const name = await indexOf("put", [{ id: "a", data: { title: "Apple" } }]);
    expect(
      await update("PUT", name, [
        { id: "a", data: { title: "Pear", price: "cheap" } },
        { id: "b", data: { title: "Banana" } },
        { id: "c", data: [] },
        "text",
        { id: "d", data: { title: "Date" }, variants: [{ data: { price: "dear" } }] },
      ]),
    ).toEqual({ a: "DISMISSED", b: "CREATED", c: "DISMISSED", "": "DISMISSED", d: "DISMISSED" });
    expect((await stored(name, "a")).data).toEqual({ title: "Apple" });
    expect(await ids(name, "")).toEqual(["a", "b"]);
  });

  test("of PATCH", async ({ expect }) => {
    const name = await indexOf("patch", [
      { id: "a", data: { title: "Apple", price: 1 } },
      { id: "b", data: { title: "Banana" } },
    ]);
    expect(
      await update("PATCH", name, [
        { id: "a", data: { price: "cheap" } },
        { id: "b", data: { title: "Blueberry" } },
        { id: "c", data: { title: "Cherry" } },
        { data: { title: "nobody" } },
      ]),
    ).toEqual({ a: "DISMISSED", b: "UPDATED", c: "NOT_FOUND", "": "DISMISSED" });
    expect((await stored(name, "a")).data).toEqual({ title: "Apple", price: 1 });
    expect(await ids(name, "q=blueberry")).toEqual(["b"]);
    expect(await ids(name, "")).toEqual(["a", "b"]);
    expect(await update("PATCH", name, { id: "a", data: { price: 1 } })).toEqual({ a: "NOOP" });
    expect(await update("PATCH", name, { id: "a" })).toEqual({ a: "NOOP" });
    for (const bad of [{ data: [] }, { attributes: {} }, { categories: "A" }, { variants: [5] }]) {
      expect(await update("PATCH", name, { id: "a", ...bad })).toEqual({ a: "DISMISSED" });
    }
    expect(await stored(name, "a")).toMatchObject({ data: { title: "Apple", price: 1 } });
  });
});

describe("replaceExisting (3)", () => {
  test.for(["false", "FALSE"])("%s keeps what is there", async (written, { expect }) => {
    const name = await indexOf("keep", [{ id: "a", data: { title: "Apple" } }]);
    const documents = [
      { id: "a", data: { title: "Pear" } },
      { id: "b", data: { title: "Banana" } },
      { id: "b", data: { title: "Berry" } },
    ];
    expect(await update("PUT", name, documents, `?replaceExisting=${written}`)).toEqual({
      a: "DISMISSED",
      b: "CREATED",
    });
    expect((await stored(name, "a")).data).toEqual({ title: "Apple" });
    expect((await stored(name, "b")).data).toEqual({ title: "Banana" });
    expect(await update("PUT", name, documents.slice(0, 1), "?replaceExisting=True")).toEqual({
      a: "UPDATED",
    });
    expect((await stored(name, "a")).data).toEqual({ title: "Pear" });
  });

  test("a deleted document is not there", async ({ expect }) => {
    const name = await indexOf("again", [{ id: "a", data: { title: "Apple" } }]);
    await (await call(`${path(name)}?id=a`, { method: "DELETE" })).text();
    const again = { id: "a", data: { title: "Pear" } };
    expect(await update("PUT", name, again, "?replaceExisting=false")).toEqual({ a: "CREATED" });
    expect(await ids(name, "q=pear")).toEqual(["a"]);
  });
});

describe("langCode (4)", () => {
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

  test("is ignored where there is an index", async ({ expect }) => {
    const name = await indexOf("ignored", [shoe]);
    for (const written of ["fr", "12", ""]) {
      expect(await update("PUT", name, shoe, `?langCode=${written}`)).toEqual({ a: "UPDATED" });
    }
  });

  test("a refused one creates nothing", async ({ expect }) => {
    const name = freshName("refused");
    const error = await errorOf(await call(`${path(name)}?langCode=%20`, send("PUT", [shoe])));
    expect(error).toMatchObject({ type: "invalid_locale" });
    expect((await call(`/search-api/v1/search/${name}`)).status).toBe(404);
  });
});

describe("PATCH of variants (5)", () => {
  const variants = [
    { data: { id: "s", size: "S", price: 10 } },
    { id: "second", data: { id: "m", size: "M", price: 20 } },
  ];
  const sizes = async (name: string): Promise<unknown[]> =>
    ((await stored(name, "a")).variants ?? []).map(({ data }) => [data["size"], data["price"]]);

  test("by id, one of them", async ({ expect }) => {
    const name = await indexOf("ids", [{ id: "a", data: { title: "Hat" }, variants }]);
    const patch = { id: "a", variants: [{ id: "m", data: { price: 15 } }] };
    expect(await update("PATCH", name, patch)).toEqual({ a: "UPDATED" });
    expect(await sizes(name)).toEqual([
      ["S", 10],
      ["M", 15],
    ]);
    expect(await ids(name, "size=M&price=15")).toEqual(["a"]);
    expect(await ids(name, "size=M&price=20")).toEqual([]);
    // One that is not there yet comes last.
    await update("PATCH", name, { id: "a", variants: [{ data: { id: "l", size: "L" } }] });
    expect(await sizes(name)).toEqual([
      ["S", 10],
      ["M", 15],
      ["L", undefined],
    ]);
  });

  test("without ids the list is replaced: this is how one is deleted", async ({ expect }) => {
    const plain = variants.map(({ data: { size, price } }) => ({ data: { size, price } }));
    const name = await indexOf("lists", [{ id: "a", data: { title: "Hat" }, variants: plain }]);
    expect(await ids(name, "size=M")).toEqual(["a"]);
    expect(await update("PATCH", name, { id: "a", variants: [plain[0]] })).toEqual({
      a: "UPDATED",
    });
    expect(await sizes(name)).toEqual([["S", 10]]);
    expect(await ids(name, "size=M")).toEqual([]);
    // The master may say what has changed alone; its variants stay.
    await update("PATCH", name, { id: "a", data: { title: "Cap" } });
    expect(await sizes(name)).toEqual([["S", 10]]);
    expect(await ids(name, "q=cap&size=S")).toEqual(["a"]);
    await update("PATCH", name, { id: "a", variants: [] });
    expect(await sizes(name)).toEqual([]);
    expect(await ids(name, "size=S")).toEqual([]);
  });

  test("one stored variant without the id is enough", async ({ expect }) => {
    const mixed = [...variants, { id: "x", data: { size: "L" } }];
    const name = await indexOf("mixed", [{ id: "a", data: { title: "Hat" }, variants: mixed }]);
    await update("PATCH", name, { id: "a", variants: [{ id: "s", data: { price: 1 } }] });
    expect(await sizes(name)).toEqual([[undefined, 1]]);
  });
});

describe("PATCH of the rest (6)", () => {
  test("attributes by name, categories as a whole, other spellings of a field", async ({
    expect,
  }) => {
    const name = await indexOf("rest", [
      {
        id: "a",
        data: { title: "Hat", Price: 10 },
        attributes: [
          { name: "fit", value: "slim" },
          { name: "fit", value: "regular" },
          { name: "wool", value: "yes" },
        ],
        categories: [[{ name: "Men" }, { name: "Hats" }], [{ name: "Sale" }]],
      },
    ]);
    await update("PATCH", name, {
      id: "a",
      data: { price: 12 },
      attributes: [{ name: "fit", value: "wide" }],
      categories: [[{ name: "Women" }]],
    });
    expect(await stored(name, "a")).toEqual({
      id: "a",
      data: { title: "Hat", price: 12 },
      attributes: [
        { name: "wool", value: "yes" },
        { name: "fit", value: "wide" },
      ],
      categories: [[{ name: "Women" }]],
    });
    for (const found of ["fit=wide", "wool=yes", "category=Women", "price=12"]) {
      expect([found, await ids(name, found)]).toEqual([found, ["a"]]);
    }
    for (const gone of ["fit=slim", "fit=regular", "category=Men", "category=Sale", "price=10"]) {
      expect([gone, await ids(name, gone)]).toEqual([gone, []]);
    }
    // Null removes a field.
    await update("PATCH", name, { id: "a", data: { price: null } });
    expect((await stored(name, "a")).data).toEqual({ title: "Hat" });
  });
});

/** A full import into four shards. */
async function importSharded(
  name: string,
  locale: string,
  documents: readonly unknown[],
): Promise<void> {
  await runInDurableObject(env.INDEX.getByName(name), (instance) => {
    const object = instance as unknown as { env: object };
    object.env = { ...object.env, SHARDS_MIN: 4 };
  });
  const started = await call(`/indexer-api/v1/full/start/${name}?locale=${locale}`);
  const session = ImportSession.parse(await started.json());
  await (await call("/indexer-api/v1/full/add", send("POST", { session, documents }))).text();
  await (await call("/indexer-api/v1/full/done", send("POST", session))).text();
}

test("over several shards (7)", async ({ expect }) => {
  const name = freshName("shards");
  const documents = Array.from({ length: 8 }, (_, i) => ({
    id: `p${i}`,
    data: { title: `Hat ${i}`, price: i },
  }));
  await importSharded(name, "en", documents);
  expect(
    await update("PUT", name, [
      ...documents.slice(0, 3).map(({ id }) => ({ id, data: { title: "Cap" } })),
      { id: "p3", data: { price: "cheap" } },
      { id: "new", data: { title: "Cap" } },
      5,
    ]),
  ).toEqual({
    p0: "UPDATED",
    p1: "UPDATED",
    p2: "UPDATED",
    p3: "DISMISSED",
    new: "CREATED",
    "": "DISMISSED",
  });
  expect(await ids(name, "q=cap")).toEqual(["new", "p0", "p1", "p2"]);
  const keep = documents.map(({ id }) => ({ id, data: { title: "Bonnet" } }));
  const kept = await update(
    "PUT",
    name,
    [...keep, { id: "late", data: { title: "Bonnet" } }],
    "?replaceExisting=false",
  );
  expect(kept).toEqual({
    ...Object.fromEntries(documents.map(({ id }) => [id, "DISMISSED"])),
    late: "CREATED",
  });
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

test("compounds and ids of numbers (8)", async ({ expect }) => {
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
      facets: [
        { "source-field": "volt", type: "term", "min-value-count": 1, "multi-select": true },
      ],
    },
  });
  const document = (id: string, title: string, volt: number): object => ({
    id,
    data: { title },
    attributes: [{ name: "volt", value: volt, code: `V${volt}` }],
  });
  await importSharded(name, "de", [
    document("a", "Bücherregal", 12),
    document("b", "Schuhregal", 12),
    document("c", "Kochtopf", 230),
    document("d", "Lederhandschuhe", 230),
  ]);
  const volts = async (query: string): Promise<string[]> => {
    const facets = (await search(name, query)).slices[0]?.facets ?? [];
    const entries = facets.find(({ fieldName }) => fieldName === "volt")?.entries ?? [];
    return entries.map(
      ({ key, id, docCount, selected, link }) =>
        `${selected ? "*" : ""}${key} ${id} ${docCount} ${link}`,
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
    "230 V230 1 volt.id=V12%2CV230",
    "24 V24 1 volt.id=V12%2CV24",
  ]);
  expect(await ids(name, "volt.id=V12,V24")).toEqual(["a", "b", "c", "e"]);
});
