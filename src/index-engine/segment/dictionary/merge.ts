/**
 * Merges dictionaries and postings of several segments. Walks all dictionaries in parallel, with only the lists of the
 * current term in memory. A first pass counts signatures, because they are numbered by frequency.
 */
import { emptyBits, setBit, writeRows } from "../../base/index.ts";
import { NO_ROW, type Postings, type Segment } from "../model/index.ts";
import { PostingsWriter, SignatureTable, writeSignatures } from "../postings/index.ts";
import { SECTION, type SectionWriter } from "../format/index.ts";
import { FieldNumbers } from "./field-numbers.ts";
import { FrontCodedWriter, scanOf, StringMerge, type FrontCodedTable } from "../strings/index.ts";

/** The maps are row -> merged row, or NO_ROW. `variantRowMap` is only used with variantPostings. */
interface TermsInput {
  readonly segment: Segment;
  readonly terms: FrontCodedTable;
  readonly rowMap: Uint32Array;
  readonly variantRowMap: Uint32Array;
}

/** Merged ordinal of a term without live postings. */
const NO_TERM = 0xffffffff;
/** Postings between two steps. A list counts LIST_WORK in addition. */
const WORK_PER_STEP = 8_000;
const LIST_WORK = 10;

interface MergedTerms {
  /** By input: term ordinal -> merged ordinal, or NO_TERM. */
  readonly termMaps: readonly Uint32Array[];
  readonly termCount: number;
}

export function* mergeTerms(
  sections: SectionWriter,
  inputs: readonly TermsInput[],
  counts: { readonly products: number; readonly variantRows: number },
): Generator<void, MergedTerms, void> {
  const codeMaps = yield* mergeSignatures(sections, inputs);
  yield;
  const termMaps = inputs.map(({ terms }) => new Uint32Array(terms.size).fill(NO_TERM));
  const strings = new FrontCodedWriter();
  const postings = new PostingsWriter(counts.products);
  const hasVariantPostings = inputs.some(({ segment }) => segment.variantPostings !== null);
  const variantPostings = hasVariantPostings ? new PostingsWriter(counts.variantRows) : null;
  const lists = new ListMerger(counts.products);
  const variantLists = new ListMerger(hasVariantPostings ? counts.variantRows : 0);
  const merge = new StringMerge(inputs.map(({ terms }) => scanOf(terms)));
  yield;
  let work = 0;
  while (merge.next()) {
    lists.clear();
    variantLists.clear();
    for (const member of merge.members) {
      const { segment, rowMap, variantRowMap } = inputs[member];
      const { ordinal } = merge.scans[member];
      lists.add(segment.postings, ordinal, rowMap, codeMaps[member]);
      if (segment.variantPostings !== null) {
        variantLists.add(segment.variantPostings, ordinal, variantRowMap, null);
      }
    }
    work += LIST_WORK + lists.work + variantLists.work;
    if (lists.length > 0) {
      for (const member of merge.members) {
        termMaps[member][merge.scans[member].ordinal] = strings.size;
      }
      const { bytes, length } = merge.scans[merge.members[0]];
      strings.addBytes(bytes, length);
      lists.sort();
      postings.add(lists.rows, lists.codes, 0, lists.length);
      if (variantPostings !== null) {
        variantLists.sort();
        variantPostings.add(variantLists.rows, null, 0, variantLists.length);
      }
    }
    if (work > WORK_PER_STEP) {
      work = 0;
      yield;
    }
  }
  yield;
  const termCount = strings.size;
  strings.finish(sections, SECTION.termsIndex, SECTION.termsBytes);
  postings.finish(sections, SECTION.termPostings);
  variantPostings?.finish(sections, SECTION.variantTermPostings);
  return { termMaps, termCount };
}

const MOST_FREQUENCY = 255;

/** Entries of one signature. Fields that share a number become one entry. */
function joined(entries: readonly number[]): number[] {
  const numbers = new Set(entries.map((entry) => entry >>> 8));
  if (numbers.size === entries.length) return [...entries];
  return [...numbers].map((number) => {
    let frequency = 0;
    for (const entry of entries) if (entry >>> 8 === number) frequency += entry & 255;
    return number * 256 + Math.min(MOST_FREQUENCY, frequency);
  });
}

