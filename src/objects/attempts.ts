/**
 * Work that may be the end of the object that does it. An isolate that is out of memory is reset: no `catch` runs, and
 * the next alarm would do the same again, for ever. So each try is durable before it begins.
 *
 *   kv "attempts/<work>" = {count, notBeforeMs}      tries that have not come to an end, one after the other
 *
 *   idle       no note                 -> trying: noted, and synced before the work begins
 *   trying     the work ends           -> idle. A failure that is caught has not hurt the object: who calls knows when to try again
 *              the object dies         -> waiting
 *   waiting    until notBeforeMs       -> trying, count + 1. At once the first time (a deploy ends objects, too), then after 10 s, 40 s, ...
 *              after MOST_TRIES        -> given up
 *   given up   not tried any more; the log says so once, the figures of the index name it (`givenUp`, of the index or of a shard). It
 *              ends with a shard's life: a reindex or an import makes new ones; the index tries again after its next decision (an import,
 *              a reindex, a rollback); `done` tries again to publish
 */
const PREFIX = "attempts/";
const MOST_TRIES = 6;
/** Before the third try; each further one waits four times as long. Half as much or as much again: objects died together. */
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

  /** When the work may be tried; Infinity: it is given up. */
  notBeforeMs(work: string): number {
    return this.#note(work)?.notBeforeMs ?? 0;
  }

  /** Null: not now, or given up. Otherwise what `body` answers or throws. */
  async run<T>(work: string, body: () => Promise<T>): Promise<T | null> {
    const before = this.#note(work);
    if (before !== null && before.notBeforeMs > Date.now()) return null;
    const count = (before?.count ?? 0) + 1;
    this.#put(work, { count, notBeforeMs: notBefore(count) });
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

  /** Works that are given up. */
  givenUp(): string[] {
    return [...this.#storage.kv.list<Note>({ prefix: PREFIX })]
      .filter(([, { count }]) => count >= MOST_TRIES)
      .map(([key]) => key.slice(PREFIX.length));
  }

  /** A new life: everything may be tried. */
  forget(): void {
    const keys = Array.from(this.#storage.kv.list({ prefix: PREFIX }), ([key]) => key);
    for (const key of keys) this.#storage.kv.delete(key);
  }

  #note(work: string): Note | null {
    return this.#storage.kv.get<Note>(PREFIX + work) ?? null;
  }

  #put(work: string, note: Note): void {
    this.#storage.kv.put(PREFIX + work, note);
  }
}

/** When there may be another try, should this one, the `count`-th, be the end of the object. */
function notBefore(count: number): number {
  if (count >= MOST_TRIES) return Infinity;
  if (count === 1) return 0;
  return Date.now() + FIRST_WAIT_MS * 4 ** (count - 2) * (0.5 + Math.random());
}
