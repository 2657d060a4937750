/**
 * `add` in the Worker: documents of one request -> segments and stored blocks in R2 -> one registration.
 *
 *   const writer = new ImportWriter(env, await settingsOf(env, session), pause);
 *   for each document of the body: await writer.add(document, source);
 *   const report = await writer.finish();        // only now may a count be returned
 *
 * A segment closes at LIMITS.segmentCloseBytes or segmentCloseDocuments. Its puts run while the next one is built, one
 * segment at a time, so memory has at most one segment being built and one being sent. Objects in R2 without a
 * registration are never read and are removed by garbage collection of `imports/<session>/`. So a failure at any point
 * acknowledges nothing.
 */
import type { FieldPlan } from "../index-engine/documents/index.ts";
import { SegmentBuilder } from "../index-engine/segment/index.ts";
import type { PlacedBytes } from "../index-engine/base/index.ts";
import { LIMITS, ServiceError, unwrap, type AddReport } from "../interface/index.ts";
import { repeated } from "./calls.ts";
import type { ImportSettings } from "./import-settings.ts";
import { importPrefix } from "./names.ts";
import { partitionOf } from "./partition.ts";
import type { RegisteredBlock, RegisteredSegment, SessionInfo } from "./protocol/index.ts";
import { ADDING_BYTES, counting, LEARNING_BYTES, paused, type Pause } from "./pause.ts";
import { putSegment } from "./segment-storage.ts";
import { putBlock } from "./stored-blocks.ts";
import { sessionStub, type ObjectsEnv } from "./stubs.ts";

/** Whether this isolate has not read a document yet. */
let isFirst = true;

export class ImportWriter {
  readonly #env: ObjectsEnv;
  readonly #info: SessionInfo;
  readonly #pause: Pause;
  readonly #plan: FieldPlan;
  readonly #report: AddReport = { indexed: 0, rejected: [], ignored: [] };
  #position = 0;
  #builder: SegmentBuilder | null = null;
  #blockId = "";
  readonly #segments: RegisteredSegment[] = [];
  readonly #blocks: RegisteredBlock[] = [];
  /** The puts of the last closed segment; never rejects. */
  #sending: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;
  /** Bytes of the segment that is being closed or sent. */
  #leavingBytes = 0;

  /** `pause` of the work that adds documents. */
  constructor(env: ObjectsEnv, { info, plan }: ImportSettings, pause: Pause) {
    this.#env = env;
    this.#info = info;
    this.#pause = pause;
    this.#plan = plan;
  }

