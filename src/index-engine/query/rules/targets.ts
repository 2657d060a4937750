/**
 * Parses the targets of FILTER, UP and DOWN:
 *
 *   -brand:puma category:Shoes/Men, Women & Kids price:10-99.5 -(used goods)
 *     -> brand is not puma; category is "Shoes/Men, Women & Kids"; price from 10 to 99.5;
 *        not "used goods"
 *
 *   target  = "*" raw | 1*( ["-" | "+"] about )
 *   about   = word | "(" words ")" | phrase       in parentheses or quotes: adjacent in this order
 *   phrase  = '"' words '"' ["~" slop]
 *   raw     = 1*( clause | fragment )
 *   clause  = ["-" | "!" | "+"] field [".id"] ":" value
 *   value   = piece *( "," piece )                "," is OR, except before a space
 *   piece   = '"' characters '"' | range | characters
 *                                                 up to the next clause, or a signed "(" or phrase
 *   range   = "[" ( number | "*" ) "TO" ( number | "*" ) "]"
 *                                                 and as in URLs: 10-20  10,20  10,  ,20
 *   fragment = anything else: a query string      signed fragments are separate; a lone phrase or
 *                                                 "(" words ")" means the same as without the star
 */
import { LIMITS } from "../../../interface/index.ts";
import type { BoostTarget, FilterTarget, WordsTarget } from "./model.ts";
import { unescaped, type Piece, type Problems } from "./source.ts";

const SIGN = /^[-+!](?=\S)/;
/** In a phrase, `\"` is a quote. */
const QUOTED = /^"((?:\\.|[^"\\])*)"/s;
const FIELD = /^([-+!]?)([\p{L}\p{N}_][\p{L}\p{N}\p{M}_.-]*):/u;

export function parseFilterTargets(value: Piece, problems: Problems): FilterTarget[] {
  return value.text.startsWith("*") ? parseRaw(value.slice(1).trim(), problems) : parseAbouts(value, problems);
}

export function parseBoostTargets(value: Piece, problems: Problems): BoostTarget[] {
  const found = parseFilterTargets(value, problems);
  if (found.some(({ negated }) => negated)) {
    problems.fail(value, "expected a target without - (use DOWN instead of UP with -, and vice versa)");
  }
  const words: string[] = [];
  const targets: BoostTarget[] = [];
  for (const target of found) {
    switch (target.kind) {
      case "words":
        // Adjacent words form one target, which requires all of them.
        if (!target.isPhrase) words.push(...target.words);
        else targets.push(wordsTarget(target.words, true, target.slop));
        break;
      case "field":
        targets.push(
          ...target.values
            .filter((text) => text !== "")
            .map((text): BoostTarget => ({ kind: "field", field: target.name, value: text })),
        );
        break;
      case "raw":
        targets.push({ kind: "raw", text: target.text });
        break;
    }
  }
  return words.length === 0 ? targets : [wordsTarget(words, false, 0), ...targets];
}

function wordsTarget(words: readonly string[], isPhrase: boolean, slop: number): WordsTarget {
  return { kind: "words", words, isPhrase, slop };
}

// ---- Words

function parseAbouts(value: Piece, problems: Problems): FilterTarget[] {
  const targets: FilterTarget[] = [];
  let rest = value.trim();
  while (!rest.isEmpty) {
    const negated = SIGN.test(rest.text) && !rest.text.startsWith("+");
    if (SIGN.test(rest.text)) rest = rest.slice(1);
    let length: number;
    if (rest.text.startsWith('"')) {
      const match = QUOTED.exec(rest.text);
      if (match === null) problems.fail(rest.end, 'expected a closing "');
      const slop = /^~(\d{1,3})(?=\s|$)/.exec(rest.text.slice(match[0].length));
      length = match[0].length + (slop?.[0].length ?? 0);
      const words = wordsOf(rest.slice(1, match[0].length - 1), problems);
      targets.push({ ...wordsTarget(words, true, Number(slop?.[1] ?? 0)), negated });
    } else if (rest.text.startsWith("(")) {
      const close = rest.text.indexOf(")");
      if (close === -1) problems.fail(rest.end, "expected )");
      length = close + 1;
      const words = wordsOf(rest.slice(1, close), problems);
      targets.push({ ...wordsTarget(words, words.length > 1, 0), negated });
    } else {
      length = /^\S+/.exec(rest.text)?.[0].length ?? rest.text.length;
      const words = wordsOf(rest.slice(0, length), problems);
      targets.push({ ...wordsTarget(words, false, 0), negated });
    }
    rest = rest.slice(length).trim();
  }
  if (targets.length === 0) problems.fail(value, "expected words, or * and a field with its value");
  return targets;
}

/** The words of a value, including `$1`. */
export function wordsOf(piece: Piece, problems: Problems): string[] {
  const words = piece.words().map((word) => unescaped(word.text));
  if (!words.some((word) => /[\p{L}\p{N}]/u.test(word))) {
    problems.fail(piece, "expected at least one word of letters or digits");
  }
  if (words.length > LIMITS.ruleWords.value) {
    problems.fail(piece, `expected at most ${LIMITS.ruleWords.value} words, not ${words.length}`);
  }
  return words;
}

// ---- Raw targets

interface Unit {
  readonly at: Piece;
  readonly isClause: boolean;
}

function parseRaw(raw: Piece, problems: Problems): FilterTarget[] {
  if (raw.isEmpty) problems.fail(raw, "expected a field with its value, or a query string, after *");
  return unitsOf(raw, problems).map(({ at, isClause }) =>
    isClause ? clauseOf(at, problems) : fragmentOf(at, problems),
  );
}

