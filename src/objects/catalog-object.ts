/**
 * CatalogObject: names of indexes, configuration and rules with version and history. One per deployment.
 *
 * Stored: the configuration document as sent, rules texts, own queries for suggestions, one version number for all,
 * their history (catalog-history.ts); the known index names (live or not); hints of open sessions.
 *
 * A change (I6: the next request sees it)
 *   1. one transaction: version v -> v+1, new document or rules, history; `pushed` is unchanged.
 *   2. push v+1 to the indexes that the change concerns, and to those that are not live yet; each IndexObject forwards
 *      it to its live and publishing shards, and to replaced shards that were not notified yet. From then on a shard
 *      answers STALE to older versions, unless the tenant is the same in both, so isolates drop their caches. Changes
 *      that arrive during a push share the next one.
 *   3. `pushed` = v+1; answer.
 * A tenant's suggestions come from the index of its name as soon as there is one, so that counts as a change, too.
 *
 * After a crash or failure in 2 or 3, the alarm set in 1 repeats them, for all indexes. The caller gets 503, which says
 * that the change is stored. Names are recorded before a session opens (noteSession), so no generation in publication
 * is missed: either its shard pulls v+1 when it opens, or its index already knows the shard when the push arrives.
 *
 * Session hints are recorded before a session opens and removed when it ends. A hint may name a session that never
 * existed; IndexObject knows.
 */
import { DurableObject } from "cloudflare:workers";
import {
  configurationEntryText,
  LIMITS,
  readConfiguration,
  resolveTenantConfig,
  ServiceError,
  type Result,
} from "../interface/index.ts";
import type {
  CatalogApi,
  CatalogChange,
  CatalogHistoryEntry,
  CatalogNames,
  CatalogSnapshot,
  EntryRef,
  StoredTexts,
  TextNames,
  SessionHint,
} from "./protocol/index.ts";
import { CatalogHistory } from "./catalog-history.ts";
import { forAll, repeated } from "./calls.ts";
import { fail, ok } from "./results.ts";
import { indexStub } from "./stubs.ts";

/** Version of the stored data. 2: the history has contents. */
const SCHEMA_VERSION = 2;

/**
 * SQLite rows hold at most 2 MB. A document grows by entries, each within LIMITS.configurationBytes, so the sum is
 * checked here.
 */
const ROW_BYTES = 1_900_000;

/** The condition of live indexes. */
const LIVE = "WHERE live = 1";
const NOT_LIVE = "WHERE live = 0";

function sizeOf(change: CatalogChange): number {
  const text = change.kind === "document" ? JSON.stringify(change.document) : (change.text ?? "");
  return new TextEncoder().encode(text).byteLength;
}

/** Texts by name: their table and the limit of their total bytes. */
const TEXTS = {
  rules: { table: "rules", entry: "rules", limit: "rulesBytes", what: "rules texts" },
  suggestQueries: {
    table: "suggest_queries",
    entry: "queries",
    limit: "suggestQueriesBytes",
    what: "queries for suggestions",
  },
} as const;
type TextKind = keyof typeof TEXTS;

/** Delay of the alarm that finishes an interrupted push. */
const PUSH_RETRY_MS = 1000;

interface CatalogState {
  readonly schema: number;
  readonly version: number;
  /** The last version that all live and publishing shards have. */
  readonly pushed: number;
}

const EMPTY: CatalogState = { schema: SCHEMA_VERSION, version: 0, pushed: 0 };

