/**
 * SQLite's copy of the stored blocks of a shard, by chunk: hits are read from here. R2 has every block whole.
 *
 *   chunks          block * 2^24 + chunk -> number of records in it, its bytes
 *   blocks          number of a block in these keys -> its id (name-numbers.ts)
 *   cached_blocks   blocks of which every chunk that the shard needs is here
 *
 * A single chunk comes when a hit asks for it, whole blocks come with maintenance (`fill`) and with the checkpoint that
 * writes them. What the manifest does not name any more goes with the sweep after a checkpoint.
 */
import type { StoredRef } from "../../../index-engine/segment/model/index.ts";
import { storedRecords } from "../../../index-engine/segment/stored/index.ts";
import type { ShardManifest } from "../../manifest.ts";
import { Pause } from "../../pause.ts";
import { chunkCount, readChunks } from "../../stored-blocks.ts";
import { NameNumbers } from "./name-numbers.ts";

/** Chunks that a block may have. */
const MOST_CHUNKS = 2 ** 24;

/** What Pause counts for so many bytes that are written: a megabyte takes some milliseconds. */
const WRITTEN_SHARE = 1 / 32;
/** Chunks dropped in one go: a millisecond or so; and what Pause counts for it. */
const DROPPED_PER_STEP = 32;
const STEP_BYTES = 8_192;
/** Blocks that one alarm copies: two reads of R2 each, of the 10,000 calls that an invocation may make. */
const BLOCKS_PER_FILL = 1_000;

type Blocks = Pick<ShardManifest, "blocks">;

export class ChunkCache {
  readonly #sql: SqlStorage;
  readonly #blocks: NameNumbers;
  /** What `cached_blocks` has; null: not read yet. */
  #whole: Set<string> | null = null;
  /** The last manifest of which every block was found here: writes ask each time. */
  #complete: Blocks | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#blocks = new NameNumbers(sql, "blocks");
  }

  /** The tables, empty: for a new life of the shard. */
  begin(): void {
    this.#sql.exec(`
      DROP TABLE IF EXISTS chunks;
      DROP TABLE IF EXISTS cached_blocks;
      CREATE TABLE chunks (id INTEGER PRIMARY KEY, records INTEGER NOT NULL, bytes BLOB NOT NULL);
      CREATE TABLE cached_blocks (block TEXT PRIMARY KEY) WITHOUT ROWID;
    `);
    this.#blocks.begin();
    this.forget();
  }

  /** What is in SQLite is not what was written last: a transaction was taken back. */
  forget(): void {
    this.#blocks.forget();
    this.#whole = null;
    this.#complete = null;
  }

  #id(block: string, chunk: number): number | null {
    const number = this.#blocks.of(block);
    return number === undefined ? null : number * MOST_CHUNKS + chunk;
  }

  /** Null: not here. */
  get(block: string, chunk: number): Uint8Array | null {
    const [row] = this.#sql
      .exec<{ bytes: ArrayBuffer }>("SELECT bytes FROM chunks WHERE id = ?", this.#id(block, chunk))
      .toArray();
    return row === undefined ? null : new Uint8Array(row.bytes);
  }

  /**
   * Of each of these documents at most so many bytes of its chunk, from its record on; null: not
   * here. One statement: half of what reading them one by one takes.
   */
  starts(refs: readonly StoredRef[], mostBytes: number): (Uint8Array | null)[] {
    const places = JSON.stringify(
      refs.map(({ block, chunk, offset }) => [this.#id(block, chunk), offset]),
    );
    const rows = this.#sql.exec<{ place: number; bytes: ArrayBuffer }>(
      `SELECT place.key AS place, SUBSTR(chunks.bytes, 1 + (place.value ->> 1), ?) AS bytes
       FROM json_each(?) AS place
       CROSS JOIN chunks ON chunks.id = place.value ->> 0`,
      mostBytes,
      places,
    );
    const found: (Uint8Array | null)[] = refs.map(() => null);
    for (const { place, bytes } of rows.toArray()) found[place] = new Uint8Array(bytes);
    return found;
  }

  /** `bytes`: of their own, no view of a block. */
  put(block: string, chunk: number, bytes: Uint8Array): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO chunks (id, records, bytes) VALUES (?, ?, ?)",
      this.#blocks.add(block) * MOST_CHUNKS + chunk,
      storedRecords(bytes),
      bytes,
    );
  }

  /** All chunks of it are here. */
  markWhole(block: string): void {
    this.#sql.exec("INSERT OR IGNORE INTO cached_blocks (block) VALUES (?)", block);
    this.#whole?.add(block);
  }

  isWhole(block: string): boolean {
    this.#whole ??= new Set(
      this.#sql
        .exec<{ block: string }>("SELECT block FROM cached_blocks")
        .toArray()
        .map((row) => row.block),
    );
    return this.#whole.has(block);
  }

  /** Chunk -> number of its records, of the chunks that are here. */
  records(block: string): Map<number, number> {
    const first = this.#id(block, 0);
    if (first === null) return new Map();
    const rows = this.#sql.exec<{ chunk: number; records: number }>(
      "SELECT id - ?1 AS chunk, records FROM chunks WHERE id >= ?1 AND id < ?1 + ?2",
      first,
      MOST_CHUNKS,
    );
    return new Map(rows.toArray().map(({ chunk, records }) => [chunk, records]));
  }

  /** Whether every block is here. */
  hasAll(manifest: Blocks): boolean {
    if (this.#complete === manifest) return true;
    if (!manifest.blocks.every(({ id }) => this.isWhole(id))) return false;
    this.#complete = manifest;
    return true;
  }

  /** Copies blocks that are not here, some at least. Ends early once `isWanted` says no: the tables may be gone. */
  async fill(bucket: R2Bucket, { blocks }: Blocks, isWanted: () => boolean): Promise<void> {
    const pause = new Pause("block_copy");
    const missing = blocks.filter(({ id }) => !this.isWhole(id)).slice(0, BLOCKS_PER_FILL);
    for (const block of missing) {
      const { firstChunk } = block;
      const end = firstChunk + chunkCount(block);
      const chunks = await readChunks(bucket, block, firstChunk, end, pause);
      for (const [i, bytes] of chunks.entries()) {
        if (!isWanted()) return;
        this.put(block.id, firstChunk + i, bytes);
        await pause.after(bytes.byteLength * WRITTEN_SHARE);
      }
      if (!isWanted()) return;
      this.markWhole(block.id);
    }
  }

  /** Drops all blocks but these, in steps. Nobody may be writing another one meanwhile. */
  async sweep(keep: ReadonlySet<string>, isWanted: () => boolean): Promise<void> {
    const pause = new Pause("block_copy");
    for (const block of this.#blocks.names()) {
      if (keep.has(block)) continue;
      // First: a block that is dropped in part is not whole.
      this.#sql.exec("DELETE FROM cached_blocks WHERE block = ?", block);
      this.#whole?.delete(block);
      const first = this.#id(block, 0);
      for (;;) {
        const { rowsWritten } = this.#sql.exec(
          "DELETE FROM chunks WHERE id IN (SELECT id FROM chunks WHERE id >= ?1 AND id < ?1 + ?2 LIMIT ?3)",
          first,
          MOST_CHUNKS,
          DROPPED_PER_STEP,
        );
        // In the same turn: a search may bring a chunk of it in every other.
        if (rowsWritten === 0) break;
        await pause.after(STEP_BYTES);
        if (!isWanted()) return;
      }
      this.#blocks.drop(block);
    }
  }
}
