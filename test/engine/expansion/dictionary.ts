// Dictionaries for the tests of expansion: written and read as a segment's are; and the plain arrays they are compared
// with.
import { STEM_PREFIX } from "../../../src/index-engine/segment/model/index.ts";
import { SectionWriter } from "../../../src/index-engine/segment/format/section-writer.ts";
import { SectionViews } from "../../../src/index-engine/segment/format/sections.ts";
import { run } from "../../../src/index-engine/base/steps.ts";
import { FrontCodedTable, FrontCodedWriter } from "../../../src/index-engine/segment/strings/index.ts";
import { sortByCodePoints } from "../../../src/index-engine/base/index.ts";
import { compareUtf8 } from "../support/products.ts";

export function sortedTerms(terms: Iterable<string>): string[] {
  return sortByCodePoints([...new Set(terms)]);
}

export function dictionaryOf(terms: Iterable<string>): FrontCodedTable {
  return tableOf(sortedTerms(terms));
}

/** In this order. */
export function tableOf(texts: readonly string[]): FrontCodedTable {
  const writer = new FrontCodedWriter();
  for (const text of texts) writer.add(text);
  const sections = new SectionWriter();
  writer.finish(sections, 2, 3);
  const bytes = run(sections.finish({ language: "en", analysisVersion: 1 }));
  return new FrontCodedTable(new SectionViews(bytes), 2, 3);
}

export interface CountedTerm {
  readonly term: string;
  readonly documentFrequency: number;
}

export function mostFrequentFirst(a: CountedTerm, b: CountedTerm): number {
  return b.documentFrequency - a.documentFrequency || compareUtf8(a.term, b.term);
}

export function isStem(term: string): boolean {
  return term.startsWith(STEM_PREFIX);
}

/** Distinct ones of `_word_`. */
export function trigrams(word: string): Set<string> {
  const bordered = [..."_", ...word, ..."_"];
  return new Set(bordered.flatMap((_, i) => (i < 2 ? [] : [bordered.slice(i - 2, i + 1).join("")])));
}

/** Full matrix, no band, no early exit: what editCost computes. */
export function plainCost(from: string, to: string, firstLetter: number): number {
  const a = [...from];
  const b = [...to];
  const costs: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    costs.push([]);
    for (let j = 0; j <= b.length; j++) {
      const ways: number[] = [];
      if (i === 0 && j === 0) ways.push(0);
      if (i > 0) ways.push(costs[i - 1][j] + (i === 1 ? firstLetter : 1));
      if (j > 0) ways.push(costs[i][j - 1] + (j === 1 ? firstLetter : 1));
      if (i > 0 && j > 0) {
        const touches = i === 1 || j === 1;
        const cost = a[i - 1] === b[j - 1] ? 0 : touches ? firstLetter : 1;
        ways.push(costs[i - 1][j - 1] + cost);
      }
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        ways.push(costs[i - 2][j - 2] + (i === 2 || j === 2 ? firstLetter : 1));
      }
      costs[i].push(Math.min(...ways));
    }
  }
  return costs[a.length][b.length];
}