  /** Counted bytes of documents, index and sources in memory. */
  get heldBytes(): number {
    return (this.#builder?.sizeBytes ?? 0) + this.#leavingBytes;
  }

  /**
   * Adds one parsed document with its UTF-8 JSON (copied; it may be a view). Invalid documents are listed in the
   * report. Throws ServiceError storage_unavailable if an earlier segment could not be stored; the bulk has then
   * failed.
   * @param isStored see FieldPlan.read
   */
  async add(document: unknown, source: Uint8Array, isStored = false): Promise<void> {
    const position = this.#position++;
    // The first document of an isolate takes 30 ms, because code is compiled when first reached: a third each for the
    // field plan, reading and adding.
    const isSlow = isFirst;
    isFirst = false;
    if (isSlow) await this.#pause.take();
    for (const _ of this.#plan.learning(document)) await this.#pause.after(LEARNING_BYTES);
    const outcome = this.#plan.read(document, source, isStored);
    if (isSlow) await this.#pause.take();
    switch (outcome.status) {
      case "indexable":
        for (const _ of this.#openBuilder().addSteps(outcome.product)) await this.#pause.after(ADDING_BYTES);
        this.#report.indexed++;
        for (const { path, message } of outcome.ignored) {
          reported(this.#report.ignored, { position, path, reason: message });
        }
        await this.#closeWhenFull();
        break;
      case "rejected":
        reported(this.#report.rejected, {
          position,
          id: shownId(outcome.id),
          reason: outcome.reason,
        });
        break;
      case "skipped":
        reported(this.#report.rejected, {
          position,
          id: outcome.id,
          reason: "a data processor declared it not visible",
        });
        break;
    }
  }

  /**
   * Writes the rest and registers the bulk as `id`; a repeated registration counts once. Throws ServiceError
   * storage_unavailable (nothing acknowledged) or a session error.
   */
  async finish(id: string = crypto.randomUUID()): Promise<AddReport> {
    await this.#close();
    await this.#sending;
    this.#throwFailure();
    const { finalIndexName, temporaryIndexName } = this.#info;
    // An empty bulk needs no rank.
    if (this.#segments.length === 0) return this.#report;
    const registration = {
      id,
      segments: this.#segments,
      blocks: this.#blocks,
      documents: this.#report.indexed,
    };
    try {
      unwrap(
        await repeated(() =>
          sessionStub(this.#env, temporaryIndexName).register({ finalIndexName, temporaryIndexName }, registration),
        ),
      );
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      console.error(
        JSON.stringify({
          event: "register_failed",
          session: temporaryIndexName,
          reason: String(error),
        }),
      );
      throw new ServiceError("storage_unavailable", "The bulk could not be registered; send it again.");
    }
    return this.#report;
  }

  #openBuilder(): SegmentBuilder {
    if (this.#builder === null) {
      this.#blockId = crypto.randomUUID();
      this.#builder = new SegmentBuilder({
        analyzer: this.#plan.analyzer,
        normGroup: (field) => this.#plan.normGroup(field),
        language: this.#plan.language,
        storedBlock: this.#blockId,
        // A shard needs only some partitions (stored-blocks.ts).
        storedGroup: partitionOf,
      });
    }
    return this.#builder;
  }

  async #closeWhenFull(): Promise<void> {
    const builder = this.#builder;
    if (builder === null) return;
    const full =
      builder.sizeBytes >= LIMITS.segmentCloseBytes.value ||
      builder.documentCount >= LIMITS.segmentCloseDocuments.value;
    if (full) await this.#close();
  }

  async #close(): Promise<void> {
    const builder = this.#builder;
    if (builder === null) return;
    this.#builder = null;
    const blockId = this.#blockId;
    // Memory then has the builder and its output, or the builder and the segment being sent, but never all three.
    if (this.#leavingBytes > 0) {
      await this.#sending;
      this.#pause.skip();
    }
    this.#throwFailure();
    this.#leavingBytes = builder.sizeBytes * 2;
    const built = await paused(counting(builder.finishPartsSteps(), BYTES_PER_STEP), this.#pause);
    this.#leavingBytes = built.index.sizeBytes + built.stored.sizeBytes;
    const prefix = importPrefix(this.#info.temporaryIndexName);
    this.#sending = this.#send(prefix, blockId, built.index, built.stored)
      .catch((error: unknown) => {
        this.#failure = { error };
      })
      .finally(() => {
        this.#leavingBytes = 0;
      });
  }

  async #send(prefix: string, blockId: string, index: PlacedBytes, stored: PlacedBytes): Promise<void> {
    const [segment, block] = await Promise.all([
      putSegment(this.#env.SNAPSHOTS, prefix, index).finally(() => {
        index.release();
      }),
      putBlock(this.#env.SNAPSHOTS, prefix, blockId, stored).finally(() => {
        stored.release();
      }),
    ]);
    this.#segments.push(segment);
    this.#blocks.push(block);
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}

/** Adds an entry to a list of a report, unless it is full. */
export function reported<T>(list: T[], entry: T): void {
  if (list.length < LIMITS.reportEntries.value) list.push(entry);
}

/** An id may be what is wrong with a document: as long as one. */
function shownId(id: string | null): string | null {
  const most = LIMITS.documentIdBytes.value;
  return id === null || id.length <= most ? id : `${id.slice(0, most)}...`;
}

/**
 * Size of a step of finishing, for clocks that do not advance: a pause every sixteen steps. A segment of 8 MB has about
 * 500 steps, most of a fraction of a millisecond.
 */
const BYTES_PER_STEP = 2_048;
