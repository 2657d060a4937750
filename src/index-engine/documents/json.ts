/**
 * Parses documents without rounding identifiers.
 *
 *   text             {"id": 12345678901234567890}   {"data": {"n": 12345678901234567890}}
 *   JSON.parse       12345678901234567000           12345678901234567000
 *   parseDocument    "12345678901234567890"         12345678901234567000
 *   parseVerbatim    "12345678901234567890"         raw JSON 12345678901234567890
 *
 * All three read {"id": 5, "data": {"n": 1.50}} as 5 and 1.5.
 *
 * A number under the name `id` or `code` that a double cannot represent is an identifier: it becomes the string of its
 * digits, because rounding must not make two documents, variants or values equal. Under any other name it is a
 * quantity: reading rounds it, but writing the document out again keeps its digits.
 *
 * A reviver of JSON.parse would give the digits, too, but is called for every value. parseVerbatim writes another
 * number in place of each long one, and puts the digits where it finds those in the parsed value:
 *
 *   {"n": 12345678901234567890}   ->   {"n": 9007199254740992}   ->   {n: raw JSON 12345678901234567890}
 *
 * A runtime without raw JSON rounds.
 */

/** Not in TypeScript's library yet. */
const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };

const DIGITS = 16;
/**
 * A name and a long identifier. Only a name is followed by a colon, and the quote before it never follows a backslash,
 * as a quote within a text does.
 */
const LONG_IDENTIFIER = new RegExp(
  String.raw`("(?<!\\")(?:id|code)"\s*:\s*)(?=-?[0-9][0-9.]{${DIGITS - 1}})` +
    String.raw`(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![0-9.eE+-])`,
  "g",
);
/** Sixteen digits, optionally with a point, or an exponent out of range. */
const LONG_NUMBER = new RegExp(`[0-9][0-9.]{${DIGITS - 1}}|[0-9][eE][+-]?[0-9]{3}`);
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/**
 * The numbers written in place of long ones: 9007199254740992, 9007199254741002, and so on. Doubles have all of their
 * digits, of which there are sixteen or more, and the last is not 0. So no number that `isExact` equals one of them.
 */
const FIRST_MARK = 2 ** 53;
const NEXT_MARK = 10;

/** For reading: all other numbers are doubles. Throws like JSON.parse. */
export function parseDocument(text: string): unknown {
  const written = text.replaceAll(LONG_IDENTIFIER, (whole: string, name: string, digits: string) =>
    isExact(Number(digits), digits) ? whole : `${name}"${digits}"`,
  );
  return JSON.parse(written);
}

/**
 * For writing documents out again. JSON.stringify returns every number with the value sent (`1.50` as 1.5), even if a
 * double cannot represent it; such a number is an opaque object here. Throws like JSON.parse.
 */
export function parseVerbatim(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  const sources: string[] = [];
  const value: unknown = JSON.parse(marked(text, sources));
  return sources.length === 0 ? value : withSources(value, sources);
}

const [QUOTE, BACKSLASH, PLUS, MINUS, POINT, ZERO, NINE] = [0x22, 0x5c, 0x2b, 0x2d, 0x2e, 0x30, 0x39];
const [SMALL_E, CAPITAL_E] = [0x65, 0x45];

/** Collects the numbers that a double cannot represent, and writes marks in their place. */
function marked(text: string, sources: string[]): string {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const first = text.charCodeAt(at);
    if (first === QUOTE) {
      at = textEnd(text, at);
      continue;
    }
    if (first !== MINUS && !isDigit(first)) {
      at++;
      continue;
    }
    const start = at;
    let hasExponent = false;
    for (at++; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === SMALL_E || code === CAPITAL_E) hasExponent = true;
      else if (!isDigit(code) && code !== POINT && code !== MINUS && code !== PLUS) break;
    }
    if (at - start < DIGITS && !hasExponent) continue;
    const source = text.slice(start, at);
    // What is not a number stays for JSON.parse to refuse.
    if (!NUMBER.test(source) || isExact(Number(source), source)) continue;
    parts.push(text.slice(from, start), String(FIRST_MARK + sources.length * NEXT_MARK));
    sources.push(source);
    from = at;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** After the closing quote. Most of a document is texts, and `indexOf` skips them several times faster than a loop. */
function textEnd(text: string, open: number): number {
  for (let quote = text.indexOf('"', open + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
  return text.length;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Replaces the marks in a parsed value. Without recursion, because the value may be nested as deep as it is long. */
function withSources(value: unknown, sources: readonly string[]): unknown {
  const root: Record<string, unknown> = { "": value };
  const open: (Record<string, unknown> | unknown[])[] = [root];
  // Some may have been lost: of several members with the same name, the last is parsed.
  let left = sources.length;
  /** The value in place of a part; keeps what has parts itself for later. */
  const replaced = (name: string, part: unknown): unknown => {
    if (typeof part === "object" && part !== null) open.push(part as Record<string, unknown> | unknown[]);
    if (typeof part !== "number" || part < FIRST_MARK) return part;
    const source = sources[(part - FIRST_MARK) / NEXT_MARK] as string | undefined;
    if (source === undefined) return part;
    left--;
    return name === "id" || name === "code" ? source : (rawJSON?.(source) ?? Number(source));
  };
  for (let parts = open.pop(); parts !== undefined && left > 0; parts = open.pop()) {
    if (Array.isArray(parts)) {
      for (let i = 0; i < parts.length; i++) {
        const part = replaced("", parts[i]);
        if (part !== parts[i]) parts[i] = part;
      }
    } else {
      for (const name of Object.keys(parts)) {
        const part = replaced(name, parts[name]);
        if (part !== parts[name]) parts[name] = part;
      }
    }
  }
  return root[""];
}

/** The digits of a number kept by parseVerbatim, else null. */
export function verbatimDigits(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !("rawJSON" in value)) return null;
  // Raw JSON has no prototype; an object of a document does.
  return Object.getPrototypeOf(value) === null ? String(value.rawJSON) : null;
}

/** Whether a double represents the number: integers up to 2^53, and up to 15 significant digits in range. */
function isExact(value: number, source: string): boolean {
  if (Number.isSafeInteger(value) && /^-?[0-9]+$/.test(source)) return true;
  if (!Number.isFinite(value)) return false;
  // All digits must be kept (not 1e+21).
  if (/^-?[0-9]{16,}$/.test(source)) return false;
  const [mantissa] = source.split(/[eE]/);
  const digits = mantissa.replaceAll(/[-.]/g, "").replace(/^0+/, "");
  // A 0 that was not sent as 0 has underflowed.
  return digits.length < DIGITS && (value !== 0 || digits === "");
}