function clauseOf(at: Piece, problems: Problems): FilterTarget {
  const match = FIELD.exec(at.text);
  if (match === null) throw new Error("a clause begins with its field");
  const values = valuesOf(at.slice(match[0].length).trim(), problems);
  return { kind: "field", name: match[2] ?? "", values, negated: match[1] === "-" || match[1] === "!" };
}

function fragmentOf(at: Piece, problems: Problems): FilterTarget {
  const isSigned = SIGN.test(at.text);
  const fragment = isSigned ? at.slice(1) : at;
  const negated = isSigned && !at.text.startsWith("+");
  if (!isWordsAlone(fragment.text)) return { kind: "raw", text: fragment.text, negated };
  const words = wordsOf(fragment.slice(1, fragment.text.length - 1), problems);
  return { ...wordsTarget(words, words.length > 1, 0), negated };
}

/** Whether the text is `(trail shoe)` or `"trail shoe"`, without operators, fields and boosts inside. */
function isWordsAlone(text: string): boolean {
  const inside = /^\(([^()":^*~\\]*)\)$/.exec(text)?.[1] ?? /^"([^"\\]*)"$/.exec(text)?.[1];
  return inside !== undefined && !/(?:^|\s)(?:(?:AND|OR|NOT|&&|\|\|)(?:\s|$)|[-+!])/.test(inside);
}

/** Splits the text where a new unit begins. */
function unitsOf(raw: Piece, problems: Problems): Unit[] {
  const units: Unit[] = [];
  let from = 0;
  let isClause = false;
  let depth = 0;
  let previous = "";
  const close = (to: number): void => {
    const at = raw.slice(from, to).trim();
    if (!at.isEmpty) units.push({ at, isClause });
    from = to;
  };
  for (let at = 0; at < raw.text.length;) {
    const rest = raw.text.slice(at);
    const isStart = at === 0 || /\s/.test(raw.text[at - 1] ?? "");
    const field = isStart && depth === 0 ? FIELD.exec(rest) : null;
    if (field !== null) {
      close(at);
      isClause = true;
      at += field[0].length;
      previous = field[0];
      continue;
    }
    if (isStart && depth === 0 && SIGN.test(rest)) {
      // In a value, a sign only starts a new unit before characters that no value begins with:
      // `-(`, `-"`. A query string continues after an operator.
      const ends = isClause ? /^[-+!][("]/.test(rest) : !/^(?:AND|OR|NOT|&&|\|\|)$/.test(previous);
      if (ends) {
        close(at);
        isClause = false;
      }
    }
    const quoted = QUOTED.exec(rest);
    // A quote inside a word (15") is an ordinary character.
    const opens = rest.startsWith('"') && /^$|[\s:,(+!-]/.test(raw.text[at - 1] ?? "");
    if (opens) {
      if (quoted === null) problems.fail(raw.end, 'expected a closing "');
      previous = quoted[0];
      at += quoted[0].length;
      continue;
    }
    if (rest.startsWith("\\")) {
      at += 2;
      continue;
    }
    // Parentheses group in a query string but are ordinary characters in a value.
    if (!isClause && rest.startsWith("(")) depth++;
    if (!isClause && rest.startsWith(")") && --depth < 0) problems.fail(raw.slice(at), "expected ( before )");
    if (isStart && !/^\s/.test(rest)) previous = /^\S+/.exec(rest)?.[0] ?? "";
    at++;
  }
  if (depth > 0) problems.fail(raw.end, "expected )");
  close(raw.text.length);
  return units;
}

const NUMBER = String.raw`-?(?:\d+(?:\.\d*)?|\.\d+)`;
const RANGE = new RegExp(`^\\[\\s*(\\*|${NUMBER})\\s+TO\\s+(\\*|${NUMBER})\\s*\\]$`, "i");
const OPEN_RANGE = new RegExp(`^(?:${NUMBER}\\s*,|,\\s*${NUMBER})$`);
const NUMBERS = new RegExp(`^${NUMBER}(?:\\s*,\\s*${NUMBER})+$`);

/** The values of a filter, as in a request parameter; an open range has an empty end. */
function valuesOf(value: Piece, problems: Problems): string[] {
  const range = RANGE.exec(value.text);
  if (range !== null) {
    const [, lower = "*", upper = "*"] = range;
    if (lower !== "*" && upper !== "*") return [lower, upper];
    if (lower !== "*") return [lower, ""];
    if (upper !== "*") return ["", upper];
    problems.fail(value, "expected a range with at least one number");
  }
  if (OPEN_RANGE.test(value.text) || NUMBERS.test(value.text)) {
    return value.text.split(",").map((number) => number.trim());
  }
  const values: string[] = [];
  let rest = value;
  while (!rest.isEmpty) {
    const quoted = QUOTED.exec(rest.text);
    if (quoted !== null && /^\s*(?:,|$)/.test(rest.text.slice(quoted[0].length))) {
      values.push(unescaped(quoted[1] ?? ""));
      rest = rest.slice(quoted[0].length).trim();
      rest = rest.slice(rest.text.startsWith(",") ? 1 : 0).trim();
      continue;
    }
    const comma = /,(?!\s)/.exec(rest.text);
    const end = comma?.index ?? rest.text.length;
    values.push(unescaped(rest.slice(0, end).trim().text).replaceAll(/%2c/gi, ","));
    rest = rest.slice(Math.min(end + 1, rest.text.length));
  }
  const given = values.filter((text) => text !== "");
  if (given.length === 0) problems.fail(value, "expected a value after :");
  if (given.length > LIMITS.filterValues.value) {
    problems.fail(value, `expected at most ${LIMITS.filterValues.value} values, not ${given.length}`);
  }
  return given;
}
