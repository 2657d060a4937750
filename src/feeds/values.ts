/** Cells -> values: numbers as people write them, lists, category paths, pairs. */
import type { Decimal, NumberKind } from "./decimals.ts";

/**
 *   [currency] [sign] digits and separators [currency]
 *
 * `12,99 €`, `1.299,00`, `EUR 12.99`, `12.99 USD`, `1 299,00 zł`, `1'299.00 CHF`, `-5`, `5,-`. Currencies are letters
 * or a sign. With anything else, the text is no number: `2 for 5` is no price.
 */
const NUMBER =
  /^(?<before>[\p{Sc}\p{L}]{1,4}\.?)?\s*(?:(?<sign>[-+−])\s*)?(?:(?<before2>\p{Sc})\s*)?(?<digits>\d[\d.,'’\s]*|[.,]\d+\s*)(?:[-–]\s*)?(?<after>[\p{Sc}\p{L}]{1,4}\.?)?$/u;

/**
 * The number that a text is; null if it is none.
 *
 * @param decimal the separator before cents; null: judged by the text. Of two different separators the later is the
 *   decimal one; one that repeats groups thousands; a single one before exactly three digits groups thousands in
 *   prices and counts, and is decimal elsewhere.
 */
export function readNumber(text: string, decimal: Decimal | null, kind: NumberKind): number | null {
  const match = NUMBER.exec(text.trim());
  if (match?.groups === undefined) return null;
  const { before, after, sign, digits } = match.groups;
  if (kind !== "price" && (before !== undefined || after !== undefined)) return null;
  const tight = (digits ?? "").replaceAll(/[\s'’]/g, "");
  // A column of `1.299,00` may have a `12.50`.
  const value = (decimal === null ? null : valueOf(tight, decimal)) ?? valueOf(tight, decimalOf(tight, kind));
  return value !== null && (sign === "-" || sign === "−") ? -value : value;
}

const CURRENCY_SIGNS: Readonly<Record<string, string>> = {
  "€": "EUR",
  "£": "GBP",
  "₹": "INR",
  "₺": "TRY",
  "₩": "KRW",
  "₴": "UAH",
  zł: "PLN",
  kč: "CZK",
};

/** The ISO code of a price; null if there is none, or a sign of several currencies (`$`, `¥`, `kr`). */
export function currencyOf(text: string): string | null {
  const { before, before2, after } = NUMBER.exec(text.trim())?.groups ?? {};
  const said = before ?? before2 ?? after ?? "";
  if (/^[a-z]{3}$/i.test(said)) return said.toUpperCase();
  const sign = said.toLowerCase();
  return Object.hasOwn(CURRENCY_SIGNS, sign) ? CURRENCY_SIGNS[sign] : null;
}

/** A number with a currency, or with a sign of several of them. */
export function looksLikePrice(text: string): boolean {
  const { before, before2, after } = NUMBER.exec(text.trim())?.groups ?? {};
  return currencyOf(text) !== null || /\p{Sc}/u.test(before ?? before2 ?? after ?? "");
}

/** Groups have three digits, or two (India), the last one three. */
function valueOf(digits: string, point: Decimal): number | null {
  const [whole, decimals = "", ...more] = digits.split(point);
  if (more.length > 0 || !/^\d*$/.test(decimals)) return null;
  const group = point === "." ? "," : ".";
  const groups = whole.split(group);
  const isGrouped =
    groups.length === 1 ||
    (/^\d{1,3}$/.test(groups[0]) &&
      /^\d{3}$/.test(groups.at(-1) ?? "") &&
      groups.slice(1, -1).every((one) => /^\d{2,3}$/.test(one)));
  if (!isGrouped || !/^\d*$/.test(groups.join("")) || (whole === "" && decimals === "")) return null;
  return Number(`${groups.join("") || "0"}.${decimals || "0"}`);
}

/** The separator that this number surely or probably has before its decimals. */
function decimalOf(digits: string, kind: NumberKind): Decimal {
  const comma = digits.lastIndexOf(",");
  const dot = digits.lastIndexOf(".");
  if (comma >= 0 && dot >= 0) return comma > dot ? "," : ".";
  const separator = comma >= 0 ? "," : ".";
  const other = separator === "," ? "." : ",";
  if (digits.indexOf(separator) !== digits.lastIndexOf(separator)) return other;
  const isGroup = /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits);
  return isGroup && (kind !== "number" || separator === ",") ? other : separator;
}

/** The elements between separators, trimmed, without blank ones. Without a separator the text is the only one. */
export function readList(text: string, separator: string | undefined): string[] {
  const parts = separator === undefined ? [text] : text.split(separator);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

export interface PathRule {
  readonly list?: string | undefined;
  readonly path?: string | undefined;
  readonly skipLevels?: number | undefined;
}

/**
 * `Men > Shoes, Sale` -> [[Men, Shoes], [Sale]]. A path inside another one of the list adds nothing and is left
 * out.
 */
export function readPaths(text: string, { list, path, skipLevels }: PathRule): string[][] {
  return longestPaths(
    readList(text, list)
      .map((one) => readList(one, path).slice(skipLevels ?? 0))
      .filter((levels) => levels.length > 0),
  );
}

interface Level {
  readonly below: Map<string, Level>;
}

/** Without those that another one continues or repeats. */
export function longestPaths(paths: readonly string[][]): string[][] {
  const root: Level = { below: new Map() };
  const ends = paths.map((levels) => {
    let level = root;
    for (const name of levels) {
      let next = level.below.get(name);
      if (next === undefined) level.below.set(name, (next = { below: new Map() }));
      level = next;
    }
    return level;
  });
  const seen = new Set<Level>();
  return paths.filter((_, at) => {
    const end = ends[at];
    if (end.below.size > 0 || seen.has(end)) return false;
    seen.add(end);
    return true;
  });
}

/**
 * `color=Red,size=M,features=Zip|Pockets` -> pairs. A value in quotes (`text="one,two"`) ends with its quote. A part
 * without the sign between name and value belongs to the value before it (`text=one,two`), because most exports do not
 * quote separators inside values.
 */
export function readPairs(text: string, list: string, pair: string): [string, string][] {
  const pairs: [string, string][] = [];
  // Looked for once behind each, because a long text may have few of them or none.
  let nextPair = text.indexOf(pair);
  for (let from = 0; from <= text.length;) {
    if (nextPair >= 0 && nextPair < from) nextPair = text.indexOf(pair, from);
    const to = endOfPair(text, from, list, pair, nextPair);
    const part = text.slice(from, to);
    const at = part.indexOf(pair);
    const last = pairs.at(-1);
    if (at > 0) pairs.push([part.slice(0, at).trim(), unquoted(part.slice(at + pair.length).trim())]);
    else if (last !== undefined) last[1] += list + part;
    from = to + Math.max(1, list.length);
  }
  return pairs.filter(([name, value]) => name !== "" && value !== "");
}

/** @param at place of the next `pair`, in this part or a later one; -1: there is none */
function endOfPair(text: string, from: number, list: string, pair: string, at: number): number {
  const next = text.indexOf(list, from);
  const end = next < 0 ? text.length : next;
  if (at < 0 || at > end) return end;
  const quoted = /"[^"]*(?:""[^"]*)*"/y;
  quoted.lastIndex = at + pair.length;
  if (!quoted.test(text)) return end;
  const { lastIndex } = quoted;
  return lastIndex === text.length || text.startsWith(list, lastIndex) ? lastIndex : end;
}

/** `"one ""and"" two"` -> `one "and" two`. Magento quotes values of attributes, if it is asked to. */
export function unquoted(text: string): string {
  const inner = /^"([^"]*(?:""[^"]*)*)"$/.exec(text)?.[1];
  return inner === undefined ? text : inner.replaceAll('""', '"');
}

/** `Material (outer)` -> `material_outer`: names are parameters of searches. */
export function fieldName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_|_$/g, "");
}
