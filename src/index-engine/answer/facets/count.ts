/**
 * Exact facet counts of the whole reader, from the match set of every segment (invariants I1, I3, I4).
 *
 *   countFacets ─ per segment, in parts (base/work.ts)
 *                   one walk over the matches (walk.ts)
 *                   one pass over its counts: the sum of each field
 *                   one short walk per post filter, only of its own field, over matches without it
 *               ─ on demand, per field
 *                   entries summed by key (counted-field.ts)
 *
 * A query that matches 20 products of a catalogue with 5,300 attributes only costs the values of those 20 products. An
 * index with one segment needs no summing.
 */
import { getOrInsert, lowerBound, type Parts } from "../../base/index.ts";
import { VARIANT_ID_FIELD } from "../../documents/index.ts";
import type { CountInput, FacetCounts, FieldCoverage, SegmentMatches } from "../../query/index.ts";
import { compareFields } from "../../segment/facet-values/index.ts";
import { FACET_KINDS, type FacetField, type FacetKind, type Segment } from "../../segment/model/index.ts";
import type { Tally } from "./count-rows.ts";
import { CountedField } from "./counted-field.ts";
import { FieldPart } from "./field-part.ts";
import { isSingleValued, tallyWithin } from "./row-values.ts";
import { NO_SPAN, tally } from "./walk.ts";

const ANY_COVERAGE: Readonly<Record<FacetKind, number>> = { term: 0, number: 0, path: 0 };

/** Counts a segment, or a field with own matches, in each part. The segments belong to the reader of the matches. */
export function* countFacets(inputs: readonly CountInput[]): Parts<LocalFacetCounts> {
  const runs: CountedRuns[] = [];
  for (const { live, all } of inputs) {
    const { segment } = live;
    // There is one id per variant. They are filter-only, unless a product has values of that name.
    const ids = segment.facets.field(VARIANT_ID_FIELD, "term");
    const skipped = ids === null || ids.facet || ids.onProducts ? NO_SPAN : ids;
    const span = { start: 0, end: segment.facets.valueCount };
    runs.push(new CountedRuns(segment, tally(segment, all, span, skipped)));
    yield;
  }
  const counting = new LocalFacetCounts(inputs, runs);
  for (const name of counting.ownNames) {
    for (const kind of FACET_KINDS) counting.local(name, kind);
    yield;
  }
  return counting;
}

export class LocalFacetCounts implements FacetCounts {
  readonly #inputs: readonly CountInput[];
  /** By input: counts over all matches. */
  readonly #runs: readonly CountedRuns[];
  /** Fields counted differently in some segment: over other matches, or only within passing values. */
  readonly ownNames: ReadonlySet<string>;
  /** Fields looked up so far. */
  readonly #fields = new Map<string, CountedField>();

  constructor(inputs: readonly CountInput[], runs: readonly CountedRuns[]) {
    this.#inputs = inputs;
    this.#runs = runs;
    this.ownNames = new Set(inputs.flatMap(({ without, within }) => [...without.keys(), ...within.keys()]));
  }

  /** Of matches and counts, and of the entries joined so far. */
  get sizeBytes(): number {
    let bytes = 0;
    for (const { all, without } of this.#inputs) {
      bytes += all.rows.byteLength;
      for (const { rows } of without.values()) bytes += rows.byteLength;
    }
    for (const { sizeBytes } of this.#runs) bytes += sizeBytes;
    for (const { sizeBytes } of this.#fields.values()) bytes += sizeBytes;
    return bytes;
  }

  field(name: string, kind: FacetKind): CountedField | null {
    const field = this.local(name, kind);
    return field.isEmpty ? null : field;
  }

  /** The same for fields without entries, which have them in other shards. */
  local(name: string, kind: FacetKind): CountedField {
    return getOrInsert(this.#fields, `${kind} ${name}`, () => {
      const parts = this.#inputs.flatMap((input, i) => this.#partsOf(input, this.#runs[i], name, kind));
      const live = this.#inputs.map((input) => input.live);
      return new CountedField(name, kind, parts, live);
    });
  }

  #partsOf({ live, all, without, within }: CountInput, runs: CountedRuns, name: string, kind: FacetKind): FieldPart[] {
    const { segment } = live;
    const field = segment.facets.field(name, kind);
    if (field?.facet !== true) return [];
    const parts: FieldPart[] = [];
    const add = (own: Tally, matches: SegmentMatches, passing: Uint8Array | null = null): void => {
      if (own.ordinals.length > 0) parts.push(new FieldPart(segment, field, own, matches, passing));
    };
    const passing = kind === "number" ? within.get(name) : undefined;
    const others = without.get(name);
    if (passing !== undefined && !isOnlyValue(segment, field)) {
      add(tallyWithin(segment, all, field, passing), all, passing);
    } else if (passing !== undefined || others === undefined) {
      add(runs.tallyOf(field), all);
    }
    if (others !== undefined) add(tally(segment, others, field), others);
    return parts;
  }

