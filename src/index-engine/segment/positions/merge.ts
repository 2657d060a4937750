/** Merges title forward indexes. Reads rows twice, because codes depend on the frequency of terms. */
import type { SectionWriter } from "../format/index.ts";
import type { TitleViews } from "./reader.ts";
import { NO_STEM, writeStemForms } from "./stem-forms.ts";
import { TitlesWriter } from "./writer.ts";

const ROWS_PER_STEP = 1_250;

interface TitlesInput {
  readonly titles: TitleViews;
  /** Term ordinal -> merged ordinal. */
  readonly termMap: Uint32Array;
}

/** @param products input and row of each merged row */
export function* mergeTitles(
  sections: SectionWriter,
  inputs: readonly TitlesInput[],
  products: { readonly input: ArrayLike<number>; readonly row: ArrayLike<number> },
  termCount: number,
): Generator<void, void, void> {
  const sources = inputs.map(({ titles, termMap }) => {
    const { codes, fields, heads } = titles;
    return { cursor: titles.cursor(), codes, fields, heads, termMap };
  });
  const rowCount = products.row.length;
  const terms = new Uint32Array(termCount);
  const fields = new Map<string, number>();
  for (let row = 0; row < rowCount; row++) {
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
    const source = sources[products.input[row]];
    const { cursor, codes, termMap } = source;
    cursor.open(products.row[row]);
    while (cursor.next()) {
      const field = source.fields[cursor.field];
      fields.set(field, (fields.get(field) ?? 0) + 1);
      if (cursor.isRepeated) continue;
      for (let i = 0; i < cursor.length; i++) terms[termMap[codes.ordinalOf(cursor.codes[i])]]++;
    }
  }
  yield;
  const writer = yield* TitlesWriter.for({ terms, fields }, rowCount);
  yield;
  for (let row = 0; row < rowCount; row++) {
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
    const source = sources[products.input[row]];
    const { cursor, codes, heads, termMap } = source;
    cursor.open(products.row[row]);
    writer.beginRow(cursor.isWhole, heads === null ? null : heads[products.row[row]]);
    while (cursor.next()) {
      writer.beginText(source.fields[cursor.field]);
      if (cursor.isRepeated) continue;
      for (let i = 0; i < cursor.length; i++) {
        writer.term(termMap[codes.ordinalOf(cursor.codes[i])]);
      }
    }
  }
  writer.finish(sections);
  yield;
  const stemOf = new Uint32Array(termCount).fill(NO_STEM);
  for (const { titles, termMap } of inputs) {
    titles.stemForms.each((stem, form) => {
      const merged = termMap[form];
      // Only terms in titles that remain.
      if (merged < termCount && terms[merged] > 0) stemOf[merged] = termMap[stem];
    });
    yield;
  }
  yield* writeStemForms(sections, stemOf);
  yield;
}
