/**
 * What a shard tells for a suggestion, as plain data; merged-labels.ts puts shards together.
 *
 * Facet values that answer are few and all told. Titles can be half the catalogue while typing
 * begins, so only the best are told by name, and hashes of all that may answer: a title that two
 * shards have weighs more than either of them knows, and only such titles can stand before the ones
 * that were told.
 */
import type { SuggestConfig, SuggestRequest } from "../../../interface/index.ts";
import { fold } from "../../analysis/index.ts";
import { PlainEntriesBuilder, type PlainEntries } from "../facets/index.ts";
import type { LiveSegment } from "../../segment/model/index.ts";
import { work } from "../../base/index.ts";
import { answers, bestFirst, countTitles, joinEqual, type LabelOrder } from "./column-labels.ts";
import { findFacetEntries, type LabelKind } from "./facet-labels.ts";
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
  isSearched,
  sourceKinds,
  type Asked,
  type SourceKind,
  type SuggestFieldPlan,
} from "./label-finder.ts";
import { TITLE } from "./label.ts";
import { isBalanced, sourceFields, suggestLimit, typedRequest } from "./suggest.ts";
import { titleHashes } from "./title-hashes.ts";
import { partOf, type TypedWords } from "./words.ts";

export type SuggestNeed = Asked & { readonly field: string } & (
    | { readonly what: "facets"; readonly kind: LabelKind; readonly secondary: boolean }
    | { readonly what: "titles"; readonly limit: number }
    /** Titles that have one of these hashes. */
    | { readonly what: "named"; readonly hashes: readonly number[] }
    /**
     * Words of titles that may be the most frequent, so many: completions, or what stands behind a
     * word.
     */
    | { readonly what: "words"; readonly limit: number; readonly behind: string | null }
    /** How many products have these of them. */
    | { readonly what: "counts"; readonly words: readonly string[]; readonly behind: string | null }
    /** How words are written. */
    | { readonly what: "spellings"; readonly words: readonly string[] }
  );

type SuggestTold =
  | { readonly what: "facets"; readonly entries: PlainEntries }
  | { readonly what: "titles"; readonly titles: ToldTitles }
  | { readonly what: "named"; readonly titles: NamedTitles }
  | { readonly what: "words"; readonly words: WordCounts }
  | { readonly what: "counts"; readonly counts: readonly number[] }
  | { readonly what: "spellings"; readonly spellings: readonly (WordSpelling | null)[] };

export interface NamedTitles {
  /** Sort keys. */
  readonly keys: readonly string[];
  /** Live products of this shard. */
  readonly weights: readonly number[];
}

export interface ToldTitles extends NamedTitles {
  /** Null: all that answer are told. Otherwise of all that may answer, told ones included. */
  readonly hashes: Uint32Array | null;
  /** By hash; null: all 1. */
  readonly hashWeights: Uint32Array | null;
}

export interface SuggestPartial {
  /** Which kinds the shard has of each source field. */
  readonly kinds: readonly (readonly [field: string, kinds: readonly SourceKind[]])[];
  readonly told: readonly { readonly need: SuggestNeed; readonly answer: SuggestTold }[];
}

/** Titles told unasked, at least. */
const FIRST_TITLES = 32;

/**
 * @param needs null: the first time, everything that answers as typed
 */
export function suggestPartial(
  reader: { readonly segments: readonly LiveSegment[] },
  plan: SuggestFieldPlan,
  config: SuggestConfig,
  request: SuggestRequest,
  needs: readonly SuggestNeed[] | null,
  firstTitles: number = FIRST_TITLES,
): SuggestPartial {
  const typed = typedRequest(config, request, plan.analyzer);
  if (typed === null) return { kinds: [], told: [] };
  const { segments } = reader;
  const kinds = sourceFields(config, request).map(
    (field): readonly [string, readonly SourceKind[]] => [field, sourceKinds(segments, field)],
  );
  const limit = Math.max(firstTitles, suggestLimit(request));
  const wanted =
    needs ??
    kinds.flatMap(([field, of]) =>
      isBalanced(config) && field === TITLE && kinds.length > 1
        ? []
        : of.flatMap((kind) => firstNeeds(field, kind, limit)),
    );
  return {
    kinds,
    told: work.within(() => {
      const answers = (own: SuggestNeed): SuggestPartial["told"][number] => ({
        need: own,
        answer: answerNeed(segments, plan, typed, own),
      });
      const told = wanted.map(answers);
      if (needs !== null || typed.words.length > 1) return told;
      return [...told, ...told.flatMap(followerNeeds).map(answers)];
    }),
  };
}

