/**
 * Storage of ImportSessionObject (see import-session-object.ts). Synchronous; a caller's turn is one transaction.
 *
 *   kv "settings"   Settings: what is constant since the start; with the configuration of thousands of fields it takes
 *                   10 ms to read, so it is kept in memory (schema 3 had it in "session")
 *   kv "session"    Progress: state, step, counters
 *   pieces          segments in rank order (sequence, part) with their partitions; a merged segment takes the place of the first of its
 *                   run
 *   blocks          stored blocks, unordered; chunks: JSON {bounds, partitions}
 *   registrations   id -> sequence, so that a repeated registration counts once
 *
 * When the session is over only "settings" and "session" remain, as a tombstone that answers handles. `begin` creates
 * the tables.
 */
import type { CutSegment } from "../segment-storage.ts";
import { ALL_PARTITIONS } from "../partition.ts";
import type {
  PublishingStep,
  RegisteredBlock,
  Registration,
  Route,
  SessionInfo,
  SessionOptions,
  SessionState,
  StoredObject,
} from "../protocol/index.ts";

const SCHEMA_VERSION = 4;

interface Settings {
  readonly info: SessionInfo;
  readonly options: SessionOptions;
}

export type SessionData = Settings & Progress;

interface Progress {
  readonly schema: number;
  readonly state: SessionState;
  /** Null unless publishing. */
  readonly step: PublishingStep | null;
  readonly lastSequence: number;
  readonly documents: number;
  /** By shard, after the step "manifest". */
  readonly manifests: readonly { readonly shard: string; readonly manifest: StoredObject }[];
  /** Decided at the start of the step "merge"; null before. */
  readonly shardCount?: number | null;
  /** Of a reindex: its source, and the number of continuations after crashes. */
  readonly route?: Route | null;
  readonly resumes?: number;
}

/** Whether it may still accept documents or go live. */
export function isAlive({ state }: SessionData): boolean {
  return state === "open" || state === "publishing";
}

export interface RankedSegment extends CutSegment {
  readonly sequence: number;
  readonly part: number;
}

const CREATE_PIECES = `
  CREATE TABLE IF NOT EXISTS pieces (
    sequence INTEGER NOT NULL, part INTEGER NOT NULL, id TEXT NOT NULL, object_key TEXT NOT NULL,
    size_bytes INTEGER NOT NULL, checksum TEXT NOT NULL, products INTEGER NOT NULL, variants INTEGER NOT NULL,
    first_partition INTEGER NOT NULL, end_partition INTEGER NOT NULL, analysis INTEGER NOT NULL,
    PRIMARY KEY (sequence, part, first_partition)
  );`;

type SegmentColumns = {
  sequence: number;
  part: number;
  id: string;
  object_key: string;
  size_bytes: number;
  checksum: string;
  products: number;
  variants: number;
  first_partition: number;
  end_partition: number;
  analysis: number;
};

