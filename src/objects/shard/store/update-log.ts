/**
 * The write-ahead log of a shard in SQLite. A restart rebuilds the entries in memory from it. Synchronous; part of the
 * store's transactions (store.ts).
 *
 *   log         a row per batch of updates, and a row per run of merged rows:
 *                 id                 of a batch: its number, which its sources are found by; of a merged row of first..last: -last
 *                 first              the first update
 *                 operations         documents written, deleted, or changed in numbers
 *                 size_bytes         size of sources and segment
 *                 updates            ShardState.updates after the last update
 *                 deleted            JSON list of ids that were deleted and not written again
 *                 numbers            JSON list of changed numbers: [[id, field, number, field, number, ...], ...]
 *                 sources            the stored block of a batch; segments call it `u<update>`
 *                 segment            the segment of the written documents
 *   log_pieces  a segment, deleted or numbers over INLINE_BYTES, by row and part
 *   log_chunks  chunks of a stored block over INLINE_SOURCE_BYTES, by update and chunk
 *
 * A batch is one row, because rows are billed. A merged row is stored beside the rows it covers, because it refers to
 * their sources; a checkpoint drops them together. A merged row replaces a shorter one that ends at the same update.
 *
 *   updates    1   2   3   4   5   6          entries    1..4   5   6
 *   merged    -4 (first 1)
 *
 * Keys are integers, because for other keys SQLite compares whole rows (name-numbers.ts).
 */
import type { NumberChanges } from "../../../index-engine/segment/model/index.ts";
import { storedChunks } from "../../../index-engine/segment/stored/index.ts";

export interface LogEntry {
  /** Updates first..last. */
  readonly first: number;
  readonly last: number;
  /** Documents written or deleted. */
  readonly operations: number;
  /** Size of sources and segment. */
  readonly sizeBytes: number;
}

/** The changes of an entry. */
export interface LogContents {
  /** Null: nothing was indexed. */
  readonly segment: Uint8Array | null;
  readonly deletedIds: readonly string[];
  /** Changed numbers of documents, applied after writes and deletions. */
  readonly numbers: ReadonlyMap<string, NumberChanges>;
  /** The stored block of a batch; null: it wrote no documents, or the entry is a merged one. */
  readonly sources: Uint8Array | null;
}

/** The end of the log. */
export interface LogEnd {
  readonly position: number;
  readonly updates: number;
}

export const LOG_TABLES = `
  CREATE TABLE log (
    id INTEGER PRIMARY KEY, first INTEGER NOT NULL, operations INTEGER NOT NULL, size_bytes INTEGER NOT NULL,
    updates INTEGER NOT NULL, deleted BLOB, numbers BLOB, sources BLOB, segment BLOB
  );
  CREATE TABLE log_pieces (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
  CREATE TABLE log_chunks (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
`;

/** Keys of log_pieces per row, and per column of a row. */
const ROW_PIECES = 4_096;
const PIECES_PER_COLUMN = 1_024;
const PIECES = {
  segment: 0,
  deleted: 1 * PIECES_PER_COLUMN,
  numbers: 2 * PIECES_PER_COLUMN,
} as const;
/** Keys of log_chunks per update. */
const UPDATE_CHUNKS = 2 ** 20;

/** Copies the tables of schema 4, renamed to `old_log`, `old_log_pieces` and `old_log_chunks`. */
export const LOG_FROM_SCHEMA_4 = `
  INSERT OR REPLACE INTO log
    SELECT iif(first = last, last, -last), first, operations, size_bytes, updates, deleted, numbers, sources, segment
    FROM old_log ORDER BY last, first DESC;
  INSERT OR REPLACE INTO log_pieces
    SELECT iif(first = last, last, -last) * ${ROW_PIECES} + part +
      CASE what WHEN 'segment' THEN ${PIECES.segment} WHEN 'deleted' THEN ${PIECES.deleted} ELSE ${PIECES.numbers} END, bytes
    FROM old_log_pieces AS old
    WHERE first = last OR NOT EXISTS (SELECT 1 FROM old_log WHERE last = old.last AND first < old.first);
  INSERT INTO log_chunks SELECT position * ${UPDATE_CHUNKS} + chunk, bytes FROM old_log_chunks;
`;

