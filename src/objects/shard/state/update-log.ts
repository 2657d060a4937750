/**
 * The write-ahead log of a shard in SQLite, from which a restart makes the entries in memory again. Synchronous; it
 * lives within the transactions of the store (store.ts).
 *
 *   log         a row per run of updates that came together, and one per run of rows that were merged:
 *                 last, first        the updates first..last. An update of its own has first = last; sources are found by it
 *                 operations         documents written, deleted, or changed in numbers
 *                 size_bytes         of sources and segment
 *                 updates            ShardState.updates after the last of them
 *                 segment            the segment of what they wrote
 *                 deleted            JSON list of the ids they deleted and did not write again
 *                 numbers            JSON list of the numbers they changed: [[id, field, number, field, number, ...], ...]
 *                 sources            the stored block of an update of its own; segments name it `u<update>`
 *   log_pieces  a segment, deleted or numbers of more than INLINE_BYTES
 *   log_chunks  chunks of a stored block of more than INLINE_SOURCE_BYTES
 *
 * An update is one row: rows are what is billed. A merged row stays beside those it covers, whose sources it refers
 * to; they go together, with the checkpoint.
 *
 *   updates    1   2   3   4   5   6          entries    1..4   5   6
 *   merged     [ 1 ..... 4 ]
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
    last INTEGER NOT NULL, first INTEGER NOT NULL, operations INTEGER NOT NULL, size_bytes INTEGER NOT NULL,
    updates INTEGER NOT NULL, segment BLOB, deleted BLOB, numbers BLOB, sources BLOB, PRIMARY KEY (last, first)
  ) WITHOUT ROWID;
  CREATE TABLE log_pieces (
    last INTEGER NOT NULL, first INTEGER NOT NULL, what TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (last, first, what, part)
  ) WITHOUT ROWID;
  CREATE TABLE log_chunks (
    position INTEGER NOT NULL, chunk INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (position, chunk)
  ) WITHOUT ROWID;
`;

/** A row may have 2 MB. */
const PIECE_BYTES = 1_900_000;
const INLINE_BYTES = 400_000;
/** A source that is read brings its row's. */
const INLINE_SOURCE_BYTES = 65_536;

type What = "segment" | "deleted" | "numbers";

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
          "SELECT last AS position, updates FROM log ORDER BY last DESC LIMIT 1",
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
      const [row] = this.#sql
        .exec<{ last: number; first: number; operations: number; size_bytes: number }>(
          `SELECT last, first, operations, size_bytes FROM log
           WHERE last = (SELECT MAX(last) FROM log WHERE last <= ?) ORDER BY first LIMIT 1`,
          until,
        )
        .toArray();
      if (row === undefined) return entries.reverse();
      const { first, last, operations, size_bytes } = row;
      entries.push({ first, last, operations, sizeBytes: size_bytes });
      until = first - 1;
    }
  }

  append(entry: LogEntry, contents: LogContents, updates: number): void {
    const { sources } = contents;
    const isInline = sources === null || sources.byteLength <= INLINE_SOURCE_BYTES;
    this.#sql.exec(
      `INSERT INTO log (last, first, operations, size_bytes, updates, segment, deleted, numbers, sources)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      entry.last,
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
          "INSERT INTO log_chunks (position, chunk, bytes) VALUES (?, ?, ?)",
          entry.last,
          chunk,
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
      .exec<{ sources: ArrayBuffer | null }>(
        "SELECT sources FROM log WHERE last = ? AND first = ?",
        update,
        update,
      )
      .toArray();
    if (row !== undefined && row.sources !== null)
      return storedChunks(new Uint8Array(row.sources))[chunk] ?? null;
    const [apart] = this.#sql
      .exec<{ bytes: ArrayBuffer }>(
        "SELECT bytes FROM log_chunks WHERE position = ? AND chunk = ?",
        update,
        chunk,
      )
      .toArray();
    return apart === undefined ? null : new Uint8Array(apart.bytes);
  }

  /** Everything up to and with this update goes. */
  trim(upTo: number): void {
    this.#sql.exec("DELETE FROM log WHERE last <= ?", upTo);
    this.#sql.exec("DELETE FROM log_pieces WHERE last <= ?", upTo);
    this.#sql.exec("DELETE FROM log_chunks WHERE position <= ?", upTo);
    this.forget();
  }

  /** What goes into the row; null: nothing, or it is in pieces. */
  #inline({ last, first }: LogEntry, what: What, bytes: Uint8Array | null): Uint8Array | null {
    if (bytes === null || bytes.byteLength <= INLINE_BYTES) return bytes;
    for (let part = 0, start = 0; start < bytes.byteLength; part++, start += PIECE_BYTES) {
      this.#sql.exec(
        "INSERT INTO log_pieces (last, first, what, part, bytes) VALUES (?, ?, ?, ?, ?)",
        last,
        first,
        what,
        part,
        bytes.slice(start, start + PIECE_BYTES),
      );
    }
    return null;
  }

  #read({ last, first }: LogEntry, what: What): Uint8Array<ArrayBuffer> | null {
    const [row] = this.#sql
      .exec<{ bytes: ArrayBuffer | null }>(
        `SELECT ${what} AS bytes FROM log WHERE last = ? AND first = ?`,
        last,
        first,
      )
      .toArray();
    if (row !== undefined && row.bytes !== null) return new Uint8Array(row.bytes);
    const pieces = this.#sql
      .exec<{ bytes: ArrayBuffer }>(
        "SELECT bytes FROM log_pieces WHERE last = ? AND first = ? AND what = ? ORDER BY part",
        last,
        first,
        what,
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
