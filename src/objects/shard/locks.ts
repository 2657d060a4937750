/**
 * Who may work on which ids, in the order of asking: whoever asks waits for all who came before and named one of the
 * same ids. All ids are named at once, so nobody waits for each other.
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

/** One holder at a time, in the order of asking. */
export class Lock {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(body: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(body);
    // The next one waits for the end, not for the success.
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
