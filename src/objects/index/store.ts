/**
 * Storage of IndexObject (see index-object.ts). Every method is synchronous; a caller's turn is one transaction.
 *
 *   kv "index"   IndexState: running number, epoch, pointer, kept generation
 *   sessions     one small row per session with its state: those of the last KEPT_SESSIONS numbers, and all that have not ended
 *   freezes      valid tokens: owner (a session or "rollback") and the generation that was live when it was issued
 *   outbox       notices to other objects; written in the deciding transaction, removed on arrival
 *   garbage      generations to collect, with times: `dropped` (completely) or `live` (objects without a manifest)
 *
 * The first write creates the tables, so that a request for a missing index stores nothing.
 */
import type { PartitionRange } from "../partition.ts";
import type { SessionState, SessionStatus, Standing } from "../protocol/index.ts";

const SCHEMA_VERSION = 1;

/**
 * An ended session is asked for while its object repeats what a crash has interrupted; then that object answers alone.
 */
const KEPT_SESSIONS = 1_000;

/** A generation that is or was live. */
export interface Generation {
  readonly generation: number;
  readonly physicalName: string;
  readonly locale: string;
  readonly language: string;
  readonly shards: readonly string[];
  readonly partitions?: readonly PartitionRange[];
  readonly publishedAtMs: number;
}

export interface IndexState {
  readonly schema: number;
  readonly indexName: string;
  /** The last assigned running number. */
  readonly lastGeneration: number;
  readonly lastToken: number;
  readonly epoch: number;
  readonly live: Generation | null;
  readonly kept: Generation | null;
}

export interface SessionRow {
  readonly temporaryIndexName: string;
  readonly generation: number;
  readonly locale: string;
  readonly language: string;
  readonly state: SessionState;
  readonly startedAtMs: number;
  readonly onlyIfMissing: boolean;
  /** All shard objects that publishing may have opened. */
  readonly shards: readonly string[];
  /** Epoch of the commit; 0 before. */
  readonly epoch: number;
}

/** A notice to another object; may be delivered twice. */
export type Notice =
  | { readonly kind: "standing"; readonly shard: string; readonly standing: Standing }
  /** Opened by a failed publication and not part of the live generation. */
  | { readonly kind: "destroy"; readonly shard: string }
  | { readonly kind: "live"; readonly live: boolean }
  | { readonly kind: "settle"; readonly session: string; readonly state: "cancelled" | "removed" }
  | { readonly kind: "forget"; readonly session: string };

export interface OutboxEntry {
  readonly id: number;
  readonly notice: Notice;
}

export interface GarbageRow {
  readonly generation: number;
  readonly kind: "dropped" | "live";
  readonly physicalName: string;
  readonly shards: readonly string[];
  readonly dueMs: number;
}

type SessionColumns = {
  name: string;
  generation: number;
  locale: string;
  language: string;
  state: string;
  started_at_ms: number;
  only_if_missing: number;
  shards: string;
  epoch: number;
};