/** Copies the tables of schemas 2 and 3, renamed likewise, and of `old_pieces`. */
export const LOG_FROM_SCHEMA_3 = `
  INSERT INTO log
    SELECT iif(first = last, last, -last), first, operations, size_bytes, 0, NULL, NULL, NULL, NULL FROM old_log;
  ${Object.entries(PIECES)
    .map(
      ([what, firstPiece]) => `
  INSERT INTO log_pieces
    SELECT iif(first = last, last, -last) * ${ROW_PIECES} + ${firstPiece} + part, bytes
    FROM old_log JOIN old_pieces ON owner = '${what === "segment" ? "log" : what}/' || last;`,
    )
    .join("")}
  INSERT INTO log_chunks SELECT position * ${UPDATE_CHUNKS} + chunk, bytes FROM old_log_chunks;
`;

/** A row holds at most 2 MB. */
const PIECE_BYTES = 1_900_000;
const INLINE_BYTES = 400_000;
/** Reading one source reads all inline sources of its row. */
const INLINE_SOURCE_BYTES = 65_536;

type What = keyof typeof PIECES;

function idOf({ first, last }: Pick<LogEntry, "first" | "last">): number {
  return first === last ? last : -last;
}

export class UpdateLog {
  readonly #sql: SqlStorage;
  /** Undefined: must be read; null: the log is empty. */
  #end: LogEnd | null | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** SQLite no longer has what was last written: a transaction was rolled back, or the tables were replaced. */
  forget(): void {
    this.#end = undefined;
  }

  /** Null: the log is empty. */
  end(): LogEnd | null {
    if (this.#end === undefined) {
      const [row] = this.#sql
        .exec<{ position: number; updates: number }>(
          `SELECT ABS(id) AS position, updates FROM log
           WHERE id IN ((SELECT MAX(id) FROM log), (SELECT MIN(id) FROM log)) ORDER BY position DESC LIMIT 1`,
        )
        .toArray();
      this.#end = row ?? null;
    }
    return this.#end;
  }

  /** Oldest first, without entries that a merged one covers. */
  entries(): LogEntry[] {
    const entries: LogEntry[] = [];
    for (let until = this.end()?.position ?? 0; ;) {
      // Prefers the merged row to the batch's own.
      const [row] = this.#sql
        .exec<{ first: number; operations: number; size_bytes: number }>(
          "SELECT first, operations, size_bytes FROM log WHERE id IN (-?1, ?1) ORDER BY id LIMIT 1",
          until,
        )
        .toArray();
      if (row === undefined) return entries.reverse();
      const { first, operations, size_bytes } = row;
      entries.push({ first, last: until, operations, sizeBytes: size_bytes });
      until = first - 1;
    }
  }

