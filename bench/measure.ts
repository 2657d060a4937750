/**
 * Measures times.
 *
 * Contestants run the same cases alternately, case by case, so that the machine's load affects them
 * equally. Each case is run in several rounds; its time is the median of them (the first round is
 * for warming up and does not count). A contestant that has used up its time budget finishes its
 * current round on fewer cases; ratios are formed over the cases that both have.
 */
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";

export interface Contestant {
  readonly name: string;
  /** Runs case `index`; the result is consumed to prevent dead-code elimination. */
  readonly run: (index: number) => string | Uint8Array;
}

export interface Times {
  readonly name: string;
  /** Median time in us, by case; NaN where the budget was used up before. */
  readonly us: readonly number[];
}

export interface MeasureOptions {
  readonly rounds: number;
  /** Per contestant, over all rounds. */
  readonly budgetMs: number;
}

let consumed = 0;

export function measure(
  contestants: readonly Contestant[],
  cases: number,
  { rounds, budgetMs }: MeasureOptions,
): Times[] {
  const times = contestants.map(() => Array.from({ length: cases }, (): number[] => []));
  const spentMs = contestants.map(() => 0);
  for (let round = 0; round <= rounds; round++) {
    for (let index = 0; index < cases; index++) {
      for (let turn = 0; turn < contestants.length; turn++) {
        // A different contestant starts each time, because the first of a case has cold caches.
        const which = (turn + index + round) % contestants.length;
        const known = times[which][index].length;
        if (spentMs[which] > budgetMs && (round === 0 || known === 0 || round > 1)) continue;
        const startMs = performance.now();
        consumed += contestants[which].run(index).length;
        const elapsedMs = performance.now() - startMs;
        spentMs[which] += elapsedMs;
        // A warm-up that is the only run there will be counts: slow contestants are warm by then.
        if (round > 0 || spentMs[which] > budgetMs / rounds) times[which][index].push(elapsedMs * 1_000);
      }
    }
  }
  return contestants.map(({ name }, which) => ({ name, us: times[which].map(median) }));
}

/** The consumed total; printing it keeps the work alive. */
export function consumedCharacters(): number {
  return consumed;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Nearest-rank percentile of the values that are numbers; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - (share > 0 ? 1 : 0))];
}

/**
 * CPU time that all threads of a process have used so far, in ms: the load of the machine does not lengthen it much.
 */
export function cpuMsOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      // The process has ended.
    }
  }
  return nanoseconds / 1e6;
}

export interface Load {
  readonly loadAverage1m: number;
  readonly cores: number;
}

export function machineLoad(): Load {
  return { loadAverage1m: loadavg()[0], cores: availableParallelism() };
}

/** A description of the load, because figures of a busy machine are unreliable. */
export function describeLoad({ loadAverage1m, cores }: Load): string {
  const busy = loadAverage1m > cores * 0.6 ? "  << busy: absolute times are too high" : "";
  return `load ${loadAverage1m.toFixed(2)} on ${cores} cores${busy}`;
}
