/**
 * Is `1.200` one and a fifth, or twelve hundred? A value alone cannot tell; its column and its file can:
 *
 *   12,99 and 1.299,00    a value with cents, or with both signs, is clear: most of them decide for the column
 *   15, 350, 1.200        some numbers with the sign, some without: whoever wrote decimals would have written 15.000
 *   1.200, 2.450          nothing in the column: the sign of the file's other columns
 *
 * Prices and stocks are written without decimals more often than with exactly three.
 */

export type Decimal = "." | ",";

/** What a column holds decides how its doubtful values are read. */
export type NumberKind = "price" | "count" | "number";

/** `1.200`, `12,500`: one sign before exactly three digits. */
const DOUBTFUL = /^[1-9]\d{0,2}[.,]\d{3}$/;

function digitsOf(value: string): string {
  return value.replaceAll(/[^\d.,]/g, "");
}

export function isDoubtful(value: string): boolean {
  return DOUBTFUL.test(digitsOf(value));
}

/** The sign that a value surely has before its decimals. */
function clearDecimal(value: string): Decimal | null {
  const digits = digitsOf(value);
  const comma = digits.lastIndexOf(",");
  const dot = digits.lastIndexOf(".");
  if (comma >= 0 && dot >= 0) return comma > dot ? "," : ".";
  const sign = comma >= 0 ? "," : dot >= 0 ? "." : null;
  if (sign === null || DOUBTFUL.test(digits)) return null;
  return digits.indexOf(sign) === digits.lastIndexOf(sign) ? sign : other(sign);
}

function other(sign: Decimal): Decimal {
  return sign === "," ? "." : ",";
}

/** What most of the clear values say, the first of them where it is a tie; null: none is clear. */
export function decimalOfColumn(values: readonly string[]): Decimal | null {
  let first: Decimal | null = null;
  let balance = 0;
  for (const value of values) {
    const decimal = clearDecimal(value);
    if (decimal === null) continue;
    first ??= decimal;
    balance += decimal === first ? 1 : -1;
  }
  return first === null || balance >= 0 ? first : other(first);
}

/** @param surroundings what other columns say; null: nothing. @returns null: each value is judged by itself */
export function decideDecimal(
  values: readonly string[],
  kind: NumberKind,
  surroundings: Decimal | null,
): Decimal | null {
  const clear = decimalOfColumn(values);
  if (clear !== null) return clear;
  const digits = values.map(digitsOf);
  const doubtful = digits.filter((one) => DOUBTFUL.test(one));
  const signs = new Set(doubtful.map((one): Decimal => (one.includes(",") ? "," : ".")));
  if (signs.size > 1) return null;
  const [sign] = signs;
  if (sign === undefined) return surroundings;
  const whole = digits.filter((one) => /^\d+$/.test(one));
  if (kind !== "number") return whole.length > 0 ? other(sign) : (surroundings ?? other(sign));
  // 1500 has no sign for thousands, so 1.250 has none either.
  if (whole.some((one) => one.length > 3)) return sign;
  // Beside whole numbers, decimals do not end in a zero.
  if (whole.length > 0 && doubtful.some((one) => one.endsWith("0"))) return other(sign);
  return surroundings;
}
