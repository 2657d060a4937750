/**
 * What ShardObject stores (meaning in shard-object.ts). Synchronous; a caller's turn is one transaction.
 *
 *   kv "shard"       ShardState
 *   pieces           (owner, part) -> at most PIECE_BYTES: byte ranges that may be larger than a row
 *                      manifest           the manifest, as in R2
 *                      log/<last>         the segment of a log row
 *                      deleted/<last>     JSON list of the ids that a log row deletes
 *                      numbers/<last>     JSON list of the numbers that a log row changes: [[id, field, number, field, number, ...], ...]
 *   segment_parts    parts of published segments: cache, R2 has them, too (segment-cache.ts)
 *   chunks           (block, chunk) -> a chunk of a published stored block: cache, R2 has it, too
 *   cached_blocks    blocks of which every chunk is cached
 *   log              write-ahead log: updates first..last, in order
 *   log_chunks       (update, chunk) -> sources of an update; they are block `u<update>` of its segment
 *   freezes          token, until when
 *   kv "following"   the session that reindexes this shard (session/reindex.ts), and
 *   followed         id -> number of the last update that wrote or deleted it since then
 *   kv "prepared/<name>"   a part of an update of several shards that waits for its decision (shard/joint-update.ts): who decides;
 *                          the part itself is the piece of the same name
 *   kv "decided/<name>"    as the first shard: such an update that is decided, and the shards that may not have heard of it
 *
 * Tables are made by `open`: an object that was asked by mistake stores nothing.
 */
import type { NumberChanges } from "../../../index-engine/segment/model/index.ts";
import { segmentCut } from "../../../index-engine/segment/index.ts";
import { decodeManifest, type ShardManifest } from "../../manifest.ts";
import type { FollowCursor } from "../../protocol/index.ts";
import { SegmentCache } from "./segment-cache.ts";

/** 1 had published segments among the pieces. */
const SCHEMA_VERSION = 2;

/** Rows hold at most 2 MB. */
export const PIECE_BYTES = 1_900_000;

export type ShardStatus = "building" | "live" | "retired";

export interface ShardState {
  readonly schema: number;
  readonly indexName: string;
  readonly shard: string;
  readonly status: ShardStatus;
  /** Of the last standing this shard has heard of. */
  readonly epoch: number;
  /** Checksum of the manifest `open` was called with. */
  readonly openedManifest: string;
  /** Number of the last update. */
  readonly logPosition: number;
  /** Documents written by updates since the generation went live. */
  readonly updates: number;
  /** When the oldest update that is only in the log came; null: the log is empty. */
  readonly dirtySinceMs: number | null;
  /** Published segments are not merged before (shard/compaction.ts). */
  readonly compactAtMs?: number;
}

export interface LogEntry {
  /** Updates first..last. */
  readonly first: number;
  readonly last: number;
  /** Documents written or deleted. */
  readonly operations: number;
  /** Of sources and segment. */
  readonly sizeBytes: number;
}

const PREPARED = "prepared/";
const DECIDED = "decided/";

const UPDATE_BLOCK = /^u(\d+)$/;

/** The name under which the segment of an update refers to its sources. */
export function updateBlock(update: number): string {
  return `u${update}`;
}

