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
