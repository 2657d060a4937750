// What a checkpoint makes of a log: its segments merged, its sources collected
// (src/objects/shard/maintenance/log-segment.ts).
//  1. after puts, replaced and deleted documents, and changed numbers a checkpoint leaves every answer; every source
//     is what was sent, to the byte, and with its changed numbers where some have changed; nothing of the log is left
//     in SQLite, and R2 alone has everything
//  2. so it is when the log was written by another version of the analysis, or a part of it was: all is analysed anew
//  3. a log of which no document is left becomes no segment
//  4. segments of another version do not keep the log from being merged, nor checkpoints from being written, however
//     many there are
import { env } from "cloudflare:workers";
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, test, type ExpectStatic } from "vitest";
import { ANALYSIS_VERSION } from "../../src/index-engine/analysis/index.ts";
import { shardStub, type UpdateCall } from "../../src/objects/index.ts";
import {
  apply,
  current,
  document,
  importAll,
  liveShard,
  read,
  routeOf,
  searchFor,
  suggestionsFor,
  uniqueName,
  exportOf,
} from "./support/index.ts";
import { UpdateLog, type LogEntry } from "../../src/objects/shard/store/update-log.ts";
import {
  checkpointShard,
  ownManifest,
  pendingWrites,
  publishedVersions,
  rewritePublished,
  wipeCache,
} from "./support/maintenance.ts";
import { withAnalysisVersion } from "../support/other-version.ts";

const QUERIES = ["shoe", "boots", "red", "hat", "green sock", ""];

async function evict(name: string): Promise<void> {
  await evictDurableObject(env.SHARD.getByName(await liveShard(name)));
}

/** Id -> source, as the export has it: no line breaks, otherwise byte by byte. */
async function sources(name: string): Promise<Map<string, string>> {
  const { epoch } = await routeOf(name);
  const exported = await exportOf(await liveShard(name), epoch);
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await exported.arrayBuffer());
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => [(JSON.parse(line) as { id: string }).id, line]));
}

/** Everything that is asked before and after. The sources by id: their order is that of segments. */
async function answers(name: string): Promise<unknown> {
  const found = await sources(name);
  return {
    sources: [...found].sort(([a], [b]) => (a < b ? -1 : 1)),
    documents: await Promise.all([...found.keys()].sort().map((id) => read(name, id))),
    results: await Promise.all(QUERIES.map(async (query) => (await searchFor(name, query)).slices)),
    suggestions: await Promise.all(["sh", "re", "bo"].map((text) => suggestionsFor(name, text))),
  };
}

async function putRaw(name: string, texts: readonly string[]): Promise<void> {
  const { epoch } = await routeOf(name);
  const call: UpdateCall = {
    epoch,
    kind: "put",
    documents: texts.map((text) => new TextEncoder().encode(text)),
    replaceExisting: true,
  };
  current(await shardStub(env, await liveShard(name)).update(call));
}

/** A document whose bytes are no serialiser's. */
function raw(id: string, title: string, salt: number): string {
  const numbers = `"price" : ${salt}.50,   "stock":${salt % 3}`;
  const colour = salt % 2 === 0 ? `, "color":"r\\u0065d"` : "";
  const variants = salt % 4 === 3 ? `, "variants":[ {"data":{"size":"S"}}, {"data":{ "size":"M"}} ]` : "";
  return `{ "data":{"title":  "${title}",${numbers}${colour}}${variants}, "id" :"${id}" }`;
}

/**
 * An index with three imported documents, and a log; and what the sources are then: as sent, or the value where
 * numbers have changed.
 */
