/**
 * Counts attempts of work that may kill its object. An isolate that runs out of memory is reset without running any
 * `catch`, and the next alarm would repeat the work forever. So each attempt is stored before it begins.
 *
 *   kv "attempts/<work>" = {count, notBeforeMs}      consecutive attempts that did not end
 *
 *   idle       no entry                -> trying: stored and synced before the work begins
 *   trying     the work ends           -> idle. After a caught failure the caller decides when to try again
 *              the object dies         -> waiting
 *   waiting    until notBeforeMs       -> trying, count + 1. At once the first time (deploys also end objects), then after 10 s, 40 s, ...
 *              after MOST_TRIES        -> given up
 *   given up   no more attempts. Logged once, and shown in the figures of the index (`givenUp` of the index or a shard). It ends with the
 *              shard: a reindex or an import creates new ones. The index tries again after its next decision (an
 *              import, a reindex, a rollback); `done` tries to publish again
 *
 *   kv "paced/<work>" = {count, notBeforeMs}         consecutive attempts of `paced` work that did not succeed
 */
const PREFIX = "attempts/";
const PACED = "paced/";
/** The pause of paced work grows up to this multiple. */
const LONGEST_PAUSE = 16;
const MOST_TRIES = 6;
/**
 * Delay before the third attempt; each further delay is four times as long. With jitter, because objects die together.
 */
const FIRST_WAIT_MS = 10_000;

interface Note {
  readonly count: number;
  readonly notBeforeMs: number;
}

export class Attempts {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Time of the next allowed attempt; Infinity: given up. */
  notBeforeMs(work: string): number {
    return this.#note(PREFIX + work)?.notBeforeMs ?? 0;
  }

  /** Runs `body` and returns or throws what it does. Null: not allowed now, or given up. */
  async run<T>(work: string, body: () => Promise<T>): Promise<T | null> {
    const before = this.#note(PREFIX + work);
    if (before !== null && before.notBeforeMs > Date.now()) return null;
    const count = (before?.count ?? 0) + 1;
    this.#put(PREFIX + work, { count, notBeforeMs: notBefore(count) });
    if (count === MOST_TRIES) {
      console.error(
        JSON.stringify({
          event: "last_attempt",
          reason: `${work} has ended the object ${count - 1} times`,
        }),
      );
    }
    await this.#storage.sync();
    try {
      return await body();
    } finally {
      this.#storage.kv.delete(PREFIX + work);
    }
  }

  /** Time of the next attempt of paced work. */
  pacedUntilMs(work: string): number {
    return this.#note(PACED + work)?.notBeforeMs ?? 0;
  }

  /**
   * Runs work that is repeated until it succeeds, and returns or throws what it does. The next attempt may begin
   * `pauseMs` later; the pause doubles with each failure in a row. Null: not allowed now.
   */
  async paced<T>(work: string, pauseMs: number, body: () => Promise<T>): Promise<T | null> {
    if (this.pacedUntilMs(work) > Date.now()) return null;
    const key = PACED + work;
    const failures = this.#note(key)?.count ?? 0;
    const afterFailureMs = pauseMs * Math.min(2 ** failures, LONGEST_PAUSE);
    this.#put(key, { count: failures + 1, notBeforeMs: Date.now() + afterFailureMs });
    let isDone = false;
    try {
      const result = await body();
      isDone = true;
      return result;
    } finally {
      // Without the note, everything of the object was deleted meanwhile.
      if (this.#note(key) !== null) {
        const next = isDone ? { count: 0, waitMs: pauseMs } : { count: failures + 1, waitMs: afterFailureMs };
        this.#put(key, { count: next.count, notBeforeMs: Date.now() + next.waitMs });
      }
    }
  }

  /** Names of work that was given up. */
  givenUp(): string[] {
    return [...this.#storage.kv.list<Note>({ prefix: PREFIX })]
      .filter(([, { count }]) => count >= MOST_TRIES)
      .map(([key]) => key.slice(PREFIX.length));
  }

  /** Resets all attempts. */
  forget(): void {
    for (const prefix of [PREFIX, PACED]) {
      const keys = Array.from(this.#storage.kv.list({ prefix }), ([key]) => key);
      for (const key of keys) this.#storage.kv.delete(key);
    }
  }

  #note(key: string): Note | null {
    return this.#storage.kv.get<Note>(key) ?? null;
  }

  #put(key: string, note: Note): void {
    this.#storage.kv.put(key, note);
  }
}

/** Time of the next attempt if this one, the `count`-th, kills the object. */
function notBefore(count: number): number {
  if (count >= MOST_TRIES) return Infinity;
  if (count === 1) return 0;
  return Date.now() + FIRST_WAIT_MS * 4 ** (count - 2) * (0.5 + Math.random());
}
