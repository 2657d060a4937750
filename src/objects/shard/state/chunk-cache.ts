/**
 * SQLite's copy of the stored blocks of a shard, by chunk: hits are read from here. R2 has every block whole.
 *
 *   chunks          (block, chunk) -> number of records in it, its bytes
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
  /** What `cached_blocks` has; null: not read yet. */
  #whole: Set<string> | null = null;
  /** The last manifest of which every block was found here: writes ask each time. */
  #complete: Blocks | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The tables, empty: for a new life of the shard. */
  begin(): void {
    this.#sql.exec(`
      DROP TABLE IF EXISTS chunks;
      DROP TABLE IF EXISTS cached_blocks;
      CREATE TABLE chunks (
        block TEXT NOT NULL, chunk INTEGER NOT NULL, records INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (block, chunk)
      ) WITHOUT ROWID;
      CREATE TABLE cached_blocks (block TEXT PRIMARY KEY) WITHOUT ROWID;
    `);
    this.#whole = null;
    this.#complete = null;
  }

  /** Null: not here. */
  get(block: string, chunk: number): Uint8Array | null {
    const [row] = this.#sql
      .exec<{ bytes: ArrayBuffer }>(
        "SELECT bytes FROM chunks WHERE block = ? AND chunk = ?",
        block,
        chunk,
      )
      .toArray();
    return row === undefined ? null : new Uint8Array(row.bytes);
  }

  /**
   * Of each of these documents at most so many bytes of its chunk, from its record on; null: not
   * here. One statement: half of what reading them one by one takes.
   */
  starts(refs: readonly StoredRef[], mostBytes: number): (Uint8Array | null)[] {
    const places = JSON.stringify(refs.map(({ block, chunk, offset }) => [block, chunk, offset]));
    const rows = this.#sql.exec<{ place: number; bytes: ArrayBuffer }>(
      `SELECT place.key AS place, SUBSTR(chunks.bytes, 1 + (place.value ->> 2), ?) AS bytes
       FROM json_each(?) AS place
       CROSS JOIN chunks ON chunks.block = place.value ->> 0 AND chunks.chunk = place.value ->> 1`,
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
      "INSERT OR REPLACE INTO chunks (block, chunk, records, bytes) VALUES (?, ?, ?, ?)",
      block,
      chunk,
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
    const rows = this.#sql.exec<{ chunk: number; records: number }>(
      "SELECT chunk, records FROM chunks WHERE block = ?",
      block,
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
    for (let block = this.#after(""); block !== null; block = this.#after(block)) {
      if (keep.has(block)) continue;
      // First: a block that is dropped in part is not whole.
      this.#sql.exec("DELETE FROM cached_blocks WHERE block = ?", block);
      this.#whole?.delete(block);
      for (let left = true; left;) {
        const { rowsWritten } = this.#sql.exec(
          "DELETE FROM chunks WHERE block = ?1 AND chunk IN (SELECT chunk FROM chunks WHERE block = ?1 LIMIT ?2)",
          block,
          DROPPED_PER_STEP,
        );
        left = rowsWritten > 0;
        await pause.after(STEP_BYTES);
        if (!isWanted()) return;
      }
    }
  }

  /** The next block with a chunk here, by name; null: none. */
  #after(block: string): string | null {
    const [row] = this.#sql
      .exec<{ block: string }>(
        "SELECT block FROM chunks WHERE block > ? ORDER BY block LIMIT 1",
        block,
      )
      .toArray();
    return row?.block ?? null;
  }
}
