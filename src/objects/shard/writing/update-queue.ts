/**
 * Batches updates that arrive close together: one commit, one log row, one tiny segment and one reader. Each update has
 * its own answer and, because they share a transaction, is applied completely or not at all.
 *
 * A batch costs about as much as five documents, and the new reader makes the next searches a little slower. So with
 * searches and many senders, batches keep a distance. A single sender that waits for each answer is not delayed.
 *
 *   idle      no batch for FAST_MS: an update is carried out immediately
 *   one       single updates, or no searches: after one turn of the event loop, in which others may arrive
 *   many      searches, and the last batch or the queue has several updates: DISTANCE_MS after the end of the last batch
 *
 * A batch has at most MOST_DOCUMENTS and MOST_BYTES, but at least one update. The rest follows without delay.
 */
import type { ShardResult, ShardUpdateAnswer, UpdateCall, UpdateChange } from "../../protocol/index.ts";

const FAST_MS = 60;
const DISTANCE_MS = 50;
const MOST_DOCUMENTS = 1_000;
const MOST_BYTES = 4_000_000;

/** An update; must be settled once. */
export interface WaitingUpdate {
  readonly call: UpdateCall;
  settle(answer: ShardResult<ShardUpdateAnswer> | Promise<ShardResult<ShardUpdateAnswer>>): void;
  fail(error: unknown): void;
}

export class UpdateQueue {
  readonly #carryOut: (batch: readonly WaitingUpdate[]) => Promise<void>;
  readonly #keep: (work: Promise<void>) => void;
  readonly #isSearched: () => boolean;
  #waiting: WaitingUpdate[] = [];
  #isRunning = false;
  /** End of the last batch, and its number of updates. */
  #lastMs = -Infinity;
  #lastLength = 0;

  /**
   * @param carryOut settles every update now or later; if it throws, the unsettled ones fail
   * @param keep takes work that continues after the answer
   * @param isSearched whether there are searches
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

  async add(call: UpdateCall): Promise<ShardResult<ShardUpdateAnswer>> {
    const { promise, resolve, reject } = Promise.withResolvers<ShardResult<ShardUpdateAnswer>>();
    this.#waiting.push({ call, settle: resolve, fail: reject });
    if (!this.#isRunning) this.#keep(this.#run());
    return promise;
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

  /** How long the next batch waits for more updates; null: not at all. */
  #waitMs(): number | null {
    const sinceMs = Date.now() - this.#lastMs;
    // Negative if the clock was set back.
    if (sinceMs >= FAST_MS || sinceMs < 0) return null;
    const isMany = this.#lastLength > 1 || this.#waiting.length > 1;
    return isMany && this.#isSearched() && !this.#isFull() ? Math.max(0, DISTANCE_MS - sinceMs) : 0;
  }

  /** Whether the next batch has no room for another update. */
  #isFull(): boolean {
    return this.#next() < this.#waiting.length;
  }

  #take(): readonly WaitingUpdate[] {
    return this.#waiting.splice(0, this.#next());
  }

  /** Number of waiting updates in the next batch. */
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

export function bytesOf(change: UpdateChange): number {
  return change.kind === "delete"
    ? change.ids.reduce((sum, id) => sum + id.length, 0)
    : change.documents.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
