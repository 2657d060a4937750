/**
 * Parses the instructions of a rule:
 *
 *   instruction = name [ "(" parameter ")" ] [ ":" value ]
 *
 *   SYNONYM [ "(" weight ")" ] ":" words         replaces what the input matched; several words are a phrase
 *   UP, DOWN [ "(" weight ")" ] ":" target
 *   FILTER ":" target
 *   DELETE [ ":" words ]                         words of the input; without words: all of it
 *   DECORATE [ "(" key ")" ] ":" text
 *   REDIRECT ":" url                             also DECORATE(redirect): url
 *                                                and DECORATE: REDIRECT, url
 *
 * Names are case-insensitive. A weight is a number from 0 on; the default is 1.
 */
import { META_KEYS } from "./meta.ts";
import type { Action, Condition, InputWord, Instruction } from "./model.ts";
import { parseWord } from "./input.ts";
import { unescaped, type Piece, type Problems } from "./source.ts";
import { parseBoostTargets, parseFilterTargets, wordsOf } from "./targets.ts";

const FORM = /^([A-Za-z_]+)(\s*\(([^)]*)\))?\s*(:)?/;
const NAMES = "SYNONYM, FILTER, UP, DOWN, DELETE, DECORATE or REDIRECT";

/** Keys that DECORATE must not use: those of the service, and names that objects cannot have. */
const OWN_META_KEYS: ReadonlySet<string> = new Set([...META_KEYS, "__proto__"]);

/** The factor of DOWN without a weight. */
const PLAIN_DOWN = 0.5;

interface Parts {
  readonly line: Piece;
  readonly name: string;
  readonly parameter: Piece | null;
  /** The text after the colon; null without a colon. */
  readonly value: Piece | null;
}

/**
 * Null if the line has no effect (`UP(0): x`). `condition` is null if the input is invalid, so its kind is unknown.
 */
export function parseInstruction(line: Piece, condition: Condition | null, problems: Problems): Instruction | null {
  const match = FORM.exec(line.text);
  const name = match?.[1] ?? "";
  const length = match?.[0].length ?? 0;
  const hasColon = match?.[4] !== undefined;
  if (match === null || (!hasColon && length < line.text.length)) {
    problems.fail(
      line,
      line.text.includes("=>")
        ? "expected => at the end of its line; instructions follow on the lines below"
        : `expected an input with => or one of ${NAMES} with a colon`,
    );
  }
  const parameterAt = line.text.indexOf("(") + 1;
  const parts: Parts = {
    line,
    name: name.toUpperCase(),
    parameter: match[2] === undefined ? null : line.slice(parameterAt, parameterAt + (match[3] ?? "").length).trim(),
    value: hasColon ? line.slice(length).trim() : null,
  };
  const action = actionOf(parts, condition, problems);
  return action === null ? null : { ...action, line: line.line };
}

function actionOf(parts: Parts, condition: Condition | null, problems: Problems): Action | null {
  const { line, name } = parts;
  switch (name) {
    case "SYNONYM":
      return synonym(parts, condition, problems);
    case "UP":
    case "DOWN":
      return boost(parts, problems);
    case "FILTER":
      return { kind: "filter", filters: parseFilterTargets(onlyValueOf(parts, problems), problems) };
    case "DELETE":
      return deletion(parts, condition, problems);
    case "DECORATE":
      return decoration(parts, problems);
    case "REDIRECT":
      return redirect(onlyValueOf(parts, problems), problems);
    default:
      problems.fail(line, `expected one of ${NAMES}, not "${line.text.slice(0, name.length)}"`);
  }
}

/** A boolean input matches no particular place, so there is nothing to replace or delete. */
function checkPlace({ line, name }: Parts, condition: Condition | null, problems: Problems): void {
  if (condition === null || condition.kind === "sequence") return;
  problems.fail(line, `expected no ${name} below an input with AND, OR or NOT`);
}

function checkNoParameter({ parameter, name }: Parts, problems: Problems): void {
  if (parameter !== null) problems.fail(parameter, `expected ${name} without (…)`);
}

function valueOf({ value, line, name }: Parts, problems: Problems): Piece {
  if (value !== null && !value.isEmpty) return value;
  problems.fail(line.end, `expected ${value === null ? ": and " : ""}a value for ${name}`);
}