export class IndexStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #ready = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
  }

  /** Null: nothing was ever stored for this name. */
  state(): IndexState | null {
    const state = this.#storage.kv.get<IndexState>("index") ?? null;
    if (state !== null) this.#tables();
    return state;
  }

  put(state: IndexState): void {
    this.#storage.kv.put("index", state);
  }

  /** Initial state of a new index name. */
  begin(indexName: string): IndexState {
    const known = this.state();
    if (known !== null) return known;
    this.#tables();
    const state: IndexState = {
      schema: SCHEMA_VERSION,
      indexName,
      lastGeneration: 0,
      lastToken: 0,
      epoch: 0,
      live: null,
      kept: null,
    };
    this.put(state);
    return state;
  }

  transaction<T>(body: () => T): T {
    return this.#storage.transactionSync(body);
  }

  // ---- sessions

  insertSession(row: SessionRow): void {
    this.#sql.exec(
      `INSERT INTO sessions (name, generation, locale, language, state, started_at_ms, only_if_missing, shards, epoch)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.temporaryIndexName,
      row.generation,
      row.locale,
      row.language,
      row.state,
      row.startedAtMs,
      row.onlyIfMissing ? 1 : 0,
      JSON.stringify(row.shards),
      row.epoch,
    );
    this.#sql.exec(
      "DELETE FROM sessions WHERE generation <= ? AND state IN ('completed', 'cancelled', 'removed')",
      row.generation - KEPT_SESSIONS,
    );
  }

  countSessions(states: readonly SessionState[]): number {
    if (this.state() === null) return 0;
    const places = states.map(() => "?").join(", ");
    return this.#sql
      .exec<{ count: number }>(`SELECT COUNT(*) AS count FROM sessions WHERE state IN (${places})`, ...states)
      .one().count;
  }

  session(name: string): SessionRow | null {
    if (this.state() === null) return null;
    const rows = this.#sql.exec<SessionColumns>("SELECT * FROM sessions WHERE name = ?", name).toArray();
    return rows[0] === undefined ? null : sessionOf(rows[0]);
  }

  /** Newest first. */
  sessions(state?: SessionState): SessionRow[] {
    if (this.state() === null) return [];
    const rows =
      state === undefined
        ? this.#sql.exec<SessionColumns>("SELECT * FROM sessions ORDER BY generation DESC")
        : this.#sql.exec<SessionColumns>("SELECT * FROM sessions WHERE state = ? ORDER BY generation DESC", state);
    return rows.toArray().map(sessionOf);
  }

  setSession(name: string, change: Partial<Pick<SessionRow, "state" | "shards" | "epoch">>): void {
    if (change.state !== undefined) {
      this.#sql.exec("UPDATE sessions SET state = ? WHERE name = ?", change.state, name);
    }
    if (change.shards !== undefined) {
      this.#sql.exec("UPDATE sessions SET shards = ? WHERE name = ?", JSON.stringify(change.shards), name);
    }
    if (change.epoch !== undefined) {
      this.#sql.exec("UPDATE sessions SET epoch = ? WHERE name = ?", change.epoch, name);
    }
  }

  // ---- freezes

  /** Creates a valid token and voids the owner's older one. `generation` 0: nothing is live. */
  addFreeze(token: number, owner: string, generation: number): void {
    this.#sql.exec("DELETE FROM freezes WHERE owner = ?", owner);
    this.#sql.exec("INSERT INTO freezes (token, owner, generation) VALUES (?, ?, ?)", token, owner, generation);
  }

  holdsFreeze(token: number, owner: string, generation: number): boolean {
    const rows = this.#sql.exec(
      "SELECT 1 FROM freezes WHERE token = ? AND owner = ? AND generation = ?",
      token,
      owner,
      generation,
    );
    return rows.toArray().length > 0;
  }

  voidFreeze(token: number): void {
    if (this.state() !== null) this.#sql.exec("DELETE FROM freezes WHERE token = ?", token);
  }

  voidAllFreezes(): void {
    this.#sql.exec("DELETE FROM freezes");
  }

  // ---- outbox

  send(notice: Notice): void {
    this.#sql.exec("INSERT INTO outbox (notice) VALUES (?)", JSON.stringify(notice));
  }

  outbox(): OutboxEntry[] {
    if (this.state() === null) return [];
    return this.#sql
      .exec<{ id: number; notice: string }>("SELECT id, notice FROM outbox ORDER BY id")
      .toArray()
      .map((row) => ({ id: row.id, notice: JSON.parse(row.notice) as Notice }));
  }

  arrived(id: number): void {
    this.#sql.exec("DELETE FROM outbox WHERE id = ?", id);
  }

  // ---- garbage

  addGarbage(row: GarbageRow): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO garbage (generation, kind, physical_name, shards, due_ms) VALUES (?, ?, ?, ?, ?)",
      row.generation,
      row.kind,
      row.physicalName,
      JSON.stringify(row.shards),
      row.dueMs,
    );
  }

  garbage(): GarbageRow[] {
    if (this.state() === null) return [];
    return this.#sql
      .exec<{
        generation: number;
        kind: string;
        physical_name: string;
        shards: string;
        due_ms: number;
      }>("SELECT * FROM garbage ORDER BY due_ms")
      .toArray()
      .map((row) => ({
        generation: row.generation,
        kind: row.kind === "live" ? "live" : "dropped",
        physicalName: row.physical_name,
        shards: JSON.parse(row.shards) as string[],
        dueMs: row.due_ms,
      }));
  }

  removeGarbage(generation: number): void {
    this.#sql.exec("DELETE FROM garbage WHERE generation = ?", generation);
  }

  #tables(): void {
    if (this.#ready) return;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS sessions (
        name TEXT PRIMARY KEY, generation INTEGER NOT NULL, locale TEXT NOT NULL, language TEXT NOT NULL,
        state TEXT NOT NULL, started_at_ms INTEGER NOT NULL, only_if_missing INTEGER NOT NULL,
        shards TEXT NOT NULL, epoch INTEGER NOT NULL
      );
      CREATE TABLE IF NOT EXISTS freezes (token INTEGER PRIMARY KEY, owner TEXT NOT NULL, generation INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, notice TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS garbage (
        generation INTEGER PRIMARY KEY, kind TEXT NOT NULL, physical_name TEXT NOT NULL,
        shards TEXT NOT NULL, due_ms INTEGER NOT NULL
      );
    `);
    this.#ready = true;
  }
}

function sessionOf(row: SessionColumns): SessionRow {
  return {
    temporaryIndexName: row.name,
    generation: row.generation,
    locale: row.locale,
    language: row.language,
    // Only this class writes it, from the type.
    state: row.state as SessionState,
    startedAtMs: row.started_at_ms,
    onlyIfMissing: row.only_if_missing === 1,
    shards: JSON.parse(row.shards) as string[],
    epoch: row.epoch,
  };
}

export function statusOf(indexName: string, row: SessionRow): SessionStatus {
  return {
    indexName,
    temporaryIndexName: row.temporaryIndexName,
    generation: row.generation,
    locale: row.locale,
    state: row.state,
    startedAtMs: row.startedAtMs,
  };
}
