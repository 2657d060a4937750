/**
 * What ShardObject stores (meaning in shard-object.ts). Synchronous; a caller's turn is one transaction.
 *
 *   kv "shard"       ShardState
 *   pieces           (owner, part) -> at most PIECE_BYTES: byte ranges that may be larger than a row
 *                      manifest           the manifest, as in R2
 *   segment_parts    parts of published segments: cache, R2 has them, too (segment-cache.ts)
 *   chunks, cached_blocks   stored blocks: cache, R2 has them, too (chunk-cache.ts)
 *   replaced         keys in R2 that a checkpoint has replaced -> when: they are deleted some time after that (maintenance.ts)
 *   log, log_pieces, log_chunks   write-ahead log: update-log.ts
 *   freezes          token, until when
 *   kv "following"   the session that reindexes this shard (session/reindex.ts) and when it was last heard of, and
 *   followed         id -> number of the last update that wrote or deleted it since then
 *   kv "prepared/<name>"   a part of an update of several shards that waits for its decision (shard/joint/joint-update.ts): who decides;
 *                          the part itself is the piece of the same name
 *   kv "attempts/<work>"   opening, checkpoint, compaction: tries that may have ended the object (attempts.ts)
 *   kv "decided/<name>"    as the first shard: such an update that is decided, and the shards that may not have heard of it
 *
 * Tables are made by `open`: an object that was asked by mistake stores nothing.
 */
import { segmentCut } from "../../../index-engine/segment/index.ts";
import { Attempts } from "../../attempts.ts";
import { decodeManifest, type ShardManifest } from "../../manifest.ts";
import type { FollowCursor } from "../../protocol/index.ts";
import { ChunkCache } from "./chunk-cache.ts";
import { SegmentCache } from "./segment-cache.ts";
import {
  LOG_FROM_SCHEMA_3,
  LOG_FROM_SCHEMA_4,
  LOG_TABLES,
  type LogContents,
  type LogEntry,
  UpdateLog,
} from "./update-log.ts";

/**
 * 1 had published segments among the pieces. 1 and 2 had tables with row numbers, chunks without their number of
 * records, nothing "replaced", and of "following" the session only. 1 to 3 had segments, deleted ids and numbers of the
 * log among the pieces, and all of its sources in log_chunks. Up to 4 rows with blobs had keys of several columns.
 */
const SCHEMA_VERSION = 5;

interface Following {
  readonly session: string;
  readonly heardMs: number;
}

/** Rows that are keyed by themselves: each is written once, and not its row number besides. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS pieces (owner TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (owner, part)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS freezes (token INTEGER PRIMARY KEY, until_ms INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS replaced (key TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) WITHOUT ROWID;
  ${LOG_TABLES}
`;
const ALL_TABLES = ["pieces", "freezes", "replaced", "followed", "log", "log_pieces", "log_chunks"];

/** Of earlier schemas: what is not only a copy is kept, in tables as they are now. */
const FROM_SCHEMA_3 = anew(
  ["pieces", "log", "log_chunks", "freezes"],
  `
  INSERT INTO pieces SELECT owner, part, bytes FROM old_pieces WHERE owner = 'manifest' OR owner LIKE 'prepared/%';
  INSERT INTO freezes SELECT token, until_ms FROM old_freezes;
  ${LOG_FROM_SCHEMA_3}
`,
);
const FROM_SCHEMA_4 = anew(["log", "log_pieces", "log_chunks"], LOG_FROM_SCHEMA_4);

/** These tables as they are now; `fill` has what they were under the names old_*. */
function anew(tables: readonly string[], fill: string): string {
  return `
    ${tables.map((table) => `ALTER TABLE ${table} RENAME TO old_${table};`).join("\n")}
    ${TABLES}
    ${fill}
    ${tables.map((table) => `DROP TABLE old_${table};`).join("\n")}
  `;
}

