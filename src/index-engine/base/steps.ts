/** Long work is written as generators that yield every few milliseconds, so searches can run in between. */

export function run<Result>(steps: Generator<void, Result, void>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
