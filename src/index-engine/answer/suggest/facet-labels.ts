/**
 * Labels from facet values: brands, and categories with their parent path as second text.
 *
 * As in a facet, equal keys form one entry, with the spelling and id that most of its products
 * have. The weight is the number of live products. Filter-only values are not
 * suggested.
 */
import { emptyBits, hasBit, setBit, work, getOrInsert, type Parts } from "../../base/index.ts";
import { sortKey, type Analyzer } from "../../analysis/index.ts";
import type { CountedValue } from "../../query/index.ts";
import { firstOfGroup } from "../../segment/facet-values/index.ts";
import {
  KeptWithSegments,
  type FacetField,
  type LiveSegment,
  type Postings,
  type Segment,
} from "../../segment/model/index.ts";
import { countedValue, nameOfPath, parentOf, tallied, type TalliedEntry } from "../facets/index.ts";
import { CachedLabelWords } from "./cached-label-words.ts";
import type { Label } from "./label.ts";
import type { Lookup } from "./words.ts";

export type LabelKind = "term" | "path";

interface FieldIndex {
  /** First ordinal of each facetable group. The position here is the label's number. */
  readonly groups: Uint32Array;
  /** Words of names; null until they are asked for. */
  names: CachedLabelWords | null;
  /** Words of parent paths; null until they are asked for. */
  parents: CachedLabelWords | null;
}

/** Segment -> `kind field` -> index. */
const cache = new KeptWithSegments<Map<string, FieldIndex>>("suggest", (fields) =>
  [...fields.values()].reduce(
    (sum, { groups, names, parents }) => sum + groups.byteLength + (names?.bytes ?? 0) + (parents?.bytes ?? 0),
    0,
  ),
);

/** Entries of all segments whose name matches, or with `secondary` their parent path. */
export function findFacetLabels(
  segments: readonly LiveSegment[],
  source: FacetSource,
  lookup: Lookup,
  secondary: boolean,
): Label[] {
  return findFacetEntries(segments, source, lookup, secondary).map((entry) =>
    facetLabel(countedValue(source.kind, entry), source, lookup.typed.analyzer.language),
  );
}

export interface FacetSource {
  readonly field: string;
  readonly kind: LabelKind;
}

/** Reads what the search for labels needs of the segments, in parts. */
export function* readFacetLabels(
  segments: readonly LiveSegment[],
  source: FacetSource,
  analyzer: Analyzer,
  secondary: boolean,
): Parts<void> {
  for (const { segment } of segments) {
    const found = wordsOf(segment, source, analyzer, secondary);
    if (found !== null) yield* found.words.read();
  }
}

/** The same, without choosing spelling and id. */
export function findFacetEntries(
  segments: readonly LiveSegment[],
  source: FacetSource,
  { typed, maxEdits }: Lookup,
  secondary: boolean,
): TalliedEntry[] {
  const entries = new Map<string, Entry>();
  for (const live of segments) {
    const found = wordsOf(live.segment, source, typed.analyzer, secondary);
    if (found === null) continue;
    for (const label of found.words.now().find(typed, maxEdits)) {
      addGroup(entries, live, found.field, source.kind, found.groups[label]);
    }
  }
  return [...entries].flatMap(([key, { weight, spellings, ids }]) =>
    weight > 0 ? [tallied(key, weight, spellings, ids)] : [],
  );
}

/** Cost of reading a label's texts and adding them to maps. */
const STEPS_OF_LABEL = 50;

/** A facet entry with its live products, in total and by spelling and id. */
interface Entry {
  weight: number;
  readonly spellings: Map<string, number>;
  readonly ids: Map<string, number>;
}

function addGroup(
  entries: Map<string, Entry>,
  live: LiveSegment,
  field: FacetField,
  kind: LabelKind,
  first: number,
): void {
  const { facets } = live.segment;
  const { filterOnly } = facets;
  work.spend(STEPS_OF_LABEL);
  const text = facets.text(first);
  const key = kind === "term" ? text.toLowerCase() : text;
  const noProducts = (): Entry => ({ weight: 0, spellings: new Map(), ids: new Map() });
  const entry = getOrInsert(entries, key, noProducts);
  let end = first + 1;
  while (end < field.end && firstOfGroup(facets.sameKey, end) === first) end++;
  const inGroup = liveProducts(live, first, end);
  entry.weight += inGroup;
  for (let ordinal = first; ordinal < end; ordinal++) {
    if (filterOnly !== null && hasBit(filterOnly, ordinal)) continue;
    const products = end === first + 1 ? inGroup : liveProducts(live, ordinal, ordinal + 1);
    if (products === 0) continue;
    const spelling = facets.text(ordinal);
    entry.spellings.set(spelling, (entry.spellings.get(spelling) ?? 0) + products);
    const id = facets.id(ordinal);
    if (id !== null) entry.ids.set(id, (entry.ids.get(id) ?? 0) + products);
  }
}

