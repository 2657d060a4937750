/**
 * What ShardObject stores in SQLite (shard-object.ts explains the meaning). Synchronous; a caller's turn is one
 * transaction.
 *
 *   kv "shard"       ShardState
 *   pieces           (owner, part) -> at most PIECE_BYTES: byte ranges that may exceed the size of a row
 *                      manifest           the manifest, as in R2
 *   segment_parts    parts of published segments; a cache of R2 (segment-cache.ts)
 *   chunks, cached_blocks   stored blocks; a cache of R2 (chunk-cache.ts)
 *   replaced         keys in R2 that a checkpoint has replaced -> when; deleted after a grace period (maintenance.ts)
 *   log, log_pieces, log_chunks   write-ahead log: update-log.ts
 *   freezes          token, until when
 *   kv "following"   the session that reindexes this shard (session/reindex.ts), and the time of its last call
 *   followed         id -> number of the last update that wrote or deleted it since then
 *   kv "prepared/<name>"   the coordinator of a prepared part of a joint update (shard/joint/joint-update.ts); the part is the piece of the
 *                          same name
 *   kv "attempts/<work>"   opening, checkpoint, compaction: attempts that may have ended the object (attempts.ts)
 *   kv "paced/growth"      requests for a reindex that did not succeed (attempts.ts)
 *   kv "decided/<name>"    on the first shard: a decided joint update, and the shards that may not know of it
 *
 * `open` creates the tables, so an object that was called by mistake stores nothing.
 */
import { segmentCut } from "../../../index-engine/segment/index.ts";
import { Attempts } from "../../attempts.ts";
import { decodeManifest, type ShardManifest } from "../../manifest.ts";
import type { FollowCursor } from "../../protocol/index.ts";
import { ChunkCache } from "./chunk-cache.ts";
import { SegmentCache } from "./segment-cache.ts";
import { SCHEMA_VERSION, TABLE_NAMES, TABLES, upgradeFrom } from "./schema.ts";
import { type LogContents, type LogEntry, UpdateLog } from "./update-log.ts";

interface Following {
  readonly session: string;
  readonly heardMs: number;
}

/** A row holds at most 2 MB. */
const PIECE_BYTES = 1_900_000;

export type ShardStatus = "building" | "live" | "retired";

export interface ShardState {
  readonly schema: number;
  readonly indexName: string;
  readonly shard: string;
  readonly status: ShardStatus;
  /** From the last standing this shard received. */
  readonly epoch: number;
  /** Checksum of the manifest `open` was called with. */
  readonly openedManifest: string;
  /** Number of the last update. The stored number may be lower; the log has the updates after it. */
  readonly logPosition: number;
  /** Documents written by updates since the generation went live; stored up to the same update. */
  readonly updates: number;
  /** Time of the oldest update that is only in the log; null: the log is empty. */
  readonly dirtySinceMs: number | null;
  /** Published segments are not compacted before this time (shard/maintenance/compaction.ts). */
  readonly compactAtMs?: number;
}

const PREPARED = "prepared/";
const DECIDED = "decided/";

const UPDATE_BLOCK = /^u(\d+)$/;

/** The stored block that the segment of an update refers to. */
export function updateBlock(update: number): string {
  return `u${update}`;
}

