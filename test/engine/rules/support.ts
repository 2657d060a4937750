/** Rules texts and what they make of queries, as short text. */
import { analyzerFor } from "../../../src/index-engine/analysis/index.ts";
import {
  applyRules,
  compileRules,
  parseRules,
  type CompiledRules,
  type Rewritten,
} from "../../../src/index-engine/query/rules/index.ts";
import type { ParsedRule } from "../../../src/index-engine/query/rules/model.ts";
import { analyze } from "../../../src/index-engine/query/user-query/index.ts";

export function parsed(...lines: readonly string[]): readonly ParsedRule[] {
  const read = parseRules(lines.join("\n"));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.rules;
}

/** `line:column message` of everything that is wrong; empty for a text that can be read. */
export function problemsOf(...lines: readonly string[]): string[] {
  const read = parseRules(lines.join("\n"));
  return read.ok ? [] : read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

export function compiled(text: string, language = "en"): CompiledRules {
  return compileRules({ rules: parsed(text) }, analyzerFor(language));
}

export function rewritten(text: string, query: string, language = "en"): Rewritten {
  return applyRules(compiled(text, language), analyze(query, { analyzer: "QuerqyQueryExpander" }));
}

/** `e | bike    0+1 pedelec^0.5`: the words, then alternatives as first+count words^factor. */
export function lattice({ words, alternatives }: Rewritten): string {
  const left = words.map(
    ({ text, isPhrase, standsIn, factor }) =>
      (isPhrase ? `"${text}"` : text) + (standsIn ? "!" : "") + (factor === 1 ? "" : `^${factor}`),
  );
  const right = alternatives.map(({ first, count, words: own, isPhrase, factor }) => {
    const text = own.join(" ");
    const shown = isPhrase ? `"${text}"` : text;
    return `${first}+${count} ${shown}${factor === 1 ? "" : `^${factor}`}`;
  });
  return [left.join(" | "), ...right].join("    ");
}
