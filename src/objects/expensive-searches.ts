/**
 * Expensive searches (index-engine/base/work.ts) pause for others, two at a time in an isolate: a search holds its
 * matches, up to 12 MB, until its end. One that has to wait holds nothing and begins again when it is its turn.
 *
 *   cheap        ##                           # about 10 ms
 *   expensive    ##.##.##.##
 *   third        ##     (waits)     ##.##
 */
import { work, type Parts } from "../index-engine/base/index.ts";
import { Turns } from "./turns.ts";

const searches = new Turns({
  atOnce: "expensiveSearchesAtOnce",
  waiting: "expensiveSearchesWaiting",
  tooMany: "Too many expensive searches are running; ask again, or for fewer words, clauses or product sets.",
});

/** @param begin may be called twice. Throws 429 too_many_requests, and 400 search_too_expensive. */
export async function withPauses<T>(begin: () => Parts<T>): Promise<T> {
  let begun: Parts<T> | null = work.inParts(begin());
  const first = begun.next();
  if (first.done === true) return first.value;
  const answer = searches.run(() => paused(begun ?? work.inParts(begin())));
  // It is either running now, or waits and is dropped.
  begun = null;
  return answer;
}

async function paused<T>(parts: Parts<T>): Promise<T> {
  for (;;) {
    // A timer, because the runtime handles no other requests between promises.
    await scheduler.wait(0);
    const step = parts.next();
    if (step.done === true) return step.value;
  }
}