/** Rows hold at most 2 MB. */
const PIECE_BYTES = 1_900_000;

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
  /** Number of the last update; as stored, of some update before it: the log has the others. */
  readonly logPosition: number;
  /** Documents written by updates since the generation went live; as stored, up to that one. */
  readonly updates: number;
  /** When the oldest update that is only in the log came; null: the log is empty. */
  readonly dirtySinceMs: number | null;
  /** Published segments are not merged before (shard/maintenance/compaction.ts). */
  readonly compactAtMs?: number;
}

/** What of the state every call looks at. */
export type Serving = Pick<ShardState, "indexName" | "shard" | "status" | "epoch" | "logPosition">;

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
  /** The state as it was put or read last; undefined: to be read. */
  #serving: Serving | null | undefined;
  /** Whether there is a freeze; undefined: to be read. */
  #isFrozen: boolean | undefined;
  /** Copies of the stored blocks. */
  readonly chunks: ChunkCache;
  readonly attempts: Attempts;
  readonly log: UpdateLog;

  /** `smallSectionBytes`: sections of segments up to this length are kept together. */
  constructor(storage: DurableObjectStorage, smallSectionBytes: number) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.segments = new SegmentCache(storage.sql, segmentCut(smallSectionBytes));
    this.chunks = new ChunkCache(storage.sql);
    this.attempts = new Attempts(storage);
    this.log = new UpdateLog(storage.sql);
  }

  /** Null: this object was never opened, or is destroyed. */
  state(): ShardState | null {
    const read = this.#storage.kv.get<ShardState>("shard");
    if (read === undefined) return null;
    const stored = read.schema === SCHEMA_VERSION ? read : this.#upgraded(read);
    const end = this.log.end();
    if (end === null || end.position <= stored.logPosition) return stored;
    return { ...stored, logPosition: end.position, updates: end.updates };
  }

  /** The same from memory: reading takes a tenth of a small search. */
  serving(): Serving | null {
    if (this.#serving === undefined) this.#serving = this.state();
    return this.#serving;
  }

  put(state: ShardState): void {
    this.#storage.kv.put("shard", state);
    this.#serving = state;
  }

  change(change: Partial<ShardState>): void {
    const state = this.state();
    if (state === null) throw new Error("a shard that was never opened");
    this.put({ ...state, ...change });
  }

  transaction<T>(body: () => T): T {
    try {
      return this.#storage.transactionSync(body);
    } catch (error) {
      // What it has put is taken back.
      this.#serving = undefined;
      this.#forget();
      throw error;
    }
  }

  /** What is in SQLite is not what this has put there last. */
  #forget(): void {
    this.#isFrozen = undefined;
    this.log.forget();
    this.chunks.forget();
    this.segments.forget();
  }

  /** Nothing is left, and nothing was ever opened. */
  async destroy(): Promise<void> {
    await this.#storage.deleteAlarm();
    const deleted = this.#storage.deleteAll();
    this.#serving = null;
    this.#forget();
    await deleted;
  }

  /** Begins a new life: whatever an earlier `open` has left is gone. */
  begin(indexName: string, shard: string, openedManifest: string, manifest: Uint8Array): void {
    const epoch = this.state()?.epoch ?? 0;
    this.transaction(() => {
      for (const table of ALL_TABLES) this.#sql.exec(`DROP TABLE IF EXISTS ${table}`);
      this.#sql.exec(TABLES);
      this.#isFrozen = undefined;
      this.log.forget();
      this.chunks.begin();
      this.segments.begin();
      this.#storage.kv.delete("following");
      this.attempts.forget();
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

  /** What an earlier version of the code has stored, as this one has it. Copies come from R2 again. */
  #upgraded(stored: ShardState): ShardState {
    const { schema } = stored;
    if (schema > SCHEMA_VERSION) throw new Error(`a shard of the later schema ${schema}`);
    const state = { ...stored, schema: SCHEMA_VERSION };
    this.transaction(() => {
      this.segments.begin();
      this.chunks.begin();
      const following = this.#storage.kv.get<string>("following");
      if (schema < 3 && following !== undefined) this.#putFollowing(following);
      this.#sql.exec(schema < 4 ? FROM_SCHEMA_3 : FROM_SCHEMA_4);
      if (schema < 4) this.#sql.exec("UPDATE log SET updates = ?", stored.updates);
      this.log.forget();
      this.put(state);
    });
    return state;
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
    return update === undefined
      ? this.chunks.get(block, chunk)
      : this.log.chunk(Number(update), chunk);
  }

  // ---- what checkpoints have replaced in R2

  putReplaced(keys: readonly string[]): void {
    const nowMs = Date.now();
    for (const key of keys) {
      this.#sql.exec("INSERT OR REPLACE INTO replaced (key, at_ms) VALUES (?, ?)", key, nowMs);
    }
  }

  /** Some of those that were replaced before. */
  replacedBefore(ms: number, limit: number): string[] {
    return this.#sql
      .exec<{ key: string }>("SELECT key FROM replaced WHERE at_ms < ? LIMIT ?", ms, limit)
      .toArray()
      .map(({ key }) => key);
  }

  dropReplaced(keys: readonly string[]): void {
    for (const key of keys) this.#sql.exec("DELETE FROM replaced WHERE key = ?", key);
  }

  // ---- the log

  /** Adds an update; `state` has it counted. */
  appendUpdate(state: ShardState, entry: LogEntry, contents: LogContents): void {
    this.log.append(entry, contents, state.updates);
    // What else the state says is stored already, unless the log begins.
    const now = { ...state, logPosition: entry.last };
    if (state.dirtySinceMs === null) this.put({ ...now, dirtySinceMs: Date.now() });
    else this.#serving = now;
  }

  /** Everything up to and with this update is in a verified manifest. */
  trimLog(upTo: number): void {
    const state = this.state();
    if (state === null) throw new Error("a shard that was never opened");
    this.log.trim(upTo);
    this.put({ ...state, dirtySinceMs: this.log.end() === null ? null : Date.now() });
  }

  // ---- freezes

  putFreeze(token: number, untilMs: number): void {
    this.#isFrozen = undefined;
    this.#sql.exec(
      "INSERT OR REPLACE INTO freezes (token, until_ms) VALUES (?, ?)",
      token,
      untilMs,
    );
  }

  /** Whether there are any. From memory, because a write asks after each of its steps. */
  get isFrozen(): boolean {
    return (this.#isFrozen ??= this.freezes().length > 0);
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
    this.#isFrozen = undefined;
    this.#sql.exec("DELETE FROM freezes WHERE token = ?", token);
  }

  dropAllFreezes(): void {
    this.#isFrozen = undefined;
    this.#sql.exec("DELETE FROM freezes");
  }

  // ---- reindex

  /** The session that follows this shard. */
  following(): string | null {
    return this.#storage.kv.get<Following>("following")?.session ?? null;
  }

  /** When the session that follows was last heard of; null: none follows. */
  get followingHeardMs(): number | null {
    return this.#storage.kv.get<Following>("following")?.heardMs ?? null;
  }

  /** The session that follows was heard of now. */
  #putFollowing(session: string): void {
    const following: Following = { session, heardMs: Date.now() };
    this.#storage.kv.put("following", following);
  }

  /** From now on this session follows, and no other; `ids` count as written by update `position`. */
  follow(session: string, ids: Iterable<string>, position: number): void {
    this.unfollow();
    this.#sql.exec(
      "CREATE TABLE followed (id TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID",
    );
    this.#sql.exec("CREATE INDEX followed_order ON followed (position, id)");
    this.#putFollowing(session);
    this.note(ids, position);
  }

  /** It goes on following. */
  heardOf(session: string): void {
    this.#putFollowing(session);
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
