/**
 * Updates that come close together are carried out together: one commit, one row of the log, one tiny segment, one reader for all of them. Each
 * has its own answer, and each is whole or absent: they share a transaction.
 *
 * One that comes alone is carried out at once. While they come fast, the first waits for one turn of the event loop, in which others arrive: under
 * load each turn lets a search or two in between, so updates one at a time would come to some ten a second.
 *
 *   idle      -> (one comes, none for FAST_MS) -> carried out at once
 *   busy      updates that come wait for the next batch; a batch is what waits, at most MOST_DOCUMENTS and MOST_BYTES (one update at least)
 */
import type { ShardResult, UpdateCall } from "./protocol/index.ts";
import type { UpdateAnswer } from "../interface/index.ts";

const FAST_MS = 50;
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
  #waiting: WaitingUpdate[] = [];
  #sizeBytes = 0;
  #isRunning = false;
  #lastMs = -Infinity;

  /**
   * `carryOut` settles every update it gets, now or later; when it throws, those it has not settled fail. `keep` gets the work that goes on when
   * whoever began it has its answer.
   */
  constructor(
    carryOut: (batch: readonly WaitingUpdate[]) => Promise<void>,
    keep: (work: Promise<void>) => void,
  ) {
    this.#carryOut = carryOut;
    this.#keep = keep;
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
        if (Date.now() - this.#lastMs < FAST_MS) await scheduler.wait(0);
        const batch = this.#take();
        try {
          await this.#carryOut(batch);
        } catch (error) {
          for (const one of batch) one.fail(error);
        }
        this.#lastMs = Date.now();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #take(): readonly WaitingUpdate[] {
    let documents = 0;
    let sizeBytes = 0;
    let length = 0;
    for (const { call } of this.#waiting) {
      documents += documentsOf(call);
      sizeBytes += bytesOf(call);
      if (length > 0 && (documents > MOST_DOCUMENTS || sizeBytes > MOST_BYTES)) break;
      length++;
    }
    return this.#waiting.splice(0, length);
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
