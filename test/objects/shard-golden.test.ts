// What a shard stores in SQLite (src/objects/shard/store/store.ts), in golden files of its schemas.
//  1. a shard as schema 2 (of the first edition), 4 and later have stored it is read: published segments, updates that were merged and that were
//     not, sources inline and in chunks, parts in pieces, deletions, numbers; then it is written to and checkpointed
//  2. the newest golden file has the tables of today's code. When this fails, a schema has changed: give it a number,
//     and put what the test logs into fixtures/shard-<number>.json
//  3. one of schema 2 or 4 that dies at any statement of its upgrade, or whose statement fails, is upgraded when it is
//     loaded next
//  4. one of schema 2 or 4 whose first call is its standing has an alarm afterwards, to write its log to R2
//  5. one of schema 5 keeps its cache of stored blocks, which has not changed since
//  6. one of schema 2 that a reindex follows is still followed, and its session counts as heard of; it keeps freezes
//     and prepared updates
import { env } from "cloudflare:workers";
import { test } from "vitest";
import { shardStub } from "../../src/objects/index.ts";
import { ShardStore } from "../../src/objects/shard/store/store.ts";
import type { SearchResult } from "../../src/interface/index.ts";
import { runInDurableObject } from "cloudflare:test";
import { evict, inside } from "./support/faults.ts";
import {
  apply,
  configurationVersion,
  current,
  document,
  importAll,
  liveShard,
  searchRequest,
  uniqueName,
  updateCall,
} from "./support/index.ts";
import { dumpOf, restore, type Dump } from "./support/dump.ts";
import { checkpointShard } from "./support/maintenance.ts";
import schema2 from "./fixtures/shard-2.json";
import schema4 from "./fixtures/shard-4.json";
import schema5 from "./fixtures/shard-5.json";
import schema6 from "./fixtures/shard-6.json";

const GOLDEN: readonly Dump[] = [schema2, schema4, schema5, schema6];
/** Those with a log that is moved. */
const MOVED: readonly Dump[] = [schema2, schema4];

const EPOCH = 1;

/** Id -> title and price, of one live shard. */
async function contents(shard: string): Promise<Record<string, string>> {
  const [tenant] = shard.split("/");
  const answer = await shardStub(env, shard).search({
    epoch: EPOCH,
    configurationVersion: await configurationVersion(),
    tenant,
    request: searchRequest("", { limit: 100 }),
  });
  const result = JSON.parse(new TextDecoder().decode(current(answer).json)) as SearchResult;
  return Object.fromEntries(
    (result.slices[0]?.hits ?? []).map(({ document: { id, data } }) => [
      id,
      `${String(data["title"])} ${String(data["price"])}`,
    ]),
  );
}

/** So many updates of one document each are merged in SQLite, too. */
const MERGED = 40;
const LONG = "long ".repeat(15_000);

async function made(): Promise<string> {
  const name = uniqueName("golden");
  await importAll(
    name,
    Array.from({ length: 4 }, (_, i) => document(`d${i}`, "imported", { price: i })),
  );
  for (let i = 0; i < MERGED; i++) {
    await apply(name, { kind: "put", documents: [document(`m${i % 5}`, "merged", { price: i })] });
  }
  await apply(name, { kind: "put", documents: [document("large", "large", { price: 7, text: LONG })] });
  await apply(name, { kind: "put", documents: [document("d1", "replaced", { price: 11 })] });
  await apply(name, { kind: "delete", ids: ["d2", "m2"] });
  await apply(name, { kind: "patch", documents: [{ id: "d3", data: { price: 33 } }] });
  return liveShard(name);
}

const EXPECTED = {
  d0: "imported 0",
  d1: "replaced 11",
  d3: "imported 33",
  large: "large 7",
  m0: "merged 35",
  m1: "merged 36",
  m3: "merged 38",
  m4: "merged 39",
};

test.for(GOLDEN)("1: $kv.shard.schema is read", async (golden, { expect }) => {
  const { shard } = golden;
  await evict("SHARD", shard);
  await restore(golden);
  await evict("SHARD", shard);
  expect(await contents(shard)).toEqual(EXPECTED);
  const written = updateCall(EPOCH, { kind: "put", documents: [document("d2", "again", { price: 2 })] });
  if (written.kind === "delete") throw new Error("a put");
  current(await shardStub(env, shard).update(written));
  const after = { ...EXPECTED, d2: "again 2" };
  expect(await contents(shard)).toEqual(after);
  await evict("SHARD", shard);
  expect(await contents(shard)).toEqual(after);
  await checkpointShard(shard);
  expect(await inside("SHARD", shard, ({ sql }) => sql.exec("SELECT 1 FROM log").toArray())).toEqual([]);
  await evict("SHARD", shard);
  expect(await contents(shard)).toEqual(after);
});

test("2: the newest one is today's", async ({ expect }) => {
  const shard = await made();
  expect(await contents(shard)).toEqual(EXPECTED);
  const dump = await dumpOf(shard);
  const shape = ({ kv, tables }: Dump): unknown => [
    (kv["shard"] as { schema: number }).schema,
    tables.map(({ sql }) => sql),
  ];
  const newest = GOLDEN.at(-1);
  const isSame = newest !== undefined && JSON.stringify(shape(newest)) === JSON.stringify(shape(dump));
  if (!isSame) console.log(JSON.stringify(dump));
  expect(isSame).toBe(true);
});

