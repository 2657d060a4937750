/**
 * What the core benchmark measures: an engine that holds the synthetic catalogue and answers its queries by
 * number.
 */
import type { Mode } from "../synthetic/queries.ts";

export interface CoreEngine {
  /** What this engine can do. */
  readonly modes: readonly Mode[];
  /** Anything worth a line in the report. */
  readonly facts: EngineFacts;
  /** Searches and returns the number of hits. The clock covers this call. */
  run(mode: Mode, query: number): number;
  /**
   * Per field of FACET_FIELDS the sum of the squares of all counts of the last `run`: equal for equal counts,
   * whatever their names. Null where the engine counts differently on purpose. Not measured.
   */
  countSquares(): readonly number[] | null;
}

export interface EngineFacts {
  readonly version: string;
  readonly buildSeconds: number;
  readonly lines: readonly string[];
}

/** For `countSquares`. */
export function sumOfSquares(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += count * count;
  return sum;
}