export function facetLabel(
  { value: spelling, id, count }: Pick<CountedValue, "value" | "id" | "count">,
  { field, kind }: FacetSource,
  language: string,
): Label {
  const text = kind === "path" ? nameOfPath(spelling) : spelling;
  return {
    field,
    text,
    sortKey: sortKey(text, language),
    weight: count,
    id,
    parentPath: kind === "path" ? parentOf(spelling) : null,
  };
}

function indexOf(segment: Segment, field: FacetField, kind: LabelKind): FieldIndex {
  // Labels are terms and paths, which changed numbers do not affect.
  const fields = getOrInsert(cache, segment.base, () => new Map());
  return getOrInsert(fields, `${kind} ${field.name}`, () => ({
    groups: groupsOf(segment, field),
    names: null,
    parents: null,
  }));
}

function groupsOf({ facets }: Segment, field: FacetField): Uint32Array {
  const { filterOnly } = facets;
  const groups: number[] = [];
  for (let ordinal = field.start; ordinal < field.end; ordinal++) {
    if (filterOnly !== null && hasBit(filterOnly, ordinal)) continue;
    const first = firstOfGroup(facets.sameKey, ordinal);
    if (groups[groups.length - 1] !== first) groups.push(first);
  }
  return Uint32Array.from(groups);
}

/** Null: the segment has no such labels. */
function wordsOf(
  segment: Segment,
  { field: name, kind }: FacetSource,
  analyzer: Analyzer,
  secondary: boolean,
): { readonly field: FacetField; readonly groups: Uint32Array; readonly words: CachedLabelWords } | null {
  const field = segment.facets.field(name, kind);
  if (field === null || !field.facet || (secondary && kind === "term")) return null;
  const index = indexOf(segment, field, kind);
  const { groups } = index;
  const words = secondary
    ? (index.parents ??= parentWords(segment, groups, analyzer))
    : (index.names ??= nameWords(segment, groups, kind, analyzer));
  return { field, groups, words };
}

function nameWords({ facets }: Segment, groups: Uint32Array, kind: LabelKind, analyzer: Analyzer): CachedLabelWords {
  return new CachedLabelWords(groups.length, (label) => {
    const text = facets.text(groups[label]);
    return analyzer.terms(kind === "path" ? nameOfPath(text) : text);
  });
}

function parentWords({ facets }: Segment, groups: Uint32Array, analyzer: Analyzer): CachedLabelWords {
  // Siblings follow each other.
  let above = "";
  let words: readonly string[] = [];
  return new CachedLabelWords(groups.length, (label) => {
    const parent = parentOf(facets.text(groups[label])) ?? "";
    if (parent !== above) {
      above = parent;
      words = analyzer.terms(parent.replaceAll("/", " ").replaceAll("%2F", "/"));
    }
    return words;
  });
}

/** Number of distinct live products that have one of the ordinals, themselves or in a variant. */
function liveProducts(live: LiveSegment, start: number, end: number): number {
  const { segment, deleted } = live;
  const { productPostings, variantPostings } = segment.facets;
  let rowsOfVariants = 0;
  for (let ordinal = start; ordinal < end; ordinal++) {
    rowsOfVariants += variantPostings?.count(ordinal) ?? 0;
  }
  if (end === start + 1 && rowsOfVariants === 0 && deleted === null) {
    return productPostings.count(start);
  }
  work.spend(rowsOfVariants + (segment.productCount >>> 5));
  const seen = emptyBits(segment.productCount);
  let count = 0;
  const add = (row: number): void => {
    if (hasBit(seen, row) || (deleted !== null && hasBit(deleted, row))) return;
    setBit(seen, row);
    count++;
  };
  for (let ordinal = start; ordinal < end; ordinal++) {
    for (const row of decoded(productPostings, ordinal)) add(row);
    if (variantPostings === null) continue;
    for (const row of decoded(variantPostings, ordinal)) {
      add(segment.variantRows.productOf(row));
    }
  }
  return count;
}

function decoded(postings: Postings, list: number): Uint32Array {
  work.spend(postings.count(list));
  const rows = new Uint32Array(postings.count(list));
  postings.decode(list, rows, null);
  return rows;
}