/** Titles that only fill free places are asked for once there are any. */
function firstNeeds(field: string, kind: SourceKind, limit: number): SuggestNeed[] {
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

/** What stands behind the best completions of this shard, which are mostly those of all. */
function followerNeeds({ need, answer }: SuggestPartial["told"][number]): SuggestNeed[] {
  if (answer.what !== "words") return [];
  const { field } = need;
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

function answerNeed(
  segments: readonly LiveSegment[],
  plan: SuggestFieldPlan,
  whole: TypedWords,
  need: SuggestNeed,
): SuggestTold {
  const { analyzer } = plan;
  const { field, maxEdits } = need;
  const typed = partOf(whole, need.part);
  const partsOf = (behind: string | null): WordPart[] =>
    behind === null
      ? wordParts(segments, analyzer, typed, maxEdits)
      : followerParts(segments, analyzer, behind);
  switch (need.what) {
    case "facets": {
      const { kind, secondary } = need;
      const source = { field, kind };
      const entries = findFacetEntries(segments, source, typed, maxEdits, analyzer, secondary);
      const builder = new PlainEntriesBuilder(kind);
      for (const entry of entries) builder.add({ ...entry, text: String(entry.key) });
      return { what: "facets", entries: builder.finish() };
    }
    case "titles":
      return { what: "titles", titles: tellTitles(segments, plan, typed, need) };
    case "named":
      return { what: "named", titles: nameTitles(segments, plan, typed, need) };
    case "words": {
      const words = topWords(partsOf(need.behind), need.limit, 1);
      if (words === null) throw new Error("a segment knows its words");
      return { what: "words", words };
    }
    case "counts": {
      const counts = need.words.map(() => 0);
      for (const part of partsOf(need.behind))
        part.countsOf(need.words)?.forEach((n, i) => (counts[i] += n));
      return { what: "counts", counts };
    }
    case "spellings":
      return { what: "spellings", spellings: spellingsOf(segments, need.words, analyzer) };
  }
}

function tellTitles(
  segments: readonly LiveSegment[],
  plan: SuggestFieldPlan,
  typed: TypedWords,
  { field, maxEdits, limit }: { field: string; maxEdits: number; limit: number },
): ToldTitles {
  const { analyzer } = plan;
  const source = { field, isSearched: isSearched(plan, field) };
  const parts = segments.flatMap((live) => countTitles(live, source, typed, maxEdits, analyzer));
  const order: LabelOrder = {
    by: maxEdits === 0 ? "weight" : "likeness",
    prefix: fold(typed.text, plan.language),
  };
  const keys: string[] = [];
  const weights: number[] = [];
  let isAll = true;
  for (const { key, weight } of bestFirst(parts, order, limit)) {
    if (!answers(key, typed, maxEdits, analyzer)) continue;
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

function nameTitles(
  segments: readonly LiveSegment[],
  plan: SuggestFieldPlan,
  typed: TypedWords,
  { field, maxEdits, hashes }: { field: string; maxEdits: number; hashes: readonly number[] },
): NamedTitles {
  const { analyzer } = plan;
  const source = { field, isSearched: isSearched(plan, field) };
  const parts = segments.flatMap((live) => countTitles(live, source, typed, maxEdits, analyzer));
  joinEqual(parts);
  const wanted = new Set(hashes);
  const keys: string[] = [];
  const weights: number[] = [];
  for (const { segment, column, ordinals, counts } of parts) {
    const own = titleHashes(segment, column);
    for (const ordinal of ordinals) {
      if (counts[ordinal] === 0 || !wanted.has(own[ordinal])) continue;
      const key = column.keys.get(ordinal);
      if (!answers(key, typed, maxEdits, analyzer)) continue;
      keys.push(key);
      weights.push(counts[ordinal]);
    }
  }
  return { keys, weights };
}
