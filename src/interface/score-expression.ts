/**
 * The language of `script_score`: arithmetic over a product's score and its Score fields. No variables, no loops, no
 * effects, so it always terminates, and every script is also valid in the reference's scripting language ("Painless"),
 * except for `^`.
 *
 *   script      = ["return"] conditional [";"]
 *   conditional = or ["?" conditional ":" conditional]
 *   or          = and ("||" and)*
 *   and         = comparison ("&&" comparison)*
 *   comparison  = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
 *   sum         = product (("+" | "-") product)*
 *   product     = unary (("*" | "/" | "%") unary)*
 *   unary       = ("-" | "+" | "!") unary | power
 *   power       = primary ["^" unary]                                        -2 ^ 2 is -4, 2 ^ 3 ^ 2 is 512
 *   primary     = number | "_score" | "true" | "false" | "(" conditional ")" | call | field
 *   call        = ["Math."] name "(" conditional ("," conditional)* ")"
 *   field       = "doc" "[" ("'" name "'" | '"' name '"') "]" ["." ("value" | "empty" | "size" "(" ")")]
 *   number      = digits ["." digits] [("e" | "E") ["+" | "-"] digits]
 *
 *   min max (two or more)   log log10 sqrt abs exp floor ceil round (one)   pow (two)
 *   saturation(x, k) = x / (x + k)          sigmoid(x, k, a) = x^a / (x^a + k^a)
 *
 * True is 1, false is 0; everything except 0 is true. A field without a value is 0; `doc['f'].empty` and
 * `doc['f'].size()` test for that. Fields are named as configured; the reference's prefixes `scores.` and
 * `variants.scores.` are ignored. A result that is negative or not a number (`log(0)`, `1 / 0`) counts as 0.
 *
 *   _score * log10(2 + doc['sold'].value)
 *   doc['stock'].value > 0 ? 10 : doc['preorder'].value > 0 ? 5 : 0
 */

/** Functions and their numbers of operands. */
const FUNCTIONS = {
  min: 2,
  max: 2,
  pow: 2,
  log: 1,
  log10: 1,
  sqrt: 1,
  abs: 1,
  exp: 1,
  floor: 1,
  ceil: 1,
  round: 1,
  saturation: 2,
  sigmoid: 3,
} as const;
const FUNCTION_NAMES = Object.keys(FUNCTIONS) as (keyof typeof FUNCTIONS)[];

/** Operations and their numbers of operands. `if` is the conditional. */
export const SCORE_OPERATIONS = {
  "+": 2,
  "-": 2,
  "*": 2,
  "/": 2,
  "%": 2,
  "<": 2,
  "<=": 2,
  ">": 2,
  ">=": 2,
  "==": 2,
  "!=": 2,
  "&&": 2,
  "||": 2,
  not: 1,
  negate: 1,
  if: 3,
  ...FUNCTIONS,
} as const;
export type ScoreOperation = keyof typeof SCORE_OPERATIONS;

/** Plain data. */
export type ScoreExpression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "score" }
  | { readonly kind: "value" | "empty"; readonly field: string }
  | {
      readonly kind: "operation";
      readonly operation: ScoreOperation;
      readonly operands: readonly ScoreExpression[];
    };

/** Limits scripts that would take long or overflow the stack. */
const MAX_LENGTH = 4_000;
const MAX_DEPTH = 64;

/** `message` names line and column. */
export class ScoreExpressionError extends Error {}

interface Token {
  readonly kind: "number" | "word" | "quoted" | "sign" | "end";
  readonly text: string;
  readonly at: number;
}

