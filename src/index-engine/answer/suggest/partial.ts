/**
 * The data that a shard sends for a suggestion, in plain form; merged-labels.ts merges shards.
 *
 * Few facet values match, and all of them are sent. Titles can be half the catalogue for the first letters typed, so a
 * shard only sends the best ones, and hashes of all that may match. A title on two shards weighs more than either of
 * them knows, and only such titles can rank above those that were sent.
 */
import type { SuggestConfig, SuggestRequest } from "../../../interface/index.ts";
import { fold } from "../../analysis/index.ts";
import { cachedHashes, PlainEntriesBuilder, type PlainEntries } from "../facets/index.ts";
import type { LiveSegment, Segment, StringColumn } from "../../segment/model/index.ts";
import type { Parts } from "../../base/index.ts";
import { answers, countTitles, joinEqual, matching, readColumnLabels, type LabelOrder } from "./column-labels.ts";
import { findFacetEntries, readFacetLabels, type LabelKind } from "./facet-labels.ts";
import { followerParts } from "./followers.ts";
import {
  FIRST_WORDS,
  spellingsOf,
  topWords,
  wordParts,
  type WordCounts,
  type WordPart,
  type WordSpelling,
} from "./keywords.ts";
import {
  FOLLOWED_WORDS,
  columnSource,
  sourceKinds,
  type Asked,
  type SourceKind,
  type SuggestFieldPlan,
} from "./label-finder.ts";
import { TITLE } from "./label.ts";
import { isBalanced, sourceFields, suggestLimit, typedRequest } from "./suggest.ts";
import { partOf, type Lookup, type TypedWords } from "./words.ts";

export type SuggestFollowUp = Asked & { readonly field: string } & (
    | { readonly what: "facets"; readonly kind: LabelKind; readonly secondary: boolean }
    | { readonly what: "titles"; readonly limit: number }
    | { readonly what: "named"; readonly hashes: readonly number[] }
    /** `limit` words of titles that may be the most frequent: completions, or the words that follow `behind`. */
    | { readonly what: "words"; readonly limit: number; readonly behind: string | null }
    /** The number of products that have each of these words. */
    | { readonly what: "counts"; readonly words: readonly string[]; readonly behind: string | null }
    | { readonly what: "spellings"; readonly words: readonly string[] }
  );

type SuggestAnswer =
  | { readonly what: "facets"; readonly entries: PlainEntries }
  | { readonly what: "titles"; readonly titles: SentTitles }
  | { readonly what: "named"; readonly titles: NamedTitles }
  | { readonly what: "words"; readonly words: WordCounts }
  | { readonly what: "counts"; readonly counts: readonly number[] }
  | { readonly what: "spellings"; readonly spellings: readonly (WordSpelling | null)[] };

export interface NamedTitles {
  /** The sort keys of the titles. */
  readonly keys: readonly string[];
  /** Live products of this shard. */
  readonly weights: readonly number[];
}

export interface SentTitles extends NamedTitles {
  /** Hashes of all titles that may match, including those sent. Null if all matching titles were sent. */
  readonly hashes: Uint32Array | null;
  /** By hash; null if all are 1. */
  readonly hashWeights: Uint32Array | null;
}

export interface SuggestPartial {
  readonly kinds: readonly (readonly [field: string, kinds: readonly SourceKind[]])[];
  readonly sent: readonly { readonly followUp: SuggestFollowUp; readonly answer: SuggestAnswer }[];
}

/** Minimum number of titles sent without being asked. */
const FIRST_TITLES = 32;

/**
 * In parts (base/work.ts), without a budget; a part is an answer.
 * @param followUps null in the first round: everything that matches the input as typed
 */
export function* suggestPartial(
  reader: { readonly segments: readonly LiveSegment[] },
  plan: SuggestFieldPlan,
  config: SuggestConfig,
  request: SuggestRequest,
  followUps: readonly SuggestFollowUp[] | null,
  firstTitles: number = FIRST_TITLES,
): Parts<SuggestPartial> {
  const typed = typedRequest(config, request, plan.analyzer);
  if (typed === null) return { kinds: [], sent: [] };
  const { segments } = reader;
  const kinds = sourceFields(config, request).map((field): readonly [string, readonly SourceKind[]] => [
    field,
    sourceKinds(segments, field),
  ]);
  const limit = Math.max(firstTitles, suggestLimit(request));
  const wanted =
    followUps ??
    kinds.flatMap(([field, of]) =>
      isBalanced(config) && field === TITLE && kinds.length > 1
        ? []
        : of.flatMap((kind) => firstNeeds(field, kind, limit)),
    );
  const sent: SuggestPartial["sent"][number][] = [];
  for (const followUp of wanted) {
    yield* readFor(segments, plan, followUp);
    sent.push({ followUp, answer: answerFollowUp(segments, plan, typed, followUp) });
    yield;
  }
  if (followUps !== null || typed.words.length > 1) return { kinds, sent };
  for (const followUp of sent.flatMap(followerNeeds)) {
    yield* readFor(segments, plan, followUp);
    sent.push({ followUp, answer: answerFollowUp(segments, plan, typed, followUp) });
    yield;
  }
  return { kinds, sent };
}

