/**
 * Marks and places over random texts, held against slow and obvious twins.
 *
 * 1. Placed terms are those of the analyzer, and each is what the analyzer makes of the text at its place, for all
 *    languages.
 * 2. The plain text of a text without markup is the text; that of any text has the same terms.
 * 3. Marks cover exactly the terms that stand for a word of the query: an alternative, another form of one, a
 *    beginning, a part; of a word written apart where the text has all parts.
 * 4. The html is the text, once marks are taken out and escapes are undone.
 * 5. A fragment is a part of the text, not longer than it may be, and no other stretch of it has marks for more words
 *    of the query.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { analyzerFor, isUnspaced, plainText, termsWithPlaces } from "../../../src/index-engine/analysis/index.ts";
import { run } from "../../../src/index-engine/base/index.ts";
import { bestFragment, Highlighter, FieldSelection } from "../../../src/index-engine/answer/highlight/index.ts";
import { FRAGMENT_LENGTH } from "../../../src/index-engine/answer/highlight/fragment.ts";
import { STEM_PREFIX } from "../../../src/index-engine/segment/model/index.ts";
import { termGroup, type AlternativeOrigin, type TermGroup } from "../../../src/index-engine/query/rank/index.ts";
import { forAll, runs, seed } from "../../support/property.ts";

const LANGUAGES = ["en", "de", "fr", "sv", "tr", "ja", "xx"];
const language = fc.constantFrom(...LANGUAGES);

const PIECES = `
  shoe Shoes RUNNING run Müller Mu\u0308ller Straße naïve Œuvre d'olive men's ΟΔΟΣ Σ όσος İstanbul ﬁn ½ 2,5
  15.6" 15'' 5″ XYZ-123 kg 東京 タワー ｶﾞ 한글 \u1112\u1161\u11ab 👟 x\u0301\u0302 \u0301 ſ ㎏ … “so” 1.000,50 l’huile
  ﷺ`
  .trim()
  .split(/\s+/);
const MARKUP = ["<b>", "</b>", "<p>", "<br/>", "&amp;", "&uuml;", "&nbsp;", "&lt;", "<!-- x -->", "<", "a<b"];
const GAPS = [" ", " ", " ", "", "-", ", ", "\n", "\u00a0", "/", "."];

const textOf = (pieces: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...GAPS)), { maxLength })
    .map((all) => all.flat().join(""));
const anyText = fc.oneof(
  { weight: 4, arbitrary: textOf(PIECES, 12) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
);

test(`1: places (seed ${seed})`, () => {
  forAll(runs(300), anyText, language, (source, code) => {
    const analyzer = analyzerFor(code);
    const text = plainText(source);
    const placed = termsWithPlaces(text, analyzer);
    // What looks like markup or an entity in a plain text is text, which `terms` cannot know.
    if (!/[<&]/.test(text)) expect(placed.map(({ term }) => term)).toEqual(analyzer.terms(text));
    let before = 0;
    for (const { term, start, end } of placed) {
      expect(start < end && end <= text.length).toBe(true);
      const part = text.slice(start, end);
      if (!/["”'′″]/.test(part) && !hasNeighbours(part)) {
        expect(analyzer.terms(part)).toContain(term);
      }
      // The characters of scripts without spaces follow after all other terms.
      if (!isUnspaced(term)) expect(end >= before).toBe(true);
      before = Math.max(before, end);
    }
  });
});

/**
 * Letters whose term depends on what stands around: sigmas, compatibility forms of several words, letters with their
 * parts.
 */
function hasNeighbours(part: string): boolean {
  return /[\u1100-\u11ffΣσς½ﷺ㎏]/u.test(part) || part.normalize("NFKD") !== part;
}

test(`2: plain text (seed ${seed})`, () => {
  forAll(runs(300), textOf([...PIECES, ...MARKUP], 12), language, (source, code) => {
    const analyzer = analyzerFor(code);
    const text = plainText(source);
    expect(termsWithPlaces(text, analyzer).map(({ term }) => term)).toEqual(analyzer.terms(source));
    if (!/[<&]/.test(source)) expect(text).toBe(source);
  });
});

const WORDS = "shoe shoes running run red straße müller head phones 東京".split(" ");
const word = fc.constantFrom(...WORDS);
const group: fc.Arbitrary<TermGroup> = fc
  .record({
    typed: word,
    prefix: fc.option(fc.constantFrom("ru", "sho", "r")),
    parts: fc.option(fc.tuple(word, word)),
    origin: fc.constantFrom<AlternativeOrigin>("split", "synonym"),
    typo: fc.option(word),
  })
  .map(({ typed, prefix, parts, origin, typo }) => {
    const analyzer = analyzerFor("en");
    const folded = (text: string): string => analyzer.terms(text)[0] ?? "";
    const own = termGroup(analyzer, folded(typed));
    const subQueries: NonNullable<TermGroup["subQueries"]>[number][] = [];
    if (prefix !== null) subQueries.push({ kind: "prefix", prefix, factor: 0.7 });
    if (parts !== null) {
      const groups = parts.map((part) => termGroup(analyzer, folded(part)));
      subQueries.push({ kind: "all", groups, factor: 0.9, slop: null, origin });
    }
    const typos = typo === null ? [] : [{ term: folded(typo), factor: 0.6 }];
    return { ...own, alternatives: [...own.alternatives, ...typos], subQueries };
  });

