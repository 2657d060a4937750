/**
 * Seeded random numbers for reproducible runs: plans of the crash suite, simulated worlds,
 * catalogues and words of benchmarks. Recorded seeds and figures depend on this sequence, so it
 * must not change.
 *
 * mulberry32 by T. Ettinger: 32 bits of state with a full period. Not suitable for secrets or
 * demanding statistics.
 */

/** Each call returns the next number, 0 <= x < 1. Only the low 32 bits of `seed` are used. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
