// What the catalog stores in SQLite (src/objects/catalog-object.ts), in golden files of its schemas.
//  1. a catalog as schema 1 and later have stored it is read: configuration, rules, queries, names, sessions; then it
//     is changed, and the history begins with what was there
//  2. the newest golden file has the tables of today's code. When this fails, a schema has changed: give it a number,
//     and put what the test logs into fixtures/catalog-<number>.json
import { env } from "cloudflare:workers";
import { test } from "vitest";
import type { CatalogApi } from "../../src/objects/index.ts";
import { unwrap } from "../../src/interface/index.ts";
import { dumpOf, restore, type Dump } from "./support/dump.ts";
import { evict } from "./support/faults.ts";
import { uniqueName } from "./support/index.ts";
import schema1 from "./fixtures/catalog-1.json";
import schema2 from "./fixtures/catalog-2.json";

const GOLDEN: readonly Dump[] = [schema1, schema2];

/** A catalog of its own: the deployment's is left alone. */
function catalogOf(name: string): CatalogApi {
  return env.CATALOG.getByName(name) as unknown as CatalogApi;
}

const RULES = "a =>\n  DELETE\n";
const HINT = { indexName: "products", temporaryIndexName: "ocs-1-products-en", startedAtMs: 5 };
const DOCUMENT = { ocs: { "tenant-config": { shop: { "index-name": "products" } } } };

async function made(): Promise<string> {
  const name = uniqueName("golden-catalog");
  const catalog = catalogOf(name);
  const entry = { kind: "tenant", name: "shop" } as const;
  unwrap(await catalog.change({ kind: "document", document: DOCUMENT, entry, user: "ops" }, 0));
  unwrap(await catalog.change({ kind: "rules", name: "toys", text: RULES }, 1));
  unwrap(await catalog.change({ kind: "suggestQueries", name: "products", text: "{}" }, 2));
  await catalog.noteSession(HINT, 0);
  return name;
}

test.for(GOLDEN)("1: $kv.catalog.schema is read", async (golden, { expect }) => {
  const name = golden.shard;
  const catalog = catalogOf(name);
  await evict("CATALOG", name);
  await restore(golden, "CATALOG");
  await evict("CATALOG", name);
  const expected = { version: 3, indexNames: [], document: DOCUMENT };
  expect(await catalog.snapshot()).toEqual(expected);
  expect(await catalog.texts({ rules: ["toys"], suggestQueries: ["products"] })).toEqual({
    version: 3,
    rules: new Map([["toys", RULES]]),
    suggestQueries: new Map([["products", "{}"]]),
  });
  expect(await catalog.knows("products")).toBe(true);
  expect(await catalog.sessions()).toEqual([HINT]);
  unwrap(await catalog.change({ kind: "rules", name: "toys", text: null }, 3));
  const entry = { kind: "rules", name: "toys" } as const;
  const [removed, before] = await catalog.history(entry);
  expect(removed).toMatchObject({ version: 4, isRemoved: true });
  expect(await catalog.historicText(entry, before?.version ?? 0)).toBe(RULES);
  await evict("CATALOG", name);
  expect(await catalog.snapshot()).toEqual({ ...expected, version: 4 });
});

test("2: the newest one is today's", async ({ expect }) => {
  const dump = await dumpOf(await made(), "CATALOG");
  const shape = ({ kv, tables }: Dump): unknown => [
    (kv["catalog"] as { schema: number }).schema,
    tables.map(({ sql }) => sql),
  ];
  const newest = GOLDEN.at(-1);
  const isSame = newest !== undefined && JSON.stringify(shape(newest)) === JSON.stringify(shape(dump));
  if (!isSame) console.log(JSON.stringify(dump));
  expect(isSame).toBe(true);
});
