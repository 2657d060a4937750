/**
 * Expensive searches (index-engine/base/work.ts) pause for others, two at a time in an isolate: a search holds its
 * matches, up to 12 MB, until all its parts have run. Its turn ends then, before its hits are read and rendered. One
 * that has to wait holds nothing and begins again when it is its turn, with what the shard has then.
 *
 *   cheap        ##                           # about 10 ms
 *   expensive    ##.##.##.##
 *   third        ##     (waits)     ##.##
 *
 * Every search has a first run before it waits. Sixty searches that take just under a turn would hold others for
 * as many turns, so only a third of the thread is for what first runs take beyond a usual search. Once that is used up,
 * a first run ends after the steps of a usual search, and whoever needs more waits for its turn. Cheap searches
 * overtake them.
 *
 * Suggestions run in the same way and wait for the same turns. Usual ones take up to 130,000 steps (100,000 products),
 * much less than usual searches, so they count as expensive earlier.
 */
import { budgetOf, MustBeginAgain, TURN_STEPS, work, type Parts } from "../index-engine/base/index.ts";
import { Allowance } from "./allowance.ts";
import { Turns } from "./turns.ts";

const searches = new Turns({
  atOnce: "expensiveSearchesAtOnce",
  waiting: "expensiveSearchesWaiting",
  waitMs: "expensiveSearchWaitMs",
  tooMany: "Too many expensive searches are running; ask again, or for fewer words, clauses or product sets.",
});

/** Runs the parts of a search with pauses; to be called once. Throws 400 search_too_expensive. */
export type RunParts = <T>(parts: Parts<T>) => Promise<T>;

interface Steps {
  /** Of a usual one. */
  readonly usual: number;
  /** Of its first run, if there is an allowance for what is beyond. */
  readonly first: number;
}

/** Of 3,000 queries to 126,824 products, the median takes 171,000 steps, and one in a hundred more than 500,000. */
const SEARCH: Steps = { usual: 250_000, first: TURN_STEPS };
const SUGGESTION: Steps = { usual: 150_000, first: 250_000 };

/** These queries take 8,000 steps a millisecond beyond usual ones if they have the whole thread. */
const beyondUsual = new Allowance(4_000_000, 25_000);

/** @param search may be called twice; everything it reads, it reads anew. Throws 429 too_many_requests. */
export function inTurns<T>(search: (run: RunParts) => Promise<T>): Promise<T> {
  return afterFirstRun(SEARCH, search);
}

/** The same for a suggestion. */
export function suggestInTurns<T>(suggest: (run: RunParts) => Promise<T>): Promise<T> {
  return afterFirstRun(SUGGESTION, suggest);
}

/**
 * Runs what the hits of one page need beyond their documents (highlighting) under one budget. A page that has to pause
 * waits for its turn and keeps it to its end. Throws 400 search_too_expensive, 429 too_many_requests.
 */
export async function pageInTurns<T>(page: (run: RunParts) => Promise<T>): Promise<T> {
  const budget = budgetOf("highlightSteps");
  let end: (() => void) | null = null;
  async function run<U>(parts: Parts<U>): Promise<U> {
    const begun = work.inParts(parts, undefined, budget);
    const step = begun.next();
    if (step.done === true) return step.value;
    end ??= await turn();
    return paused(begun);
  }
  try {
    return await page(run);
  } finally {
    // Assigned by `run`.
    (end as (() => void) | null)?.();
  }
}

/** Waits for a turn; the result ends it. */
function turn(): Promise<() => void> {
  return new Promise((begun, failed) => {
    const held = (): Promise<void> => new Promise((end) => begun(end));
    searches.run(held).catch(failed);
  });
}

async function afterFirstRun<T>(steps: Steps, search: (run: RunParts) => Promise<T>): Promise<T> {
  try {
    return await search((parts) => begin(parts, steps));
  } catch (error) {
    if (!(error instanceof MustBeginAgain)) throw error;
  }
  return searches.run((end) => search((parts) => paused(work.inParts(parts)).finally(end)));
}

async function begin<T>(parts: Parts<T>, { usual, first }: Steps): Promise<T> {
  const isShort = beyondUsual.isUsedUp();
  const begun = work.inParts(parts, isShort ? { steps: usual, mostFirst: usual } : { steps: first });
  const before = work.spent;
  let step;
  try {
    step = begun.next();
  } finally {
    beyondUsual.take(Math.max(0, work.spent - before - usual));
  }
  if (step.done === true) return step.value;
  if (isShort || searches.isFull) throw new MustBeginAgain();
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
