/**
 * Locks on sets of ids, in order of arrival: a holder waits for all earlier ones that share an id. All ids are locked
 * at once, so there is no deadlock.
 */
interface Holder {
  readonly ids: ReadonlySet<string>;
  readonly ended: Promise<void>;
}

export class IdLocks {
  readonly #holders = new Set<Holder>();

  async run<T>(ids: ReadonlySet<string>, body: () => Promise<T>): Promise<T> {
    const before = [...this.#holders].filter((other) => overlap(other.ids, ids));
    const { promise, resolve } = Promise.withResolvers<void>();
    const own: Holder = { ids, ended: promise };
    this.#holders.add(own);
    try {
      for (const other of before) await other.ended;
      return await body();
    } finally {
      this.#holders.delete(own);
      resolve();
    }
  }
}

export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  for (const id of few) if (many.has(id)) return true;
  return false;
}

/** One holder at a time, in order of arrival. */
export class Lock {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(body: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(body);
    // The next one also runs after a failure.
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