async function writtenIndex(what: string): Promise<{
  readonly name: string;
  readonly sent: ReadonlyMap<string, string>;
  readonly changed: ReadonlyMap<string, Readonly<Record<string, number>>>;
}> {
  const name = uniqueName(what);
  await importAll(name, [
    document("i1", "red shoe", { price: 10, stock: 1 }),
    document("i2", "blue boots", { price: 20, stock: 1 }),
    document("i3", "green hat", { price: 30, stock: 1 }),
  ]);
  const sent = new Map<string, string>();
  const changed = new Map<string, Record<string, number>>();
  const put = async (...documents: readonly (readonly [string, string, number])[]): Promise<void> => {
    await putRaw(
      name,
      documents.map(([id, title, salt]) => raw(id, title, salt)),
    );
    for (const [id, title, salt] of documents) {
      sent.set(id, raw(id, title, salt));
      changed.delete(id);
    }
  };
  const patch = async (id: string, data: Readonly<Record<string, number>>): Promise<void> => {
    await apply(name, { kind: "patch", documents: [{ id, data }] });
    changed.set(id, { ...changed.get(id), ...data });
  };
  const remove = async (...ids: readonly string[]): Promise<void> => {
    await apply(name, { kind: "delete", ids });
    for (const id of ids) {
      sent.delete(id);
      changed.delete(id);
    }
  };

  // More than the log keeps apart, so that some of it has been merged already; the last ones have not.
  for (let i = 0; i < 12; i++) await put([`m${i}`, `green sock number${i}`, i]);
  await put(["b", "red boots", 3], ["a", "red shoe", 4], ["c", "old hat", 5]);
  await patch("a", { price: 7.25 });
  await patch("i1", { price: 12.75 });
  await put(["c", "new hat", 6], ["d", "grüner Schuh \u{1f45f}", 7]);
  await remove("b", "i2", "m3");
  await put(["b", "boots again", 8], ["i1", "replaced shoe", 9]);
  await patch("d", { stock: 40 });
  await patch("a", { stock: 5 });
  await patch("m1", { price: 1.5 });
  await patch("m5", { price: 99 });
  await put(["m5", "sock with a number of its own", 11]);
  await remove("m7");
  await patch("c", { price: 0.125 });
  return { name, sent, changed };
}

/** Sources of the documents that were written by updates. */
async function expectSources(
  expect: ExpectStatic,
  { name, sent, changed }: Awaited<ReturnType<typeof writtenIndex>>,
): Promise<void> {
  const found = await sources(name);
  expect([...found.keys()].sort()).toEqual([...sent.keys(), "i3"].sort());
  for (const [id, text] of sent) {
    const numbers = changed.get(id);
    if (numbers === undefined) {
      expect(found.get(id)).toBe(text);
      continue;
    }
    const whole = JSON.parse(text) as { readonly data: object };
    expect(JSON.parse(found.get(id) ?? "null")).toEqual({ ...whole, data: { ...whole.data, ...numbers } });
  }
}

