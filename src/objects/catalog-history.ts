/**
 * History of the configuration: the last versions of every entry, with time and user, so that changes can be undone.
 *
 * An entry is the unit that one call replaces: the document, the entry of an index, tenant or suggest section, a rules
 * text, a list of queries. A row has the content of an entry since a version of the configuration:
 *
 *   entry         version  at_ms  user  body
 *   tenant/shop         4  …      ops   {"index-name":"products"}        PUT
 *   tenant/shop         9  -      -     {"locale":"de"}                  found when version 10 was written
 *   tenant/shop        10  …      ops   null                             DELETE
 *
 * Changing the document also changes its entries, and vice versa. This is recorded at the next change of the entry: if
 * its content differs from its last row, a row without time and user is added first. So all replaced content can be
 * restored. A call that changes nothing adds no row.
 *
 * Limits: LIMITS.configurationHistory rows per entry, LIMITS.configurationHistoryBytes in total; the oldest are
 * dropped.
 */
import { LIMITS } from "../interface/index.ts";
import type { CatalogHistoryEntry, EntryRef } from "./protocol/index.ts";

/** Maximum number of listed versions for all entries together. */
const MOST_LISTED = 200;

type Row = {
  readonly entry: string;
  readonly version: number;
  readonly at_ms: number | null;
  readonly user: string | null;
  readonly size_bytes: number | null;
};

interface Written {
  readonly entry: EntryRef;
  /** Text; null: the entry does not exist. */
  readonly before: string | null;
  readonly after: string | null;
  /** The new version. */
  readonly version: number;
  readonly user: string | null;
}

export class CatalogHistory {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    // Schema 1 had no contents.
    sql.exec("DROP TABLE IF EXISTS history");
    sql.exec(`
      CREATE TABLE IF NOT EXISTS versions (
        entry TEXT NOT NULL, version INTEGER NOT NULL, at_ms INTEGER, user TEXT, size_bytes INTEGER, body TEXT,
        PRIMARY KEY (entry, version)
      ) WITHOUT ROWID
    `);
  }

  /** Called in the transaction of the change. */
  note({ entry, before, after, version, user }: Written): void {
    if (before === after) return;
    const key = entryKey(entry);
    const last = this.#sql
      .exec<{ body: string | null }>("SELECT body FROM versions WHERE entry = ? ORDER BY version DESC LIMIT 1", key)
      .toArray()[0];
    if ((last === undefined ? null : last.body) !== before) {
      this.#insert(key, version - 1, null, null, before);
    }
    this.#insert(key, version, Date.now(), user, after);
    this.#sql.exec(
      `DELETE FROM versions WHERE entry = ?1 AND version NOT IN
        (SELECT version FROM versions WHERE entry = ?1 ORDER BY version DESC LIMIT ?2)`,
      key,
      LIMITS.configurationHistory.value,
    );
    this.#dropOldest(version);
  }

  /** Newest first; `entry` null: the newest of all entries. */
  list(entry: EntryRef | null): CatalogHistoryEntry[] {
    const columns = "entry, version, at_ms, user, size_bytes";
    const rows =
      entry === null
        ? this.#sql.exec<Row>(`SELECT ${columns} FROM versions ORDER BY version DESC, entry LIMIT ${MOST_LISTED}`)
        : this.#sql.exec<Row>(`SELECT ${columns} FROM versions WHERE entry = ? ORDER BY version DESC`, entryKey(entry));
    return rows.toArray().map((row) => ({
      entry: row.entry,
      version: row.version,
      atMs: row.at_ms,
      user: row.user,
      isRemoved: row.size_bytes === null,
    }));
  }

  /** Undefined: no such row. Null: the entry did not exist. */
  body(entry: EntryRef, version: number): string | null | undefined {
    return this.#sql
      .exec<{ body: string | null }>(
        "SELECT body FROM versions WHERE entry = ? AND version = ?",
        entryKey(entry),
        version,
      )
      .toArray()[0]?.body;
  }

  #insert(key: string, version: number, atMs: number | null, user: string | null, body: string | null): void {
    const sizeBytes = body === null ? null : new TextEncoder().encode(body).byteLength;
    this.#sql.exec(
      "INSERT OR REPLACE INTO versions (entry, version, at_ms, user, size_bytes, body) VALUES (?, ?, ?, ?, ?, ?)",
      key,
      version,
      atMs,
      user,
      sizeBytes,
      body,
    );
  }

  /** Deletes old rows until all fit, but none of this version. */
  #dropOldest(version: number): void {
    let { bytes } = this.#sql
      .exec<{ bytes: number }>("SELECT COALESCE(SUM(size_bytes), 0) AS bytes FROM versions")
      .one();
    while (bytes > LIMITS.configurationHistoryBytes.value) {
      const [oldest] = this.#sql
        .exec<Row>(
          `SELECT entry, version, at_ms, user, size_bytes FROM versions
            WHERE version < ? ORDER BY version LIMIT 1`,
          version,
        )
        .toArray();
      if (oldest === undefined) return;
      this.#sql.exec("DELETE FROM versions WHERE entry = ? AND version = ?", oldest.entry, oldest.version);
      bytes -= oldest.size_bytes ?? 0;
    }
  }
}

/** `document`, `tenant/shop`, `rules/toys`, `queries/products`: as in URLs. */
export function entryKey({ kind, name }: EntryRef): string {
  return kind === "document" ? kind : `${kind}/${name}`;
}
