/**
 * Lets sessions freeze the live shards and commit one after another, in order of arrival. Without turns, many sessions
 * that go live together would void each other's freezes.
 *
 *   (none)     -> holding     `begin`, if nobody holds the turn
 *   (none)     -> waiting     `begin`, if somebody does. A repeated `begin` is the same turn, because its answer may have been lost
 *   waiting    -> holding     when the holder has ended or its lease expired
 *   waiting    -> (none)      `end`, `endAll`: `begin` returns, and its caller checks the state of its work
 *   holding    -> (none)      `end`: committed, refused, failed, cancelled, removed. `endAll`: the index is deleted
 *
 * Turns are in memory. After a crash only the freezes in SQLite decide (decisions.ts), and sessions that lose one
 * repeat.
 */
interface Holder {
  readonly owner: string;
  readonly sinceMs: number;
}

interface Waiting {
  readonly owner: string;
  readonly over: PromiseWithResolvers<void>;
  /** Resolves when it holds the turn or was ended. */
  isOver: boolean;
}

/** Maximum number of waiting sessions; each takes tens of milliseconds. */
const MOST_WAITING = 100;
/** As long as shards stay frozen; afterwards the holder's commit is refused. */
const LEASE_MS = 10_000;

export class FlipTurns {
  #holder: Holder | null = null;
  #waiting: Waiting[] = [];

  /** Resolves when the owner's turn begins or was ended. False: too many are waiting. */
  async begin(owner: string): Promise<boolean> {
    if (this.#holder === null || this.#holder.owner === owner) {
      this.#holder = { owner, sinceMs: Date.now() };
      return true;
    }
    let own = this.#waiting.find((one) => one.owner === owner);
    if (own === undefined) {
      if (this.#waiting.length >= MOST_WAITING) return false;
      own = { owner, over: Promise.withResolvers(), isOver: false };
      this.#waiting.push(own);
    }
    while (!own.isOver) {
      // The holder may have crashed.
      const leftMs = this.#leftMs();
      if (leftMs > 0) await Promise.race([own.over.promise, scheduler.wait(leftMs)]);
      else this.#next();
    }
    return true;
  }

  end(owner: string): void {
    if (this.#holder?.owner === owner) {
      this.#next();
      return;
    }
    const own = this.#waiting.find((one) => one.owner === owner);
    if (own === undefined) return;
    this.#waiting = this.#waiting.filter((one) => one !== own);
    wake(own);
  }

  endAll(): void {
    this.#holder = null;
    for (const one of this.#waiting.splice(0)) wake(one);
  }

  /** End of the holder's lease. */
  #leftMs(): number {
    return this.#holder === null ? 0 : this.#holder.sinceMs + LEASE_MS - Date.now();
  }

  #next(): void {
    const next = this.#waiting.shift();
    this.#holder = next === undefined ? null : { owner: next.owner, sinceMs: Date.now() };
    if (next !== undefined) wake(next);
  }
}

function wake(one: Waiting): void {
  one.isOver = true;
  one.over.resolve();
}
