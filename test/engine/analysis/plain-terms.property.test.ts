/** Terms of plain texts as bytes against the terms as strings. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzerFor, type Analyzer } from "../../../src/index-engine/analysis/index.ts";
import { forAll, runs } from "../../support/property.ts";

function plainTermsOf(analyzer: Analyzer, text: string): string[] | null {
  const plain = analyzer.plainTerms(text);
  if (plain === null) return null;
  const decoder = new TextDecoder();
  return Array.from({ length: plain.count }, (_, i) =>
    decoder.decode(plain.bytes.subarray(i === 0 ? 0 : plain.ends[i - 1], plain.ends[i])),
  );
}

const characters = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(..."aZ09.,'\"& -#;<>`") },
  fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
);
const PIECES = [
  "d'olive",
  '15.6"',
  "5''",
  "1,299.00",
  "men's",
  "&amp;",
  "&#65;",
  "A&B",
  "R & D",
  "<b>",
  "Ä",
  "x".repeat(63),
];
const pieces = fc.constantFrom(...PIECES);

describe("plain terms", () => {
  for (const language of ["en", "fr", "tr", ""]) {
    it(`are the terms of ${language === "" ? "no language" : language}, or none`, () => {
      const analyzer = analyzerFor(language);
      const texts = fc.array(fc.oneof({ weight: 8, arbitrary: characters }, pieces), { maxLength: 30 });
      forAll(runs(2_000), texts, (parts) => {
        const text = parts.join("");
        const plain = plainTermsOf(analyzer, text);
        if (plain !== null) expect(plain).toEqual(analyzer.terms(text));
      });
    });
  }

  it("are there for texts up to a length", () => {
    const en = analyzerFor("en");
    for (const filler of ["a ", "word ", "XY-1/"]) {
      const text = filler.repeat(3_000);
      expect(plainTermsOf(en, text.slice(0, 4_096))).toEqual(en.terms(text.slice(0, 4_096)));
      expect(plainTermsOf(en, text.slice(0, 4_097))).toBeNull();
    }
  });

  it.each([
    ["en", "Men's T-Shirt, R & D 2,5 kg (XYZ-123)", "mens t shirt r d 2.5 kg xyz 123"],
    ["en", 'The "Best" of', "the best of"],
    ["en", "", ""],
    // Those that need more than reading them.
    ["en", 'TV 55"', null],
    ["en", "Stra\u00dfe", null],
    ["en", "<b>bi</b>cycle", null],
    ["en", "&eacute;", null],
    ["en", "x".repeat(65), null],
    ["fr", "huile d'olive", null],
  ])("of %s: %s", (language, text, expected) => {
    expect(plainTermsOf(analyzerFor(language), text)?.join(" ") ?? null).toBe(expected);
  });
});
