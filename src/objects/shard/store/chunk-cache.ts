/**
 * A cache in SQLite of the shard's stored blocks, by chunk. Hits are read from here; R2 has all blocks.
 *
 *   chunks          block * 2^24 + chunk -> number of records in it, its bytes
 *   blocks          number of a block in these keys -> its id (name-numbers.ts)
 *   cached_blocks   blocks whose chunks are all cached, as far as the shard needs them
 *
 * A hit caches its chunk; maintenance (`fill`) and checkpoints cache whole blocks. The sweep after a checkpoint drops
 * blocks that the manifest no longer names.
 */
import type { StoredRef } from "../../../index-engine/segment/model/index.ts";
import { storedRecords } from "../../../index-engine/segment/stored/index.ts";
import type { ShardManifest } from "../../manifest.ts";
import { Pause } from "../../pause.ts";
import { chunkCount, readChunks } from "../../stored-blocks.ts";
import { NameNumbers } from "./name-numbers.ts";

/** Most chunks in a block. */
const MOST_CHUNKS = 2 ** 24;

/** Cost of a written byte, as Pause counts: a megabyte takes some milliseconds. */
const WRITTEN_SHARE = 1 / 32;
/** Chunks dropped per step, which takes about a millisecond, and its cost. */
const DROPPED_PER_STEP = 32;
const STEP_BYTES = 8_192;
/** Blocks copied by one alarm. Each takes two reads of R2; an invocation may make 10,000 calls. */
const BLOCKS_PER_FILL = 1_000;

type Blocks = Pick<ShardManifest, "blocks">;

export class ChunkCache {
  readonly #sql: SqlStorage;
  readonly #blocks: NameNumbers;
  /** Contents of `cached_blocks`; null: not read yet. */
  #whole: Set<string> | null = null;
  /** The last manifest whose blocks were all cached, because every write asks. */
  #complete: Blocks | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#blocks = new NameNumbers(sql, "blocks");
  }

  /** Creates empty tables for a new life of the shard. */
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

  /** SQLite no longer has what was last written: a transaction was rolled back. */
  forget(): void {
    this.#blocks.forget();
    this.#whole = null;
    this.#complete = null;
  }

  #id(block: string, chunk: number): number | null {
    const number = this.#blocks.of(block);
    return number === undefined ? null : number * MOST_CHUNKS + chunk;
  }

  /** Null: not cached. */
  get(block: string, chunk: number): Uint8Array | null {
    const [row] = this.#sql
      .exec<{ bytes: ArrayBuffer }>("SELECT bytes FROM chunks WHERE id = ?", this.#id(block, chunk))
      .toArray();
    return row === undefined ? null : new Uint8Array(row.bytes);
  }

  /**
   * For each document up to `mostBytes` of its chunk, starting at its record; null: not cached. One statement takes
   * half the time of one per document. SQLite reads whole chunks for this, which is most of that time.
   */
  starts(refs: readonly StoredRef[], mostBytes: number): (Uint8Array | null)[] {
    const places = JSON.stringify(refs.map(({ block, chunk, offset }) => [this.#id(block, chunk), offset]));
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

  /** @param bytes with a buffer of their own, not a view of a block */
  put(block: string, chunk: number, bytes: Uint8Array): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO chunks (id, records, bytes) VALUES (?, ?, ?)",
      this.#blocks.add(block) * MOST_CHUNKS + chunk,
      storedRecords(bytes),
      bytes,
    );
  }

  /** All its chunks are cached. */
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

  /** Cached chunk -> number of its records. */
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

  /** Whether every block is cached. */
  hasAll(manifest: Blocks): boolean {
    if (this.#complete === manifest) return true;
    if (!manifest.blocks.every(({ id }) => this.isWhole(id))) return false;
    this.#complete = manifest;
    return true;
  }

  /** Copies some of the missing blocks. Ends early when `isWanted` becomes false, because the tables may be gone. */
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

  /** Drops all other blocks, in steps. No other block may be written meanwhile. */
  async sweep(keep: ReadonlySet<string>, isWanted: () => boolean): Promise<void> {
    const pause = new Pause("block_copy");
    for (const block of this.#blocks.names()) {
      if (keep.has(block)) continue;
      // First, because a partly dropped block is not whole.
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
        // In the same turn, because a search may cache a chunk of it during a pause.
        if (rowsWritten === 0) break;
        await pause.after(STEP_BYTES);
        if (!isWanted()) return;
      }
      this.#blocks.drop(block);
    }
  }
}
