/**
 * Whose turn it is to freeze the live shards and commit: one after the other, in the order they came. Without it many
 * sessions that go live together would each void the others' freezes.
 *
 *   (none)     -> holding     `begin`, where nobody holds it
 *   (none)     -> waiting     `begin`, where somebody does. Asked for again, it is the same turn: only an answer was lost
 *   waiting    -> holding     when whoever holds it has ended, or its lease is over
 *   waiting    -> (none)      `end`, `endAll`: `begin` comes to an end, too, and its caller finds what has become of its work
 *   holding    -> (none)      `end`: committed, refused, failed, cancelled, removed. `endAll`: the index is deleted
 *
 * In memory: after a crash the freezes in SQLite decide alone (decisions.ts), and who loses one comes again.
 */
interface Holder {
  readonly owner: string;
  readonly sinceMs: number;
}

interface Waiting {
  readonly owner: string;
  readonly over: PromiseWithResolvers<void>;
  /** It holds the turn, or was ended. */
  isOver: boolean;
}

/** So many may wait; each takes some ten milliseconds. */
const MOST_WAITING = 100;
/** As long as shards stay frozen: then the holder's commit is refused. */
const LEASE_MS = 10_000;

export class FlipTurns {
  #holder: Holder | null = null;
  #waiting: Waiting[] = [];

  /** Resolves when it is the owner's turn, or when that has ended. False: too many wait. */
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
      // Whoever holds it may have died without a word.
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

  /** Of the holder's lease. */
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
