/**
 * Whose turn it is to freeze the live shards and commit: one after the other, in the order they came. Without it many
 * sessions that go live together would each void the others' freezes.
 *
 *   (waiting)  -> holding     when whoever holds the turn has ended, or its lease is over
 *   holding    -> (none)      `end`: committed, refused, failed
 *
 * In memory: after a crash the freezes in SQLite decide alone (decisions.ts), and who loses one comes again.
 */
interface Holder {
  readonly owner: string;
  readonly sinceMs: number;
}

/** So many may wait; each takes some ten milliseconds. */
const MOST_WAITING = 100;
/** As long as shards stay frozen: then the holder's commit is refused. */
const LEASE_MS = 10_000;

export class FlipTurns {
  #holder: Holder | null = null;
  #waiting: { readonly owner: string; readonly begin: () => void }[] = [];

  /** Resolves when it is the owner's turn. False: too many wait. */
  async begin(owner: string): Promise<boolean> {
    if (this.#holder === null || this.#holder.owner === owner) {
      this.#hold(owner);
      return true;
    }
    if (this.#waiting.length >= MOST_WAITING) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ owner, begin: resolve });
    for (let holder: Holder | null = this.#holder; holder.owner !== owner; holder = this.#holder) {
      // Whoever holds it may have died without a word.
      const leftMs = holder.sinceMs + LEASE_MS - Date.now();
      if (leftMs > 0) await Promise.race([promise, scheduler.wait(leftMs)]);
      else this.#next();
      if (this.#holder === null) break;
    }
    return true;
  }

  end(owner: string): void {
    if (this.#holder?.owner === owner) this.#next();
  }

  #next(): void {
    const next = this.#waiting.shift();
    this.#holder = null;
    if (next === undefined) return;
    this.#hold(next.owner);
    next.begin();
  }

  #hold(owner: string): void {
    this.#holder = { owner, sinceMs: Date.now() };
  }
}
