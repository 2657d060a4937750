/**
 * The query language of `querystring` product sets: the part of the Lucene syntax that shops use.
 *
 *   brand:acme AND (shoe OR "running sock"^2) -kids
 *
 *   query  = chain *( ["OR"] chain )                      adjacent chains mean OR, as in Lucene
 *   chain  = clause *( "AND" clause )                     AND binds more tightly
 *   clause = ["+" | "-" | "!" | "NOT"] atom ["^" number]  + must, - must not
 *   atom   = "*" | "*:*" | [field ":"] ( "(" query ")" | phrase | word )
 *   phrase = '"' text '"'                                 all of its words, in the field
 *   field, word = characters without space ( ) " ^ : ; a backslash escapes the next character
 *
 * A word that analysis splits ("t-shirt") requires all its parts. `||` and `&&` are OR and AND;
 * `~2` after a word or phrase is ignored. A field may contain `*` wildcards. A field that is not
 * searched matches nothing. `+`, `-` and `!` only count before an atom. If the text does not fit
 * the grammar, the result is null, and the caller uses its words instead.
 */
import type { FieldWeights, TermGroup } from "./rank/index.ts";
import { work } from "../base/index.ts";
import type { Expression } from "./plan.ts";

interface QueryStringContext {
  /** Words of a text as term groups; empty for a text without letters and digits. */
  groups(text: string): readonly TermGroup[];
  fieldOnly(field: string): FieldWeights;
}

type Token =
  | { readonly kind: "open" | "close" | "and" | "or" | "not" | "must" }
  | { readonly kind: "boost"; readonly value: number }
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "phrase" | "word"; readonly text: string };

type Clause = { readonly occur: "must" | "should" | "not"; readonly expression: Expression };

const STEPS_OF_CHARACTER = 5;
/** Approximate cost of analysing the words of a clause and finding their lists. */
const STEPS_OF_CLAUSE = 1_000;
/** Maximum depth of parentheses. Deeper texts do not fit the grammar. */
const MAX_DEPTH = 32;
/** Boosts of nested clauses multiply; the limit keeps the product finite. */
const MAX_BOOST = 1_000_000;

export function parseQueryString(text: string, context: QueryStringContext): Expression | null {
  work.spend(STEPS_OF_CHARACTER * text.length);
  const tokens = tokenize(text);
  if (tokens === null || tokens.length === 0) return null;
  const parser = new Parser(tokens, context);
  const expression = parser.query(null, 0);
  return expression !== null && parser.atEnd ? expression : null;
}

const FUZZINESS = String.raw`~\d*(?:\.\d+)?`;
/** Space; a sign; a boost; a phrase; a word, with its colon if it is a field. */
const TOKEN = new RegExp(
  [
    String.raw`\s+`,
    String.raw`([-()+!])`,
    String.raw`\^(\d+(?:\.\d+)?)`,
    String.raw`"((?:[^"\\]|\\[^])*)"(?:${FUZZINESS})?`,
    String.raw`((?:[^\s()"^:\\]|\\[^]?)+)(:?)`,
  ].join("|"),
  "gy",
);
const FUZZINESS_AT_END = new RegExp(`${FUZZINESS}$`);

const SIGNS: ReadonlyMap<string, "open" | "close" | "and" | "or" | "not" | "must"> = new Map([
  ["(", "open"],
  [")", "close"],
  ["+", "must"],
  ["-", "not"],
  ["!", "not"],
  ["NOT", "not"],
  ["AND", "and"],
  ["&&", "and"],
  ["OR", "or"],
  ["||", "or"],
]);

function tokenize(text: string): Token[] | null {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    end += match[0].length;
    const [, sign, boost, phrase, word, colon]: readonly (string | undefined)[] = match;
    const kind = SIGNS.get(sign ?? (colon === "" ? (word ?? "") : ""));
    if (kind !== undefined) tokens.push({ kind });
    else if (boost !== undefined) {
      tokens.push({ kind: "boost", value: Math.min(MAX_BOOST, Number(boost)) });
    } else if (phrase !== undefined) tokens.push({ kind: "phrase", text: unescaped(phrase) });
    else if (word !== undefined && colon === ":") {
      tokens.push({ kind: "field", name: unescaped(word) });
    } else if (word !== undefined) {
      const isPlain = !word.includes("\\");
      const own = isPlain ? word.replace(FUZZINESS_AT_END, "") : unescaped(word);
      tokens.push({ kind: "word", text: own });
    }
  }
  return end === text.length ? tokens : null;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([^]?)/g, "$1");
}

