/**
 * The rule language: Querqy's common rules, as the reference uses them (docs/rules.md), with redirects and
 * decorations.
 *
 *   # cheap things
 *   cheap laptop* =>
 *     SYNONYM(0.8): budget notebook$1
 *     FILTER: * price:,500 -condition:used
 *     DELETE: cheap
 *     @_id: "budget"
 *
 *   text     = *( line newline )
 *   line     = [ rule-line ] [ "#" comment ]              "\#" is a number sign
 *   rule-line = input "=>" | instruction | property       instructions and properties belong to the input above them
 *   property = "@" name ":" json | "@{" json-over-lines "}@" `_id`: its name; ignores others
 *
 * The grammar of inputs is in input.ts, of instructions in instructions.ts and of their targets in targets.ts.
 * `parseRules` never throws and reads the whole text. It returns the rules, or all problems.
 */
import { LIMITS } from "../../../interface/index.ts";
import { parseInput } from "./input.ts";
import { parseInstruction } from "./instructions.ts";
import type { Condition, Instruction, ParsedRule, ParsedRules } from "./model.ts";
import { linesOf, unescaped, Problems, type Piece, type RuleProblem } from "./source.ts";

type RulesOutcome =
  | { readonly ok: true; readonly value: ParsedRules }
  | { readonly ok: false; readonly problems: readonly RuleProblem[] };

interface OpenRule {
  readonly input: Piece;
  /** Null if the input is invalid and problems were reported. */
  readonly condition: Condition | null;
  readonly instructions: Instruction[];
  id: string | null;
}

export function parseRules(text: string): RulesOutcome {
  const problems = new Problems();
  const rules: ParsedRule[] = [];
  const ids = new Set<string>();
  let open: OpenRule | null = null;
  /** The first line of a property over several lines. */
  let property: Piece | null = null;

  const close = (): void => {
    if (open === null || open.condition === null) return;
    rules.push({
      line: open.input.line,
      input: open.input.text,
      condition: open.condition,
      instructions: open.instructions,
      id: open.id,
    });
  };

  for (const line of linesOf(text)) {
    if (property !== null) {
      if (line.text.endsWith("}@")) property = null;
      continue;
    }
    if (line.text.endsWith("=>") && !line.text.startsWith("@")) {
      close();
      const input = line.slice(0, line.text.length - 2).trim();
      if (rules.length === LIMITS.rules.value) {
        problems.add(line, `expected at most ${LIMITS.rules.value} rules`);
        open = null;
        break;
      }
      const condition = problems.attempt(() => parseInput(input, problems));
      open = { input, condition, instructions: [], id: null };
    } else if (open === null) {
      problems.add(line, "expected an input that ends with => before anything else");
      // A rule without a condition, so that its instructions cause no further problems.
      open = { input: line, condition: null, instructions: [], id: null };
    } else if (line.text.startsWith("@{")) {
      if (line.text.length === 2 || !line.text.endsWith("}@")) property = line;
    } else if (line.text.startsWith("@")) {
      const id = idOf(line, problems);
      if (id === null) continue;
      if (ids.has(id)) problems.add(line, `expected an _id that no other rule has, not "${id}"`);
      ids.add(id);
      open.id = id;
    } else {
      const { condition, instructions } = open;
      const instruction = problems.attempt(() => parseInstruction(line, condition, problems));
      if (instruction !== null) instructions.push(instruction);
    }
  }
  close();
  if (property !== null) problems.add(property, "expected }@ at the end of a later line");
  const found = problems.all;
  return found.length === 0 ? { ok: true, value: { rules } } : { ok: false, problems: found };
}

/** The `_id` of a property line; null for other properties, which are ignored. */
function idOf(line: Piece, problems: Problems): string | null {
  const match = /^@\s*["']?([\w.-]+)["']?\s*:\s*(.*)$/s.exec(line.text);
  if (match === null) {
    problems.add(line, 'expected a property: @name: "value"');
    return null;
  }
  if (match[1] !== "_id") return null;
  return unescaped((match[2] ?? "").replace(/^(["'])(.*)\1$/s, "$2"));
}