export class CatalogObject extends DurableObject<Env> implements CatalogApi {
  readonly #sql: SqlStorage;
  readonly #history: CatalogHistory;
  #pushing: Promise<void> | null = null;
  /** Indexes that changes which were not pushed yet concern; null: all. */
  #concerned: Set<string> | null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS document (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS rules (name TEXT PRIMARY KEY, body TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS suggest_queries (name TEXT PRIMARY KEY, body TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS names (name TEXT PRIMARY KEY, live INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS sessions (
        temporary_name TEXT PRIMARY KEY, index_name TEXT NOT NULL, started_at_ms INTEGER NOT NULL
      );
    `);
    this.#history = new CatalogHistory(this.#sql);
    const { version, pushed } = this.#state();
    this.#concerned = pushed >= version ? new Set() : null;
  }

  async snapshot(asked?: TextNames): Promise<CatalogSnapshot> {
    const body = this.#documentText();
    const document: unknown = body === null ? null : JSON.parse(body);
    const { version } = this.#state();
    const indexNames = this.#names(LIVE);
    return { version, indexNames, document, ...(asked !== undefined && { texts: this.#storedTexts(asked) }) };
  }

  #documentText(): string | null {
    const [stored] = this.#sql.exec<{ body: string }>("SELECT body FROM document").toArray();
    return stored?.body ?? null;
  }

  async texts(asked: TextNames): Promise<StoredTexts> {
    return this.#storedTexts(asked);
  }

  #storedTexts(asked: TextNames): StoredTexts {
    return {
      version: this.#state().version,
      rules: this.#texts("rules", asked.rules),
      suggestQueries: this.#texts("suggestQueries", asked.suggestQueries),
    };
  }

  #texts(kind: TextKind, names: readonly string[]): Map<string, string> {
    const texts = new Map<string, string>();
    for (const name of names) {
      const stored = this.#sql.exec<{ body: string }>(`SELECT body FROM ${TEXTS[kind].table} WHERE name = ?`, name);
      for (const { body } of stored) texts.set(name, body);
    }
    return texts;
  }

  async names(): Promise<CatalogNames> {
    return { version: this.#state().version, indexNames: this.#names(LIVE) };
  }

  async knows(indexName: string): Promise<boolean> {
    const found = this.#sql.exec("SELECT 1 FROM names WHERE name = ?", indexName);
    return found.toArray().length > 0;
  }

  async change(
    change: CatalogChange,
    expectedVersion: number,
  ): Promise<Result<{ readonly conflict: true } | { readonly conflict: false; readonly version: number }>> {
    const state = this.#state();
    if (state.version !== expectedVersion) return ok({ conflict: true });
    const sizeBytes = sizeOf(change);
    if (sizeBytes > ROW_BYTES) {
      return fail("body_too_large", `The configuration has ${sizeBytes} bytes, more than ${ROW_BYTES}.`);
    }
    if (change.kind !== "document" && change.text !== null) {
      const { limit, what } = TEXTS[change.kind];
      const mostBytes = LIMITS[limit].value;
      if (this.#otherTextBytes(change.kind, change.name) + sizeBytes > mostBytes) {
        return fail("body_too_large", `All ${what} together have more than ${mostBytes} bytes; remove one first.`, {
          limit,
          value: mostBytes,
        });
      }
    }
    const version = state.version + 1;
    this.ctx.storage.transactionSync(() => this.#apply(state, change, version));
    const { concerns = null } = change;
    if (concerns === null) this.#concerned = null;
    else for (const name of concerns) this.#concerned?.add(name);
    // Before the first await, so that the alarm is stored in the same commit as the change.
    await this.ctx.storage.setAlarm(Date.now() + PUSH_RETRY_MS);
    try {
      await this.#push(version);
    } catch (error) {
      console.error(JSON.stringify({ event: "configuration_push_failed", version, reason: String(error) }));
      return {
        ok: false,
        error: new ServiceError(
          "index_unavailable",
          "The change is stored, but has not reached every index yet; it takes effect within seconds.",
        ).toWire(),
      };
    }
    return ok({ conflict: false, version });
  }

  /** Total of all other texts of the kind. */
  #otherTextBytes(kind: TextKind, name: string): number {
    return this.#sql
      .exec<{ bytes: number }>(
        `SELECT COALESCE(SUM(LENGTH(CAST(body AS BLOB))), 0) AS bytes FROM ${TEXTS[kind].table} WHERE name <> ?`,
        name,
      )
      .one().bytes;
  }

  async history(entry: EntryRef | null): Promise<readonly CatalogHistoryEntry[]> {
    return this.#history.list(entry);
  }

  async historicText(entry: EntryRef, version: number): Promise<string | null | undefined> {
    return this.#history.body(entry, version);
  }

  async noteSession(hint: SessionHint, olderThanMs: number, most = Infinity): Promise<readonly SessionHint[] | null> {
    const { open } = this.#sql.exec<{ open: number }>("SELECT COUNT(*) AS open FROM sessions").one();
    if (open >= most) return null;
    this.#sql.exec("INSERT INTO names (name, live) VALUES (?, 0) ON CONFLICT DO NOTHING", hint.indexName);
    this.#sql.exec(
      "INSERT OR REPLACE INTO sessions (temporary_name, index_name, started_at_ms) VALUES (?, ?, ?)",
      hint.temporaryIndexName,
      hint.indexName,
      hint.startedAtMs,
    );
    return this.#hints("WHERE started_at_ms < ?", olderThanMs);
  }

  async forgetSession(temporaryIndexName: string, olderThanMs = Infinity): Promise<void> {
    this.#sql.exec(
      "DELETE FROM sessions WHERE temporary_name = ? AND started_at_ms < ?",
      temporaryIndexName,
      Math.min(olderThanMs, Number.MAX_SAFE_INTEGER),
    );
    this.#prune();
  }

  async setLive(indexName: string, live: boolean): Promise<void> {
    const former = live ? this.#formerlySuggestedFrom(indexName) : null;
    this.ctx.storage.transactionSync(() => {
      const isNew = live && !this.#names(LIVE).includes(indexName);
      this.#sql.exec(
        "INSERT INTO names (name, live) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET live = excluded.live",
        indexName,
        live ? 1 : 0,
      );
      this.#prune();
      const state = this.#state();
      if (isNew && former !== null) this.#store({ ...state, version: state.version + 1 });
    });
    const { version, pushed } = this.#state();
    // Whoever calls again, because the push has failed, finds an index that is not new.
    if (former === null || version === pushed) return;
    this.#concerned?.add(former);
    await this.ctx.storage.setAlarm(Date.now() + PUSH_RETRY_MS);
    await this.#push(version);
  }

  /** The index that has answered suggestions of a tenant of this name so far, if another (resolveSuggestTenant). */
  #formerlySuggestedFrom(indexName: string): string | null {
    const body = this.#documentText();
    const read = readConfiguration(body === null ? null : JSON.parse(body));
    const tenant = read.ok ? resolveTenantConfig(read.value, indexName, []) : null;
    const [first = indexName] = tenant?.indexNames ?? [];
    return first === indexName ? null : first;
  }

  async sessions(): Promise<readonly SessionHint[]> {
    return this.#hints("");
  }

  override async alarm(): Promise<void> {
    try {
      await this.#push(this.#state().version);
    } catch {
      // Not rethrown, because the platform gives up after six tries.
      await this.ctx.storage.setAlarm(Date.now() + PUSH_RETRY_MS);
    }
  }

  #apply(state: CatalogState, change: CatalogChange, version: number): void {
    const user = change.user ?? null;
    switch (change.kind) {
      case "document": {
        const before = this.#documentText();
        const after = change.document === null ? null : JSON.stringify(change.document);
        if (after === null) this.#sql.exec("DELETE FROM document");
        else this.#sql.exec("INSERT OR REPLACE INTO document (id, body) VALUES (1, ?)", after);
        const { entry } = change;
        if (entry === undefined) {
          this.#history.note({ entry: { kind: "document", name: "" }, before, after, version, user });
          break;
        }
        const textIn = (document: unknown): string | null => configurationEntryText(document, entry.kind, entry.name);
        const former = textIn(before === null ? null : JSON.parse(before));
        this.#history.note({ entry, before: former, after: textIn(change.document), version, user });
        break;
      }
      case "rules":
      case "suggestQueries": {
        const { kind, name, text } = change;
        const { table, entry } = TEXTS[kind];
        const before = this.#texts(kind, [name]).get(name) ?? null;
        if (text === null) this.#sql.exec(`DELETE FROM ${table} WHERE name = ?`, name);
        else this.#sql.exec(`INSERT OR REPLACE INTO ${table} (name, body) VALUES (?, ?)`, name, text);
        this.#history.note({ entry: { kind: entry, name }, before, after: text, version, user });
        break;
      }
    }
    this.#store({ ...state, schema: SCHEMA_VERSION, version });
  }

  /** A name without a live generation or session has no shards to push to. */
  #prune(): void {
    this.#sql.exec("DELETE FROM names WHERE live = 0 AND name NOT IN (SELECT index_name FROM sessions)");
  }

  /** Ends when this version was pushed, or a newer one. */
  async #push(version: number): Promise<void> {
    while (this.#state().pushed < version) {
      if (this.#pushing === null) {
        const pushing = this.#pushPending().finally(() => {
          this.#pushing = null;
        });
        this.#pushing = pushing;
        await pushing;
      } else {
        // Began before this version; if it fails, the next one is for all indexes.
        await this.#pushing.catch(() => undefined);
      }
    }
  }

  /** Pushes the current version. */
  async #pushPending(): Promise<void> {
    const { version } = this.#state();
    const concerned = this.#concerned;
    this.#concerned = new Set();
    try {
      // Always includes names that are not live, because a new index has publishing shards.
      const names =
        concerned === null
          ? this.#names("")
          : [...this.#names(NOT_LIVE), ...this.#names(LIVE).filter((name) => concerned.has(name))];
      await forAll(names, (name) => repeated(() => indexStub(this.env, name).pushConfiguration(version)));
    } catch (error) {
      this.#concerned = null;
      throw error;
    }
    this.#store({ ...this.#state(), pushed: version });
  }

  #state(): CatalogState {
    return this.ctx.storage.kv.get<CatalogState>("catalog") ?? EMPTY;
  }

  #store(state: CatalogState): void {
    this.ctx.storage.kv.put("catalog", state);
  }

  #names(where: string): string[] {
    return this.#sql
      .exec<{ name: string }>(`SELECT name FROM names ${where} ORDER BY name`)
      .toArray()
      .map((row) => row.name);
  }

  #hints(where: string, ...bindings: readonly number[]): SessionHint[] {
    return this.#sql
      .exec<{ temporary_name: string; index_name: string; started_at_ms: number }>(
        `SELECT temporary_name, index_name, started_at_ms FROM sessions ${where} ORDER BY started_at_ms`,
        ...bindings,
      )
      .toArray()
      .map((row) => ({
        indexName: row.index_name,
        temporaryIndexName: row.temporary_name,
        startedAtMs: row.started_at_ms,
      }));
  }
}
