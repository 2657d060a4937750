/**
 * Parses dates and durations. A time without a zone is UTC, independently of the machine's time zone.
 *
 *   date      = yyyy-MM-dd [("T" | " ") hh:mm [":" ss ["." fraction]] [zone]]        zone = "Z" | ("+" | "-") hh [":"] mm
 *   moment    = date | "now" math* | date "||" math*                                  as Elasticsearch writes them
 *   math      = ("+" | "-") [digits] unit | "/" unit                                  unit = y M w d h H m s; "/" rounds down
 *   duration  = number ("w" | "d" | "h" | "m" | "s" | "ms" | "micros" | "nanos")
 */

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Milliseconds since 1970; NaN if the text is not a date or the date does not exist. */
export function parseDate(text: string): number {
  const found = DATE.exec(text.trim());
  if (found === null) return NaN;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "0", zone] = found;
  const [y, m, d] = [Number(year), Number(month) - 1, Number(day)];
  const date = new Date(0);
  // Not Date.UTC, which reads years below 100 as 19xx.
  date.setUTCFullYear(y, m, d);
  if (date.getUTCMonth() !== m || date.getUTCDate() !== d) return NaN;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return NaN;
  const timeMs =
    ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000 + Math.floor(Number(fraction) * 1_000);
  return date.getTime() + timeMs - zoneMs(zone);
}

function zoneMs(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith("-") ? -1 : 1) * minutes * 60_000;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  micros: 1e-3,
  nanos: 1e-6,
};

/** `10d` in milliseconds; NaN if the text is not a duration with a unit. */
export function parseDuration(text: string): number {
  const found = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text.trim());
  if (found === null) return NaN;
  return Number(found[1]) * (UNIT_MS[found[2].toLowerCase()] ?? NaN);
}

const MOMENT_UNITS = ["y", "M", "w", "d", "h", "H", "m", "s"] as const;
type MomentUnit = (typeof MOMENT_UNITS)[number];

type MomentStep =
  | { readonly kind: "add"; readonly amount: number; readonly unit: MomentUnit }
  | { readonly kind: "round"; readonly unit: MomentUnit };

/** Plain data. */
export interface Moment {
  /** Null: the time of the request. */
  readonly fixedMs: number | null;
  readonly steps: readonly MomentStep[];
}

/** Null if the text is not a moment. */
export function parseMoment(text: string): Moment | null {
  const trimmed = text.trim();
  const separator = trimmed.indexOf("||");
  let fixedMs: number | null = null;
  let math = "";
  if (/^now/i.test(trimmed)) math = trimmed.slice(3);
  else {
    fixedMs = parseDate(separator < 0 ? trimmed : trimmed.slice(0, separator));
    if (Number.isNaN(fixedMs)) return null;
    if (separator >= 0) math = trimmed.slice(separator + 2);
  }
  if (!/^(?:[+-]\d*[yMwdhHms]|\/[yMwdhHms])*$/.test(math)) return null;
  const steps = [...math.matchAll(/([+\-/])(\d*)([yMwdhHms])/g)].map(([, sign, digits, letter]): MomentStep => {
    const unit = MOMENT_UNITS.find((known) => known === letter) ?? "d";
    if (sign === "/") return { kind: "round", unit };
    const amount = digits === "" ? 1 : Number(digits);
    return { kind: "add", amount: sign === "-" ? -amount : amount, unit };
  });
  return { fixedMs, steps };
}

/** Milliseconds since 1970. */
export function momentMs({ fixedMs, steps }: Moment, nowMs: number): number {
  const date = new Date(fixedMs ?? nowMs);
  for (const step of steps) {
    if (step.kind === "add") add(date, step.amount, step.unit);
    else roundDown(date, step.unit);
  }
  return date.getTime();
}

function add(date: Date, amount: number, unit: MomentUnit): void {
  switch (unit) {
    case "y":
      addMonths(date, amount * 12);
      return;
    case "M":
      addMonths(date, amount);
      return;
    case "w":
    case "d":
    case "h":
    case "H":
    case "m":
    case "s":
      date.setTime(date.getTime() + amount * UNIT_MS[unit.toLowerCase()]);
      return;
  }
}

/** January 31 plus one month is the last day of February. */
function addMonths(date: Date, months: number): void {
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
}

function roundDown(date: Date, unit: MomentUnit): void {
  switch (unit) {
    case "y":
      date.setUTCMonth(0, 1);
      date.setUTCHours(0, 0, 0, 0);
      return;
    case "M":
      date.setUTCDate(1);
      date.setUTCHours(0, 0, 0, 0);
      return;
    case "w":
      // Weeks start on Monday.
      date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
      date.setUTCHours(0, 0, 0, 0);
      return;
    case "d":
      date.setUTCHours(0, 0, 0, 0);
      return;
    case "h":
    case "H":
      date.setUTCMinutes(0, 0, 0);
      return;
    case "m":
      date.setUTCSeconds(0, 0);
      return;
    case "s":
      date.setUTCMilliseconds(0);
      return;
  }
}
