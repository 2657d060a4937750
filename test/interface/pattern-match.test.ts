/**
 * The matcher of configured expressions (src/interface/pattern-match.ts).
 *
 *  1. It finds what JavaScript's own finds, whether failures are remembered from the first step on or later.
 *  2. So does replacing, with the texts of groups.
 *  3. What one costs grows with the text, not with its square or worse.
 *  4. What refers to groups, and what takes too much memory, ends when its steps are spent.
 *  5. A pattern that is too long with its repetitions written out is refused.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern, compileReplacement, patternProblem } from "../../src/interface/pattern.ts";
import { forAll, runs } from "../support/property.ts";
import { found, foundSlowly, freely, wholeAfter } from "./pattern-twin.ts";

/** What means the same to Java and JavaScript, on texts of letters and spaces. */
const { pattern: patterns } = fc.letrec<{ pattern: string; branch: string; part: string; atom: string }>((tie) => ({
  pattern: fc.array(tie("branch"), { minLength: 1, maxLength: 2 }).map((all) => all.join("|")),
  branch: fc.array(tie("part"), { maxLength: 3 }).map((all) => all.join("")),
  part: fc
    .tuple(tie("atom"), fc.constantFrom("", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{2,}"))
    .map(([atom, quantifier]) => atom + (/^(?:[\^$]|\(\?<?[=!])/u.test(atom) ? "" : quantifier)),
  atom: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom("a", "b", "c", ".", "[ab]", "[^a]", "\\w", "^", "$", "é", "😀"),
    fc.tuple(fc.constantFrom("(", "(?:", "(?:"), tie("pattern")).map(([open, it]) => `${open}${it})`),
    fc.tuple(fc.constantFrom("(?=", "(?!", "(?<=", "(?<!"), tie("pattern")).map(([open, it]) => `${open}${it})`),
  ),
}));
const texts = fc.string({ unit: fc.constantFrom("a", "a", "b", "c", " ", "é", "😀"), maxLength: 8 });

describe("1, 2. as JavaScript", () => {
  test.each([0, 30, 300])("failures are remembered after %d steps", (harmlessSteps) => {
    forAll(runs(400), patterns, texts, (pattern, text) => {
      expect(wholeAfter(pattern, text, harmlessSteps)).toBe(new RegExp(`^(?:${pattern})$`, "v").test(text));
      expect(found(pattern, text, harmlessSteps)).toEqual(foundSlowly(pattern, text));
    });
  });

  test("texts of groups", () => {
    forAll(runs(400), patterns, texts, (pattern, any) => {
      // V8 replaces inside of a character, too.
      const text = any.replaceAll("😀", "");
      let replace;
      try {
        replace = compileReplacement(`(${pattern})`, "[$1$0]");
      } catch {
        return;
      }
      const slowly = text.replaceAll(new RegExp(`(${pattern})`, "gv"), "[$1$&]");
      expect(replace(text, freely)).toBe(slowly);
    });
  });
});

/** A text of so many characters -> steps. */
function stepsOf(pattern: string, text: string): number {
  let steps = 0;
  const spend = (more: number): void => void (steps += more);
  const compiled = compilePattern(pattern);
  compiled.isWhole(text, spend);
  for (const match of compiled.matches(text, spend)) expect(match.end).toBeGreaterThan(-1);
  return steps;
}

/** Expressions that hold JavaScript for seconds, hours or for ever, and texts that make them. */
const HOSTILE: readonly (readonly [pattern: string, text: (length: number) => string])[] = [
  ["(a|aa)+c", (length) => "a".repeat(length)],
  ["(a*)*b", (length) => "a".repeat(length)],
  ["(?:a+)+$", (length) => `${"a".repeat(length)}!`],
  [".*.*.*.*x", (length) => "a".repeat(length)],
  [".*?.*?.*?x", (length) => "a".repeat(length)],
  ["x\\d+", (length) => "x".repeat(length)],
  ["\\s+$", (length) => `${" ".repeat(length)}x`],
  ["\\s+?$", (length) => `${" ".repeat(length)}x`],
  ["(?:\\d{1,3}\\s?)+x", (length) => "1".repeat(length)],
  ["(?i)(?:é|É|[a-z])*\\d", (length) => "é".repeat(length)],
  ["(?:(?=a)a|a)*(?:a|a)*b", (length) => "a".repeat(length)],
  ["(?<!b)a+(?<=aa)b", (length) => "a".repeat(length)],
  ["😀*😀*x", (length) => "😀".repeat(length)],
];

test.each(HOSTILE)("3. %s", (pattern, text) => {
  const few = stepsOf(pattern, text(2_000));
  const many = stepsOf(pattern, text(20_000));
  expect(many).toBeLessThan(20_000 * 150);
  expect(many / few).toBeLessThan(11);
});

test.each([
  ["(a+)+\\1b", "a".repeat(50)],
  ["(?:(?=.*x).)*y", `${"a".repeat(20_000)}x`],
  ["(a|b)*", "ab".repeat(1_000_000)],
])("4. %s", (pattern, text) => {
  class Spent extends Error {}
  let left = 10_000_000;
  const spend = (steps: number): void => {
    left -= steps;
    if (left < 0) throw new Spent();
  };
  expect(() => compilePattern(pattern).isWhole(text, spend)).toThrow(Spent);
  // The next one is not touched by that.
  expect(compilePattern("(a|b)*c").isWhole("abc", freely)).toBe(true);
});

test.each(["(?:ab){1001}", "(?:(?:ab){40}){40}", "(?:a|b){2147483647}"])("5. %s", (pattern) => {
  expect(patternProblem(pattern)).toContain("has more than 2000 parts");
});

test.each(["(?:ab){100}", "a{2147483647}", "(?:){2147483647}", "[a-z]{1,100000}"])("5. %s is taken", (pattern) => {
  expect(patternProblem(pattern)).toBeNull();
});
