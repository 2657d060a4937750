/**
 * The syntax of number filters:
 *
 *   10,20,35  ->  10 to 35        from the smallest to the largest number
 *   50,       ->  from 50         open at one end
 *   10-20     ->  10 to 20
 */
const NUMBER = String.raw`-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const VALUE = new RegExp(`^\\s*(${NUMBER})\\s*(?:-\\s*(${NUMBER})\\s*)?$`);

/** Whether there are values, and each is one or two numbers. */
export function isNumbers(values: readonly string[]): boolean {
  const written = values.filter((value) => value !== "");
  return written.length > 0 && written.every((value) => VALUE.test(value));
}

/** For display; unreadable text is unchanged. */
export function rangeText(values: readonly string[]): string {
  const numbers = values.flatMap((value) => {
    const [, first, second = first] = VALUE.exec(value) ?? [];
    return first === undefined || second === undefined ? [] : [Number(first), Number(second)];
  });
  if (numbers.length === 0) return values.join(",");
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  if (low !== high) return `${low} – ${high}`;
  const [first, second] = values;
  if (values.length === 2 && second === "") return `from ${low}`;
  if (values.length === 2 && first === "") return `up to ${high}`;
  return String(low);
}

/**
 * A value between two bounds, with as many decimals as they have, and at least two: 0.004 to 0.0099
 * needs four.
 */
export function roundedBetween(value: number, low: number, high: number): string {
  const decimals = Math.max(2, decimalsOf(low), decimalsOf(high));
  return String(Number(value.toFixed(Math.min(decimals, 20))));
}

function decimalsOf(value: number): number {
  const [, fraction = "", exponent = "0"] = /^-?\d+(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}
