/**
 * Why rows with blobs have integer keys (src/objects/shard/store/name-numbers.ts).
 *
 *   npm run node -- bench/sqlite-keys.ts
 *
 * Chunks of stored documents, of which those of a page of hits are read, 2 KB of each, by one statement; in Node's
 * SQLite, in memory of the process. As a table keyed by two columns, and as one keyed by an integer.
 */
import { DatabaseSync } from "node:sqlite";
import { percentile } from "./measure.ts";

const CHUNKS = 800;
const CHUNK_BYTES = 32_000;
const CHUNKS_PER_BLOCK = 64;
const HITS = 24;
const PAGES = 500;

interface Table {
  readonly name: string;
  readonly columns: string;
  /** Of chunk i. */
  readonly key: (i: number) => readonly (string | number)[];
  readonly join: string;
}

const blocks = Array.from({ length: CHUNKS / CHUNKS_PER_BLOCK + 1 }, () => crypto.randomUUID());

const TABLES: readonly Table[] = [
  {
    name: "by block and chunk, without rowid",
    columns: "(block TEXT, chunk INTEGER, bytes BLOB, PRIMARY KEY (block, chunk)) WITHOUT ROWID",
    key: (i) => [blocks[Math.floor(i / CHUNKS_PER_BLOCK)], i % CHUNKS_PER_BLOCK],
    join: "block = place.value ->> 1 AND chunk = place.value ->> 2",
  },
  {
    name: "by an integer",
    columns: "(id INTEGER PRIMARY KEY, bytes BLOB)",
    key: (i) => [Math.floor(i / CHUNKS_PER_BLOCK) * 2 ** 24 + (i % CHUNKS_PER_BLOCK)],
    join: "chunks.id = place.value ->> 1",
  },
];

for (const { name, columns, key, join } of TABLES) {
  const database = new DatabaseSync(":memory:");
  database.exec(`CREATE TABLE chunks ${columns}`);
  const insert = database.prepare(
    `INSERT INTO chunks VALUES (${key(0)
      .map(() => "?")
      .join(", ")}, ?)`,
  );
  for (let i = 0; i < CHUNKS; i++) insert.run(...key(i), new Uint8Array(CHUNK_BYTES));
  const read = database.prepare(
    `SELECT SUBSTR(bytes, 1 + (place.value ->> 0), 2048) FROM json_each(?) AS place CROSS JOIN chunks ON ${join}`,
  );
  const ms: number[] = [];
  for (let page = 0; page < PAGES; page++) {
    const places = Array.from({ length: HITS }, (_, hit) => {
      const i = (page * 7_919 + hit * 104_729) % CHUNKS;
      return [(i * 31) % 30_000, ...key(i)];
    });
    const startMs = performance.now();
    const found = read.all(JSON.stringify(places));
    ms.push(performance.now() - startMs);
    if (found.length !== HITS) throw new Error(`${found.length} of ${HITS}`);
  }
  ms.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(36)} ${HITS} hits: p50 ${percentile(ms, 0.5).toFixed(2)} ms, p95 ${percentile(ms, 0.95).toFixed(2)} ms`,
  );
  database.close();
}