/** Writes search fields and signatures of live postings. Returns by input: signature -> merged signature. */
function* mergeSignatures(
  sections: SectionWriter,
  inputs: readonly TermsInput[],
): Generator<void, Uint32Array[], void> {
  const table = new SignatureTable();
  const fieldNumbers = new FieldNumbers();
  const counts: number[] = [0];
  const states: number[][] = [];
  let rows = new Uint32Array(16);
  let codes = new Uint32Array(16);
  let work = 0;
  for (const { segment, terms, rowMap } of inputs) {
    const fields = segment.searchFields.map((name) => fieldNumbers.of(name));
    const { signatures } = segment;
    const { starts, fields: entryFields, frequencies } = signatures;
    const stateOf: number[] = [];
    for (let signature = 0; signature < signatures.count; signature++) {
      const entries: number[] = [];
      for (let i = starts[signature]; i < starts[signature + 1]; i++) {
        entries.push(fields[entryFields[i]] * 256 + frequencies[i]);
      }
      stateOf.push(table.intern(joined(entries)));
    }
    while (counts.length < table.count) counts.push(0);
    states.push(stateOf);

    const liveCounts = new Uint32Array(signatures.count);
    for (let term = 0; term < terms.size; term++) {
      const count = segment.postings.count(term);
      if (count > rows.length) {
        rows = new Uint32Array(count * 2);
        codes = new Uint32Array(count * 2);
      }
      segment.postings.decode(term, rows, codes);
      for (let i = 0; i < count; i++) if (rowMap[rows[i]] !== NO_ROW) liveCounts[codes[i]]++;
      work += count + LIST_WORK;
      if (work > WORK_PER_STEP * 2) {
        work = 0;
        yield;
      }
    }
    for (let i = 0; i < liveCounts.length; i++) counts[stateOf[i]] += liveCounts[i];
  }
  yield;
  const ordinals = writeSignatures(sections, table, counts, fieldNumbers.names);
  return states.map((stateOf) => Uint32Array.from(stateOf, (state) => ordinals[state]));
}

/**
 * Merges posting lists. Row maps are monotone, and no two segments share a merged row. So rows are appended and, unless
 * they happen to ascend, sorted. Codes are then looked up by row.
 */
class ListMerger {
  rows = new Uint32Array(16);
  codes = new Uint32Array(16);
  length = 0;
  /** Postings read since `clear`. */
  work = 0;
  readonly #codeOfRow: Uint32Array;
  readonly #bits: Uint32Array;
  #ascending = true;
  #decodedRows = new Uint32Array(16);
  #decodedCodes = new Uint32Array(16);

  constructor(rowCount: number) {
    this.#codeOfRow = new Uint32Array(rowCount);
    this.#bits = emptyBits(rowCount);
  }

  clear(): void {
    this.length = 0;
    this.work = 0;
    this.#ascending = true;
  }

  add(postings: Postings, list: number, rowMap: Uint32Array, codeMap: Uint32Array | null): void {
    const count = postings.count(list);
    if (count > this.#decodedRows.length) {
      this.#decodedRows = new Uint32Array(count * 2);
      this.#decodedCodes = new Uint32Array(count * 2);
    }
    if (this.length + count > this.rows.length) {
      const size = (this.length + count) * 2;
      this.rows = grown(this.rows, size);
      this.codes = grown(this.codes, size);
    }
    postings.decode(list, this.#decodedRows, codeMap === null ? null : this.#decodedCodes);
    let { length } = this;
    let previous = length === 0 ? -1 : this.rows[length - 1];
    for (let i = 0; i < count; i++) {
      const row = rowMap[this.#decodedRows[i]];
      if (row === NO_ROW) continue;
      if (row < previous) this.#ascending = false;
      previous = row;
      this.rows[length] = row;
      if (codeMap !== null) {
        const code = codeMap[this.#decodedCodes[i]];
        this.codes[length] = code;
        this.#codeOfRow[row] = code;
      }
      length++;
    }
    this.length = length;
    this.work += count;
  }

  sort(): void {
    if (this.#ascending) return;
    const { rows, codes, length } = this;
    if (length * 16 < this.#bits.length) {
      rows.subarray(0, length).sort();
    } else {
      // A bitset sorts dense lists.
      const bits = this.#bits;
      for (let i = 0; i < length; i++) setBit(bits, rows[i]);
      writeRows(bits, rows);
      bits.fill(0);
    }
    for (let i = 0; i < length; i++) codes[i] = this.#codeOfRow[rows[i]];
  }
}

function grown(values: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(size);
  copy.set(values);
  return copy;
}
