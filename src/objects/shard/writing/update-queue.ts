/**
 * Updates that come close together are carried out together: one commit, one row of the log, one tiny segment, one
 * reader for all of them. Each has its own answer, and each is whole or absent: they share a transaction.
 *
 * A batch costs about as much as five documents, and the searches after it a little more than those before, because
 * the reader is a new one. So while there are searches and many senders, batches keep a distance; a sender that waits
 * for each answer before it goes on does not wait for that.
 *
 *   idle      -> (one comes, none for FAST_MS) -> carried out at once
 *   one       one at a time, or nobody searches: each at once, after one turn of the event loop in which others may arrive
 *   many      more than one was carried out last, or waits, and somebody searches: the next batch begins DISTANCE_MS after the last has ended, and
 *             is what waits then
 *
 * A batch is at most MOST_DOCUMENTS and MOST_BYTES (one update at least); what is more is carried out at once.
 */
import type { ShardResult, UpdateCall } from "../../protocol/index.ts";
import type { UpdateAnswer } from "../../../interface/index.ts";

const FAST_MS = 60;
const DISTANCE_MS = 50;
const MOST_DOCUMENTS = 1_000;
const MOST_BYTES = 4_000_000;

/** One update; settled once. */
export interface WaitingUpdate {
  readonly call: UpdateCall;
  settle(answer: ShardResult<UpdateAnswer> | Promise<ShardResult<UpdateAnswer>>): void;
  fail(error: unknown): void;
}

export class UpdateQueue {
  readonly #carryOut: (batch: readonly WaitingUpdate[]) => Promise<void>;
  readonly #keep: (work: Promise<void>) => void;
  readonly #isSearched: () => boolean;
  #waiting: WaitingUpdate[] = [];
  #sizeBytes = 0;
  #isRunning = false;
  /** When the last batch ended, and how many updates it was. */
  #lastMs = -Infinity;
  #lastLength = 0;

  /**
   * `carryOut` settles every update it gets, now or later; when it throws, those it has not settled fail. `keep` gets
   * the work that goes on when whoever began it has its answer. `isSearched`: whether searches come meanwhile.
   */
  constructor(
    carryOut: (batch: readonly WaitingUpdate[]) => Promise<void>,
    keep: (work: Promise<void>) => void,
    isSearched: () => boolean,
  ) {
    this.#carryOut = carryOut;
    this.#keep = keep;
    this.#isSearched = isSearched;
  }

  async add(call: UpdateCall): Promise<ShardResult<UpdateAnswer>> {
    const { promise, resolve, reject } = Promise.withResolvers<ShardResult<UpdateAnswer>>();
    this.#waiting.push({ call, settle: resolve, fail: reject });
    const sizeBytes = bytesOf(call);
    this.#sizeBytes += sizeBytes;
    if (!this.#isRunning) this.#keep(this.#run());
    try {
      return await promise;
    } finally {
      this.#sizeBytes -= sizeBytes;
    }
  }

  /** Of documents and ids that wait or are being carried out. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (this.#waiting.length > 0) {
        const waitMs = this.#waitMs();
        if (waitMs !== null) await scheduler.wait(waitMs);
        const batch = this.#take();
        try {
          await this.#carryOut(batch);
        } catch (error) {
          for (const one of batch) one.fail(error);
        }
        this.#lastMs = Date.now();
        this.#lastLength = batch.length;
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** How long the batch that is next waits for others to join it; null: not at all. */
  #waitMs(): number | null {
    const sinceMs = Date.now() - this.#lastMs;
    // Below zero: the clock was set back.
    if (sinceMs >= FAST_MS || sinceMs < 0) return null;
    const isMany = this.#lastLength > 1 || this.#waiting.length > 1;
    return isMany && this.#isSearched() && !this.#isFull() ? Math.max(0, DISTANCE_MS - sinceMs) : 0;
  }

  /** Another update would not be in the next batch. */
  #isFull(): boolean {
    return this.#next() < this.#waiting.length;
  }

  #take(): readonly WaitingUpdate[] {
    return this.#waiting.splice(0, this.#next());
  }

  /** How many of those that wait are the next batch. */
  #next(): number {
    let documents = 0;
    let sizeBytes = 0;
    let length = 0;
    for (const { call } of this.#waiting) {
      documents += documentsOf(call);
      sizeBytes += bytesOf(call);
      if (length > 0 && (documents > MOST_DOCUMENTS || sizeBytes > MOST_BYTES)) break;
      length++;
    }
    return length;
  }
}

function documentsOf(call: UpdateCall): number {
  return call.kind === "delete" ? call.ids.length : call.documents.length;
}

export function bytesOf(call: UpdateCall): number {
  return call.kind === "delete"
    ? call.ids.reduce((sum, id) => sum + id.length, 0)
    : call.documents.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