function onlyValueOf(parts: Parts, problems: Problems): Piece {
  const [value] = problems.both(
    () => valueOf(parts, problems),
    () => checkNoParameter(parts, problems),
  );
  return value;
}

/** The weight is 1 without a parameter. */
function weightAndValueOf(parts: Parts, problems: Problems): [number, Piece] {
  return problems.both(
    () => weightOf(parts, problems),
    () => valueOf(parts, problems),
  );
}

function weightOf({ parameter }: Parts, problems: Problems): number {
  if (parameter === null) return 1;
  if (/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(parameter.text) && parameter.text.length <= 20) return Number(parameter.text);
  problems.fail(parameter, `expected a number from 0, not "${parameter.text}"`);
}

function synonym(parts: Parts, condition: Condition | null, problems: Problems): Action {
  checkPlace(parts, condition, problems);
  const [factor, value] = weightAndValueOf(parts, problems);
  // Parentheses and quotes around the words are allowed, as in the reference. The words are one phrase anyway.
  let words = value;
  if (/^\(.*\)$/s.test(words.text) || /^".*"$/s.test(words.text)) words = words.slice(1, words.text.length - 1).trim();
  // `title:word` and `{title,brand}:word`: the field of a synonym is ignored, as in the reference.
  const field = /^(?:\{[^}]*\}|[\p{L}_][\p{L}\p{N}_.]*):(?=\S)/u.exec(words.text);
  if (field !== null) words = words.slice(field[0].length);
  return { kind: "synonym", words: wordsOf(words, problems), factor };
}

function boost(parts: Parts, problems: Problems): Action | null {
  const [weight, value] = weightAndValueOf(parts, problems);
  const targets = parseBoostTargets(value, problems);
  if (weight === 0) return null;
  const down = parts.parameter === null ? PLAIN_DOWN : weight > 1 ? 1 / weight : weight;
  return { kind: "boost", factor: parts.name === "UP" ? 1 + weight : down, targets };
}

function deletion(parts: Parts, condition: Condition | null, problems: Problems): Action {
  checkPlace(parts, condition, problems);
  checkNoParameter(parts, problems);
  const { value } = parts;
  if (value === null || value.isEmpty) return { kind: "delete", words: null };
  const words = value.words().map((piece) => {
    const word = parseWord(piece, problems);
    if (condition?.kind !== "sequence" || isOf(word, condition.sequence.words)) return word;
    problems.fail(piece, `expected a word of the input, not "${piece.text}"`);
  });
  return { kind: "delete", words };
}

function isOf(word: InputWord, input: readonly InputWord[]): boolean {
  return input.some(
    ({ text, wildcard }) => wildcard === word.wildcard && text.toLowerCase() === word.text.toLowerCase(),
  );
}

function decoration(parts: Parts, problems: Problems): Action {
  const value = valueOf(parts, problems);
  const { parameter } = parts;
  if (parameter === null) {
    const old = /^REDIRECT(?:\s*,\s*|\s+)(?=\S)/i.exec(value.text);
    return old === null
      ? { kind: "decorate", key: null, text: unescaped(value.text) }
      : redirect(value.slice(old[0].length), problems);
  }
  if (!/^[\w.-]+$/.test(parameter.text)) {
    problems.fail(parameter, "expected a key of letters, digits and _ . -");
  }
  if (parameter.text.toLowerCase() === "redirect") return redirect(value, problems);
  if (OWN_META_KEYS.has(parameter.text)) {
    problems.fail(parameter, "expected a key that is not reserved for the service");
  }
  return { kind: "decorate", key: parameter.text, text: unescaped(value.text) };
}

/** Clients follow the URL, so only web addresses are allowed. */
function redirect(value: Piece, problems: Problems): Action {
  const url = unescaped(value.text);
  if (/\s/.test(url) || !/^(?:https?:\/\/[^/]|\/|\?|#|[\w.~%$-]+(?:[/?#]|$))/i.test(url)) {
    problems.fail(value, "expected a URL: http://…, https://…, or a path");
  }
  return { kind: "redirect", url };
}
