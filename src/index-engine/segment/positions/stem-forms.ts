/**
 * Maps stems to their terms in titles. Titles have exact terms, but queries also use stems, which are in the dictionary
 * under STEM_PREFIX. With this table, the terms of a stem are known without analysing texts again.
 *
 *   heads  per 16 entries u32 x 2: ordinal of the first stem, start of its entry in the bytes
 *   bytes  entry = varint: stem ordinal minus that of the previous entry (0 for the first of a block)
 *                  then its terms, ascending, each as a varint `difference << 1 | more follow`. The difference of the
 *                  first term is from the first term of the previous entry (0 at the start of a block) and may be
 *                  negative: d is written as (d >= 0 ? 2d : -2d - 1). Others are from the previous term
 *
 * Stems and terms are both sorted, so the first term of a stem usually follows shortly after that of the previous stem,
 * which takes 1 or 2 bytes. Example: "run" (ordinal 3) of "running" (39) and "runs" (40), "shoe" (5) of "shoes" (50):
 *   heads [3, 0], bytes 00, 9d 01 (39: 78 << 1 | 1), 02 (1 << 1) | 02, 2c (11: 22 << 1)
 *
 * Only has terms in titles that differ from their stem. A stem that is itself a term is looked up as a term.
 */
import { firstBehind, GrowableU32, PiecedBytes, readVarint, varint } from "../../base/index.ts";
import { SECTION, type SectionWriter, type SectionViews } from "../format/index.ts";

export const NO_STEM = 0xffffffff;
const ENTRIES_PER_BLOCK = 16;

const TERMS_PER_STEP = 16_384;

/** @param stemOf term ordinal -> ordinal of its stem; NO_STEM if it has none or is not in titles */
export function* writeStemForms(sections: SectionWriter, stemOf: Uint32Array): Generator<void, void, void> {
  // Counting sort by stem, stable for the forms of a stem.
  const ends = new Uint32Array(stemOf.length + 1);
  for (let form = 0; form < stemOf.length; form++) {
    if (form % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
    if (stemOf[form] !== NO_STEM) ends[stemOf[form] + 1]++;
  }
  yield;
  for (let stem = 0; stem < stemOf.length; stem++) ends[stem + 1] += ends[stem];
  const total = ends[stemOf.length];
  const forms = new Uint32Array(total);
  const next = ends.slice();
  yield;
  for (let form = 0; form < stemOf.length; form++) {
    if (form % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
    if (stemOf[form] !== NO_STEM) forms[next[stemOf[form]]++] = form;
  }
  yield;
  const heads = new GrowableU32();
  const bytes = new PiecedBytes();
  let entries = 0;
  let previousStem = 0;
  let previousForm = 0;
  for (let stem = 0; stem < stemOf.length; stem++) {
    if (stem % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
    const start = ends[stem];
    const end = ends[stem + 1];
    if (start === end) continue;
    if (entries++ % ENTRIES_PER_BLOCK === 0) {
      heads.push(stem);
      heads.push(bytes.length);
      previousStem = stem;
      previousForm = 0;
    }
    bytes.pushVarint(stem - previousStem);
    previousStem = stem;
    for (let i = start; i < end; i++) {
      const difference = forms[i] - (i === start ? previousForm : forms[i - 1]);
      const written = i > start ? difference : difference >= 0 ? difference * 2 : -difference * 2 - 1;
      bytes.pushVarint(written * 2 + (i + 1 < end ? 1 : 0));
    }
    previousForm = forms[start];
  }
  sections.set(SECTION.stemFormHeads, heads.view());
  sections.setPieces(SECTION.stemFormBytes, bytes.pieces());
}

export class StemForms {
  readonly #views: SectionViews;

  constructor(views: SectionViews) {
    this.#views = views;
  }

  /** Ascending ordinals of the terms in titles that have this stem. */
  of(stem: number): number[] {
    const heads = this.#views.u32(SECTION.stemFormHeads);
    const next = firstBehind(0, heads.length >>> 1, (block) => heads[block * 2] > stem);
    if (next === 0) return [];
    const forms: number[] = [];
    this.#scan(next - 1, (entry, form) => {
      if (entry === stem) forms.push(form);
      return entry <= stem;
    });
    return forms;
  }

  /** Visits all pairs of stem and form, ascending by stem, then by form. */
  each(visit: (stem: number, form: number) => void): void {
    const blocks = this.#views.u32(SECTION.stemFormHeads).length >>> 1;
    for (let block = 0; block < blocks; block++) {
      this.#scan(block, (stem, form) => {
        visit(stem, form);
        return true;
      });
    }
  }

  /** Visits the pairs of a block until `visit` returns false. */
  #scan(block: number, visit: (stem: number, form: number) => boolean): void {
    const heads = this.#views.u32(SECTION.stemFormHeads);
    const bytes = this.#views.u8(SECTION.stemFormBytes);
    let at = heads[block * 2 + 1];
    const end = block * 2 + 3 < heads.length ? heads[block * 2 + 3] : bytes.length;
    let stem = heads[block * 2];
    let firstForm = 0;
    while (at < end) {
      at = readVarint(bytes, at);
      stem += varint;
      let form = 0;
      for (let isFirst = true; ; isFirst = false) {
        at = readVarint(bytes, at);
        const difference = varint >>> 1;
        const isLast = (varint & 1) === 0;
        if (isFirst) {
          form = firstForm + (difference % 2 === 0 ? difference / 2 : -(difference + 1) / 2);
          firstForm = form;
        } else {
          form += difference;
        }
        if (!visit(stem, form)) return;
        if (isLast) break;
      }
    }
  }
}
