/**
 * Numbers that follow from a seed, for whatever must come out the same again: plans of the crash suite, simulated
 * worlds, catalogues and words of benchmarks. Recorded seeds and figures mean this very sequence, so it may not
 * change.
 *
 * mulberry32 by T. Ettinger: 32 bits of state, every state once before any comes again. Not for secrets, nor for
 * statistics that need more.
 */

/** Each call is the next number, 0 <= x < 1. Of `seed` the low 32 bits count. */
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
