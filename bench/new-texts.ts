/**
 * Aisle caches what it found for a text, and whole answers. A bench that asks the same texts over and over measures
 * that. Here each time around, the text has one more space at its end, so that only lookups of its words are cached.
 */
const MOST_SPACES = 100;

export function newTexts(paths: readonly string[]): () => string {
  let next = 0;
  return () => {
    const around = Math.floor(next / paths.length) % MOST_SPACES;
    return paths[next++ % paths.length].replace(/q=[^&]*/u, `$&${"+".repeat(around)}`);
  };
}
