/**
 * An import that repeats: a file is looked at every few seconds, an address is asked whether its feed has changed
 * (If-None-Match, If-Modified-Since). A failure is told and the next round comes all the same.
 */
import { isExplained, InterruptedError, UnreachableError } from "./failures.ts";
import type { Screen } from "./progress.ts";
import type { Timing } from "./retry.ts";
import type { OpenedSource, SourceVersion } from "./source.ts";

export interface WatchedRounds {
  readonly everyMs: number;
  /** Null: nothing has changed since `known`. */
  readonly open: (known: SourceVersion | null) => Promise<OpenedSource | null>;
  readonly work: (source: OpenedSource) => Promise<void>;
}

/**
 * Ends by the signal only: without a word between two imports, with an InterruptedError in the middle of one.
 */
export async function watch(
  { everyMs, open, work }: WatchedRounds,
  { screen, timing, signal }: { screen: Screen; timing: Timing; signal: AbortSignal },
): Promise<void> {
  let known: SourceVersion | null = null;
  for (;;) {
    let source: OpenedSource | null = null;
    try {
      source = await open(known);
    } catch (error) {
      if (signal.aborted) return;
      tell(error, screen);
    }
    if (source !== null && (await taken(source, work, signal, screen))) known = source.version;
    try {
      await timing.wait(everyMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
  }
}

/**
 * False where the same state should be tried again: the service was not there. What is wrong with a feed stays wrong.
 */
async function taken(
  source: OpenedSource,
  work: WatchedRounds["work"],
  signal: AbortSignal,
  screen: Screen,
): Promise<boolean> {
  try {
    await work(source);
    return true;
  } catch (error) {
    if (signal.aborted) throw new InterruptedError();
    tell(error, screen);
    return !(error instanceof UnreachableError);
  }
}

function tell(error: unknown, screen: Screen): void {
  if (!isExplained(error)) throw error;
  screen.write(`Import failed: ${error.message}\nWaiting for the next change.\n`);
}
