/**
 * The rule language: text -> rules -> compiled set -> what they make of a query.
 *
 *   const read = parseRules(text);                                    problems with line and column, or rules
 *   const compiled = compileRules(read.value, analyzerFor("en"));     once per text and language
 *   const rewritten = applyRules(compiled, analyze(q, tenant));       per query
 */
export { applyRules } from "./apply.ts";
export { compileRules, type CompiledRules } from "./compile.ts";
export { parseRules } from "./parse.ts";
export type { AppliedRule, Rewritten, RewrittenWord } from "./rewritten.ts";
export type { OwnMeta } from "./meta.ts";
