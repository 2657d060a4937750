// Patches of prices and stocks, which are laid over segments instead of being indexed (index-engine/index/doc-values),
// through the objects' RPC.
//  1. random histories of them among other updates, checkpoints, compactions, restarts, merges of the log, after bulks
//     that overlap: what each update answers, all documents, all searches (facets, filters, sorts) and suggestions are
//     those of an index built anew of the documents
//  2. such a patch makes no segment; it is in the log, replayed after a restart, and after a checkpoint in the
//     manifest, also for R2 alone
//  3. updates sent at once are carried out together, each with its own answer, and as if one after the other
//  4. several shards answer as one; a reindex and an export take the numbers along
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, test, type ExpectStatic } from "vitest";
import { compileFieldPlan } from "../../src/index-engine/documents/index.ts";
import { BUILT_IN_INDEX_CONFIG, unwrap, type SearchRequest } from "../../src/interface/index.ts";
import { indexStub, shardStub } from "../../src/objects/index.ts";
import { forAllAsync, runs } from "../support/property.ts";
import { evict, inside } from "./support/faults.ts";
import {
  add,
  apply,
  current,
  done,
  exportOf,
  importAll,
  liveShard,
  read,
  routeOf,
  searchFor,
  shardOf,
  start,
  suggestionsFor,
  uniqueName,
  updateCall,
  withShards,
} from "./support/index.ts";
import { checkpoint, compactShard, wipeCache } from "./support/maintenance.ts";

interface Product {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly attributes?: readonly unknown[];
  readonly variants?: readonly unknown[];
}

const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");

/** Some whose numbers may be laid over, some whose may not. */
function product(id: string, salt: number): Product {
  const data = { title: `shoe ${salt % 3} ${id}`, brand: `brand ${salt % 2}`, price: salt, stock: 1 };
  switch (salt % 7) {
    case 1:
      return { id, data: { ...data, weight: salt / 4 } };
    case 2:
      return { id, data: { title: data.title, Price: salt, StockLevel: 3 } };
    case 3:
      return { id, data, attributes: [{ name: "price", value: 4 }] };
    case 4:
      return { id, data, variants: [{ data: { size: "S" } }, { data: { size: "M", price: salt + 2, stock: 0 } }] };
    case 5:
      return { id, data: { title: data.title } };
    default:
      return { id, data };
  }
}