  append(entry: LogEntry, contents: LogContents, updates: number): void {
    const { sources } = contents;
    const isInline = sources === null || sources.byteLength <= INLINE_SOURCE_BYTES;
    this.#sql.exec(
      `INSERT OR REPLACE INTO log (id, first, operations, size_bytes, updates, segment, deleted, numbers, sources)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      idOf(entry),
      entry.first,
      entry.operations,
      entry.sizeBytes,
      updates,
      this.#inline(entry, "segment", contents.segment),
      this.#inline(entry, "deleted", encodeIds(contents.deletedIds)),
      this.#inline(entry, "numbers", encodeNumbers(contents.numbers)),
      isInline ? sources : null,
    );
    if (!isInline) {
      storedChunks(sources).forEach((bytes, chunk) => {
        this.#sql.exec(
          "INSERT INTO log_chunks (id, bytes) VALUES (?, ?)",
          entry.last * UPDATE_CHUNKS + chunk,
          // A copy, because this is a view of the whole block.
          bytes.slice(),
        );
      });
    }
    const end = this.end();
    if (end === null || end.position < entry.last) this.#end = { position: entry.last, updates };
  }

  segment(entry: LogEntry): Uint8Array<ArrayBuffer> | null {
    return this.#read(entry, "segment");
  }

  deletedIds(entry: LogEntry): string[] {
    const bytes = this.#read(entry, "deleted");
    return bytes === null ? [] : (JSON.parse(new TextDecoder().decode(bytes)) as string[]);
  }

  numbers(entry: LogEntry): Map<string, NumberChanges> {
    const bytes = this.#read(entry, "numbers");
    return bytes === null ? new Map<string, NumberChanges>() : decodeNumbers(bytes);
  }

  /** A chunk of the sources of an update; null: there is none. */
  chunk(update: number, chunk: number): Uint8Array | null {
    const [row] = this.#sql
      .exec<{ sources: ArrayBuffer | null }>("SELECT sources FROM log WHERE id = ?", update)
      .toArray();
    if (row !== undefined && row.sources !== null) return storedChunks(new Uint8Array(row.sources))[chunk] ?? null;
    const [apart] = this.#sql
      .exec<{ bytes: ArrayBuffer }>("SELECT bytes FROM log_chunks WHERE id = ?", update * UPDATE_CHUNKS + chunk)
      .toArray();
    return apart === undefined ? null : new Uint8Array(apart.bytes);
  }

  /** Deletes everything up to and including this update. */
  trim(upTo: number): void {
    this.#sql.exec("DELETE FROM log WHERE id BETWEEN -?1 AND ?1", upTo);
    this.#sql.exec("DELETE FROM log_pieces WHERE id >= -?1 * ?2 AND id < (?1 + 1) * ?2", upTo, ROW_PIECES);
    this.#sql.exec("DELETE FROM log_chunks WHERE id < (? + 1) * ?", upTo, UPDATE_CHUNKS);
    this.forget();
  }

  /** The bytes to store in the row; null: none, or they were stored in pieces. */
  #inline(entry: LogEntry, what: What, bytes: Uint8Array | null): Uint8Array | null {
    const firstPiece = idOf(entry) * ROW_PIECES + PIECES[what];
    if (entry.first !== entry.last) {
      this.#sql.exec("DELETE FROM log_pieces WHERE id >= ?1 AND id < ?1 + ?2", firstPiece, PIECES_PER_COLUMN);
    }
    if (bytes === null || bytes.byteLength <= INLINE_BYTES) return bytes;
    for (let part = 0, start = 0; start < bytes.byteLength; part++, start += PIECE_BYTES) {
      this.#sql.exec(
        "INSERT INTO log_pieces (id, bytes) VALUES (?, ?)",
        firstPiece + part,
        bytes.slice(start, start + PIECE_BYTES),
      );
    }
    return null;
  }

  #read(entry: LogEntry, what: What): Uint8Array<ArrayBuffer> | null {
    const id = idOf(entry);
    const [row] = this.#sql
      .exec<{ bytes: ArrayBuffer | null }>(`SELECT ${what} AS bytes FROM log WHERE id = ?`, id)
      .toArray();
    if (row !== undefined && row.bytes !== null) return new Uint8Array(row.bytes);
    const pieces = this.#sql
      .exec<{ bytes: ArrayBuffer }>(
        "SELECT bytes FROM log_pieces WHERE id >= ?1 AND id < ?1 + ?2 ORDER BY id",
        id * ROW_PIECES + PIECES[what],
        PIECES_PER_COLUMN,
      )
      .toArray();
    if (pieces.length === 0) return null;
    const whole = new Uint8Array(pieces.reduce((sum, { bytes }) => sum + bytes.byteLength, 0));
    let offset = 0;
    for (const { bytes } of pieces) {
      whole.set(new Uint8Array(bytes), offset);
      offset += bytes.byteLength;
    }
    return whole;
  }
}

function encodeIds(ids: readonly string[]): Uint8Array | null {
  return ids.length === 0 ? null : new TextEncoder().encode(JSON.stringify(ids));
}

/** JSON keeps every number exactly. */
function encodeNumbers(numbers: ReadonlyMap<string, NumberChanges>): Uint8Array | null {
  if (numbers.size === 0) return null;
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
