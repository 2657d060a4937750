/**
 * The regular expressions of our own source, and the steps that backtracking takes for them: those of the matcher for
 * configured expressions, when it does not remember failures.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readPattern } from "../../../src/interface/pattern-java.ts";
import { PatternMatcher } from "../../../src/interface/pattern-match.ts";
import { compileProgram, type PatternProgram } from "../../../src/interface/pattern-program.ts";

export interface Expression {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** Where a literal may begin, its text, and its flags. */
const LITERAL =
  /(?<=[(,=:?!&|;{}[]\s*|return\s+|^\s*)\/((?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\/([dgimsuvy]*)/gm;
const COMMENT_LINES = /^\s*(?:\*|\/\*|\/\/).*$/gm;
const REPEATS = /[+*]|\{\d*,/;

/** Literals with repetitions, of a folder of `src`. */
export function expressionsIn(folder: string): Expression[] {
  const path = fileURLToPath(new URL(`../../../src/${folder}`, import.meta.url));
  const files = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return files.sort().flatMap((file) => {
    const text = readFileSync(`${path}/${file}`, "utf8").replaceAll(COMMENT_LINES, "");
    const all = [...text.matchAll(LITERAL)].map(([, source = "", flags = ""]) => ({ file, source, flags }));
    return all.filter(({ source }) => REPEATS.test(source));
  });
}

/** As Java writes it. */
export function programOf({ source, flags }: Expression): PatternProgram {
  let java = "";
  let isInClass = false;
  for (const [part] of source.replaceAll("[^]", String.raw`[\s\S]`).matchAll(/\\.|\[\^?|./gs)) {
    if (isInClass && /^[[&]/.test(part)) java += part.replace(/^[[&]/, String.raw`\$&`);
    else java += part;
    if (part.startsWith("[")) isInClass = true;
    else if (part === "]") isInClass = false;
  }
  const { node, groups } = readPattern(
    [...flags]
      .filter((flag) => "ims".includes(flag))
      .map((flag) => `(?${flag})`)
      .join("") + java,
  );
  return compileProgram(node, groups.length, new Set());
}

class TooManySteps extends Error {}

/** Steps of what `replace` does; Infinity: more than `most`. */
export function stepsOf(program: PatternProgram, flags: string, text: string, most: number): number {
  let steps = 0;
  const spend = (more: number): void => {
    steps += more;
    if (steps > most) throw new TooManySteps();
  };
  const matcher = new PatternMatcher(program, text, false, spend, Infinity);
  try {
    if (flags.includes("y")) matcher.matchAt(0);
    else {
      for (let from = 0; from <= text.length && matcher.find(from);) {
        const [start, end] = matcher.slots;
        from = end === start ? end + 1 : end;
        if (!flags.includes("g")) break;
      }
    }
    return steps;
  } catch (error) {
    if (error instanceof TooManySteps) return Infinity;
    throw error;
  }
}
