/**
 * Compares configured expressions (src/interface/pattern-match.ts) with JavaScript's RegExp:
 * typical ones of shops, and ones with catastrophic backtracking in JavaScript.
 *
 *   npm run node -- bench/patterns.ts
 */
import { compilePattern } from "../src/interface/pattern.ts";
import { describeLoad, machineLoad } from "./measure.ts";

const TITLE = "Velocita Glide Men's Trail Running Shoes, Black/Orange, size 42.5 EU";
const MARKUP = `<p>${TITLE} <b class="x">with</b> a <i>breathable</i> upper.</p>\n`.repeat(30);

/** Name, expression, text, whether it must be the whole text. */
const CASES: readonly (readonly [string, string, string, boolean])[] = [
  ["EANs, a query", "(\\d{13}\\s?)+", "trail running shoes", true],
  ["article numbers, a query", "(\\d+\\w?\\d+\\s?)+", "4711a22 0815b3", true],
  ["a token", "(?i)(?:and|und|the|der|die|das)", "running", true],
  ["words of a title", "\\s+", TITLE, false],
  ["units of a title", "(\\d+(?:\\.\\d+)?) ?(?:EU|cm|mm)", TITLE, false],
  ["tags of 3 kB", "<[^>]+>", MARKUP, false],
  ["words of 3 kB", "\\s+", MARKUP, false],
  ["a word of 3 kB", "(?i)waterproof|breathable", MARKUP, false],
  ["\\s+$ of 2,000 spaces", "\\s+$", `${" ".repeat(2_000)}x`, false],
  ["(a|aa)+c of 24 letters", "(a|aa)+c", "a".repeat(24), true],
];

const PASSES = 15;

function bestMicroseconds(work: () => unknown): number {
  let best = Infinity;
  for (let pass = 0; pass < PASSES; pass++) {
    const startMs = performance.now();
    let count = 0;
    while (performance.now() - startMs < 10) {
      work();
      count++;
    }
    best = Math.min(best, ((performance.now() - startMs) * 1_000) / count);
  }
  return best;
}

function freely(): void {
  // Nothing is counted.
}

console.log(`µs for one text: ours, JavaScript's. ${describeLoad(machineLoad())}`);
for (const [name, pattern, text, isWhole] of CASES) {
  const compiled = compilePattern(pattern);
  const ignoresCase = pattern.startsWith("(?i)");
  const body = ignoresCase ? pattern.slice(4) : pattern;
  const flags = ignoresCase ? "iv" : "v";
  const whole = new RegExp(`^(?:${body})$`, flags);
  const global = new RegExp(body, `${flags}g`);
  const ours = bestMicroseconds(() =>
    isWhole ? compiled.isWhole(text, freely) : [...compiled.matches(text, freely)].length,
  );
  const theirs = bestMicroseconds(() =>
    isWhole ? whole.test(text) : [...text.matchAll(global)].length,
  );
  console.log(
    `${name.padEnd(28)} ${ours.toFixed(2).padStart(10)} ${theirs.toFixed(2).padStart(12)}`,
  );
}