/** The obvious twin of TermMatcher. */
function standsFor(term: string, text: readonly string[], { alternatives, subQueries = [] }: TermGroup): boolean {
  const stem = analyzerFor("en").stem(term);
  return (
    alternatives.some((one) => one.term === term || (one.term === STEM_PREFIX + stem && stem !== term)) ||
    subQueries.some((whole) =>
      whole.kind === "prefix"
        ? term.startsWith(whole.prefix)
        : whole.groups.some((part) => standsFor(term, text, part)) &&
          (whole.origin !== "split" ||
            whole.groups.every((part) => text.some((other) => standsFor(other, text, part)))),
    )
  );
}

const shopText = textOf([...WORDS, "Shoes,", "“Red”", "d'olive", '15"', "<shoe>", "R&D", "Müller's", "ruin"], 40);

test(`3 and 4: marks (seed ${seed})`, () => {
  const analyzer = analyzerFor("en");
  forAll(runs(300), fc.array(group, { minLength: 1, maxLength: 3 }), shopText, (groups, source) => {
    const found = run(new Highlighter(groups, analyzer, new FieldSelection(["*"]), "em").of({ title: source }));
    const text = plainText(source);
    const placed = termsWithPlaces(text, analyzer);
    const terms = placed.map(({ term }) => term);
    const matching = placed.filter(({ term }) => groups.some((one) => standsFor(term, terms, one)));
    const [only] = found["title"] ?? [];
    if (only === undefined) {
      expect(matching).toEqual([]);
      return;
    }
    const from = text.indexOf(only.text);
    expect(from).toBeGreaterThanOrEqual(0);
    expect(only.whole).toBe(text.length <= 200);
    if (only.whole) {
      expect(only.text).toBe(text);
      const marked = covered(only.marks);
      expect(marked).toEqual(covered(matching.map(({ start, end }) => [start, end])));
    }
    for (const [i, [start, end]] of only.marks.entries()) {
      expect(start < end && end <= only.text.length).toBe(true);
      expect(i === 0 || start > (only.marks[i - 1]?.[1] ?? 0)).toBe(true);
    }
    const unescaped = (html: string): string =>
      html
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&#39;", "'")
        .replaceAll("&amp;", "&");
    const inner = only.html.replace(/^…/, "").replace(/…$/, "");
    expect(unescaped(inner.replaceAll(/<\/?em>/g, ""))).toBe(only.text);
    const parts = [...inner.matchAll(/<em>(.*?)<\/em>/gsu)].map((match) => unescaped(match[1] ?? ""));
    expect(parts).toEqual(only.marks.map(([start, end]) => only.text.slice(start, end)));
  });
});

/** Units covered. */
function covered(spans: readonly (readonly [number, number])[]): number[] {
  const units = new Set<number>();
  for (const [start, end] of spans) for (let at = start; at < end; at++) units.add(at);
  return [...units].sort((a, b) => a - b);
}

test(`5: fragments (seed ${seed})`, () => {
  const sentence = fc.array(
    fc.tuple(
      fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat({ max: 3 }) }),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(" ", " ", "-", "  "),
    ),
    { minLength: 1, maxLength: 120 },
  );
  forAll(runs(300), sentence, (words) => {
    let text = "";
    const places: { start: number; end: number }[] = [];
    const marks: { start: number; end: number; group: number }[] = [];
    for (const [mark, length, gap] of words) {
      const place = { start: text.length, end: text.length + length };
      places.push(place);
      if (mark !== null) marks.push({ ...place, group: mark });
      text += "x".repeat(length) + gap;
    }
    if (marks.length === 0) return;
    const { start, end } = bestFragment(text, marks, places);
    expect(0 <= start && start < end && end <= text.length).toBe(true);
    expect(end - start).toBeLessThanOrEqual(FRAGMENT_LENGTH);
    const groupsIn = (from: number, to: number): number =>
      new Set(marks.filter((one) => one.start >= from && one.end <= to).map((one) => one.group)).size;
    const most = Math.max(...marks.map((one) => groupsIn(one.start, one.start + FRAGMENT_LENGTH)));
    expect(groupsIn(start, end)).toBeGreaterThanOrEqual(most);
    // Words stay whole.
    for (const place of places) {
      expect(place.end <= start || place.start >= start).toBe(true);
      expect(place.end <= end || place.start >= end).toBe(true);
    }
  });
});