export class ShardStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  /** Copies of the published segments. */
  readonly segments: SegmentCache;
  /** The state as last written or read; undefined: must be read. */
  #serving: ShardState | null | undefined;
  /** Whether there is a freeze; undefined: to be read. */
  #isFrozen: boolean | undefined;
  /** Null: no session follows; undefined: to be read. */
  #following: Following | null | undefined;
  /** Whether there are decided joint updates; undefined: to be read. */
  #hasDecided: boolean | undefined;
  /** Copies of the stored blocks. */
  readonly chunks: ChunkCache;
  readonly attempts: Attempts;
  readonly log: UpdateLog;

  /** @param smallSectionBytes segment sections up to this length are stored together */
  constructor(storage: DurableObjectStorage, smallSectionBytes: number) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.segments = new SegmentCache(storage.sql, segmentCut(smallSectionBytes));
    this.chunks = new ChunkCache(storage.sql);
    this.attempts = new Attempts(storage);
    this.log = new UpdateLog(storage.sql);
  }

  /** Null: this object was never opened, or was destroyed. */
  state(): ShardState | null {
    const read = this.#storage.kv.get<ShardState>("shard");
    if (read === undefined) return null;
    const stored = read.schema === SCHEMA_VERSION ? read : this.#upgraded(read);
    const end = this.log.end();
    if (end === null || end.position <= stored.logPosition) return stored;
    return { ...stored, logPosition: end.position, updates: end.updates };
  }

  /** `state` from memory. Reading it from SQLite would take a tenth of the time of a small search. */
  serving(): ShardState | null {
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
      // Its writes were rolled back.
      this.#serving = undefined;
      this.#forget();
      throw error;
    }
  }

  /** SQLite no longer has what was last written to it. */
  #forget(): void {
    this.#isFrozen = undefined;
    this.#following = undefined;
    this.#hasDecided = undefined;
    this.log.forget();
    this.chunks.forget();
    this.segments.forget();
  }

  /** Deletes everything, as if nothing was ever opened. */
  async destroy(): Promise<void> {
    await this.#storage.deleteAlarm();
    const deleted = this.#storage.deleteAll();
    this.#serving = null;
    this.#forget();
    await deleted;
  }

  /** Begins a new life; deletes what an earlier `open` stored. */
  begin(indexName: string, shard: string, openedManifest: string, manifest: Uint8Array): void {
    const epoch = this.state()?.epoch ?? 0;
    this.transaction(() => {
      for (const table of TABLE_NAMES) this.#sql.exec(`DROP TABLE IF EXISTS ${table}`);
      this.#sql.exec(TABLES);
      this.#isFrozen = undefined;
      this.log.forget();
      this.chunks.begin();
      this.segments.begin();
      this.#putFollowing(null);
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

  /** Upgrades an earlier schema. Caches whose rows have changed are filled from R2 again. */
  #upgraded(stored: ShardState): ShardState {
    const { schema } = stored;
    const statements = upgradeFrom(schema);
    const state = { ...stored, schema: SCHEMA_VERSION };
    this.transaction(() => {
      this.segments.begin();
      if (statements !== null) {
        this.chunks.begin();
        this.#sql.exec(statements);
      }
      if (schema < 4) this.#sql.exec("UPDATE log SET updates = ?", stored.updates);
      const session = this.#storage.kv.get<string>("following");
      if (schema < 3 && session !== undefined) this.heardOf(session);
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
    for (let part = 0, start = 0; start === 0 || start < bytes.byteLength; part++, start += PIECE_BYTES) {
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
      .exec<{ size: number | null }>("SELECT SUM(LENGTH(bytes)) AS size FROM pieces WHERE owner = ?", owner)
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

  /** A chunk of a published block or of an update. Null: not stored here; published blocks are in R2. */
  chunk(block: string, chunk: number): Uint8Array | null {
    const update = UPDATE_BLOCK.exec(block)?.[1];
    return update === undefined ? this.chunks.get(block, chunk) : this.log.chunk(Number(update), chunk);
  }

  // ---- objects in R2 that checkpoints replaced

  putReplaced(keys: readonly string[]): void {
    const nowMs = Date.now();
    for (const key of keys) {
      this.#sql.exec("INSERT OR REPLACE INTO replaced (key, at_ms) VALUES (?, ?)", key, nowMs);
    }
  }

  /** Up to `limit` keys that were replaced before this time. */
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

  /** Adds an update that `state` already counts. */
  appendUpdate(state: ShardState, entry: LogEntry, contents: LogContents): void {
    this.log.append(entry, contents, state.updates);
    // The rest of the state is already stored, unless this is the first entry.
    const now = { ...state, logPosition: entry.last };
    if (state.dirtySinceMs === null) this.put({ ...now, dirtySinceMs: Date.now() });
    else this.#serving = now;
  }

  /** Drops the log up to this update, which a verified manifest contains. */
  trimLog(upTo: number): void {
    const state = this.state();
    if (state === null) throw new Error("a shard that was never opened");
    this.log.trim(upTo);
    this.put({ ...state, dirtySinceMs: this.log.end() === null ? null : Date.now() });
  }

  // ---- freezes

  putFreeze(token: number, untilMs: number): void {
    this.#isFrozen = undefined;
    this.#sql.exec("INSERT OR REPLACE INTO freezes (token, until_ms) VALUES (?, ?)", token, untilMs);
  }

  /** Whether there are any. From memory, because a write asks after each of its steps. */
  get isFrozen(): boolean {
    return (this.#isFrozen ??= this.freezes().length > 0);
  }

  freezes(): { readonly token: number; readonly untilMs: number }[] {
    return this.#sql
      .exec<{ token: number; until_ms: number }>("SELECT token, until_ms FROM freezes ORDER BY until_ms")
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

  /** The session that follows this shard. From memory, because every write asks. */
  following(): string | null {
    return this.#readFollowing()?.session ?? null;
  }

  /** Time of the last call of the following session; null: none follows. */
  get followingHeardMs(): number | null {
    return this.#readFollowing()?.heardMs ?? null;
  }

  /** Notes a call of the following session. */
  heardOf(session: string): void {
    this.#putFollowing({ session, heardMs: Date.now() });
  }

  #readFollowing(): Following | null {
    if (this.#following === undefined) this.#following = this.#storage.kv.get<Following>("following") ?? null;
    return this.#following;
  }

  #putFollowing(following: Following | null): void {
    if (following === null) this.#storage.kv.delete("following");
    else this.#storage.kv.put("following", following);
    this.#following = following;
  }

  /** Makes this the only following session; `ids` count as written by update `position`. */
  follow(session: string, ids: Iterable<string>, position: number): void {
    this.unfollow();
    this.#sql.exec("CREATE TABLE followed (id TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID");
    this.#sql.exec("CREATE INDEX followed_order ON followed (position, id)");
    this.heardOf(session);
    this.note(ids, position);
  }

  unfollow(): void {
    this.#putFollowing(null);
    this.#sql.exec("DROP TABLE IF EXISTS followed");
  }

  /** Notes that update `position` wrote or deleted these ids. */
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

  // ---- joint updates

  putPrepared(name: string, coordinator: string, part: Uint8Array): void {
    this.#storage.kv.put(PREPARED + name, coordinator);
    this.putBytes(PREPARED + name, part);
  }

  /** Name -> coordinator. */
  prepared(): Map<string, string> {
    return this.#named<string>(PREPARED);
  }

  isPrepared(name: string): boolean {
    return this.#storage.kv.get(PREPARED + name) !== undefined;
  }

  /** Null: not prepared, or no longer. */
  preparedPart(name: string): Uint8Array | null {
    return this.isPrepared(name) ? this.bytes(PREPARED + name) : null;
  }

  dropPrepared(name: string): void {
    if (this.#storage.kv.delete(PREPARED + name)) this.dropBytes(PREPARED + name);
  }

  putDecided(name: string, shards: readonly string[]): void {
    this.#storage.kv.put(DECIDED + name, shards);
    this.#hasDecided = true;
  }

  /** Name -> shards that may not know of it. */
  decided(): Map<string, readonly string[]> {
    return this.#named<readonly string[]>(DECIDED);
  }

  /** Whether there are any. From memory, because every write asks. */
  hasDecided(): boolean {
    return (this.#hasDecided ??= this.decided().size > 0);
  }

  isDecided(name: string): boolean {
    return this.#storage.kv.get(DECIDED + name) !== undefined;
  }

  dropDecided(name: string): void {
    this.#storage.kv.delete(DECIDED + name);
    this.#hasDecided = undefined;
  }

  /** Drops all prepared and decided updates. */
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