export class ShardStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  /** Copies of the published segments. */
  readonly segments: SegmentCache;

  /** `smallSectionBytes`: sections of segments up to this length are kept together. */
  constructor(storage: DurableObjectStorage, smallSectionBytes: number) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.segments = new SegmentCache(storage.sql, segmentCut(smallSectionBytes));
  }

  /** Null: this object was never opened, or is destroyed. */
  state(): ShardState | null {
    return this.#storage.kv.get<ShardState>("shard") ?? null;
  }

  put(state: ShardState): void {
    this.#storage.kv.put("shard", state);
  }

  change(change: Partial<ShardState>): void {
    const state = this.state();
    if (state === null) throw new Error("a shard that was never opened");
    this.put({ ...state, ...change });
  }

  transaction<T>(body: () => T): T {
    return this.#storage.transactionSync(body);
  }

  /** Begins a new life: whatever an earlier `open` has left is gone. */
  begin(indexName: string, shard: string, openedManifest: string, manifest: Uint8Array): void {
    const epoch = this.state()?.epoch ?? 0;
    this.transaction(() => {
      for (const table of [
        "pieces",
        "chunks",
        "cached_blocks",
        "log",
        "log_chunks",
        "freezes",
        "followed",
      ]) {
        this.#sql.exec(`DROP TABLE IF EXISTS ${table}`);
      }
      this.#sql.exec(`
        CREATE TABLE pieces (owner TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (owner, part));
        CREATE TABLE chunks (block TEXT NOT NULL, chunk INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (block, chunk));
        CREATE TABLE cached_blocks (block TEXT PRIMARY KEY);
        CREATE TABLE log (
          last INTEGER PRIMARY KEY, first INTEGER NOT NULL, operations INTEGER NOT NULL, size_bytes INTEGER NOT NULL
        );
        CREATE TABLE log_chunks (
          position INTEGER NOT NULL, chunk INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (position, chunk)
        );
        CREATE TABLE freezes (token INTEGER PRIMARY KEY, until_ms INTEGER NOT NULL);
      `);
      this.segments.begin();
      this.#storage.kv.delete("following");
      this.dropJoint();
      this.putBytes("manifest", manifest);
      this.put({
        schema: SCHEMA_VERSION,
        indexName,
        shard,
        status: "building",
        epoch,
        openedManifest,
        logPosition: 0,
        updates: 0,
        dirtySinceMs: null,
      });
    });
  }

  /**
   * What an earlier version of the code has stored, as this one has it: without its copies of segments, which come
   * from R2 again.
   */
  upgrade(): void {
    if (this.state()?.schema === SCHEMA_VERSION) return;
    this.transaction(() => {
      this.segments.begin();
      this.#sql.exec("DELETE FROM pieces WHERE owner LIKE 'segment/%'");
      this.change({ schema: SCHEMA_VERSION });
    });
  }

  manifest(): ShardManifest {
    const bytes = this.bytes("manifest");
    if (bytes === null) throw new Error("a shard without its manifest");
    return decodeManifest(bytes);
  }

  // ---- byte ranges

  putBytes(owner: string, bytes: Uint8Array): void {
    this.dropBytes(owner);
    for (
      let part = 0, start = 0;
      start === 0 || start < bytes.byteLength;
      part++, start += PIECE_BYTES
    ) {
      this.#sql.exec(
        "INSERT INTO pieces (owner, part, bytes) VALUES (?, ?, ?)",
        owner,
        part,
        bytes.slice(start, start + PIECE_BYTES),
      );
    }
  }

  /** Null: not here. */
  bytes(owner: string): Uint8Array<ArrayBuffer> | null {
    const size = this.#sql
      .exec<{ size: number | null }>(
        "SELECT SUM(LENGTH(bytes)) AS size FROM pieces WHERE owner = ?",
        owner,
      )
      .one().size;
    if (size === null) return null;
    const whole = new Uint8Array(size);
    let offset = 0;
    const rows = this.#sql.exec<{ bytes: ArrayBuffer }>(
      "SELECT bytes FROM pieces WHERE owner = ? ORDER BY part",
      owner,
    );
    for (const row of rows) {
      whole.set(new Uint8Array(row.bytes), offset);
      offset += row.bytes.byteLength;
    }
    return whole;
  }

  dropBytes(owner: string): void {
    this.#sql.exec("DELETE FROM pieces WHERE owner = ?", owner);
  }

  // ---- stored sources

  /** A chunk of a published block or of an update. Null: not here (published ones are in R2). */
  chunk(block: string, chunk: number): Uint8Array | null {
    const update = UPDATE_BLOCK.exec(block)?.[1];
    const rows =
      update === undefined
        ? this.#sql.exec<{ bytes: ArrayBuffer }>(
            "SELECT bytes FROM chunks WHERE block = ? AND chunk = ?",
            block,
            chunk,
          )
        : this.#sql.exec<{ bytes: ArrayBuffer }>(
            "SELECT bytes FROM log_chunks WHERE position = ? AND chunk = ?",
            Number(update),
            chunk,
          );
    const row = rows.toArray()[0];
    return row === undefined ? null : new Uint8Array(row.bytes);
  }

  putChunk(block: string, chunk: number, bytes: Uint8Array): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO chunks (block, chunk, bytes) VALUES (?, ?, ?)",
      block,
      chunk,
      bytes,
    );
  }

  markCached(block: string): void {
    this.#sql.exec("INSERT OR IGNORE INTO cached_blocks (block) VALUES (?)", block);
  }

  cachedBlocks(): Set<string> {
    return new Set(
      this.#sql
        .exec<{ block: string }>("SELECT block FROM cached_blocks")
        .toArray()
        .map((row) => row.block),
    );
  }

  // ---- the log

  /** Oldest first. */
  log(): LogEntry[] {
    return this.#sql
      .exec<{ last: number; first: number; operations: number; size_bytes: number }>(
        "SELECT last, first, operations, size_bytes FROM log ORDER BY last",
      )
      .toArray()
      .map(({ first, last, operations, size_bytes }) => ({
        first,
        last,
        operations,
        sizeBytes: size_bytes,
      }));
  }

  /**
   * `segment` null: nothing was indexed. `numbers`: changed in documents that are neither in it nor deleted, or after
   * they were written.
   */
  appendLog(
    entry: LogEntry,
    segment: Uint8Array | null,
    deletedIds: readonly string[],
    numbers: ReadonlyMap<string, NumberChanges>,
  ): void {
    this.#sql.exec(
      "INSERT INTO log (last, first, operations, size_bytes) VALUES (?, ?, ?, ?)",
      entry.last,
      entry.first,
      entry.operations,
      entry.sizeBytes,
    );
    if (segment !== null) this.putBytes(`log/${entry.last}`, segment);
    if (deletedIds.length > 0) {
      this.putBytes(`deleted/${entry.last}`, new TextEncoder().encode(JSON.stringify(deletedIds)));
    }
    if (numbers.size > 0) this.putBytes(`numbers/${entry.last}`, encodeNumbers(numbers));
  }

  putLogChunk(update: number, chunk: number, bytes: Uint8Array): void {
    this.#sql.exec(
      "INSERT INTO log_chunks (position, chunk, bytes) VALUES (?, ?, ?)",
      update,
      chunk,
      bytes,
    );
  }

  logSegment(entry: LogEntry): Uint8Array<ArrayBuffer> | null {
    return this.bytes(`log/${entry.last}`);
  }

  logDeletedIds(entry: LogEntry): string[] {
    const bytes = this.bytes(`deleted/${entry.last}`);
    return bytes === null ? [] : (JSON.parse(new TextDecoder().decode(bytes)) as string[]);
  }

  logNumbers(entry: LogEntry): Map<string, NumberChanges> {
    const bytes = this.bytes(`numbers/${entry.last}`);
    return bytes === null ? new Map<string, NumberChanges>() : decodeNumbers(bytes);
  }

  /** Without their sources: a merged entry goes on referring to them. */
  dropLogEntries(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      this.#sql.exec("DELETE FROM log WHERE last = ?", entry.last);
      this.dropBytes(`log/${entry.last}`);
      this.dropBytes(`deleted/${entry.last}`);
      this.dropBytes(`numbers/${entry.last}`);
    }
  }

  /** Everything up to and with this update is in a verified manifest. */
  trimLog(upTo: number): void {
    this.dropLogEntries(this.log().filter((entry) => entry.last <= upTo));
    this.#sql.exec("DELETE FROM log_chunks WHERE position <= ?", upTo);
  }

  // ---- freezes

  putFreeze(token: number, untilMs: number): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO freezes (token, until_ms) VALUES (?, ?)",
      token,
      untilMs,
    );
  }

  freezes(): { readonly token: number; readonly untilMs: number }[] {
    return this.#sql
      .exec<{ token: number; until_ms: number }>(
        "SELECT token, until_ms FROM freezes ORDER BY until_ms",
      )
      .toArray()
      .map((row) => ({ token: row.token, untilMs: row.until_ms }));
  }

  dropFreeze(token: number): void {
    this.#sql.exec("DELETE FROM freezes WHERE token = ?", token);
  }

  dropAllFreezes(): void {
    this.#sql.exec("DELETE FROM freezes");
  }

  // ---- reindex

  /** The session that follows this shard. */
  following(): string | null {
    return this.#storage.kv.get<string>("following") ?? null;
  }

  /** From now on this session follows, and no other; `ids` count as written by update `position`. */
  follow(session: string, ids: Iterable<string>, position: number): void {
    this.unfollow();
    this.#sql.exec("CREATE TABLE followed (id TEXT PRIMARY KEY, position INTEGER NOT NULL)");
    this.#sql.exec("CREATE INDEX followed_order ON followed (position, id)");
    this.#storage.kv.put("following", session);
    this.note(ids, position);
  }

  unfollow(): void {
    this.#storage.kv.delete("following");
    this.#sql.exec("DROP TABLE IF EXISTS followed");
  }

  /** These ids were written or deleted by update `position`. */
  note(ids: Iterable<string>, position: number): void {
    for (const id of ids) {
      this.#sql.exec("INSERT OR REPLACE INTO followed (id, position) VALUES (?, ?)", id, position);
    }
  }

  /** In the order of (position, id). */
  followedAfter(after: FollowCursor, limit: number): FollowCursor[] {
    return this.#sql
      .exec<{ id: string; position: number }>(
        "SELECT id, position FROM followed WHERE (position, id) > (?, ?) ORDER BY position, id LIMIT ?",
        after.position,
        after.id,
        limit,
      )
      .toArray()
      .map(({ id, position }) => ({ id, position }));
  }

  // ---- updates of several shards

  putPrepared(name: string, coordinator: string, part: Uint8Array): void {
    this.#storage.kv.put(PREPARED + name, coordinator);
    this.putBytes(PREPARED + name, part);
  }

  /** Name -> who decides. */
  prepared(): Map<string, string> {
    return this.#named<string>(PREPARED);
  }

  isPrepared(name: string): boolean {
    return this.#storage.kv.get(PREPARED + name) !== undefined;
  }

  /** Null: not (any more) prepared. */
  preparedPart(name: string): Uint8Array | null {
    return this.isPrepared(name) ? this.bytes(PREPARED + name) : null;
  }

  dropPrepared(name: string): void {
    if (this.#storage.kv.delete(PREPARED + name)) this.dropBytes(PREPARED + name);
  }

  putDecided(name: string, shards: readonly string[]): void {
    this.#storage.kv.put(DECIDED + name, shards);
  }

  /** Name -> shards that may not have heard of it. */
  decided(): Map<string, readonly string[]> {
    return this.#named<readonly string[]>(DECIDED);
  }

  isDecided(name: string): boolean {
    return this.#storage.kv.get(DECIDED + name) !== undefined;
  }

  dropDecided(name: string): void {
    this.#storage.kv.delete(DECIDED + name);
  }

  /** All of both kinds. */
  dropJoint(): void {
    for (const name of this.prepared().keys()) this.dropPrepared(name);
    for (const name of this.decided().keys()) this.dropDecided(name);
  }

  #named<T>(prefix: string): Map<string, T> {
    const found = new Map<string, T>();
    for (const [key, value] of this.#storage.kv.list<T>({ prefix })) {
      found.set(key.slice(prefix.length), value);
    }
    return found;
  }

  get databaseBytes(): number {
    return this.#sql.databaseSize;
  }
}

/** JSON gives every number as it was. */
export function encodeNumbers(numbers: ReadonlyMap<string, NumberChanges>): Uint8Array {
  const rows = Array.from(numbers, ([id, changes]) => [id, ...[...changes].flat()]);
  return new TextEncoder().encode(JSON.stringify(rows));
}

function decodeNumbers(bytes: Uint8Array): Map<string, NumberChanges> {
  const rows = JSON.parse(new TextDecoder().decode(bytes)) as readonly [string, ...unknown[]][];
  return new Map(
    rows.map(([id, ...flat]) => {
      const changes = new Map<string, number>();
      for (let i = 0; i < flat.length; i += 2) changes.set(String(flat[i]), Number(flat[i + 1]));
      return [id, changes];
    }),
  );
}
