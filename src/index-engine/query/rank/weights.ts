/**
 * Field weights, and the resulting weights of signatures.
 *
 * A tenant names fields with weights; a name may hold `*` wildcards, and a sub-field of the reference
 * (`title.standard`) means its field. A field's weight is the largest among the entries with its name; if there is
 * none, the largest among matching wildcards; else 0, and then its text does not match. A field whose content belongs
 * to others (`search_combi`) passes its weight on to them as a minimum.
 *
 * Postings only have signatures. So per segment and set of weights, a small table holds for each signature the sum of
 * weight * frequency of each norm group; a query adds lengths and idf to it (similarity.ts). Tables are cached per
 * segment, for the sets of weights in use.
 */
import { fitsWildcard, getOrInsert } from "../../base/index.ts";
import { NORM_GROUPS, type NormGroup, type Segment } from "../../segment/model/index.ts";

export interface FieldWeight {
  /** A search field, or a pattern with `*`. */
  readonly field: string;
  readonly weight: number;
}

/** Plain data. `key` is equal for equal weights. */
export interface FieldWeights {
  readonly key: string;
  readonly entries: readonly FieldWeight[];
  /** Share of the fields besides a word's best one (the reference's tieBreaker); null: all of it, as in BM25F. */
  readonly tie: number | null;
}

/** Suffixes of the reference's sub-fields; `title.standard` means the field `title`. */
export const SUB_FIELD = /\.(?:standard|shingles|ngram)$/;

/** Converts configured entries to weights and passes them on to aliases. */
export function fieldWeights(
  entries: readonly FieldWeight[],
  searchAliases: ReadonlyMap<string, readonly string[]>,
  tie: number | null = null,
): FieldWeights {
  const all: FieldWeight[] = [];
  for (const entry of entries) {
    const field = entry.field.replace(SUB_FIELD, "");
    all.push({ field, weight: entry.weight });
    for (const target of searchAliases.get(field) ?? []) {
      if (target !== field) all.push({ field: target, weight: entry.weight });
    }
  }
  const key = JSON.stringify([tie, ...all.map(({ field, weight }) => [field, weight])]);
  return { key, entries: all, tie };
}

/** Weights of only this field; empty if it is not searched. */
export function weightsIn(weights: FieldWeights, field: string): readonly FieldWeights[] {
  const weight = weightOf(weights, field);
  return weight > 0 ? [fieldWeights([{ field, weight }], new Map(), weights.tie)] : [];
}

/** Cached by field while the weights are in use, because every search looks up the few fields of segments. */
const known = new WeakMap<FieldWeights, Map<string, number>>();

/** The weight of one search field; 0: not searched. */
export function weightOf(weights: FieldWeights, field: string): number {
  const ofFields = getOrInsert(known, weights, () => new Map<string, number>());
  return getOrInsert(ofFields, field, () => findWeight(weights, field));
}

function findWeight(weights: FieldWeights, field: string): number {
  let byName = 0;
  let isNamed = false;
  let byWildcard = 0;
  for (const entry of weights.entries) {
    if (entry.field === field) {
      isNamed = true;
      byName = Math.max(byName, entry.weight);
    } else if (entry.field.includes("*") && fitsWildcard(entry.field, field)) {
      byWildcard = Math.max(byWildcard, entry.weight);
    }
  }
  return isNamed ? byName : byWildcard;
}

export interface SignatureWeights {
  /** Signature s, norm group g: `sums[s * NORM_GROUPS.length + g]` = sum of weight * frequency. */
  readonly sums: Float64Array;
  /** Whether all fields of a word count (`tie` is null). */
  readonly fieldsAddUp: boolean;
  /** Whether most signatures have no searched field: then many lists have no posting that counts. */
  readonly isNarrow: boolean;
  /** Signature -> best field weight + FIELD_TIE * the others; for ranking variants. */
  readonly strengths: Float64Array;
}

/** Share of all fields except the best one when ranking variants (docs/behaviour.md 5.8). */
const FIELD_TIE = 0.2;

const MAX_TABLES = 8;
const tables = new WeakMap<Segment, Map<string, SignatureWeights>>();

export function signatureWeights(
  segment: Segment,
  weights: FieldWeights,
  normGroup: (field: string) => NormGroup,
): SignatureWeights {
  const ofSegment = getOrInsert(tables, segment.base, () => new Map<string, SignatureWeights>());
  const found = ofSegment.get(weights.key);
  if (found !== undefined) return found;
  if (ofSegment.size >= MAX_TABLES) ofSegment.clear();
  const made = makeTable(segment, weights, normGroup);
  ofSegment.set(weights.key, made);
  return made;
}

export function signatureWeightBytes(segment: Segment): number {
  let bytes = 0;
  for (const table of tables.get(segment.base)?.values() ?? []) {
    bytes += table.sums.byteLength + table.strengths.byteLength;
  }
  return bytes;
}

function makeTable(segment: Segment, weights: FieldWeights, normGroup: (field: string) => NormGroup): SignatureWeights {
  const groupCount = NORM_GROUPS.length;
  const weightOfField = segment.searchFields.map((field) => weightOf(weights, field));
  const groupOfField = segment.searchFields.map((field) => NORM_GROUPS.indexOf(normGroup(field)));
  const { count, starts, fields, frequencies } = segment.signatures;
  const sums = new Float64Array(count * groupCount);
  const strengths = new Float64Array(count);
  // Fields are added in name order: their ordinals may differ between segments, but floating-point sums must not.
  const byName = segment.searchFields
    .map((field, ordinal) => ({ field, ordinal }))
    .sort((a, b) => (a.field < b.field ? -1 : 1));
  const rank = new Uint16Array(byName.length);
  byName.forEach(({ ordinal }, position) => (rank[ordinal] = position));
  const entries: number[] = [];
  let unsearched = 0;
  for (let signature = 0; signature < count; signature++) {
    entries.length = 0;
    for (let entry = starts[signature]; entry < starts[signature + 1]; entry++) entries.push(entry);
    entries.sort((a, b) => rank[fields[a]] - rank[fields[b]]);
    let best = 0;
    let bestEntry = -1;
    let total = 0;
    for (const entry of entries) {
      const weight = weightOfField[fields[entry]];
      if (weight <= 0) continue;
      total += weight;
      if (weight <= best) continue;
      best = weight;
      bestEntry = entry;
    }
    for (const entry of entries) {
      const weight = weightOfField[fields[entry]];
      if (weight <= 0) continue;
      const share = weights.tie === null || entry === bestEntry ? 1 : weights.tie;
      sums[signature * groupCount + groupOfField[fields[entry]]] += share * weight * frequencies[entry];
    }
    strengths[signature] = best + FIELD_TIE * (total - best);
    if (best === 0) unsearched++;
  }
  return { sums, strengths, fieldsAddUp: weights.tie === null, isNarrow: unsearched * 2 > count };
}
