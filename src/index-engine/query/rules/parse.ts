/**
 * The rule language: Querqy's common rules, as the reference uses them (docs/rules.md), with
 * redirects and decorations.
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
 *   rule-line = input "=>" | instruction | property       instructions and properties belong to the
 *                                                         input above them
 *
 *   input    = sequence | boolean                            (input.ts)
 *   boolean  = all *( "OR" all )
 *   all      = one *( "AND" one )
 *   one      = ["NOT"] ( "(" boolean ")" | sequence )
 *   sequence = ['"'] word *( space word ) ['"']              a quote: the query begins (ends) here
 *   word     = characters | "*" characters | characters "*"
 *
 *   instruction = name [ "(" parameter ")" ] [ ":" value ]   (instructions.ts)
 *     SYNONYM [ "(" weight ")" ] ":" words
 *     UP | DOWN [ "(" weight ")" ] ":" target
 *     FILTER ":" target
 *     DELETE [ ":" words ]
 *     DECORATE [ "(" key ")" ] ":" text
 *     REDIRECT ":" url
 *
 *   target   = "*" raw | 1*( ["-" | "+"] about )             (targets.ts)
 *   about    = word | "(" words ")" | '"' words '"' ["~" slop]
 *   raw      = 1*( ["-" | "!" | "+"] field [".id"] ":" value | fragment )
 *   value    = piece *( "," piece )
 *
 *   property = "@" name ":" json | "@{" json-over-lines "}@" `_id`: its name; ignores others
 *
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
      open = { input, condition: parseInput(input, problems), instructions: [], id: null };
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
      const instruction = parseInstruction(line, open.condition, problems);
      if (instruction !== null) open.instructions.push(instruction);
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
