/**
 * The rule language: text -> rules -> compiled rules -> rewritten query.
 *
 *   const read = parseRules(text);                                  rules or problems
 *   const compiled = compileRules(read.value, analyzerFor("en"));   once per text and language
 *   const rewritten = applyRules(compiled, analyze(q, tenant));     per query
 */
export { applyRules } from "./apply.ts";
export { compileRules, type CompiledRules } from "./compile.ts";
export { parseRules } from "./parse.ts";
export type { AppliedRule, Rewritten, RewrittenWord } from "./rewritten.ts";
export type { OwnMeta } from "./meta.ts";
