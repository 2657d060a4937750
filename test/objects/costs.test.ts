// What the platform bills, counted (docs/cost.md computes with these figures).
//  1. rows of SQLite that PUTs write, one by one and together, with the checkpoint they lead to
//  2. rows that an import writes, with the copies of its shard; calls of R2 that an `add` and a `done` make
// Rows are those that the platform reports for each statement; a key of the object's own store counts as one, an alarm
// too.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { test } from "vitest";
import { long } from "../support/property.ts";
import { type Binding, observed } from "./support/faults.ts";
import { cached, checkpointShard } from "./support/maintenance.ts";
import {
  add,
  apply,
  document,
  done,
  importAll,
  routeOf,
  shardOf,
  start,
  uniqueName,
  type TestDocument,
} from "./support/index.ts";

/** For docs/cost.md. */
function print(figures: object): void {
  if (long) console.log(JSON.stringify(figures));
}

interface Count {
  rows: number;
}

/** Counts what this incarnation of the object writes from now on. */
async function counting(binding: Binding, name: string): Promise<Count> {
  const count: Count = { rows: 0 };
  await runInDurableObject(env[binding].getByName(name) as DurableObjectStub, (_, { storage }) => {
    const { sql, kv } = storage;
    const exec = sql.exec.bind(sql);
    const counted = ((query: string, ...bindings: unknown[]) => {
      const cursor = exec(query, ...bindings);
      count.rows += cursor.rowsWritten;
      return cursor;
    }) as SqlStorage["exec"];
    Object.defineProperty(sql, "exec", { value: counted });
    const put = kv.put.bind(kv);
    Object.defineProperty(kv, "put", {
      value: (key: string, value: unknown) => {
        count.rows++;
        put(key, value);
      },
    });
    const remove = kv.delete.bind(kv);
    Object.defineProperty(kv, "delete", {
      value: (key: string) => {
        const wasThere = remove(key);
        if (wasThere) count.rows++;
        return wasThere;
      },
    });
    const setAlarm = storage.setAlarm.bind(storage);
    Object.defineProperty(storage, "setAlarm", {
      value: (time: number) => {
        count.rows++;
        return setAlarm(time);
      },
    });
  });
  return count;
}

function product(i: number, turn = 0): TestDocument {
  return document(`p${i}`, `shoe ${i} of turn ${turn}`, { price: i, text: "x".repeat(1_000) });
}

test("1: rows that updates write", async ({ expect }) => {
  const name = uniqueName("put-costs");
  await importAll(
    name,
    Array.from({ length: 200 }, (_, i) => product(i)),
  );
  await cached(name);
  const shard = shardOf(await routeOf(name));
  const count = await counting("SHARD", shard);
  const rowsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = count.rows;
    await work();
    return count.rows - before;
  };
  const PUTS = 60;
  const put = (i: number, turn: number): Promise<unknown> =>
    apply(name, { kind: "put", documents: [product(i, turn)] });
  const single = await rowsOf(() => put(0, 1));
  const apart = await rowsOf(async () => {
    for (let i = 0; i < PUTS; i++) await put(i, 2);
  });
  const patches = await rowsOf(async () => {
    for (let i = 0; i < PUTS; i++) {
      await apply(name, { kind: "patch", documents: [{ id: `p${i}`, data: { price: 1_000 + i } }] });
    }
  });
  const together = await rowsOf(() => Promise.all(Array.from({ length: PUTS }, (_, i) => put(i, 3))));
  const { result: checkpoint, crossings } = await observed(name, () => rowsOf(() => checkpointShard(shard)));
  const r2 = crossings.filter(({ kind }) => kind === "r2");
  const puts = r2.filter(({ what }) => what === "put").length;
  print({
    single,
    perPut: apart / PUTS,
    perPatch: patches / PUTS,
    perPutTogether: together / PUTS,
    checkpoint,
    checkpointPuts: puts,
    checkpointReads: r2.length - puts,
  });
  // Besides the row of the log: its alarm, and the state in which the log begins.
  expect(single).toBeGreaterThanOrEqual(1);
  expect(single).toBeLessThanOrEqual(4);
  expect(apart / PUTS).toBeLessThanOrEqual(1.1);
  expect(patches / PUTS).toBeLessThanOrEqual(1.1);
  expect(together / PUTS).toBeLessThanOrEqual(0.1);
  // A row of the log goes once, and not again with what it was merged into.
  expect(checkpoint).toBeLessThanOrEqual(2 * PUTS + 40);
  expect(puts).toBe(3);
});

test("2: rows and calls of R2 of an import", async ({ expect }) => {
  const name = uniqueName("import-costs");
  const session = await start(name);
  const ofSession = await counting("SESSION", session.temporaryIndexName);
  const shard = `${name}/1/0`;
  const calls = async (work: () => Promise<unknown>): Promise<{ readonly puts: number; readonly reads: number }> => {
    const { crossings } = await observed(name, work);
    const r2 = crossings.filter(({ kind }) => kind === "r2");
    const puts = r2.filter(({ what }) => what === "put" || what === "list").length;
    return { puts, reads: r2.length - puts };
  };
  const BULK = 500;
  const documents = (from: number): TestDocument[] => Array.from({ length: BULK }, (_, i) => product(from + i));
  const addCalls = await calls(() => add(session, documents(0)));
  await add(session, documents(BULK));
  const addRows = ofSession.rows / 2;
  const ofShard = await counting("SHARD", shard);
  const doneCalls = await calls(() => done(session));
  await cached(name);
  print({
    addRows,
    addCalls,
    doneCalls,
    sessionRows: ofSession.rows,
    shardRows: ofShard.rows,
    shardRowsPerThousand: (ofShard.rows / (2 * BULK)) * 1_000,
  });
  expect(addCalls).toEqual({ puts: 2, reads: 2 });
  expect(addRows).toBeLessThanOrEqual(8);
  // Chunks of 32 KB, and the parts of two small segments, which the tests cut finer than the service.
  expect(ofShard.rows).toBeLessThanOrEqual(300);
});
