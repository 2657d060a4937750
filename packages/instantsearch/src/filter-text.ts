/**
 * Parses the parameter `filters` of `configure({filters})` into clauses that are ANDed.
 *
 *   filters    = clause ("AND" clause)*
 *   clause     = "(" condition ("OR" condition)* ")"  |  condition ("OR" condition)*
 *   condition  = ["NOT"] attribute (":" value | ":" number "TO" number | operator number)
 *   operator   = "=" | "!=" | "<" | "<=" | ">" | ">="
 *   attribute, value = characters without space and bracket, or quoted by " or '; `\` before a quote is that quote
 *
 * A minus is part of a value, unlike in `facetFilters`. OR binds tighter than AND, because Algolia only allows a conjunction of disjunctions.
 */
import { comparison, interval, type Clause, type Condition } from "./conditions.ts";
import { UnsupportedError } from "./protocol.ts";

const TOKEN = /\s*(?:([()])|(<=|>=|!=|<|>|=|:)|"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|([^\s()<>=!:"']+))/y;

interface Token {
  readonly kind: "bracket" | "operator" | "quoted" | "word";
  readonly text: string;
}

export function readFilterText(text: string): Clause[] {
  const tokens = tokensOf(text);
  let at = 0;
  const isWord = (word: string): boolean => tokens[at]?.kind === "word" && tokens[at]?.text === word;
  const fail = (): UnsupportedError =>
    new UnsupportedError(
      `configure({filters: ${JSON.stringify(text)}})`,
      "only conditions joined by AND, and by OR within brackets, are supported",
    );
  const take = (...kinds: Token["kind"][]): string => {
    const token = tokens[at++];
    if (token === undefined || !kinds.includes(token.kind)) throw fail();
    return token.text;
  };

  const condition = (): Condition => {
    const isNegated = isWord("NOT");
    if (isNegated) at++;
    const attribute = take("word", "quoted");
    const operator = take("operator");
    let value = take("word", "quoted");
    // A colon within an unquoted value.
    while (operator === ":" && tokens[at]?.kind === "operator" && tokens[at]?.text === ":") {
      at++;
      value += `:${take("word", "quoted")}`;
    }
    let found: Condition;
    if (operator !== ":") found = comparison(attribute, operator, value);
    else if (isWord("TO")) {
      at++;
      found = interval(attribute, Number(value), Number(take("word", "quoted")));
    } else found = { attribute, negated: false, is: value };
    return isNegated ? { ...found, negated: !found.negated } : found;
  };
  const clause = (): Clause => {
    const isInBrackets = tokens[at]?.kind === "bracket" && tokens[at]?.text === "(";
    if (isInBrackets) at++;
    const conditions = [condition()];
    while (isWord("OR")) {
      at++;
      conditions.push(condition());
    }
    if (isInBrackets && take("bracket") !== ")") throw fail();
    return conditions;
  };

  const clauses = [clause()];
  while (at < tokens.length) {
    if (!isWord("AND")) throw fail();
    at++;
    clauses.push(clause());
  }
  return clauses;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) {
      throw new UnsupportedError(
        `configure({filters: ${JSON.stringify(text)}})`,
        `it cannot be parsed at ${JSON.stringify(text.slice(from, from + 20))}`,
      );
    }
    const [, bracket, operator, double, single, word] = match;
    const quoted = double ?? single;
    if (bracket !== undefined) tokens.push({ kind: "bracket", text: bracket });
    else if (operator !== undefined) tokens.push({ kind: "operator", text: operator });
    else if (quoted !== undefined) tokens.push({ kind: "quoted", text: quoted.replaceAll(/\\(.)/g, "$1") });
    else tokens.push({ kind: "word", text: word ?? "" });
  }
  return tokens;
}