const TOKEN =
  /(?<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(?<word>[A-Za-z_]\w*)|(?<quoted>'[^'\n]*'|"[^"\n]*")|(?<sign><=|>=|==|!=|&&|\|\||[-+*/%^<>!?:;,.()[\]])/y;

/** Throws a ScoreExpressionError. */
export function parseScoreExpression(text: string): ScoreExpression {
  return new Parser(text).script();
}

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.length > MAX_LENGTH) {
      throw this.#error(MAX_LENGTH, `a script has at most ${MAX_LENGTH} characters`);
    }
    this.#tokens = this.#scan();
  }

  script(): ScoreExpression {
    if (this.#is("return")) this.#position++;
    const expression = this.#conditional();
    if (this.#is(";")) this.#position++;
    if (this.#token.kind !== "end") this.#fail("the end of the script");
    return expression;
  }

  #conditional(): ScoreExpression {
    if (++this.#depth > MAX_DEPTH) throw this.#error(this.#token.at, "nested too deeply");
    const condition = this.#or();
    let result = condition;
    if (this.#take("?")) {
      const yes = this.#conditional();
      this.#expect(":");
      result = operation("if", condition, yes, this.#conditional());
    }
    this.#depth--;
    return result;
  }

  #or(): ScoreExpression {
    return this.#chain(["||"], () => this.#and());
  }

  #and(): ScoreExpression {
    return this.#chain(["&&"], () => this.#comparison());
  }

  #comparison(): ScoreExpression {
    const left = this.#sum();
    const sign = this.#takeOne(["<=", ">=", "<", ">", "==", "!="]);
    return sign === null ? left : operation(sign, left, this.#sum());
  }

  #sum(): ScoreExpression {
    return this.#chain(["+", "-"], () => this.#product());
  }

  #product(): ScoreExpression {
    return this.#chain(["*", "/", "%"], () => this.#unary());
  }

  #chain(signs: readonly ScoreOperation[], operand: () => ScoreExpression): ScoreExpression {
    let left = operand();
    for (;;) {
      const sign = this.#takeOne(signs);
      if (sign === null) return left;
      left = operation(sign, left, operand());
    }
  }

  #unary(): ScoreExpression {
    if (++this.#depth > MAX_DEPTH) throw this.#error(this.#token.at, "nested too deeply");
    let result: ScoreExpression;
    if (this.#take("-")) result = operation("negate", this.#unary());
    else if (this.#take("!")) result = operation("not", this.#unary());
    else if (this.#take("+")) result = this.#unary();
    else result = this.#power();
    this.#depth--;
    return result;
  }

  #power(): ScoreExpression {
    const base = this.#primary();
    return this.#take("^") ? operation("pow", base, this.#unary()) : base;
  }

  #primary(): ScoreExpression {
    const token = this.#token;
    if (this.#take("(")) {
      const inner = this.#conditional();
      this.#expect(")");
      return inner;
    }
    if (token.kind === "number") {
      this.#position++;
      const value = Number(token.text);
      if (!Number.isFinite(value)) throw this.#error(token.at, `${token.text} is too large`);
      return { kind: "number", value };
    }
    if (token.kind !== "word") return this.#fail("a number, a field or a function");
    this.#position++;
    switch (token.text) {
      case "_score":
        return { kind: "score" };
      case "true":
      case "false":
        return { kind: "number", value: token.text === "true" ? 1 : 0 };
      case "doc":
        return this.#field();
      case "Math": {
        this.#expect(".");
        const name = this.#token;
        this.#position++;
        return this.#call(name);
      }
      default:
        return this.#call(token);
    }
  }

  #field(): ScoreExpression {
    this.#expect("[");
    const name = this.#token;
    if (name.kind !== "quoted") this.#fail("the name of a field in quotes");
    this.#position++;
    this.#expect("]");
    const field = name.text.slice(1, -1).replace(/^(?:variants\.)?scores\./, "");
    if (field === "") throw this.#error(name.at, "the name of a field is empty");
    if (!this.#take(".")) return { kind: "value", field };
    if (this.#take("value")) return { kind: "value", field };
    if (this.#take("empty")) return { kind: "empty", field };
    if (!this.#take("size")) this.#fail("value, empty or size()");
    this.#expect("(");
    this.#expect(")");
    return operation("not", { kind: "empty", field });
  }

  #call(name: Token): ScoreExpression {
    const called = FUNCTION_NAMES.find((known) => known === name.text);
    if (called === undefined) {
      const known = `_score, doc['field'].value and ${FUNCTION_NAMES.join(", ")}`;
      throw this.#error(name.at, `"${name.text}" is not known here; known are ${known}`);
    }
    this.#expect("(");
    const operands = [this.#conditional()];
    while (this.#take(",")) operands.push(this.#conditional());
    this.#expect(")");
    const wanted = FUNCTIONS[called];
    if ((called === "min" || called === "max") && operands.length >= wanted) {
      return operands.reduce((left, right) => operation(called, left, right));
    }
    if (operands.length !== wanted) {
      throw this.#error(name.at, `${called} takes ${wanted}, not ${operands.length}`);
    }
    return operation(called, ...operands);
  }

  get #token(): Token {
    return this.#tokens[this.#position];
  }

  #is(text: string): boolean {
    const token = this.#token;
    return token.text === text && (token.kind === "sign" || token.kind === "word");
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#position++;
    return true;
  }

  #takeOne(signs: readonly ScoreOperation[]): ScoreOperation | null {
    const sign = signs.find((candidate) => this.#is(candidate));
    if (sign === undefined) return null;
    this.#position++;
    return sign;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail(`"${text}"`);
  }

  #fail(wanted: string): never {
    const { kind, text, at } = this.#token;
    const found = kind === "end" ? "the end" : `"${text}"`;
    throw this.#error(at, `expected ${wanted} instead of ${found}`);
  }

  #error(at: number, message: string): ScoreExpressionError {
    const before = this.#text.slice(0, at).split("\n");
    const column = (before.at(-1)?.length ?? 0) + 1;
    return new ScoreExpressionError(`line ${before.length}, column ${column}: ${message}`);
  }

  #scan(): Token[] {
    const tokens: Token[] = [];
    let at = 0;
    for (;;) {
      while (/\s/.test(this.#text[at] ?? "")) at++;
      if (at >= this.#text.length) break;
      TOKEN.lastIndex = at;
      const found = TOKEN.exec(this.#text);
      if (found === null) throw this.#error(at, `"${this.#text[at]}" means nothing here`);
      const { number, word, quoted } = found.groups ?? {};
      const kind =
        number !== undefined ? "number" : word !== undefined ? "word" : quoted !== undefined ? "quoted" : "sign";
      tokens.push({ kind, text: found[0], at });
      at += found[0].length;
    }
    tokens.push({ kind: "end", text: "", at: this.#text.length });
    return tokens;
  }
}

function operation(name: ScoreOperation, ...operands: readonly ScoreExpression[]): ScoreExpression {
  return { kind: "operation", operation: name, operands };
}
