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
 * A number under the name `id` or `code` that a double cannot represent is an identifier: it
 * becomes the string of its digits, because rounding must not make two documents, variants or
 * values equal. Under any other name it is a quantity: reading rounds it, but writing the document
 * out again keeps its digits.
 *
 * parseVerbatim has the digits from the third argument of a reviver ("JSON.parse source text
 * access"). A runtime without it rounds.
 */

interface Source {
  /** Only present for primitive values. */
  readonly source?: string;
}

/** Not in TypeScript's library yet. */
const parse = JSON.parse as (
  text: string,
  reviver: (this: unknown, name: string, value: unknown, context?: Source) => unknown,
) => unknown;
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

/** For reading: all other numbers are doubles. Throws like JSON.parse. */
export function parseDocument(text: string): unknown {
  // A reviver takes much longer than parsing.
  const written = text.replaceAll(LONG_IDENTIFIER, (whole: string, name: string, digits: string) =>
    isExact(Number(digits), digits) ? whole : `${name}"${digits}"`,
  );
  return JSON.parse(written);
}

/**
 * For writing documents out again. JSON.stringify returns every number with the value sent (`1.50`
 * as 1.5), even if a double cannot represent it; such a number is an opaque object here. Throws
 * like JSON.parse.
 */
export function parseVerbatim(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return parse(text, (name, value, context) => {
    const source = context?.source;
    if (typeof value !== "number" || source === undefined || isExact(value, source)) return value;
    return name === "id" || name === "code" ? source : (rawJSON?.(source) ?? value);
  });
}

/** The digits of a number kept by parseVerbatim, else null. */
export function verbatimDigits(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !("rawJSON" in value)) return null;
  // Raw JSON has no prototype; an object of a document does.
  return Object.getPrototypeOf(value) === null ? String(value.rawJSON) : null;
}

/**
 * Whether a double represents the number: integers up to 2^53, and numbers in range with at most 15
 * significant digits.
 */
function isExact(value: number, source: string): boolean {
  if (Number.isSafeInteger(value) && /^-?[0-9]+$/.test(source)) return true;
  if (!Number.isFinite(value)) return false;
  const [mantissa] = source.split(/[eE]/);
  const digits = mantissa.replaceAll(/[-.]/g, "").replace(/^0+/, "");
  // Long integers must keep all digits (not 1e+21), and a 0 that was not sent as 0 has underflowed.
  if (/^-?[0-9]{16,}$/.test(source)) return false;
  return digits.length < DIGITS && (value !== 0 || digits === "");
}
