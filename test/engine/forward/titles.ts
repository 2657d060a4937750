/** Products with titles, and what a segment says of them. */
import fc from "fast-check";
import type { FieldText, IndexableProduct, NormGroup, Segment } from "../../../src/index-engine/segment/model/index.ts";
import {
  build as buildProducts,
  compareUtf8,
  plainAnalyzer,
  product,
  productId,
  type Built,
} from "../support/products.ts";
import { plainTitles, type Analysis, type PlainTitles } from "../support/slow-titles.ts";

/** Fields whose name begins with `title` are titles, those with `long` prose. */
export function normGroup(field: string): NormGroup {
  return field.startsWith("title") ? "title" : field.startsWith("long") ? "text" : "short";
}

export const ANALYSIS: Analysis = { terms: (text) => plainAnalyzer.terms(text), normGroup };

export function titlesOf(given: IndexableProduct): PlainTitles {
  return plainTitles(given, ANALYSIS);
}

/** A word stands for all words with its stem. */
export function standsFor(word: string): (token: string) => boolean {
  return (token) => plainAnalyzer.stem(word) === plainAnalyzer.stem(token);
}

export function titlesIn(segment: Segment, row: number): PlainTitles {
  const { titles } = segment;
  const cursor = titles.cursor();
  cursor.open(row);
  const texts: { field: string; words: string[] }[] = [];
  while (cursor.next()) {
    const codes = [...cursor.codes.subarray(0, cursor.length)];
    const words = codes.map((code) => segment.terms.get(titles.term(code)));
    texts.push({ field: titles.fields[cursor.field], words });
  }
  return { isWhole: cursor.isWhole, texts };
}

export function build(products: readonly IndexableProduct[], storedBlock?: string): Built {
  return buildProducts(products, storedBlock, normGroup);
}

// ---- random titles

export const WORDS = ["shoe", "shoes", "red", "reds", "boot", "xs", "x", "é", "𝒳", "run"];
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 7 }).map((words) => words.join(" "));
const longText = fc.array(fc.constantFrom(...WORDS), { minLength: 50, maxLength: 80 }).map((words) => words.join(" "));
const field = fc.constantFrom("title", "title", "title", "title-b", "title-ü", "brand", "long");
const fieldText = fc.record({
  field,
  text: fc.oneof({ weight: 12, arbitrary: text }, { weight: 1, arbitrary: longText }),
});
const texts: fc.Arbitrary<FieldText[]> = fc.array(fieldText, { maxLength: 4 });

export const anyTitled: fc.Arbitrary<IndexableProduct> = fc
  .record({
    id: productId,
    texts,
    variants: fc.oneof(
      { weight: 3, arbitrary: fc.constant<FieldText[][]>([]) },
      { weight: 1, arbitrary: fc.array(texts, { maxLength: 2 }) },
    ),
  })
  .map(({ id, texts: own, variants }) =>
    product(
      id,
      { texts: own },
      variants.map((ofVariant) => ({ texts: ofVariant })),
    ),
  );

/** Products by row of the segment that is built from them: of equal ids the last one counts. */
export function byRow(products: readonly IndexableProduct[]): IndexableProduct[] {
  return [...new Map(products.map((each) => [each.id, each])).values()].sort((a, b) => compareUtf8(a.id, b.id));
}
