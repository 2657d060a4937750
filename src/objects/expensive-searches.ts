/**
 * Expensive searches (index-engine/base/work.ts) pause for others, two at a time in an isolate: a search holds its
 * matches, up to 12 MB, until all its parts have run. Its turn ends then, before its hits are read and rendered. One
 * that has to wait holds nothing and begins again when it is its turn, with what the shard has then.
 *
 * Suggestions run in the same way and wait for the same turns. Usual ones take up to 130,000 steps (100,000 products),
 * much less than usual searches, so they count as expensive earlier: everyone who comes has a first run before it waits.
 *
 *   cheap        ##                           # about 10 ms
 *   expensive    ##.##.##.##
 *   third        ##     (waits)     ##.##
 */
import { TURN_STEPS, work, type Parts } from "../index-engine/base/index.ts";
import { Turns } from "./turns.ts";

const searches = new Turns({
  atOnce: "expensiveSearchesAtOnce",
  waiting: "expensiveSearchesWaiting",
  waitMs: "expensiveSearchWaitMs",
  tooMany: "Too many expensive searches are running; ask again, or for fewer words, clauses or product sets.",
});

/** Runs the parts of a search with pauses; to be called once. Throws 400 search_too_expensive. */
export type RunParts = <T>(parts: Parts<T>) => Promise<T>;

class MustWait extends Error {}

/** Steps of the first run of a suggestion. */
const SUGGEST_STEPS = 250_000;

/** @param search may be called twice; everything it reads, it reads anew. Throws 429 too_many_requests. */
export function inTurns<T>(search: (run: RunParts) => Promise<T>): Promise<T> {
  return afterFirstRun(TURN_STEPS, search);
}

/** The same for a suggestion. */
export function suggestInTurns<T>(suggest: (run: RunParts) => Promise<T>): Promise<T> {
  return afterFirstRun(SUGGEST_STEPS, suggest);
}

async function afterFirstRun<T>(firstSteps: number, search: (run: RunParts) => Promise<T>): Promise<T> {
  try {
    return await search((parts) => begin(parts, firstSteps));
  } catch (error) {
    if (!(error instanceof MustWait)) throw error;
  }
  return searches.run((end) => search((parts) => paused(work.inParts(parts)).finally(end)));
}

async function begin<T>(parts: Parts<T>, firstSteps: number): Promise<T> {
  const begun = work.inParts(parts, firstSteps);
  const first = begun.next();
  if (first.done === true) return first.value;
  if (searches.isFull) throw new MustWait();
  return searches.run(() => paused(begun));
}

async function paused<T>(parts: Parts<T>): Promise<T> {
  for (;;) {
    // A timer, because the runtime handles no other requests between promises.
    await scheduler.wait(0);
    const step = parts.next();
    if (step.done === true) return step.value;
  }
}
