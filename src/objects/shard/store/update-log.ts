/**
 * The write-ahead log of a shard in SQLite, from which a restart makes the entries in memory again. Synchronous; it
 * lives within the transactions of the store (store.ts).
 *
 *   log         a row per run of updates that came together, and one per run of rows that were merged:
 *                 id                 of an update of its own its number, by which sources are found; of a merged row of first..last: -last
 *                 first              of the updates
 *                 operations         documents written, deleted, or changed in numbers
 *                 size_bytes         of sources and segment
 *                 updates            ShardState.updates after the last of them
 *                 deleted            JSON list of the ids they deleted and did not write again
 *                 numbers            JSON list of the numbers they changed: [[id, field, number, field, number, ...], ...]
 *                 sources            the stored block of an update of its own; segments name it `u<update>`
 *                 segment            the segment of what they wrote
 *   log_pieces  a segment, deleted or numbers of more than INLINE_BYTES, by row and part
 *   log_chunks  chunks of a stored block of more than INLINE_SOURCE_BYTES, by update and chunk
 *
 * An update is one row: rows are what is billed. A merged row stays beside those it covers, whose sources it refers
 * to; they go together, with the checkpoint. One that covers more takes the place of one that ends at the same update.
 *
 *   updates    1   2   3   4   5   6          entries    1..4   5   6
 *   merged    -4 (first 1)
 *
 * Keys are integers: by others SQLite compares rows with all their bytes (name-numbers.ts).
 */
import type { NumberChanges } from "../../../index-engine/segment/model/index.ts";
import { storedChunks } from "../../../index-engine/segment/stored/index.ts";

export interface LogEntry {
  /** Updates first..last. */
  readonly first: number;
  readonly last: number;
  /** Documents written or deleted. */
  readonly operations: number;
  /** Of sources and segment. */
  readonly sizeBytes: number;
}

/** What an entry changes. */
export interface LogContents {
  /** Null: nothing was indexed. */
  readonly segment: Uint8Array | null;
  readonly deletedIds: readonly string[];
  /** Changed in documents that are neither in the segment nor deleted, or after they were written. */
  readonly numbers: ReadonlyMap<string, NumberChanges>;
  /** The stored block of an update; null: there is none, or the entry is one of updates that have theirs. */
  readonly sources: Uint8Array | null;
}

/** How far the log goes. */
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

/** Keys of log_pieces: of a row, and of one of its columns. */
const ROW_PIECES = 4_096;
const PIECES_PER_COLUMN = 1_024;
const PIECES = {
  segment: 0,
  deleted: 1 * PIECES_PER_COLUMN,
  numbers: 2 * PIECES_PER_COLUMN,
} as const;
/** Keys of log_chunks: of an update. */
const UPDATE_CHUNKS = 2 ** 20;

/** From tables `old_log`, `old_log_pieces` and `old_log_chunks`, as schema 4 of the store had them. */
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

/** From tables of the same names, and `old_pieces`, of schemas 1 to 3. */
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

/** A row may have 2 MB. */
const PIECE_BYTES = 1_900_000;
const INLINE_BYTES = 400_000;
/** A source that is read brings its row's. */
const INLINE_SOURCE_BYTES = 65_536;

type What = keyof typeof PIECES;

function idOf({ first, last }: Pick<LogEntry, "first" | "last">): number {
  return first === last ? last : -last;
}

export class UpdateLog {
  readonly #sql: SqlStorage;
  /** Undefined: to be read; null: the log is empty. */
  #end: LogEnd | null | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** What is in SQLite is not what was written last: a transaction was taken back, or the tables are others. */
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

  /** Oldest first; without those that a merged one covers. */
  entries(): LogEntry[] {
    const entries: LogEntry[] = [];
    for (let until = this.end()?.position ?? 0; ;) {
      // The merged row before the update's own.
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

  /** A chunk of the sources of an update; null: it has none such. */
  chunk(update: number, chunk: number): Uint8Array | null {
    const [row] = this.#sql
      .exec<{ sources: ArrayBuffer | null }>("SELECT sources FROM log WHERE id = ?", update)
      .toArray();
    if (row !== undefined && row.sources !== null)
      return storedChunks(new Uint8Array(row.sources))[chunk] ?? null;
    const [apart] = this.#sql
      .exec<{ bytes: ArrayBuffer }>(
        "SELECT bytes FROM log_chunks WHERE id = ?",
        update * UPDATE_CHUNKS + chunk,
      )
      .toArray();
    return apart === undefined ? null : new Uint8Array(apart.bytes);
  }

  /** Everything up to and with this update goes. */
  trim(upTo: number): void {
    this.#sql.exec("DELETE FROM log WHERE id BETWEEN -?1 AND ?1", upTo);
    this.#sql.exec(
      "DELETE FROM log_pieces WHERE id >= -?1 * ?2 AND id < (?1 + 1) * ?2",
      upTo,
      ROW_PIECES,
    );
    this.#sql.exec("DELETE FROM log_chunks WHERE id < (? + 1) * ?", upTo, UPDATE_CHUNKS);
    this.forget();
  }

  /** What goes into the row; null: nothing, or it is in pieces. */
  #inline(entry: LogEntry, what: What, bytes: Uint8Array | null): Uint8Array | null {
    const firstPiece = idOf(entry) * ROW_PIECES + PIECES[what];
    if (entry.first !== entry.last) {
      this.#sql.exec(
        "DELETE FROM log_pieces WHERE id >= ?1 AND id < ?1 + ?2",
        firstPiece,
        PIECES_PER_COLUMN,
      );
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

/** JSON gives every number as it was. */
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
