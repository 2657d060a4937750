/**
 * The tables of a shard's store (store.ts), and their upgrades.
 *
 * Schemas 2 (of the first edition) to 5 are upgraded. Schema 2 had tables with row numbers, nothing "replaced", and
 * only the session in "following". Up to schema 3, the log's segments, deletions and numbers were pieces, and all its
 * sources were in log_chunks. Up to schema 4, rows with blobs had keys of several columns. Up to schema 5, the copies
 * of segments had another checksum.
 */
import { LOG_FROM_SCHEMA_3, LOG_FROM_SCHEMA_4, LOG_TABLES } from "./update-log.ts";

export const SCHEMA_VERSION = 6;

/** WITHOUT ROWID: a row is written once, without a second row for its key. */
export const TABLES = `
  CREATE TABLE IF NOT EXISTS pieces (owner TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (owner, part)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS freezes (token INTEGER PRIMARY KEY, until_ms INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS replaced (key TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) WITHOUT ROWID;
  ${LOG_TABLES}
`;
const LOG_TABLE_NAMES = ["log", "log_pieces", "log_chunks"];
export const TABLE_NAMES = ["pieces", "freezes", "replaced", "followed", ...LOG_TABLE_NAMES];

/** Keeps what is not a copy of R2. */
const FROM_SCHEMA_3 = recreated(
  ["pieces", "log", "log_chunks", "freezes"],
  `
  INSERT INTO pieces SELECT owner, part, bytes FROM old_pieces WHERE owner = 'manifest' OR owner LIKE 'prepared/%';
  INSERT INTO freezes SELECT token, until_ms FROM old_freezes;
  ${LOG_FROM_SCHEMA_3}
`,
);
const FROM_SCHEMA_4 = recreated(LOG_TABLE_NAMES, LOG_FROM_SCHEMA_4);

/** Recreates tables in the current schema; `fill` reads their former contents from tables old_*. */
function recreated(tables: readonly string[], fill: string): string {
  return `
    ${tables.map((table) => `ALTER TABLE ${table} RENAME TO old_${table};`).join("\n")}
    ${TABLES}
    ${fill}
    ${tables.map((table) => `DROP TABLE old_${table};`).join("\n")}
  `;
}

/** Statements that bring the tables of an earlier schema to this one; null: they have not changed since. */
export function upgradeFrom(schema: number): string | null {
  switch (schema) {
    case 2:
    case 3:
      return FROM_SCHEMA_3;
    case 4:
      return FROM_SCHEMA_4;
    case 5:
      return null;
    default:
      throw new Error(`a shard of the unknown schema ${schema}`);
  }
}