/** Titles that only fill free places are requested once there are any. */
function firstNeeds(field: string, kind: SourceKind, limit: number): SuggestFollowUp[] {
  const asked = { field, part: null, maxEdits: 0 };
  switch (kind) {
    case "column":
      return [{ ...asked, what: "titles", limit }];
    case "term":
      return [{ ...asked, what: "facets", kind, secondary: false }];
    case "path":
      return [false, true].map((secondary) => ({ ...asked, what: "facets", kind, secondary }));
    case "words":
      return [{ ...asked, what: "words", limit: FIRST_WORDS, behind: null }];
  }
}

/** The words that follow the best completions of this shard, which are usually the best of all. */
function followerNeeds({ followUp, answer }: SuggestPartial["sent"][number]): SuggestFollowUp[] {
  if (answer.what !== "words") return [];
  const { field } = followUp;
  const best = answer.words.words.slice(0, FOLLOWED_WORDS);
  return best.map((behind) => ({
    what: "words",
    field,
    part: null,
    maxEdits: 0,
    limit: FIRST_WORDS,
    behind,
  }));
}

/** Reads what the answer needs of the segments. */
function* readFor(segments: readonly LiveSegment[], plan: SuggestFieldPlan, followUp: SuggestFollowUp): Parts<void> {
  const { field } = followUp;
  switch (followUp.what) {
    case "facets":
      yield* readFacetLabels(segments, { field, kind: followUp.kind }, plan.analyzer, followUp.secondary);
      break;
    case "titles":
    case "named":
      yield* readColumnLabels(segments, columnSource(plan, field), plan.analyzer);
      break;
    case "words":
    case "counts":
    case "spellings":
      break;
  }
}

function answerFollowUp(
  segments: readonly LiveSegment[],
  plan: SuggestFieldPlan,
  whole: TypedWords,
  followUp: SuggestFollowUp,
): SuggestAnswer {
  const { analyzer } = plan;
  const { field, maxEdits } = followUp;
  const lookup: Lookup = { typed: partOf(whole, followUp.part), maxEdits };
  const partsOf = (behind: string | null): WordPart[] =>
    behind === null ? wordParts(segments, lookup) : followerParts(segments, analyzer, behind);
  switch (followUp.what) {
    case "facets": {
      const { kind, secondary } = followUp;
      const entries = findFacetEntries(segments, { field, kind }, lookup, secondary);
      const builder = new PlainEntriesBuilder(kind);
      for (const entry of entries) builder.add(entry);
      return { what: "facets", entries: builder.finish() };
    }
    case "titles":
      return { what: "titles", titles: bestTitles(segments, plan, lookup, followUp) };
    case "named":
      return { what: "named", titles: namedTitles(segments, plan, lookup, followUp) };
    case "words": {
      const words = topWords(partsOf(followUp.behind), followUp.limit, 1);
      if (words === null) throw new Error("a segment always knows its words");
      return { what: "words", words };
    }
    case "counts": {
      const counts = followUp.words.map(() => 0);
      for (const part of partsOf(followUp.behind)) part.countsOf(followUp.words)?.forEach((n, i) => (counts[i] += n));
      return { what: "counts", counts };
    }
    case "spellings":
      return { what: "spellings", spellings: spellingsOf(segments, followUp.words, analyzer) };
  }
}

function bestTitles(
  segments: readonly LiveSegment[],
  plan: SuggestFieldPlan,
  lookup: Lookup,
  { field, limit }: { readonly field: string; readonly limit: number },
): SentTitles {
  const parts = countTitles(segments, columnSource(plan, field), lookup);
  const order: LabelOrder = {
    by: lookup.maxEdits === 0 ? "weight" : "likeness",
    prefix: fold(lookup.typed.text, lookup.typed.analyzer.language),
  };
  const keys: string[] = [];
  const weights: number[] = [];
  let isAll = true;
  for (const { key, weight } of matching(parts, lookup, order, limit)) {
    if (keys.length === limit) {
      isAll = false;
      break;
    }
    keys.push(key);
    weights.push(weight);
  }
  if (isAll) return { keys, weights, hashes: null, hashWeights: null };
  const hashes: number[] = [];
  const hashWeights: number[] = [];
  for (const { segment, column, ordinals, counts } of parts) {
    const own = titleHashes(segment, column);
    for (const ordinal of ordinals) {
      if (counts[ordinal] === 0) continue;
      hashes.push(own[ordinal]);
      hashWeights.push(counts[ordinal]);
    }
  }
  return {
    keys,
    weights,
    hashes: Uint32Array.from(hashes),
    hashWeights: hashWeights.every((weight) => weight === 1) ? null : Uint32Array.from(hashWeights),
  };
}

function namedTitles(
  segments: readonly LiveSegment[],
  plan: SuggestFieldPlan,
  lookup: Lookup,
  { field, hashes }: { readonly field: string; readonly hashes: readonly number[] },
): NamedTitles {
  const parts = countTitles(segments, columnSource(plan, field), lookup);
  joinEqual(parts);
  const wanted = new Set(hashes);
  const keys: string[] = [];
  const weights: number[] = [];
  for (const { segment, column, ordinals, counts } of parts) {
    const own = titleHashes(segment, column);
    for (const ordinal of ordinals) {
      if (counts[ordinal] === 0 || !wanted.has(own[ordinal])) continue;
      const key = column.keys.get(ordinal);
      if (!answers(key, lookup)) continue;
      keys.push(key);
      weights.push(counts[ordinal]);
    }
  }
  return { keys, weights };
}

/** By ordinal of the column's keys. */
function titleHashes({ base }: Segment, { field, keys }: StringColumn): Uint32Array {
  return cachedHashes(base, `column ${field}`, keys.size, (ordinal) => keys.text(ordinal));
}
