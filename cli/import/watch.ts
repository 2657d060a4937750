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

/** Ends by the signal only. */
export async function watch(
  { everyMs, open, work }: WatchedRounds,
  { screen, timing, signal }: { screen: Screen; timing: Timing; signal: AbortSignal },
): Promise<never> {
  let known: SourceVersion | null = null;
  for (;;) {
    try {
      const source = await open(known);
      if (source !== null) {
        const version = source.version;
        known = (await taken(source, work, signal, screen)) ? version : known;
      }
    } catch (error) {
      tell(error, signal, screen);
    }
    try {
      await timing.wait(everyMs, signal);
    } catch (error) {
      if (signal.aborted) throw new InterruptedError();
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
    tell(error, signal, screen);
    return !(error instanceof UnreachableError);
  }
}

function tell(error: unknown, signal: AbortSignal, screen: Screen): void {
  if (signal.aborted) throw new InterruptedError();
  if (!isExplained(error)) throw error;
  screen.write(`Import failed: ${error.message}\nWaiting for the next change.\n`);
}
