/**
 * Our stemmers beside Snowball's (the development dependency snowball-stemmers), each with its own spelling of the
 * words: ours folded, Snowball's with diacritics.
 *
 * 1. Of the pairs of product words that Snowball joins, we join nearly all (niño and niña, whom we keep apart on
 *    purpose, are in it).
 * 2. We join more of the forms of one word than Snowball does, in every language.
 * 3. English over the words of real catalogues: what we join Snowball joins, and of what Snowball joins by number we
 *    miss little.
 */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { newStemmer } from "snowball-stemmers";
import { describe, expect, test } from "vitest";
import { analyzerFor } from "../../../src/index-engine/analysis/index.ts";
import { agreement, pairsOf, productWords, stemIn } from "./product-words.ts";

/** Snowball's name and the least share of its pairs that we join; it has no Polish in this version. */
const ORACLES: Readonly<Record<string, readonly [name: string, floor: number]>> = {
  cs: ["czech", 0.99],
  da: ["danish", 0.99],
  de: ["german", 0.99],
  en: ["english", 0.99],
  es: ["spanish", 0.95],
  fr: ["french", 0.99],
  it: ["italian", 0.97],
  nl: ["dutch", 0.99],
  pt: ["portuguese", 0.97],
  sv: ["swedish", 0.99],
};

test.each(Object.entries(ORACLES))("1, 2: product words: %s beside %j", (language, [name, floor]) => {
  const snowball = newStemmer(name);
  const ours = stemIn(language);
  const theirs = (word: string): string => snowball.stem(word.toLowerCase());
  const lines = productWords(language);
  const found = agreement([...new Set(lines.flat())], ours, theirs);
  expect(found.pairs).toBeGreaterThan(90);
  expect(found.joined).toBeGreaterThanOrEqual(floor);

  const pairs = lines.flatMap((forms) => pairsOf(forms));
  const share = (stem: (word: string) => string): number =>
    pairs.filter(([left, right]) => stem(left) === stem(right)).length / pairs.length;
  expect(share(ours)).toBeGreaterThan(share(theirs));
});

describe("real catalogues", () => {
  const directory = new URL("../../../../shared/data/", import.meta.url);
  const files = ["icecat", "bestbuy", "magento"].map((name) => new URL(`${name}/products.ndjson.gz`, directory));
  const present = files.every((file) => existsSync(file));

  test.skipIf(!present)("3: English (skipped where ../shared/data is absent)", () => {
    const analyzer = analyzerFor("en");
    const words = new Set<string>();
    for (const file of files)
      for (const line of gunzipSync(readFileSync(file)).toString().trim().split("\n"))
        for (const [, text] of line.matchAll(/"(?:title|description)":("(?:[^"\\]|\\.)*")/g))
          for (const term of analyzer.terms(String(JSON.parse(text ?? '""'))))
            if (/^[a-z]{3,}$/.test(term)) words.add(term);
    const snowball = newStemmer("english");
    const vocabulary = [...words];
    const theirs = (word: string): string => snowball.stem(word);
    const all = agreement(vocabulary, (word) => analyzer.stem(word), theirs);

    const byNumber = vocabulary.filter((word) => word.endsWith("s") && words.has(word.slice(0, -1)));
    const joinedByBoth = byNumber.filter((word) => theirs(word) === theirs(word.slice(0, -1)));
    const missed = joinedByBoth.filter((word) => analyzer.stem(word) !== analyzer.stem(word.slice(0, -1)));
    console.info(
      `English beside Snowball: ${vocabulary.length} words, ${all.pairs} pairs of Snowball's, ${percent(all.joined)} of them ours; ` +
        `${percent(all.shared)} of ours Snowball's; number: ${joinedByBoth.length} pairs, ${missed.length} missed`,
    );
    expect(vocabulary.length).toBeGreaterThan(8000);
    // The others are mostly spellings (gray, grey), which Snowball does not know.
    expect(all.shared).toBeGreaterThanOrEqual(0.97);
    expect(all.joined).toBeGreaterThanOrEqual(0.58);
    expect(missed.length < joinedByBoth.length * 0.02 ? [] : missed).toEqual([]);
  });
});

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
