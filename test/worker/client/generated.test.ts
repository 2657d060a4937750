// The client generated from openapi.json (scripts/openapi-client.ts), strictly typed:
// 1. runs every operation against the Worker: an import, searches, updates, configuration, administration;
// 2. sends what it should: lists as repeated parameters, filters under their own names, ids encoded;
// 3. gives errors by their status, with the body all errors have.
import { exports } from "cloudflare:workers";
import { beforeAll, describe, test } from "vitest";
import { OPERATIONS } from "../../../src/worker/operations/index.ts";
import { freshName } from "../support.ts";
import * as client from "../../../build/client/generated.ts";

const asked: string[] = [];

beforeAll(() => {
  client.defaults.fetch = async (input, init) => {
    const request = new Request(input, init);
    asked.push(`${request.method} ${new URL(request.url).pathname}${new URL(request.url).search}`);
    return exports.default.fetch(request);
  };
});

const shoe = {
  id: "A/1, red",
  data: { title: "Running shoe", brand: "Velocita", price: 99.9 },
  categories: [[{ id: "1", name: "Shoes" }]],
  variants: [{ id: "A1-42", data: { size: "42" } }],
} satisfies client.Product;

/** The data of an answer with this status. */
function dataOf<S extends number, R extends { status: number }>(answer: R, status: S): Extract<R, { status: S }> {
  if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer)}`);
  return answer as Extract<R, { status: S }>;
}

describe("generated client", () => {
  test("every operation answers as described (1, 2)", async ({ expect }) => {
    const index = freshName("generated");
    const name = freshName("entry");
    const done = new Set<string>();
    const ran = <T>(id: keyof typeof client, answer: T): T => {
      done.add(id);
      return answer;
    };

    // Full imports: one is cancelled, two are completed, so that there is something to roll back to.
    for (const end of ["cancel", "done", "done"] as const) {
      const session = dataOf(ran("startImport", await client.startImport(index, "en")), 200).data;
      const added = ran("add", await client.add({ session, documents: [shoe] }));
      expect(dataOf(added, 200).data).toBe(1);
      const open = dataOf(ran("getSessions", await client.getSessions()), 200).data;
      expect(open.map(({ indexName }) => indexName)).toContain(index);
      if (end === "cancel") dataOf(ran("cancel", await client.cancel(session)), 202);
      else expect(dataOf(ran("done", await client.done(session)), 200).data).toBe(true);
    }

    // Search, with a filter and another one, and what belongs to it.
    const filters = { brand: "Velocita", price: "50,200" };
    const found = dataOf(ran("search", await client.search(index, { q: "shoe", filters })), 200);
    expect(found.data.slices[0]?.hits[0]?.document.id).toBe(shoe.id);
    expect(asked.at(-1)).toBe(`GET /search-api/v1/search/${index}?q=shoe&brand=Velocita&price=50%2C200`);
    const entry = found.data.slices[0]?.facets?.flatMap(({ entries }) => entries)[0];
    if (entry?.type === "hierarchical") expect(entry.path).toBe(entry.key);
    else expect(entry?.docCount).toBe(1);
    const arranged = await client.arrangedSearch(index, {
      arrangedProductSets: [
        { type: "static", name: "own", ids: [shoe.id], asSeparateSlice: true },
        { type: "dynamic", name: "shoes", query: "shoe" },
      ],
    });
    expect(dataOf(ran("arrangedSearch", arranged), 200).data.slices[0]?.label).toBe("own");
    const one = dataOf(ran("getDocument", await client.getDocument(index, shoe.id)), 200).data;
    expect(one).toMatchObject({ id: shoe.id, attributes: null });
    expect(dataOf(ran("getTenants", await client.getTenants()), 200).data).toContain(index);
    const suggested = dataOf(ran("suggest", await client.suggest(index, "vel")), 200).data;
    expect(suggested.map(({ phrase }) => phrase)).toContain("Velocita");

    // Updates.
    const put = ran("putDocuments", await client.putDocuments(index, [shoe, { ...shoe, id: "B" }]));
    expect(dataOf(put, 200).data).toEqual({ [shoe.id]: "UPDATED", B: "CREATED" });
    const patch = await client.patchDocuments(index, [{ id: "B", data: { price: 5 } }]);
    expect(dataOf(ran("patchDocuments", patch), 200).data).toEqual({ B: "UPDATED" });
    const deleted = await client.deleteDocuments(index, { id: ["B", "C"] });
    expect(dataOf(ran("deleteDocuments", deleted), 200).data).toEqual({ B: "DELETED", C: "NOT_FOUND" });

    // The configuration as a whole, put back afterwards, and its entries.
    const whole = dataOf(ran("getConfiguration", await client.getConfiguration()), 200).data;
    const version = dataOf(ran("putConfiguration", await client.putConfiguration({})), 200).data;
    expect(version.version).toBeGreaterThan(0);
    dataOf(ran("patchConfiguration", await client.patchConfiguration({ suggest: {} })), 200);
    dataOf(ran("deleteConfiguration", await client.deleteConfiguration()), 200);
    const restored = await client.putConfiguration(whole);
    expect(dataOf(restored, 200).data.version).toBeGreaterThan(version.version);
    const fields = { "field-configuration": { fields: {} } };
    dataOf(ran("putIndexConfiguration", await client.putIndexConfiguration(name, fields)), 200);
    const kept = ran("getIndexConfiguration", await client.getIndexConfiguration(name));
    expect(dataOf(kept, 200).data).toEqual(fields);
    const settings = { "index-settings": { "minimum-document-count": 0 } };
    const patched = await client.patchIndexConfiguration(name, settings);
    dataOf(ran("patchIndexConfiguration", patched), 200);
    dataOf(ran("deleteIndexConfiguration", await client.deleteIndexConfiguration(name)), 200);
    const tenant = { "index-name": index };
    dataOf(ran("putTenantConfiguration", await client.putTenantConfiguration(name, tenant)), 200);
    dataOf(ran("getTenantConfiguration", await client.getTenantConfiguration(name)), 200);
    const locale = await client.patchTenantConfiguration(name, { locale: "en" });
    const first = dataOf(ran("patchTenantConfiguration", locale), 200).data.version;
    const entryOf = { entry: `tenant/${name}` };
    const versions = await client.getConfigurationHistory(entryOf);
    const [newest] = dataOf(ran("getConfigurationHistory", versions), 200).data;
    expect(newest).toMatchObject({ ...entryOf, version: first, removed: false });
    const was = await client.getHistoricConfiguration(String(first - 1), entryOf.entry);
    expect(dataOf(ran("getHistoricConfiguration", was), 200).data).toEqual(tenant);
    const undone = await client.restoreConfiguration(String(first - 1), entryOf.entry);
    expect(dataOf(ran("restoreConfiguration", undone), 200).data.version).toBe(first + 1);
    dataOf(ran("deleteTenantConfiguration", await client.deleteTenantConfiguration(name)), 200);
    const suggest = { sourceFields: ["brand"] };
    dataOf(ran("putSuggestConfiguration", await client.putSuggestConfiguration(name, suggest)), 200);
    dataOf(ran("getSuggestConfiguration", await client.getSuggestConfiguration(name)), 200);
    const onlyTitle = await client.patchSuggestConfiguration(name, { sourceFields: ["title"] });
    dataOf(ran("patchSuggestConfiguration", onlyTitle), 200);
    dataOf(ran("deleteSuggestConfiguration", await client.deleteSuggestConfiguration(name)), 200);
    const queries = { queries: [{ phrase: "running shoes" }], sharpened: {}, relaxed: {} };
    dataOf(ran("putSuggestQueries", await client.putSuggestQueries(name, queries)), 200);
    dataOf(ran("getSuggestQueries", await client.getSuggestQueries(name)), 200);
    const fewer = await client.patchSuggestQueries(name, { queries: [], sharpened: {}, relaxed: {} });
    dataOf(ran("patchSuggestQueries", fewer), 200);
    dataOf(ran("deleteSuggestQueries", await client.deleteSuggestQueries(name)), 200);
    const rules = "shoes =>\n  SYNONYM: sneaker\n";
    dataOf(ran("putRules", await client.putRules(name, rules)), 200);
    const { data: text } = dataOf(ran("getRules", await client.getRules(name)), 200);
    expect(text).toBe(rules);
    dataOf(ran("deleteRules", await client.deleteRules(name)), 200);

    // Administration.
    const all = dataOf(ran("getIndexes", await client.getIndexes()), 200).data;
    const figures = dataOf(ran("getIndex", await client.getIndex(index)), 200).data;
    expect(all.map((each) => each.name)).toContain(figures.name);
    const exported = ran("exportIndex", await client.exportIndex(index));
    expect(JSON.stringify(dataOf(exported, 200).data)).toContain(shoe.id);
    const seen = ran("exportTenant", await client.exportTenant(index));
    expect(dataOf(seen, 200).data).toEqual(dataOf(exported, 200).data);
    const back = dataOf(ran("rollbackIndex", await client.rollbackIndex(index)), 200).data;
    expect(back.generation).toBeLessThan(figures.generation.number);
    const rebuilt = dataOf(ran("reindexIndex", await client.reindexIndex(index)), 200).data;
    expect(rebuilt.documents).toBe(1);
    const gone = dataOf(ran("deleteIndex", await client.deleteIndex(index)), 200).data;
    expect(gone).toEqual({ deleted: index });

    // The deployment.
    expect(dataOf(ran("health", await client.health()), 200).data.status).toBe("ok");
    dataOf(ran("metrics", await client.metrics()), 200);
    dataOf(ran("openapi", await client.openapi()), 200);
    dataOf(ran("root", await client.root()), 200);
    dataOf(ran("shop", await client.shop()), 200);
    dataOf(ran("docs", await client.docs()), 200);
    dataOf(ran("pageFile", await client.pageFile("page.css")), 200);

    expect([...done].toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted());
  });

  test("errors (3)", async ({ expect }) => {
    const missing = freshName("missing");
    const { data } = dataOf(await client.search(missing), 404);
    expect(data).toMatchObject({ type: "index_not_found", code: 404 });
    const refused = dataOf(await client.startImport(missing, "?"), 400);
    expect(refused.data.type).toBe("invalid_locale");
    expect(dataOf(await client.getRules(missing), 404).data.type).toBe("configuration_not_found");
  });
});