  fields(least: Readonly<Record<FacetKind, number>> = ANY_COVERAGE): readonly FieldCoverage[] {
    const found: FieldCoverage[] = [];
    const { fields, sums } = this.#runs.length === 1 ? this.#runs[0] : summed(this.#runs);
    for (let i = 0; i < sums.length; i++) {
      const coverage = sums[i];
      const { name, kind } = fields[i];
      if (coverage >= least[kind] && !this.ownNames.has(name)) found.push({ name, kind, coverage });
    }
    for (const name of this.ownNames) {
      for (const kind of FACET_KINDS) {
        const { coverage } = this.local(name, kind);
        if (coverage > 0 && coverage >= least[kind]) found.push({ name, kind, coverage });
      }
    }
    // The fields of one segment are sorted, except those counted differently and those with changed numbers.
    return found.some((field, i) => i > 0 && compareFields(found[i - 1], field) > 0)
      ? found.sort(compareFields)
      : found;
  }
}

/**
 * Counts of one segment by field. One pass over the counted ordinals, without reading names or
 * creating objects per field: only a few of thousands of fields are looked up by name.
 *
 *   ordinals   3 4 | 9 | 12 15 17         counts   2 1 | 4 | 1 1 5
 *   run        0     1   2                sums     3     4   7
 */
class CountedRuns {
  /** The field of each run. */
  readonly fields: readonly FacetField[];
  /** The sum of the counts of its entries. */
  readonly sums: readonly number[];
  readonly #tally: Tally;

  constructor({ facets }: Segment, tally: Tally) {
    this.#tally = tally;
    const { ordinals, counts } = tally;
    const fields: FacetField[] = [];
    const sums: number[] = [];
    const repeats = [...(tally.repeats ?? [])].sort((a, b) => a[0] - b[0]);
    let repeat = 0;
    for (let at = 0; at < ordinals.length;) {
      const field = facets.fieldOf(ordinals[at]);
      const { end } = field;
      let sum = 0;
      while (at < ordinals.length && ordinals[at] < end) sum += counts[at++];
      for (; repeat < repeats.length && repeats[repeat][0] < end; repeat++) sum -= repeats[repeat][1];
      fields.push(field);
      sums.push(sum);
    }
    this.fields = fields;
    this.sums = sums;
  }

  get sizeBytes(): number {
    return this.#tally.ordinals.byteLength + this.#tally.counts.byteLength;
  }

  tallyOf({ start, end }: FacetField): Tally {
    const { ordinals, counts, repeats } = this.#tally;
    const from = lowerBound(ordinals, 0, ordinals.length, start);
    const to = lowerBound(ordinals, from, ordinals.length, end);
    return { ordinals: ordinals.subarray(from, to), counts: counts.subarray(from, to), repeats };
  }
}

/** The fields of several segments with their coverage, unordered. */
function summed(runs: readonly CountedRuns[]): {
  readonly fields: readonly Pick<FacetField, "name" | "kind">[];
  readonly sums: readonly number[];
} {
  const byKind = {
    term: new Map<string, number>(),
    number: new Map<string, number>(),
    path: new Map<string, number>(),
  };
  for (const { fields, sums } of runs) {
    fields.forEach(({ name, kind }, i) => byKind[kind].set(name, (byKind[kind].get(name) ?? 0) + sums[i]));
  }
  return {
    fields: FACET_KINDS.flatMap((kind) => Array.from(byKind[kind].keys(), (name) => ({ name, kind }))),
    sums: FACET_KINDS.flatMap((kind) => [...byKind[kind].values()]),
  };
}

/** Whether products with this field have no other value under its name, so that a filter matches only this number. */
function isOnlyValue(segment: Segment, field: FacetField): boolean {
  const isOnlyKind = FACET_KINDS.every(
    (kind) => kind === field.kind || segment.facets.field(field.name, kind) === null,
  );
  return isOnlyKind && isSingleValued(segment, field);
}
