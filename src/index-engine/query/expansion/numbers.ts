/**
 * Other ways to write numbers, sizes, units and article codes:
 *
 *   15 inch   =  15in, 15 in, 15zoll, 15 zoll ...
 *   2,5kg     =  2.5 kg, 2.5 kilo ...                (analysis turns 2,5 into 2.5)
 *   XYZ-123   =  xyz123           xyz123 =  xyz 123           wh1000 xm4  =  wh 1000xm4
 *
 * A number with a unit: every spelling of the unit, after the number or in one term with it. Trailing zeros are
 * ignored: 2.50 kg is 2.5 kg, 2 kg is 2.0 kg. Shoppers leave out the decimals of screens: 15 inch is also 15.6 inch.
 *
 * A code: adjacent words, at least one of them with a digit. They are joined and split anew at any of the places where
 * letters meet digits. Two numbers are not joined (sizes "27 144" are not 27144) unless they are as long as an article
 * number. Letters of two words are not a part of a code ("galaxy s7" is not "galaxys 7").
 */
import { unitAliases } from "../../analysis/index.ts";
import { canBeOne, hasDigit, isNumber, piecesOf } from "./pieces.ts";

/** Alternatives of words [first, first + count); all terms of an alternative must match. Plain data. */
interface NumberForm {
  readonly first: number;
  readonly count: number;
  readonly alternatives: string[][];
  /** A number with a unit. */
  readonly isMeasure: boolean;
}

const MOST_WORDS = 3;
/** If more cuts are possible, only one cut at a time is tried. */
const MOST_CUTS = 3;

/**
 * Distinct alternatives per position, without the typed form; positions without alternatives are left out.
 * @param words in typed order
 * @param aliases other spellings of a unit; empty if it is not a unit
 */
export function numberForms(
  words: readonly string[],
  aliases: (term: string) => readonly string[] = unitAliases,
): NumberForm[] {
  const forms: NumberForm[] = [];
  for (let first = 0; first < words.length; first++) {
    for (let count = 1; count <= MOST_WORDS && first + count <= words.length; count++) {
      const some = words.slice(first, first + count);
      if (!some.some(hasDigit)) continue;
      const typed = some.join(" ");
      const found = new Map<string, string[]>();
      const spellings = measures(some, aliases);
      for (const alternative of [...spellings, ...codes(some)]) {
        const key = alternative.join(" ");
        if (key !== typed && !found.has(key)) found.set(key, alternative);
      }
      if (found.size > 0) {
        const isMeasure = spellings.length > 0;
        forms.push({ first, count, alternatives: [...found.values()], isMeasure });
      }
    }
  }
  return forms;
}

/** Spellings of one number with a unit, typed as one word or two. */
export function measures(
  words: readonly string[],
  aliases: (term: string) => readonly string[] = unitAliases,
): string[][] {
  const [number, unit, ...more] = words.length === 1 ? piecesOf(words[0]) : words;
  if (number === undefined || unit === undefined || more.length > 0 || !isNumber(number)) return [];
  const others = aliases(unit);
  if (others.length === 0) return [];
  const alternatives: string[][] = [];
  for (const value of sameNumbers(number)) {
    for (const spelling of [unit, ...others]) {
      alternatives.push([value + spelling], [value, spelling]);
    }
  }
  return alternatives;
}

const INCHES: ReadonlySet<string> = new Set(["inch", ...unitAliases("inch")]);
/** Smaller things, as knives, are not named without decimals. */
const WHOLE_INCHES = /^\p{Nd}{2}$/u;

/** A whole number of inches with each decimal: "15 inch" as 15.1 inch ... 15.9 inch. */
export function decimalInches(words: readonly string[]): string[][] {
  const [number, unit, ...more] = words.length === 1 ? piecesOf(words[0]) : words;
  if (number === undefined || unit === undefined || more.length > 0) return [];
  if (!WHOLE_INCHES.test(number) || !INCHES.has(unit)) return [];
  return Array.from({ length: 9 }, (_, i) => `${number}.${i + 1}`).flatMap((decimal) => [
    ...Array.from(INCHES, (spelling) => [decimal, spelling]),
    ...["in", "inch"].map((spelling) => [decimal + spelling]),
  ]);
}

const DECIMALS = /^(\p{Nd}+)\.(\p{Nd}{1,2})$/u;

/** Without trailing zeros; an integer also with one decimal zero. Three decimals stay: they may be thousands. */
function sameNumbers(number: string): string[] {
  const [, whole, decimals] = DECIMALS.exec(number) ?? [];
  if (whole === undefined || decimals === undefined) {
    return number.includes(".") ? [number] : [number, `${number}.0`];
  }
  const shortened = decimals.replace(/0+$/, "");
  const shorter = shortened === "" ? [whole, `${whole}.0`] : [`${whole}.${shortened}`];
  return [...new Set([number, ...shorter])];
}

/** The words joined, and the result split where letters meet digits. */
function codes(words: readonly string[]): string[][] {
  if (!canBeOne(words)) return [];
  // Pieces, and the pieces before which a cut is possible. Typed words are joined, so there is no cut between them.
  const pieces: string[] = [];
  const cuts: number[] = [];
  // Pieces at which a typed word begins.
  const starts = new Set<number>();
  for (const word of words) {
    starts.add(pieces.length);
    piecesOf(word).forEach((piece, i) => {
      if (i > 0) cuts.push(pieces.length);
      pieces.push(piece);
    });
  }
  const chosen: number[][] = [];
  if (cuts.length <= MOST_CUTS) {
    for (let subset = 0; subset < 1 << cuts.length; subset++) {
      chosen.push(cuts.filter((_, i) => ((subset >> i) & 1) === 1));
    }
  } else {
    chosen.push([], ...cuts.map((cut) => [cut]), cuts);
  }
  const isPart = (first: number, end: number): boolean =>
    pieces.slice(first, end).some(hasDigit) || !pieces.slice(first + 1, end).some((_, i) => starts.has(first + 1 + i));
  return chosen
    .sort((a, b) => a.length - b.length)
    .map((places) => [0, ...places, pieces.length])
    .filter((bounds) => bounds.slice(1).every((end, i) => isPart(bounds[i], end)))
    .map((bounds) => bounds.slice(1).map((end, i) => pieces.slice(bounds[i], end).join("")));
}
