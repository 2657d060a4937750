/**
 * What an object has stored, as a value: its SQLite, key by key and row by row, and the objects in R2 that a
 * shard's manifest names. Put into an object and a bucket that have neither, it is the same object again. Golden files
 * are such values.
 */
import { env } from "cloudflare:workers";
import { shardStub } from "../../../src/objects/index.ts";
import { inside, type Binding } from "./faults.ts";

type Column = string | number | null | { readonly deflated: string };

export interface Dump {
  /** Name of the object. */
  readonly shard: string;
  readonly kv: Readonly<Record<string, unknown>>;
  readonly tables: readonly {
    readonly name: string;
    readonly sql: string;
    readonly rows: readonly (readonly Column[])[];
  }[];
  /** Key -> bytes. */
  readonly objects: Readonly<Record<string, Column>>;
}

const TABLES = `SELECT name, sql FROM sqlite_master
  WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' ORDER BY name`;

export async function dumpOf(shard: string, binding: Binding = "SHARD"): Promise<Dump> {
  const stored = await inside(binding, shard, async ({ kv, sql }) => {
    const tables = sql
      .exec<{ name: string; sql: string }>(TABLES)
      .toArray()
      .map((table) => ({ ...table, rows: [...sql.exec(`SELECT * FROM ${table.name}`).raw()] }));
    return { kv: Object.fromEntries(kv.list()), tables };
  });
  const tables = [];
  for (const { name, sql, rows } of stored.tables) {
    tables.push({ name, sql: sql.replaceAll(/\s+/g, " "), rows: await Promise.all(rows.map(packed)) });
  }
  const objects: Record<string, Column> = {};
  for (const key of binding === "SHARD" ? await shardStub(env, shard).namedKeys() : []) {
    const object = await env.SNAPSHOTS.get(key);
    objects[key] = await deflated(new Uint8Array((await object?.arrayBuffer()) ?? []));
  }
  return { shard, kv: stored.kv, tables, objects };
}

export async function restore({ shard, kv, tables, objects }: Dump, binding: Binding = "SHARD"): Promise<void> {
  for (const [key, bytes] of Object.entries(objects)) {
    const value = (await unpacked(bytes)) as ArrayBuffer;
    await env.SNAPSHOTS.put(key, value, { sha256: await crypto.subtle.digest("SHA-256", value) });
  }
  const filled = await Promise.all(
    tables.map(async ({ name, sql, rows }) => ({
      name,
      sql,
      rows: await Promise.all(rows.map((row) => Promise.all(row.map(unpacked)))),
    })),
  );
  await inside(binding, shard, async (storage) => {
    await storage.deleteAlarm();
    await storage.deleteAll();
    for (const [key, value] of Object.entries(kv)) storage.kv.put(key, value);
    for (const { name, sql, rows } of filled) {
      storage.sql.exec(sql);
      for (const row of rows) {
        storage.sql.exec(`INSERT INTO ${name} VALUES (${row.map(() => "?").join(", ")})`, ...row);
      }
    }
  });
}

async function packed(row: readonly SqlStorageValue[]): Promise<Column[]> {
  return Promise.all(
    row.map(async (value) => (value instanceof ArrayBuffer ? deflated(new Uint8Array(value)) : value)),
  );
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Column> {
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  return { deflated: btoa(String.fromCharCode(...packed)) };
}

async function unpacked(value: Column): Promise<SqlStorageValue> {
  if (value === null || typeof value !== "object") return value;
  const bytes = Uint8Array.from(atob(value.deflated), (character) => character.charCodeAt(0));
  return (await through(bytes, new DecompressionStream("deflate-raw"))).buffer;
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Response(bytes).body?.pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}