/** Rows of SQLite that belong to the log. */
async function logRows(name: string): Promise<number> {
  return runInDurableObject(env.SHARD.getByName(await liveShard(name)), (_, { storage }) =>
    ["log", "log_pieces", "log_chunks"]
      .map((table) => storage.sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`).one().n)
      .reduce((sum, count) => sum + count, 0),
  );
}

/** What a restart reads of the log. */
async function logEntries(name: string): Promise<readonly LogEntry[]> {
  return runInDurableObject(env.SHARD.getByName(await liveShard(name)), (_, { storage }) =>
    new UpdateLog(storage.sql).entries(),
  );
}

/**
 * Rewrites log segments, oldest first, those for which `isOther`; the shard is another incarnation then. How many
 * there were.
 */
async function rewriteLog(
  name: string,
  isOther: (place: number, count: number) => boolean,
): Promise<{ readonly rewritten: number; readonly others: number }> {
  const outcome = await runInDurableObject(env.SHARD.getByName(await liveShard(name)), (_, { storage }) => {
    const log = new UpdateLog(storage.sql);
    const entries = log.entries().filter((entry) => log.segment(entry) !== null);
    let rewritten = 0;
    entries.forEach((entry, place) => {
      const bytes = log.segment(entry);
      if (bytes === null || !isOther(place, entries.length)) return;
      const other = withAnalysisVersion(bytes, ANALYSIS_VERSION + 1);
      storage.sql.exec("UPDATE log SET segment = ? WHERE ABS(id) = ? AND first = ?", other, entry.last, entry.first);
      rewritten++;
    });
    return { rewritten, others: entries.length - rewritten };
  });
  await evict(name);
  return outcome;
}

/** A checkpoint changes nothing that anyone sees, whoever looks when. */
async function expectCheckpoint(expect: ExpectStatic, index: Awaited<ReturnType<typeof writtenIndex>>): Promise<void> {
  const { name } = index;
  const before = await answers(name);
  await expectSources(expect, index);
  expect(await logRows(name)).toBeGreaterThan(0);
  await checkpointShard(await liveShard(name));
  expect(await logRows(name)).toBe(0);
  expect(await publishedVersions(name)).toEqual([ANALYSIS_VERSION, ANALYSIS_VERSION]);
  expect(await answers(name)).toEqual(before);
  await evict(name);
  expect(await answers(name)).toEqual(before);
  await wipeCache(name);
  expect(await answers(name)).toEqual(before);
  await expectSources(expect, index);
}

describe("a checkpoint", () => {
  test("1. leaves every answer and every source", async ({ expect }) => {
    const index = await writtenIndex("merged");
    await expectCheckpoint(expect, index);

    // Another one, of changes to what the first has written.
    const { name } = index;
    await putRaw(name, [raw("a", "a third shoe", 13)]);
    await apply(name, { kind: "patch", documents: [{ id: "b", data: { price: 3.5 } }] });
    await apply(name, { kind: "delete", ids: ["d"] });
    const before = await answers(name);
    await checkpointShard(await liveShard(name));
    expect(await answers(name)).toEqual(before);
    expect((await sources(name)).get("a")).toBe(raw("a", "a third shoe", 13));
    await wipeCache(name);
    expect(await answers(name)).toEqual(before);
  });

  test("2. analyses a log of another version anew", async ({ expect }) => {
    const index = await writtenIndex("reanalysed");
    const { rewritten } = await rewriteLog(index.name, () => true);
    expect(rewritten).toBeGreaterThan(1);
    await expectCheckpoint(expect, index);
  });

  test("2. analyses a log of two versions anew", async ({ expect }) => {
    const index = await writtenIndex("mixed");
    const outcome = await rewriteLog(index.name, (place, count) => place < count / 2);
    expect(outcome.rewritten).toBeGreaterThan(0);
    expect(outcome.others).toBeGreaterThan(0);
    await expectCheckpoint(expect, index);
  });

  test("3. of a log without documents makes no segment", async ({ expect }) => {
    const { name, sent } = await writtenIndex("nothing");
    await apply(name, { kind: "delete", ids: [...sent.keys()] });
    const before = await answers(name);
    expect([...(await sources(name)).keys()]).toEqual(["i3"]);
    await checkpointShard(await liveShard(name));
    expect(await logRows(name)).toBe(0);
    expect(await publishedVersions(name)).toEqual([ANALYSIS_VERSION]);
    expect(await answers(name)).toEqual(before);
    await wipeCache(name);
    expect(await answers(name)).toEqual(before);
  });

  test("4. of a log of another version lets what follows be merged", async ({ expect }) => {
    const { name } = await writtenIndex("followed");
    await rewriteLog(name, () => true);
    const entries = (await logEntries(name)).length;
    for (let i = 0; i < 60; i++) await putRaw(name, [raw(`n${i}`, `later shoe ${i}`, i)]);
    // Of those that follow, 32 or more are merged.
    expect((await logEntries(name)).length).toBeLessThanOrEqual(entries + 60 - 31);
    const before = await answers(name);
    await evict(name);
    expect(await answers(name)).toEqual(before);
    await checkpointShard(await liveShard(name));
    expect(await pendingWrites(name)).toBe(0);
    expect(await answers(name)).toEqual(before);
  });

  test("4. merges published segments with their like only", async ({ expect }) => {
    const { name } = await writtenIndex("upgraded");
    expect(await rewritePublished(name, ANALYSIS_VERSION + 1)).toBe(1);
    // So many that checkpoints merge some.
    let most = 0;
    for (let i = 0; i < 14; i++) {
      await putRaw(name, [raw(`n${i}`, `later shoe ${i}`, i)]);
      await checkpointShard(await liveShard(name));
      expect(await pendingWrites(name)).toBe(0);
      const { segments } = await ownManifest(await liveShard(name));
      most = Math.max(most, segments.length);
    }
    expect(most).toBeGreaterThan(10);
    expect(most).toBeLessThan(14);
    const before = await answers(name);
    expect((await sources(name)).get("n13")).toBe(raw("n13", "later shoe 13", 13));
    await evict(name);
    expect(await answers(name)).toEqual(before);
  });
});
