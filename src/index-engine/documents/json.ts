/**
 * JSON text of a document -> values, without rounding what must not be rounded.
 *
 *   text                                    JSON.parse            parseDocument                  parseVerbatim
 *   {"id": 12345678901234567890}            12345678901234567000  "12345678901234567890"         "12345678901234567890"
 *   {"data": {"n": 12345678901234567890}}   12345678901234567000  12345678901234567000           raw JSON 12345678901234567890
 *   {"id": 5, "data": {"n": 1.50}}          5, 1.5                5, 1.5                         5, 1.5
 *
 * A number that a double cannot hold, under the name `id` or `code`, is an identifier: it becomes the string of its
 * digits, because two documents, variants or values must not become one by rounding. Under any other name it is a
 * quantity: reading rounds it, what is written out again keeps it.
 *
 * The digits come from the third argument of a reviver ("JSON.parse source text access"). A runtime without it rounds.
 */

interface Source {
  /** Of a primitive value only. */
  readonly source?: string;
}

/** Not in TypeScript's library yet. */
const parse = JSON.parse as (
  text: string,
  reviver: (this: unknown, name: string, value: unknown, context?: Source) => unknown,
) => unknown;
const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };

const DIGITS = 16;
/** Whether there may be an identifier that is too long: a reviver costs several times what parsing does. */
const LONG_IDENTIFIER = new RegExp(`"(?:id|code)"\\s*:\\s*-?[0-9][0-9.]{${DIGITS - 1}}`);
/** Sixteen digits, with a point among them or not, or an exponent beyond a double's. */
const LONG_NUMBER = new RegExp(`[0-9][0-9.]{${DIGITS - 1}}|[0-9][eE][+-]?[0-9]{3}`);

/** For reading: numbers are numbers. Throws as JSON.parse does. */
export function parseDocument(text: string): unknown {
  if (!LONG_IDENTIFIER.test(text)) return JSON.parse(text);
  return parse(text, (name, value, context) => identifier(name, value, context) ?? value);
}

/**
 * For writing out again: JSON.stringify gives every number as it was sent (`1.50` as 1.5), also those a double cannot
 * hold. Such a number is an opaque object here. Throws as JSON.parse does.
 */
export function parseVerbatim(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return parse(text, (name, value, context) => {
    const source = context?.source;
    if (typeof value !== "number" || source === undefined || isExact(value, source)) return value;
    return identifier(name, value, context) ?? rawJSON?.(source) ?? value;
  });
}

/** The digits of a number that parseVerbatim has kept, else null. */
export function verbatimDigits(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !("rawJSON" in value)) return null;
  // Raw JSON has no prototype; an object of a document does.
  return Object.getPrototypeOf(value) === null ? String(value.rawJSON) : null;
}

/** The digits of an identifier that is too long for a double, else null. */
function identifier(name: string, value: unknown, context: Source | undefined): string | null {
  if (typeof value !== "number" || (name !== "id" && name !== "code")) return null;
  const source = context?.source;
  return source === undefined || isExact(value, source) ? null : source;
}

/**
 * Whether a double holds the number: integers up to 2^53, else what has at most 15 significant digits and is in range.
 */
function isExact(value: number, source: string): boolean {
  if (Number.isSafeInteger(value) && /^-?[0-9]+$/.test(source)) return true;
  if (!Number.isFinite(value)) return false;
  const [mantissa] = source.split(/[eE]/);
  const digits = mantissa.replaceAll(/[-.]/g, "").replace(/^0+/, "");
  // A long integer is written with all its digits, not as 1e+21; and 0 that was not 0 has underflown.
  if (/^-?[0-9]{16,}$/.test(source)) return false;
  return digits.length < DIGITS && (value !== 0 || digits === "");
}