/** Recursive descent. Every method returns null if the text does not fit the grammar. */
class Parser {
  readonly #tokens: readonly Token[];
  readonly #context: QueryStringContext;
  #at = 0;

  constructor(tokens: readonly Token[], context: QueryStringContext) {
    this.#tokens = tokens;
    this.#context = context;
  }

  get atEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #skip(kind: Token["kind"]): boolean {
    if (this.#peek()?.kind !== kind) return false;
    this.#at++;
    return true;
  }

  query(weights: FieldWeights | null, depth: number): Expression | null {
    if (depth > MAX_DEPTH) return null;
    const clauses: Clause[] = [];
    for (;;) {
      const chain = this.#chain(weights, depth);
      if (chain === null) return null;
      clauses.push(chain);
      const hasOr = this.#skip("or");
      const next = this.#peek();
      if (next === undefined || next.kind === "close") return hasOr ? null : together(clauses);
    }
  }

  #chain(weights: FieldWeights | null, depth: number): Clause | null {
    const first = this.#clause(weights, depth);
    if (first === null) return null;
    const clauses: Clause[] = [first];
    while (this.#skip("and")) {
      const next = this.#clause(weights, depth);
      if (next === null) return null;
      clauses.push(next);
    }
    if (clauses.length === 1) return first;
    const all = clauses.map(({ occur, expression }): Clause => ({
      occur: occur === "not" ? "not" : "must",
      expression,
    }));
    return { occur: "should", expression: together(all) };
  }

  #clause(weights: FieldWeights | null, depth: number): Clause | null {
    const occur = this.#skip("must") ? "must" : this.#skip("not") ? "not" : "should";
    const atom = this.#atom(weights, depth);
    if (atom === null) return null;
    const boost = this.#peek();
    if (boost?.kind !== "boost") return { occur, expression: atom };
    this.#at++;
    return { occur, expression: { ...atom, boost: atom.boost * boost.value } };
  }

  #atom(weights: FieldWeights | null, depth: number): Expression | null {
    const token = this.#peek();
    this.#at++;
    switch (token?.kind) {
      case "field": {
        const value = this.#peek();
        if (token.name === "*" && value?.kind === "word" && value.text === "*") {
          this.#at++;
          return { kind: "everything", boost: 1 };
        }
        if (value?.kind !== "open" && value?.kind !== "phrase" && value?.kind !== "word") return null;
        return this.#atom(this.#context.fieldOnly(token.name), depth);
      }
      case "open": {
        const inner = this.query(weights, depth + 1);
        return inner !== null && this.#skip("close") ? inner : null;
      }
      case "phrase":
      case "word":
        work.spend(STEPS_OF_CLAUSE);
        if (token.kind === "word" && token.text === "*" && weights === null) {
          return { kind: "everything", boost: 1 };
        }
        return { kind: "words", groups: this.#context.groups(token.text), weights, boost: 1 };
      case "close":
      case "and":
      case "or":
      case "not":
      case "must":
      case "boost":
      case undefined:
        return null;
    }
  }
}

/** Drops clauses without words ("shoes & socks"). If no clause has words, the result has none either. */
function together(all: readonly Clause[]): Expression {
  const [first] = all;
  const clauses = all.filter(({ expression }) => !isWordless(expression));
  if (clauses.length === 0 && first !== undefined) return first.expression;
  const [only] = clauses;
  if (clauses.length === 1 && only !== undefined && only.occur !== "not") return only.expression;
  return { kind: "clauses", clauses, boost: 1 };
}

function isWordless(expression: Expression): boolean {
  return expression.kind === "words" && expression.groups.length === 0;
}
