/**
 * Signatures: interned sets of (search field, term frequency).
 *
 * The builder reads a document token by token and keeps one state per term. A state is a signature. State 0 means "not
 * seen", and `after(state, field)` has one more occurrence in the field. Transitions are cached, so a token costs one
 * lookup, and no set is built twice. States without postings are dropped at the end.
 */
import { SECTION, type SectionWriter, type SectionViews } from "../format/index.ts";
import type { Signatures } from "../model/index.ts";
import { compareCodePoints } from "../../base/index.ts";
import { writeStrings } from "../strings/index.ts";

const HIGHEST_FREQUENCY = 255;
/** An entry is field * 256 + frequency. */
const FIELD_FACTOR = 256;

export class SignatureTable {
  /** Entries of each state, ascending. State 0 has none. */
  readonly #entries: number[][] = [[]];
  readonly #states = new Map<string, number>([["", 0]]);
  readonly #transitions = new Map<number, number>();
  /** Field -> state after its first occurrence: the transition of nearly all tokens. */
  readonly #first: number[] = [];

  get count(): number {
    return this.#entries.length;
  }

  entries(state: number): readonly number[] {
    return this.#entries[state];
  }

  /** @param field below 65,536 */
  after(state: number, field: number): number {
    if (state === 0) {
      const known = this.#first[field];
      if (known !== undefined) return known;
    }
    const transition = state * 65_536 + field;
    const known = this.#transitions.get(transition);
    if (known !== undefined) return known;
    const entries: number[] = [];
    let found = false;
    for (const entry of this.#entries[state]) {
      if (Math.floor(entry / FIELD_FACTOR) === field) {
        found = true;
        entries.push(entry % FIELD_FACTOR < HIGHEST_FREQUENCY ? entry + 1 : entry);
      } else {
        entries.push(entry);
      }
    }
    if (!found) entries.push(field * FIELD_FACTOR + 1);
    const next = this.intern(entries);
    this.#transitions.set(transition, next);
    if (state === 0) this.#first[field] = next;
    return next;
  }

  /** The state with these entries, in any order. */
  intern(entries: number[]): number {
    entries.sort((a, b) => a - b);
    const key = entries.join();
    let state = this.#states.get(key);
    if (state === undefined) {
      state = this.#entries.length;
      this.#entries.push(entries);
      this.#states.set(key, state);
    }
    return state;
  }
}

/** Writes the signatures that have postings, and the search fields. Returns state -> ordinal (0 without postings). */
export function writeSignatures(
  sections: SectionWriter,
  table: SignatureTable,
  counts: ArrayLike<number>,
  fieldNames: readonly string[],
): Uint32Array {
  const used: number[] = [];
  const usedFields = new Set<number>();
  for (let state = 1; state < table.count; state++) {
    if (!(counts[state] > 0)) continue;
    used.push(state);
    for (const entry of table.entries(state)) usedFields.add(Math.floor(entry / FIELD_FACTOR));
  }
  const fields = [...usedFields].sort((a, b) => compareCodePoints(fieldNames[a], fieldNames[b]));
  const names = fields.map((field) => fieldNames[field]);
  writeStrings(sections, SECTION.searchFieldsIndex, SECTION.searchFieldsBytes, names);
  const ordinalOfField = new Map(fields.map((field, ordinal) => [field, ordinal]));

  const written = used.map((state) => ({
    state,
    count: counts[state],
    entries: table
      .entries(state)
      .map((entry) => {
        const field = ordinalOfField.get(Math.floor(entry / FIELD_FACTOR)) ?? 0;
        return field * FIELD_FACTOR + (entry % FIELD_FACTOR);
      })
      .sort((a, b) => a - b),
  }));
  written.sort((a, b) => b.count - a.count || compareNumbers(a.entries, b.entries));

  const ordinals = new Uint32Array(table.count);
  const starts = new Uint32Array(written.length + 1);
  const entryFields: number[] = [];
  const frequencies: number[] = [];
  for (let ordinal = 0; ordinal < written.length; ordinal++) {
    ordinals[written[ordinal].state] = ordinal;
    for (const entry of written[ordinal].entries) {
      entryFields.push(Math.floor(entry / FIELD_FACTOR));
      frequencies.push(entry % FIELD_FACTOR);
    }
    starts[ordinal + 1] = entryFields.length;
  }
  if (written.length > 0) {
    sections.set(SECTION.signatureStarts, starts);
    sections.set(SECTION.signatureFields, Uint16Array.from(entryFields));
    sections.set(SECTION.signatureFrequencies, Uint8Array.from(frequencies));
  }
  return ordinals;
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

const NO_SIGNATURES = new Uint32Array(1);

export class SignatureViews implements Signatures {
  readonly #views: SectionViews;

  constructor(views: SectionViews) {
    this.#views = views;
  }

  get count(): number {
    return this.starts.length - 1;
  }

  get starts(): Uint32Array {
    const starts = this.#views.u32(SECTION.signatureStarts);
    return starts.length === 0 ? NO_SIGNATURES : starts;
  }

  get fields(): Uint16Array {
    return this.#views.u16(SECTION.signatureFields);
  }

  get frequencies(): Uint8Array {
    return this.#views.u8(SECTION.signatureFrequencies);
  }
}
