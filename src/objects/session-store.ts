/**
 * What ImportSessionObject stores (meaning in import-session-object.ts). Synchronous; a caller's turn is one transaction.
 *
 *   kv "session"    SessionData: what was fixed at start, the state, the step
 *   segments        in rank order (sequence, part); a merged segment takes the place of the first of its run
 *   blocks          stored blocks, unordered
 *   registrations   id -> sequence, so that a registration sent twice counts once
 *
 * Once the session is over only "session" is left, as a tombstone: it answers handles for ever. Tables are made by `begin`.
 */
import type {
  BlockEntry,
  PublishingStep,
  Registration,
  SegmentEntry,
  SessionInfo,
  SessionOptions,
  SessionState,
  StoredObject,
} from "./protocol.ts";

const SCHEMA_VERSION = 1;

export interface SessionData {
  readonly schema: number;
  readonly info: SessionInfo;
  readonly options: SessionOptions;
  readonly state: SessionState;
  /** Null unless publishing. */
  readonly step: PublishingStep | null;
  readonly lastSequence: number;
  readonly documents: number;
  /** Of each shard, once the step "manifest" is over. */
  readonly manifests: readonly { readonly shard: string; readonly manifest: StoredObject }[];
}

export interface RankedSegment extends SegmentEntry {
  readonly sequence: number;
  readonly part: number;
}

type SegmentColumns = {
  sequence: number;
  part: number;
  id: string;
  object_key: string;
  size_bytes: number;
  checksum: string;
  products: number;
  variants: number;
};

export class SessionStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
  }

  data(): SessionData | null {
    return this.#storage.kv.get<SessionData>("session") ?? null;
  }

  begin(info: SessionInfo, options: SessionOptions): void {
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS segments (
        sequence INTEGER NOT NULL, part INTEGER NOT NULL, id TEXT NOT NULL, object_key TEXT NOT NULL,
        size_bytes INTEGER NOT NULL, checksum TEXT NOT NULL, products INTEGER NOT NULL, variants INTEGER NOT NULL,
        PRIMARY KEY (sequence, part)
      );
      CREATE TABLE IF NOT EXISTS blocks (
        id TEXT PRIMARY KEY, object_key TEXT NOT NULL, size_bytes INTEGER NOT NULL, checksum TEXT NOT NULL,
        chunks TEXT NOT NULL
      );
      CREATE TABLE IF NOT EXISTS registrations (id TEXT PRIMARY KEY, sequence INTEGER NOT NULL);
    `);
    this.#put({
      schema: SCHEMA_VERSION,
      info,
      options,
      state: "open",
      step: null,
      lastSequence: 0,
      documents: 0,
      manifests: [],
    });
  }

  update(change: Partial<Pick<SessionData, "state" | "step" | "manifests">>): void {
    const data = this.data();
    if (data === null) throw new Error("an import session that was never begun");
    this.#put({ ...data, ...change });
  }

  /** The sequence number of the registration, given now or when it came first. */
  register(registration: Registration): number {
    return this.#storage.transactionSync(() => {
      const known = this.#sql
        .exec<{ sequence: number }>(
          "SELECT sequence FROM registrations WHERE id = ?",
          registration.id,
        )
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
      this.#sql.exec(
        "INSERT INTO registrations (id, sequence) VALUES (?, ?)",
        registration.id,
        sequence,
      );
      registration.segments.forEach((segment, part) => {
        this.#insert({ ...segment, sequence, part });
      });
      for (const block of registration.blocks) {
        this.#sql.exec(
          "INSERT INTO blocks (id, object_key, size_bytes, checksum, chunks) VALUES (?, ?, ?, ?, ?)",
          block.id,
          block.key,
          block.sizeBytes,
          block.checksum,
          JSON.stringify(block.chunks),
        );
      }
      return sequence;
    });
  }

  /** In rank order. */
  segments(): RankedSegment[] {
    return this.#sql
      .exec<SegmentColumns>("SELECT * FROM segments ORDER BY sequence, part")
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
      }));
  }

  blocks(): BlockEntry[] {
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
        chunks: JSON.parse(row.chunks) as number[],
      }));
  }

  /** `run` is contiguous and still there; the merged segment takes its place. */
  replaceRun(run: readonly RankedSegment[], merged: SegmentEntry): void {
    this.#storage.transactionSync(() => {
      const [first] = run;
      if (first === undefined) throw new Error("an empty run");
      for (const segment of run) {
        const { rowsWritten } = this.#sql.exec("DELETE FROM segments WHERE id = ?", segment.id);
        if (rowsWritten === 0)
          throw new Error(`segment ${segment.id} left the session during its merge`);
      }
      this.#insert({ ...merged, sequence: first.sequence, part: first.part });
    });
  }

  /** The session is over; only the tombstone stays. */
  settle(state: "completed" | "cancelled" | "removed"): void {
    this.#storage.transactionSync(() => {
      for (const table of ["segments", "blocks", "registrations"]) {
        this.#sql.exec(`DROP TABLE IF EXISTS ${table}`);
      }
      this.update({ state, step: null, manifests: [] });
    });
  }

  #insert(segment: RankedSegment): void {
    this.#sql.exec(
      `INSERT INTO segments (sequence, part, id, object_key, size_bytes, checksum, products, variants)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      segment.sequence,
      segment.part,
      segment.id,
      segment.key,
      segment.sizeBytes,
      segment.checksum,
      segment.productCount,
      segment.variantCount,
    );
  }

  #put(data: SessionData): void {
    this.#storage.kv.put("session", data);
  }
}
