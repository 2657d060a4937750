/**
 * Labels of intervals (docs/behaviour.md 4.6).
 *
 *   10..19.99   10 - 19.99     first of a list   < 19.99     last, with few values   > 10
 *   with unit " €", round, locale de   10 € - 20 €   < 20 €                          > 10 €
 *   one value, anywhere in the list    12
 *
 *   unit, unitAsPrefix         after (or before) every number: `$` makes 10$, ` €` makes 10 €
 *   decimals                   0 to 2 fraction digits (2), rounds half to even; integers have none
 *   round                      to integers: `true` to the nearest, `up`, `down`
 *   locale                     number format (default: the tenant's); without one, plain digits with a point
 *   lowerBoundAdjustValue, upperBoundAdjustValue
 *                              added to the bound before it is written (0)
 *   noLowerBoundPrefix, noLowerBoundSuffix
 *                              around the upper bound if the lower is left out (`< `)
 *   intervalSeparator          between the bounds (` - `)
 *   noUpperBoundPrefix, noUpperBoundSuffix
 *                              around the lower bound if the upper is left out (`> `)
 */
import { getOrInsert } from "../../base/index.ts";
import { plainNumber } from "../links/index.ts";

type IntervalLabel = (lower: number | null, upper: number | null) => string;

type MetaData = Readonly<Record<string, unknown>>;

/** At least one bound is not null. */
export function intervalLabels(metaData: MetaData, tenantLocale: string): IntervalLabel {
  const lowerAdjust = numberOption(metaData, "lowerBoundAdjustValue", 0);
  const upperAdjust = numberOption(metaData, "upperBoundAdjustValue", 0);
  const separator = textOption(metaData, "intervalSeparator", " - ");
  const write = numberWriter(metaData, tenantLocale);

  return (lower, upper) => {
    const from = lower === null ? null : write(lower + lowerAdjust);
    const to = upper === null ? null : write(upper + upperAdjust);
    if (from === null && to === null) throw new TypeError("an interval without bounds has no label");
    if (from === null) {
      const prefix = textOption(metaData, "noLowerBoundPrefix", "< ");
      return prefix + (to ?? "") + textOption(metaData, "noLowerBoundSuffix", "");
    }
    if (to === null) {
      const prefix = textOption(metaData, "noUpperBoundPrefix", "> ");
      return prefix + from + textOption(metaData, "noUpperBoundSuffix", "");
    }
    return from === to ? from : from + separator + to;
  };
}

function numberWriter(metaData: MetaData, tenantLocale: string): (value: number) => string {
  const decimals = Math.min(2, Math.max(0, Math.trunc(numberOption(metaData, "decimals", 2))));
  const unit = textOption(metaData, "unit", "");
  const isPrefix = textOption(metaData, "unitAsPrefix", "").toLowerCase() === "true";
  const round = roundingOf(textOption(metaData, "round", ""));
  const locale = localeOf(textOption(metaData, "locale", "")) ?? localeOf(tenantLocale);

  return (value) => {
    const power = 10 ** decimals;
    // Adding one hundredth to 19.99 must give 20, not 19.999999999999996.
    const exact = round(Number.isInteger(value) ? value : Number(value.toFixed(6)));
    const shown = Math.abs(exact) < 1e15 ? halfToEven(exact * power) / power : exact;
    const digits = Number.isInteger(shown) ? 0 : decimals;
    const text =
      locale === null
        ? digits === 0
          ? plainNumber(shown)
          : shown.toFixed(digits)
        : formatOf(locale, digits).format(shown);
    return isPrefix ? unit + text : text + unit;
  };
}

/** Creating a number format takes longer than building a facet, so formats are cached. */
const formats = new Map<string, Intl.NumberFormat>();
const MOST_CACHED = 64;

function formatOf(locale: string, digits: number): Intl.NumberFormat {
  return cached(formats, `${locale} ${digits}`, () => {
    return new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  });
}

function cached<Value>(cache: Map<string, Value>, key: string, make: () => Value): Value {
  if (cache.size >= MOST_CACHED && !cache.has(key)) cache.clear();
  return getOrInsert(cache, key, make);
}

/** Rounds like Java: with one digit, 5.25 becomes 5.2 and 5.35 becomes 5.4. */
function halfToEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

function roundingOf(option: string): (value: number) => number {
  switch (option.toLowerCase()) {
    case "true":
      return Math.round;
    case "up":
      return Math.ceil;
    case "down":
      return Math.floor;
    default:
      return (value) => value;
  }
}

const locales = new Map<string, string | null>();

/** Accepts `de_DE` and `de-DE`. Null if empty or invalid. */
function localeOf(text: string): string | null {
  return text === "" ? null : cached(locales, text, () => canonicalLocale(text.trim().replaceAll("_", "-")));
}

function canonicalLocale(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

function textOption(metaData: MetaData, name: string, otherwise: string): string {
  const value = metaData[name];
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : otherwise;
}

function numberOption(metaData: MetaData, name: string, otherwise: number): number {
  const value = metaData[name];
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : otherwise;
}
