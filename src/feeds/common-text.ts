/**
 * Splits the titles of a product's rows into the words they share and the other words of each.
 *
 *   Rain jacket "Sylt" - Yellow, S
 *   Rain jacket "Sylt" - Blue, M      shared: Rain jacket "Sylt"       own: Yellow, S | Blue, M
 *
 * The shared words are the longest common sequence, found title by title. Adjacent words keep the text between them.
 */

/** A number with its unit, which only has a meaning together: `0.75 l`, `16 GB`, `14"`. */
const MEASURE = String.raw`\d[\d.,]*(?:["″]|\s?(?:[kmc]?g|[mcd]?l|[kmc]?m|k?wh?|v|m?ah|[kmgt]b|[mg]?hz|oz|lb|ft|in|inch|zoll|pcs|stk)(?![\p{L}\p{N}]))`;
/** Letters and digits, with signs inside: `3-seater`, `men's`, `32/34`. */
const PLAIN = String.raw`[\p{L}\p{N}]+(?:(?:[^\s\p{L}\p{N}/|]+|(?<=\d)/(?=\d))[\p{L}\p{N}]+)*`;
const WORD = new RegExp(`${MEASURE}|${PLAIN}`, "giu");
/** Words that introduce the next one. */
const LABELS: ReadonlySet<string> = new Set(
  "size gr größe groesse grösse taille talla maat color colour farbe couleur in".split(" "),
);
/** Of longer titles, the rest is ignored. */
const MAX_WORDS = 60;

interface Word {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

export interface SharedText {
  readonly shared: string;
  /** For each text; empty if it has no other words. */
  readonly own: readonly string[];
}

/** If the texts have no word in common, they share the most frequent text. */
export function sharedText(texts: readonly string[]): SharedText {
  const [first = ""] = texts;
  if (texts.every((one) => one === first)) return { shared: first, own: texts.map(() => "") };
  const words = texts.map(wordsOf);
  let common = (words[0] ?? []).map(({ key }) => key);
  for (const one of words.slice(1)) {
    const keys = one.map(({ key }) => key);
    const kept = placesInBoth(common, keys);
    common = common.filter((_, at) => kept.has(at));
  }
  // `Boots - Size 42` and `Boots - Size 43` share boots.
  while (LABELS.has(common.at(-1) ?? "")) common.pop();
  if (common.length === 0) {
    const shared = mostFrequent(texts);
    return { shared, own: texts.map((one) => (one === shared ? "" : one)) };
  }
  const shown = words.map((list, at): SharedText["own"][number] => {
    const inCommon = placesInBoth(
      list.map(({ key }) => key),
      common,
    );
    return textOf(texts[at] ?? "", list, (place) => !inCommon.has(place));
  });
  const [list = []] = words;
  const kept = placesInBoth(
    list.map(({ key }) => key),
    common,
  );
  return { shared: textOf(first, list, (place) => kept.has(place)), own: shown };
}

function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const one of texts) counts.set(one, (counts.get(one) ?? 0) + 1);
  let best = "";
  for (const [one, count] of counts) if (count > (counts.get(best) ?? 0)) best = one;
  return best;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].slice(0, MAX_WORDS).map((match) => ({
    key: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Places in `a` of its longest common sequence with `b`. */
function placesInBoth(a: readonly string[], b: readonly string[]): ReadonlySet<number> {
  const width = b.length + 1;
  // lengths[i][j]: of a from i on and b from j on.
  const lengths = new Uint8Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const places = new Set<number>();
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      places.add(i++);
      j++;
    } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  }
  return places;
}

const OPENING = /[("'[{«»„“#]/;
const CLOSING = /^[)"'\]}«»“”%!?.]*/;

/** The words that are kept, adjacent ones with the text between them, others with a space. */
function textOf(text: string, words: readonly Word[], isKept: (place: number) => boolean): string {
  let shown = "";
  for (const [at, { start, end }] of words.entries()) {
    if (!isKept(at)) continue;
    const before = text.slice(words[at - 1]?.end ?? 0, start);
    const next = words[at + 1]?.start ?? text.length;
    const isJoined = at === 0 || isKept(at - 1);
    shown += isJoined ? before : ` ${before.slice(endingFrom(before, OPENING))}`;
    shown += text.slice(start, end);
    if (!isKept(at + 1)) shown += CLOSING.exec(text.slice(end, next))?.[0] ?? "";
  }
  return tidied(shown);
}

const PAIRS = ["()", "[]", "{}", "“”", "„“"] as const;

/** Where the last run of such characters begins. An expression with `$` would try every start. */
function endingFrom(text: string, character: RegExp, end = text.length): number {
  let from = end;
  while (from > 0 && character.test(text.charAt(from - 1))) from--;
  return from;
}

const AT_END = /[\s\-–—,;:|/+]/u;
const BEFORE_END = /[\s([{]/u;
const AT_START = /^[\s\-–—,;:|/+)\]}]+/u;

/** Removes signs at both ends and unmatched brackets. */
function tidied(text: string): string {
  let shown = text;
  for (const pair of PAIRS) {
    const [open = "", close = ""] = pair;
    if (shown.split(open).length !== shown.split(close).length)
      shown = shown.replaceAll(open, "").replaceAll(close, "");
  }
  // Not those of inches.
  if (shown.split(/(?<!\d)"/).length % 2 === 0) shown = shown.replaceAll(/(?<!\d)"/g, "");
  const end = endingFrom(shown, AT_END);
  if (end < shown.length) shown = shown.slice(0, endingFrom(shown, BEFORE_END, end));
  return shown
    .replace(AT_START, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^\((.*)\)$/g, "$1")
    .trim();
}