const IDS = Array.from({ length: 14 }, (_, i) => `p${i}`);
const number = fc.constantFrom(0, 0.5, 3, 9.99, 12, 100, 1e21);
const patch = fc.record({
  id: fc.constantFrom(...IDS, "nobody"),
  data: fc.dictionary(fc.constantFrom("price", "stock", "weight"), number, { minKeys: 1, maxKeys: 2 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("numbers" as const),
      documents: fc.array(patch, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("text" as const),
      documents: fc.array(
        fc.record({
          id: fc.constantFrom(...IDS),
          data: fc.constantFrom<Record<string, unknown>>(
            { title: "boot" },
            { price: null },
            { price: 3, color: "red" },
          ),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("put" as const), id: fc.constantFrom(...IDS), salt: fc.nat(40) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), id: fc.constantFrom(...IDS) }) },
  ...(["checkpoint", "compact", "evict"] as const).map((kind) => ({ weight: 1, arbitrary: fc.constant({ kind }) })),
);

const REQUESTS: readonly Partial<SearchRequest>[] = [
  {},
  { sort: [{ field: "price", descending: false }] },
  { sort: [{ field: "price", descending: true }], limit: 3 },
  { filters: [{ name: "price", values: ["3-12"], negated: false }] },
  { filters: [{ name: "stock", values: ["3"], negated: true }] },
  { filters: [{ name: "weight", values: [",9.99"], negated: false }] },
] as readonly Partial<SearchRequest>[];

/** Without the name of the generation. */
async function search(name: string, more: Partial<SearchRequest>, q = "shoe"): Promise<unknown> {
  const json = JSON.stringify((await searchFor(name, q, more)).slices);
  return JSON.parse(json.replaceAll(/ocs-\d+-[^"]*/g, "index"));
}

async function answers(name: string): Promise<unknown> {
  return {
    documents: await Promise.all(IDS.map((id) => read(name, id))),
    searches: await Promise.all(REQUESTS.map((request) => search(name, request))),
    everything: await search(name, {}, ""),
    suggestions: await suggestionsFor(name, "sh"),
  };
}

/** What an index built of these documents answers. */
async function anew(model: ReadonlyMap<string, unknown>): Promise<unknown> {
  const name = uniqueName("anew");
  await importAll(name, [...model.values()]);
  return answers(name);
}

async function evictLive(name: string): Promise<void> {
  await evict("SHARD", await liveShard(name));
}

async function rows(name: string, query: string): Promise<number> {
  return inside("SHARD", await liveShard(name), ({ sql }) => sql.exec<{ n: number }>(query).one().n);
}

/** As the pipeline does it to a whole document. */
function patched(model: Map<string, unknown>, sent: { readonly id: string }): string {
  const stored = model.get(sent.id);
  if (stored === undefined) return "NOT_FOUND";
  const merged = plan.merge(stored, sent);
  if (!merged.ok) return "DISMISSED";
  if (JSON.stringify(merged.document) === JSON.stringify(stored)) return "NOOP";
  model.set(sent.id, merged.document);
  return "UPDATED";
}

async function take(name: string, model: Map<string, unknown>, one: Step, expect: ExpectStatic): Promise<void> {
  switch (one.kind) {
    case "numbers":
    case "text": {
      const expected: Record<string, string> = {};
      for (const sent of one.documents) {
        const result = patched(model, sent);
        // Of a document that is sent twice, the first change counts.
        if (expected[sent.id] !== "UPDATED") expected[sent.id] = result;
      }
      expect(await apply(name, { kind: "patch", documents: one.documents })).toEqual(expected);
      return;
    }
    case "put": {
      const sent = product(one.id, one.salt);
      const result = model.has(one.id) ? "UPDATED" : "CREATED";
      model.set(one.id, sent);
      expect(await apply(name, { kind: "put", documents: [sent] })).toEqual({ [one.id]: result });
      return;
    }
    case "delete":
      expect(await apply(name, { kind: "delete", ids: [one.id] })).toEqual({
        [one.id]: model.delete(one.id) ? "DELETED" : "NOT_FOUND",
      });
      return;
    case "checkpoint":
      await checkpoint(name);
      return;
    case "compact":
      await compactShard(await liveShard(name));
      return;
    case "evict":
      await evictLive(name);
  }
}

function firstModel(): Map<string, unknown> {
  return new Map(IDS.map((id, i) => [id, product(id, i + 3)]));
}

describe("patches of numbers", () => {
  test("1. answer as documents indexed anew", { timeout: 120_000 * runs(1) }, async ({ expect }) => {
    await forAllAsync(runs(5, 3), fc.array(step, { minLength: 4, maxLength: 24 }), async (history) => {
      const name = uniqueName("numbers");
      const model = firstModel();
      const session = await start(name);
      for (const from of [0, 4, 8]) await add(session, [...model.values()].slice(from, from + 6));
      await done(session);
      for (const next of history) await take(name, model, next, expect);
      const expected = await anew(model);
      const shard = await liveShard(name);
      for (const next of [evictLive, checkpoint, evictLive, () => compactShard(shard), wipeCache]) {
        expect(await answers(name)).toEqual(expected);
        await next(name);
      }
      expect(await answers(name)).toEqual(expected);
    });
  });

  test("2. are in the log, then in the manifest", async ({ expect }) => {
    const name = uniqueName("journal");
    const model = firstModel();
    await importAll(name, [...model.values()]);
    for (let i = 0; i < 12; i++) {
      const documents = ["p4", "p5", "p8", "p11"].map((id) => ({ id, data: { price: i + 0.25 } }));
      for (const sent of documents) patched(model, sent);
      await apply(name, { kind: "patch", documents });
    }
    const segments = "SELECT COUNT(*) AS n FROM log WHERE segment IS NOT NULL";
    expect(await rows(name, segments)).toBe(0);
    expect(await rows(name, "SELECT COUNT(*) AS n FROM log")).toBe(12);
    const expected = await anew(model);
    expect(await answers(name)).toEqual(expected);
    await checkpoint(name);
    expect(await rows(name, "SELECT COUNT(*) AS n FROM log")).toBe(0);
    expect(await answers(name)).toEqual(expected);
    await wipeCache(name);
    expect(await answers(name)).toEqual(expected);
  });

  test("3. that come at once are carried out together", async ({ expect }) => {
    const name = uniqueName("together");
    const model = firstModel();
    await importAll(name, [...model.values()]);
    const route = await routeOf(name);
    const stub = shardStub(env, shardOf(route));
    const sent = Array.from({ length: 60 }, (_, i) => {
      const id = `p${i % 14}`;
      return i % 5 === 4
        ? ({ kind: "put", documents: [product(`new${i}`, i)] } as const)
        : ({ kind: "patch", documents: [{ id, data: { price: 1_000 + i } }] } as const);
    });
    // One stub keeps the order of its calls.
    const results = await Promise.all(
      sent.map(async (update) => current(await stub.update(updateCall(route.epoch, update)))),
    );
    sent.forEach((update, i) => {
      if (update.kind === "put") {
        const [created] = update.documents;
        model.set(created.id, created);
        expect(results[i]).toEqual({ [created.id]: "CREATED" });
      } else {
        const [one] = update.documents;
        expect(results[i]).toEqual({ [one.id]: patched(model, one) });
      }
    });
    const taken = await rows(name, "SELECT COALESCE(MAX(id), 0) AS n FROM log");
    expect(taken).toBeLessThan(30);
    expect(await answers(name)).toEqual(await anew(model));
    await evictLive(name);
    expect(await answers(name)).toEqual(await anew(model));
  });

  test("4. on several shards, through a reindex and an export", async ({ expect }) => {
    const name = uniqueName("spread");
    const model = firstModel();
    await withShards(name, 4);
    await importAll(name, [...model.values()]);
    const documents = IDS.map((id, i) => ({ id, data: { price: 50 - i } }));
    for (const sent of documents) patched(model, sent);
    await apply(name, { kind: "patch", documents });
    const one = uniqueName("one");
    await importAll(one, [...model.values()]);
    for (const q of ["shoe", ""]) expect(await search(name, {}, q)).toEqual(await search(one, {}, q));
    unwrap(await indexStub(env, name).reindex({ atLeast: 1 }));
    for (const q of ["shoe", ""]) expect(await search(name, {}, q)).toEqual(await search(one, {}, q));
    const route = await routeOf(one);
    await apply(one, { kind: "patch", documents: [{ id: "p0", data: { price: 77.5 } }] });
    const exported = await exportOf(shardOf(route), route.epoch);
    // Not text(): the runtime warns of text whose content type does not begin with "text/".
    expect(new TextDecoder().decode(await exported.bytes())).toContain('"price":77.5');
  });
});
