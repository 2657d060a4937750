/** The slow twin of the matcher: JavaScript's own regular expressions, for patterns that mean the same to both. */
import { readPattern } from "../../src/interface/pattern-java.ts";
import { PatternMatcher } from "../../src/interface/pattern-match.ts";
import { compileProgram } from "../../src/interface/pattern-program.ts";
import type { Pattern } from "../../src/interface/pattern.ts";

/** A budget without end. */
export function freely(): void {
  // Nothing is counted.
}

export function isWhole(pattern: Pattern, text: string): boolean {
  return pattern.isWhole(text, freely);
}

/** Starts and ends of all matches; `harmlessSteps`: before failures are remembered. */
export function found(pattern: string, text: string, harmlessSteps: number): number[][] {
  const { node, groups } = readPattern(pattern);
  const program = compileProgram(node, groups.length, new Set());
  const matcher = new PatternMatcher(program, text, false, freely, harmlessSteps);
  const all: number[][] = [];
  let from = 0;
  while (from <= text.length && matcher.find(from)) {
    const [start, end] = matcher.slots;
    all.push([start, end]);
    const length = (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    from = end === start ? end + length : end;
  }
  return all;
}

export function wholeAfter(pattern: string, text: string, harmlessSteps: number): boolean {
  const { node, groups } = readPattern(pattern);
  const program = compileProgram(node, groups.length, new Set());
  return new PatternMatcher(program, text, true, freely, harmlessSteps).matchAt(0);
}

/** Without those that V8 finds in the middle of a character. */
export function foundSlowly(pattern: string, text: string): number[][] {
  return [...text.matchAll(new RegExp(pattern, "gv"))]
    .map(({ index, 0: match }) => [index, index + match.length])
    .filter(([start]) => start === 0 || (text.codePointAt(start - 1) ?? 0) <= 0xffff);
}
