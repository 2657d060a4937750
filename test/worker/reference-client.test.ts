/**
 * What the reference's own client and integration tests rely on, through HTTP, over one shard and over two, after an
 * import and after updates:
 *
 * 1. Attribute objects are texts in hits and documents; plain numbers stay numbers.
 * 2. Attributes that read as numbers: filter-sensitive ranges, by id and number, and their order.
 * 3. JSON numbers of a field without type are filtered by ranges; units of labels as configured.
 * 4. A set of several article numbers, of products and variants.
 * 5. Fields named like parameters: `f.<name>`, in links, and in the body of an arranged search.
 * 6. A static set with an unknown field is empty; `index-name` of the default entry says nothing; ids that mean folders are refused.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, test } from "vitest";
import { ImportSession, type DocumentBody, type SearchResult } from "../../src/interface/index.ts";
import { call, freshName, send } from "./support.ts";

const CONFIG = "/admin-api/v1/config";

let before: unknown;
beforeAll(async () => {
  before = await (await call(CONFIG)).json();
});
// One document for all tests of the run: it is put back.
afterAll(async () => {
  await (await call(CONFIG, send("PUT", before))).text();
});

async function answered<T>(response: Response, status = 200): Promise<T> {
  if (response.status !== status) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

async function publish(name: string, documents: readonly unknown[], shards: number): Promise<void> {
  await runInDurableObject(env.INDEX.getByName(name), (instance) => {
    const object = instance as unknown as { env: object };
    object.env = { ...object.env, SHARDS_MIN: shards };
  });
  const started = await call(`/indexer-api/v1/full/start/${name}?locale=en`);
  const session = ImportSession.parse(await started.json());
  await answered(await call("/indexer-api/v1/full/add", send("POST", { session, documents })));
  await answered(await call("/indexer-api/v1/full/done", send("POST", session)));
}

function search(name: string, query: string): Promise<SearchResult> {
  return call(`/search-api/v1/search/${name}?${query}`).then((response) => answered(response));
}

async function ids(name: string, query: string): Promise<string> {
  const { slices } = await search(name, query);
  return slices.flatMap(({ hits }) => hits.map(({ document }) => document.id)).join(" ");
}

async function configure(kind: "index" | "tenant", name: string, entry: object): Promise<void> {
  await answered(await call(`${CONFIG}/${kind}/${name}`, send("PUT", entry)));
}

async function update(method: string, name: string, body: unknown): Promise<void> {
  await answered(await call(`/indexer-api/v1/update/${name}`, send(method, body)));
}

const attribute = (name: string, value: unknown, code?: string): object => ({
  name,
  value,
  ...(code !== undefined && { code }),
});

describe.each([1, 2])("over %i shards", (shards) => {
  test("attributes and campaigns (1, 2)", async ({ expect }) => {
    const name = freshName("campaigns");
    await configure("tenant", name, {
      "facet-configuration": {
        facets: [
          { "source-field": "campaign", type: "RANGE", isFilterSensitive: true },
          { "source-field": "price", type: "RANGE" },
        ],
      },
    });
    const product = (id: string, price: number, ...attributes: object[]): object => ({
      id,
      data: { title: `product ${id}`, price, box: attribute("box", 7) },
      attributes,
    });
    await publish(
      name,
      [
        product("p1", 12.99, attribute("campaign", "3", "1"), attribute("campaign", "20", "2")),
        product("p2", 22.99, attribute("campaign", 1, "1"), attribute("campaign", "10", "2")),
        product("p3", 32.99, attribute("campaign", "2", "1"), attribute("campaign", "007")),
        product("p4", 42.99),
      ],
      shards,
    );
    const span = async (query: string): Promise<unknown> => {
      const { slices } = await search(name, query);
      const facet = slices[0]?.facets?.find(
        ({ fieldName, type }) => fieldName === "campaign" && type === "range",
      );
      const [entry] = facet?.entries ?? [];
      return entry?.type === "range" ? [entry.lowerBound, entry.upperBound] : null;
    };
    const check = async (last: string): Promise<void> => {
      expect(await span("campaign.id=1")).toEqual([1, 3]);
      expect(await span("campaign.id=2")).toEqual([10, 20]);
      expect(await span("campaign.id=1&price=10-25")).toEqual([1, 3]);
      expect(await span("campaign.id=2&price=15-25")).toBeNull();
      expect(await ids(name, "campaign.id=1&sort=campaign.id.1")).toBe("p2 p3 p1");
      expect(await ids(name, "campaign=007")).toBe("p3");
      expect(await ids(name, "campaign=11-30")).toBe(`p1${last}`);
    };
    await check("");
    const [hit] = (await search(name, "campaign=1&limit=1")).slices[0]?.hits ?? [];
    expect(hit?.document).toMatchObject({
      id: "p2",
      data: {
        price: 22.99,
        box: attribute("box", "7"),
        campaign: [attribute("campaign", "1", "1"), attribute("campaign", "10", "2")],
      },
      attributes: [attribute("campaign", "1", "1"), attribute("campaign", "10", "2")],
    });

    await update("PUT", name, product("p5", 52.99, attribute("campaign", 30, "2")));
    await update("PATCH", name, [{ id: "p5", attributes: [attribute("campaign", "15", "2")] }]);
    await check(" p5");
    const document = await answered<DocumentBody>(await call(`/search-api/v1/doc/${name}/p5`));
    expect(document.data["box"]).toEqual(attribute("box", "7"));
    expect(document.attributes).toEqual([attribute("campaign", "15", "2")]);
  });

  test("numbers without type, units, names like parameters (3, 5)", async ({ expect }) => {
    const name = freshName("typeless");
    await configure("index", name, {
      "field-configuration": {
        fields: {
          title: { usage: ["Search", "Result"] },
          stock: { usage: ["Result", "Filter"] },
          limit: { usage: ["Facet", "Result"] },
          price: { type: "number", usage: ["Facet"] },
        },
      },
    });
    await configure("tenant", name, {
      "facet-configuration": {
        facets: [{ "source-field": "price", type: "interval_50", "meta-data": { unit: "$" } }],
      },
    });
    const documents = [0, 3, 7, 2000].map((stock, i) => ({
      id: `d${i}`,
      data: { title: "thing", stock, limit: i < 2 ? "low" : "high", price: i * 50 },
    }));
    await publish(name, documents, shards);
    const sorted = async (query: string): Promise<string> =>
      (await ids(name, query)).split(" ").toSorted().join(" ");
    expect(await sorted("stock=1-1000")).toBe("d1 d2");
    expect(await sorted("stock=!0")).toBe("d1 d2 d3");
    await update("PATCH", name, [{ id: "d3", data: { stock: 5 } }]);
    expect(await sorted("stock=1-1000")).toBe("d1 d2 d3");

    const { slices, inputURI } = await search(name, "f.limit=LOW&limit=5");
    expect(inputURI).toBe("?f.limit=low&limit=5");
    expect(slices[0]?.hits.map(({ document }) => document.id).toSorted()).toEqual(["d0", "d1"]);
    const facets = (await search(name, "")).slices[0]?.facets ?? [];
    const entries = facets.find(({ fieldName }) => fieldName === "limit")?.entries ?? [];
    expect(entries.map(({ key, link }) => [key, link])).toEqual([
      ["high", "f.limit=high"],
      ["low", "f.limit=low"],
    ]);
    const labels = facets.find(({ fieldName }) => fieldName === "price")?.entries ?? [];
    expect(labels.map(({ key }) => key)[0]).toMatch(/^< \d[\d.]*\$$/);
    const arranged = await call(
      `/search-api/v1/search/arranged/${name}`,
      send("POST", { filters: { "f.limit": "high" } }),
    );
    const { slices: found } = await answered<SearchResult>(arranged);
    expect(found[0]?.matchCount).toBe(2);
  });

  test("sets (4, 6)", async ({ expect }) => {
    const name = freshName("sets");
    const product = (artNr: string, variants?: readonly string[]): object => ({
      id: `id-${artNr}`,
      data: { title: `shirt 00${artNr.slice(-1)}`, artNr },
      ...(variants !== undefined && {
        variants: variants.map((id) => ({ id, data: { id, artNr: id } })),
      }),
    });
    await publish(
      name,
      [
        product("100331685"),
        product("100359698", ["100359698_001", "100359698_003"]),
        product("100400003", ["100400003_003"]),
        product("100500001"),
      ],
      shards,
    );
    const heroes = async (set: object): Promise<unknown> => {
      const body = { q: "nothing", arrangedProductSets: [{ name: "heroes", ...set }] };
      const response = await call(`/search-api/v1/search/arranged/${name}`, send("POST", body));
      const { slices } = await answered<SearchResult>(response);
      return slices[0]?.hits.map(({ document }) => String(document.data["artNr"])).toSorted();
    };
    const query = "100331685 100359698_003";
    expect(await heroes({ type: "dynamic", query })).toEqual(["100331685", "100359698_003"]);
    await configure("tenant", name, {
      "query-configuration": {
        numbers: {
          strategy: "ConfigurableQuery",
          condition: { matchingRegex: "\\s*(\\d+\\w?\\d+\\s*)+" },
          settings: { operator: "OR", analyzer: "whitespace", acceptNoResult: true },
          "weighted-fields": { artNr: 2 },
        },
        words: { strategy: "DefaultQuery" },
      },
    });
    expect(await heroes({ type: "dynamic", query })).toEqual(["100331685", "100359698_003"]);
    expect(await heroes({ type: "static", name: "field:nothing", ids: ["100331685"] })).toEqual([]);
    expect(await heroes({ type: "static", name: "field:artNr", ids: ["100331685"] })).toEqual([
      "100331685",
    ]);
  });
});

test("what is decided otherwise (6)", async ({ expect }) => {
  const name = freshName("decided");
  await publish(name, [{ id: "a", data: { title: "a" } }], 1);
  const entry = { ocs: { "default-tenant-config": { "index-name": name, locale: "de" } } };
  await answered(await call(CONFIG, send("PUT", entry)));
  expect(await ids(name, "")).toBe("a");
  expect((await call(`/search-api/v1/search/${name}-other`)).status).toBe(404);
  const results = await call(
    `/indexer-api/v1/update/${name}`,
    send(
      "PUT",
      [".", ".."].map((id) => ({ id, data: {} })),
    ),
  );
  expect(await answered(results)).toEqual({ ".": "DISMISSED", "..": "DISMISSED" });
});