/** The storage as it is, but that statement `n` of SQL, from 0, within transactions does something else. */
function interrupted(storage: DurableObjectStorage, n: number, instead: () => never): DurableObjectStorage {
  let count = 0;
  let isWithin = false;
  const bound = <T extends object>(target: T, changed: Partial<T>): T =>
    new Proxy(target, {
      get(_, property) {
        if (property in changed) return Reflect.get(changed, property) as unknown;
        const member: unknown = Reflect.get(target, property, target);
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
  const sql = bound(storage.sql, {
    exec: ((...args: Parameters<SqlStorage["exec"]>) =>
      isWithin && count++ === n ? instead() : storage.sql.exec(...args)) as SqlStorage["exec"],
  });
  const transactionSync = <T>(body: () => T): T =>
    storage.transactionSync(() => {
      isWithin = true;
      const result = body();
      isWithin = false;
      return result;
    });
  return bound(storage, { sql, transactionSync });
}

test.for(MOVED)(
  "3: an upgrade of $kv.shard.schema of which a statement fails, or is the last",
  async (golden, { expect }) => {
    const { shard, kv } = golden;
    for (const how of ["fails", "dies"]) {
      let n = 0;
      for (; ; n++) {
        await evict("SHARD", shard);
        await restore(golden);
        await evict("SHARD", shard);
        const isUpgraded = await runInDurableObject(env.SHARD.getByName(shard), (_, state) => {
          const storage = interrupted(state.storage, n, () => {
            if (how === "dies") state.abort("injected: abort");
            throw new Error("injected: statement");
          });
          new ShardStore(storage, 65_536).state();
          return true;
        }).catch(() => false);
        if (isUpgraded) break;
        const found = await inside("SHARD", shard, (stored) => ({
          state: stored.kv.get("shard"),
          tables: stored.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'old%' OR name = 'log'").toArray(),
        }));
        expect(found, `statement ${n} ${how}`).toEqual({
          state: kv["shard"],
          tables: [{ name: "log" }],
        });
        await evict("SHARD", shard);
        expect(await contents(shard), `statement ${n} ${how}`).toEqual(EXPECTED);
      }
      expect(n).toBeGreaterThan(5);
    }
  },
);

test.for(MOVED)("4: the first call of $kv.shard.schema is the standing", async (golden, { expect }) => {
  const { shard } = golden;
  await evict("SHARD", shard);
  await restore(golden);
  await evict("SHARD", shard);
  await shardStub(env, shard).setStanding({ live: true, epoch: EPOCH + 1 });
  const alarm = (): Promise<number | null> => inside("SHARD", shard, (storage) => storage.getAlarm());
  for (let i = 0; i < 50 && (await alarm()) === null; i++) await scheduler.wait(0);
  expect(await alarm()).not.toBeNull();
});

test("5: schema 5 keeps stored blocks", async ({ expect }) => {
  const { shard } = schema5;
  await evict("SHARD", shard);
  await restore(schema5);
  const cached = (): Promise<unknown> =>
    inside("SHARD", shard, ({ sql }) => ({
      chunks: sql.exec("SELECT id, records FROM chunks").toArray(),
      blocks: sql.exec("SELECT * FROM cached_blocks").toArray(),
      names: sql.exec("SELECT * FROM blocks").toArray(),
    }));
  const before = await cached();
  expect(before).toMatchObject({ chunks: [{ records: 4 }], blocks: [{}], names: [{}] });
  await evict("SHARD", shard);
  await inside("SHARD", shard, (storage) => new ShardStore(storage, 65_536).state());
  expect(await cached()).toEqual(before);
  await evict("SHARD", shard);
  expect(await contents(shard)).toEqual(EXPECTED);
});

test("6: schema 2 keeps what others wait for", async ({ expect }) => {
  const { shard, kv } = schema2;
  await evict("SHARD", shard);
  await restore(schema2);
  await evict("SHARD", shard);
  const part = new Uint8Array([1, 2, 3]);
  const found = await inside("SHARD", shard, (storage) => {
    storage.kv.put("prepared/update", "coordinator");
    storage.sql.exec("INSERT INTO pieces (owner, part, bytes) VALUES ('prepared/update', 0, ?)", part);
    storage.sql.exec("INSERT INTO freezes (token, until_ms) VALUES (7, 8)");
    const store = new ShardStore(storage, 65_536);
    store.state();
    store.note(["d9"], 45);
    return {
      session: store.following(),
      heardMs: store.followingHeardMs,
      ids: store.followedAfter({ position: -1, id: "" }, 10).map(({ id }) => id),
      freezes: store.freezes(),
      prepared: store.preparedPart("update"),
    };
  });
  expect(found).toEqual({
    session: kv.following,
    heardMs: expect.any(Number) as number,
    ids: ["d3", "d9"],
    freezes: [{ token: 7, untilMs: 8 }],
    prepared: part,
  });
});