export class SessionStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #settings: Settings | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
  }

  data(): SessionData | null {
    const progress = this.#storage.kv.get<Progress>("session") ?? null;
    if (progress === null) return null;
    if (progress.schema !== SCHEMA_VERSION) return this.#migrate(progress as SessionData);
    this.#settings ??= this.#storage.kv.get<Settings>("settings") ?? null;
    if (this.#settings === null) throw new Error("an import session without settings");
    return { ...this.#settings, ...progress };
  }

  begin(info: SessionInfo, options: SessionOptions): void {
    this.#sql.exec(`
      ${CREATE_PIECES}
      CREATE TABLE IF NOT EXISTS blocks (
        id TEXT PRIMARY KEY, object_key TEXT NOT NULL, size_bytes INTEGER NOT NULL, checksum TEXT NOT NULL,
        chunks TEXT NOT NULL
      );
      CREATE TABLE IF NOT EXISTS registrations (id TEXT PRIMARY KEY, sequence INTEGER NOT NULL);
    `);
    this.#settings = null;
    this.#storage.kv.put("settings", { info, options } satisfies Settings);
    this.#put({
      schema: SCHEMA_VERSION,
      state: "open",
      step: null,
      lastSequence: 0,
      documents: 0,
      manifests: [],
    });
  }

  update(
    change: Partial<Pick<SessionData, "state" | "step" | "manifests" | "shardCount" | "route" | "resumes">>,
  ): void {
    const data = this.data();
    if (data === null) throw new Error("an import session that was never begun");
    this.#put({ ...data, ...change });
  }

  /** The sequence number of a registration, assigned now or at its first occurrence. */
  register(registration: Registration): number {
    return this.#storage.transactionSync(() => {
      const known = this.#sql
        .exec<{ sequence: number }>("SELECT sequence FROM registrations WHERE id = ?", registration.id)
        .toArray()[0];
      if (known !== undefined) return known.sequence;
      const data = this.data();
      if (data === null) throw new Error("an import session that was never begun");
      const sequence = data.lastSequence + 1;
      this.#put({
        ...data,
        lastSequence: sequence,
        documents: data.documents + registration.documents,
      });
      this.#sql.exec("INSERT INTO registrations (id, sequence) VALUES (?, ?)", registration.id, sequence);
      registration.segments.forEach((segment, part) => {
        this.#insert({ ...segment, sequence, part, partitions: ALL_PARTITIONS });
      });
      for (const block of registration.blocks) {
        this.#sql.exec(
          "INSERT INTO blocks (id, object_key, size_bytes, checksum, chunks) VALUES (?, ?, ?, ?, ?)",
          block.id,
          block.key,
          block.sizeBytes,
          block.checksum,
          JSON.stringify({ bounds: block.bounds, partitions: block.partitions }),
        );
      }
      return sequence;
    });
  }

  isRegistered(id: string): boolean {
    const rows = this.#sql.exec("SELECT 1 FROM registrations WHERE id = ?", id);
    return rows.toArray().length > 0;
  }

  /** In rank order. */
  segments(): RankedSegment[] {
    return this.#sql
      .exec<SegmentColumns>("SELECT * FROM pieces ORDER BY sequence, part, first_partition")
      .toArray()
      .map((row) => ({
        sequence: row.sequence,
        part: row.part,
        id: row.id,
        key: row.object_key,
        sizeBytes: row.size_bytes,
        checksum: row.checksum,
        productCount: row.products,
        variantCount: row.variants,
        partitions: { first: row.first_partition, end: row.end_partition },
        analysisVersion: row.analysis,
      }));
  }

  /** Total of all segments. */
  get sizeBytes(): number {
    return this.segments().reduce((sum, segment) => sum + segment.sizeBytes, 0);
  }

  blocks(): RegisteredBlock[] {
    return this.#sql
      .exec<{
        id: string;
        object_key: string;
        size_bytes: number;
        checksum: string;
        chunks: string;
      }>("SELECT * FROM blocks ORDER BY id")
      .toArray()
      .map((row) => ({
        id: row.id,
        key: row.object_key,
        sizeBytes: row.size_bytes,
        checksum: row.checksum,
        firstChunk: 0,
        ...(JSON.parse(row.chunks) as Pick<RegisteredBlock, "bounds" | "partitions">),
      }));
  }

  /** Blocks are never removed, so the last row number is their count. */
  get blockCount(): number {
    const { count } = this.#sql.exec<{ count: number | null }>("SELECT MAX(rowid) AS count FROM blocks").one();
    return count ?? 0;
  }

  /** Replaces a contiguous, present run by its merge result. */
  replaceRun(run: readonly RankedSegment[], pieces: readonly CutSegment[]): void {
    this.#storage.transactionSync(() => {
      const [first] = run;
      if (first === undefined) throw new Error("an empty run");
      for (const segment of run) {
        const { rowsWritten } = this.#sql.exec("DELETE FROM pieces WHERE id = ?", segment.id);
        if (rowsWritten === 0) throw new Error(`segment ${segment.id} left the session during its merge`);
      }
      for (const piece of pieces) {
        this.#insert({ ...piece, sequence: first.sequence, part: first.part });
      }
    });
  }

  /**
   * Ends the session; only the tombstone remains. The index decides first, so the first call is right and later ones
   * change nothing.
   */
  settle(state: "completed" | "cancelled" | "removed"): void {
    const data = this.data();
    if (data === null || !isAlive(data)) return;
    this.#storage.transactionSync(() => {
      for (const table of ["pieces", "blocks", "registrations"]) {
        this.#sql.exec(`DROP TABLE IF EXISTS ${table}`);
      }
      this.update({ state, step: null, manifests: [] });
    });
  }

  #insert(segment: RankedSegment): void {
    this.#sql.exec(
      `INSERT INTO pieces (sequence, part, id, object_key, size_bytes, checksum, products, variants,
                           first_partition, end_partition, analysis)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      segment.sequence,
      segment.part,
      segment.id,
      segment.key,
      segment.sizeBytes,
      segment.checksum,
      segment.productCount,
      segment.variantCount,
      segment.partitions.first,
      segment.partitions.end,
      segment.analysisVersion,
    );
  }

  #migrate(data: SessionData): SessionData {
    const { info, options, schema } = data;
    if (schema !== SCHEMA_VERSION - 1) throw new Error(`an import session of the unknown schema ${schema}`);
    const migrated = { ...data, schema: SCHEMA_VERSION };
    this.#storage.transactionSync(() => {
      this.#storage.kv.put("settings", { info, options } satisfies Settings);
      this.#put(migrated);
    });
    return migrated;
  }

  #put({ schema, state, step, lastSequence, documents, manifests, shardCount, route, resumes }: Progress): void {
    const progress: Progress = {
      schema,
      state,
      step,
      lastSequence,
      documents,
      manifests,
      ...(shardCount !== undefined && { shardCount }),
      ...(route !== undefined && { route }),
      ...(resumes !== undefined && { resumes }),
    };
    this.#storage.kv.put("session", progress);
  }
}
