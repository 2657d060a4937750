/**
 * Typed characters -> suggestions (docs/indexing.md 7).
 *
 *   sources  configured fields, otherwise brand, category, phrases, title: facet values, strings of a sort column,
 *            words of titles (keywords.ts); and the shop's own queries (own-queries.ts)
 *   stages   sharpened (better queries configured by the shop), best matches (by name), secondary matches (categories
 *            by their path). If those find nothing, and at least three characters were typed: one edit, two edits, the
 *            longest parts of the query that find anything; relaxed (replacements configured by the shop)
 *   order    by weight (live products), then labels that begin with the input, then by name; with
 *            edits, the longest common beginning comes first
 *   fetched  the first `max-fetch-size` values of each field in this order; the rest is ignored
 *   output   each phrase once, for the best match or the configured group (groups.ts); groups and their sizes as
 *            configured; balanced (balance.ts) if the shop has configured neither sources nor groups
 *
 * Everything comes from the given reader. A write has an effect on the next suggestion, and answers do not depend on
 * segments (I4).
 */
import { LIMITS, type SuggestConfig, type SuggestRequest, type Suggestion } from "../../../interface/index.ts";
import { fold, type Analyzer } from "../../analysis/index.ts";
import { keptBytes, type LiveSegment, type Segment } from "../../segment/model/index.ts";
import { compareCodePoints, getOrInsert, run, work, type Parts } from "../../base/index.ts";
import { balanced, distinctLabels, LABELS_PER_PLACE, withoutThoseOf } from "./balance.ts";
import { commonLength } from "./column-labels.ts";
import { isGrouped, limitByGroups, placeIn, withoutRepeated } from "./groups.ts";
import { LocalLabels, type Asked, type LabelFinder, type LabelSource, type SuggestFieldPlan } from "./label-finder.ts";
import { KEYWORD, MATCH_GROUPS, TITLE, type Label, type Match, type MatchGroup } from "./label.ts";
import type { OwnQueries } from "./own-queries.ts";
import { partOf, partsOf, typedWords, type TypedWords } from "./words.ts";

/** The defaults (docs/indexing.md 7.2). */
const DEFAULT_SOURCES = ["brand", "category", KEYWORD, TITLE] as const;
const SHORTEST_FORGIVEN_INPUT = 3;
const FORGIVING_STAGES = [
  ["oneEdit", 1],
  ["twoEdits", 2],
] as const satisfies readonly (readonly [MatchGroup, number])[];
const AS_TYPED: Asked = { part: null, maxEdits: 0 };

/** At most `request.limit` suggestions, best first. Throws ServiceError `search_too_expensive`. */
export function suggest(
  reader: { readonly segments: readonly LiveSegment[] },
  plan: SuggestFieldPlan,
  config: SuggestConfig,
  request: SuggestRequest,
  own: OwnQueries | null = null,
): Suggestion[] {
  return run(work.inParts(suggestParts(reader, plan, config, request, own)));
}

/** The same in parts (base/work.ts), without a budget. */
export function* suggestParts(
  reader: { readonly segments: readonly LiveSegment[] },
  plan: SuggestFieldPlan,
  config: SuggestConfig,
  request: SuggestRequest,
  own: OwnQueries | null = null,
): Parts<Suggestion[]> {
  const typed = typedRequest(config, request, plan.analyzer);
  if (typed === null) return [];
  const labels = new LocalLabels(reader.segments, plan, typed);
  return yield* new Suggesting(labels, config, request, typed, own).answer();
}

/** The words of the request to look up; null if there are none. */
export function typedRequest(
  { isEnabled }: SuggestConfig,
  request: SuggestRequest,
  analyzer: Analyzer,
): TypedWords | null {
  if (!isEnabled || suggestLimit(request) <= 0) return null;
  return typedWords(request.userQuery.slice(0, LIMITS.queryCharacters.value), analyzer);
}

export function suggestLimit({ limit }: SuggestRequest): number {
  return Math.min(limit, LIMITS.suggestLimit.value);
}

/** The source fields of labels, in order. */
export function sourceFields(config: SuggestConfig, { filter }: SuggestRequest): string[] {
  const configured = config.sourceFields.length > 0 ? config.sourceFields : DEFAULT_SOURCES;
  return [...new Set(configured)].filter((field) => filter.length === 0 || filter.includes(field));
}

/** Whether the shop has configured neither the sources of suggestions nor groups. */
export function isBalanced({ sourceFields: fields, group }: SuggestConfig): boolean {
  return fields.length === 0 && group.key === null && group.deduplicationOrder.length === 0;
}

/** Cached bytes of these segments. */
export function suggestBytes(segments: Iterable<Segment>): number {
  let bytes = 0;
  for (const { base } of segments) bytes += keptBytes("suggest", base);
  return bytes;
}

/** The suggestions of one request from any source of labels. */
export class Suggesting {
  readonly #labels: LabelFinder;
  readonly #config: SuggestConfig;
  readonly #request: SuggestRequest;
  readonly #typed: TypedWords;
  readonly #own: OwnQueries | null;
  readonly #sources: readonly LabelSource[];
  /** The folded input. Sort keys of labels that begin with the input begin with it. */
  readonly #prefix: string;
  readonly #limit: number;
  /** Labels found so far, except those of columns: by source, part and edits. */
  readonly #known = new Map<string, readonly Label[]>();

  constructor(
    labels: LabelFinder,
    config: SuggestConfig,
    request: SuggestRequest,
    typed: TypedWords,
    own: OwnQueries | null,
  ) {
    this.#labels = labels;
    this.#config = config;
    this.#request = request;
    this.#typed = typed;
    this.#own = own;
    this.#sources = sourceFields(config, request).flatMap((field) => {
      const kind = labels.kindOf(field);
      return kind === null ? [] : [{ field, kind }];
    });
    this.#prefix = fold(typed.text, typed.analyzer.language);
    this.#limit = suggestLimit(request);
  }

  *answer(): Parts<Suggestion[]> {
    const listed = (group: MatchGroup, labels: readonly Label[]): Match[] => labels.map((label) => ({ group, label }));
    const sharpened = listed(
      "sharpened",
      (this.#own?.sharpened(this.#request) ?? []).slice(0, this.#config.maxSharpenedQueries),
    );
    const found = yield* this.#found(sharpened.length > 0);
    const relaxed = listed("relaxed", this.#own?.relaxed(this.#request) ?? []);
    const all = withoutThoseOf(sharpened, found);
    return [...sharpened, ...all, ...withoutThoseOf([...sharpened, ...all], relaxed)]
      .slice(0, this.#limit)
      .map(suggestionOf);
  }

  /** At most `limit` distinct matches, in order. `isAnswered`: there are other suggestions already. */
  *#found(isAnswered: boolean): Parts<readonly Match[]> {
    const limit = this.#limit;
    const { group } = this.#config;
    if (isBalanced(this.#config)) {
      // Titles only fill free places, so they are usually not needed.
      const others = this.#sources.filter(({ field }) => field !== TITLE);
      const first = balanced(this.#distinct(yield* this.#exact(others, limit, new Set())), limit);
      if (first.length >= limit) return first;
    }
    // If so many labels of a column were dropped as repeated that others may belong to the answer,
    // more labels are read. The answer may be full even then, because other kinds may have taken
    // the places of those labels. More are also read if they may take a label from another group.
    for (let wanted = limit; ; wanted *= 2) {
      const { matches, cutFields } = yield* this.#collect(wanted, isAnswered);
      const groupOf = (match: Match): string | null => groupValue(match, group.key);
      const distinct = isBalanced(this.#config)
        ? this.#distinct(matches)
        : withoutRepeated(matches, ({ label }) => label.text, groupOf, this.#config);
      // An answer has at most `limit` labels of one source.
      const isEnough = [...cutFields].every(
        (field) =>
          distinct.filter(({ label }) => label.field === field).length >= limit &&
          !this.#mayTakeLabels(field, distinct, groupOf),
      );
      if (!isEnough) continue;
      if (isBalanced(this.#config)) return balanced(distinct, limit);
      return isGrouped(group) ? limitByGroups(distinct, groupOf, group, limit) : distinct.slice(0, limit);
    }
  }

  #distinct(matches: readonly Match[]): Match[] {
    const { analyzer } = this.#typed;
    return distinctLabels(matches, this.#limit, (text) => {
      const terms = analyzer.terms(text);
      return terms.length === 0 ? text : terms.map((term) => analyzer.stem(term)).join(" ");
    });
  }

  /** Whether a label of the column may be kept instead of an equal one of these matches. */
  #mayTakeLabels(field: string, matches: readonly Match[], groupOf: (match: Match) => string | null): boolean {
    const { key, deduplicationOrder } = this.#config.group;
    if (deduplicationOrder.length === 0) return false;
    // By any other key, the labels of a column may be in any group.
    const place = key === null || key === "type" ? placeIn(deduplicationOrder, field) : 0;
    return matches.some((match) => match.label.field !== field && placeIn(deduplicationOrder, groupOf(match)) > place);
  }

  /** Collects at most `wanted` labels of each column. `cutFields`: the columns that may have more. */
  *#collect(wanted: number, isAnswered: boolean): Parts<{ matches: readonly Match[]; cutFields: ReadonlySet<string> }> {
    const cutFields = new Set<string>();
    const sources = this.#sources;
    let matches = yield* this.#exact(sources, wanted, cutFields);
    const isEnough = (): boolean =>
      this.#typed.text.length < SHORTEST_FORGIVEN_INPUT ||
      ((matches.length > 0 || isAnswered) && !(this.#config.alwaysDoFuzzy && matches.length < wanted));
    for (const [group, maxEdits] of FORGIVING_STAGES) {
      if (isEnough()) break;
      const more = yield* this.#stage(sources, group, { part: null, maxEdits }, wanted, cutFields);
      matches = this.#fetched([...matches, ...this.#byLikeness(more)]);
    }
    for (let length = this.#typed.words.length - 1; length > 0 && !isEnough(); length--) {
      const more: Match[] = [];
      for (const part of partsOf(this.#typed, length)) {
        more.push(...(yield* this.#stage(sources, "shingles", { part, maxEdits: 0 }, wanted, cutFields)));
      }
      matches = this.#fetched([...matches, ...this.#byWeight(more)]);
    }
    return { matches, cutFields };
  }

  *#exact(sources: readonly LabelSource[], wanted: number, cutFields: Set<string>): Parts<Match[]> {
    const best = yield* this.#stage(sources, "best", AS_TYPED, wanted, cutFields);
    const secondary = yield* this.#stage(sources, "secondary", AS_TYPED, wanted, cutFields);
    return this.#fetched(
      this.#config.sortStrategy === "MatchGroupsSeparated"
        ? [...this.#byWeight(best), ...this.#byWeight(secondary)]
        : this.#byWeight([...best, ...secondary]),
    );
  }

  *#stage(
    sources: readonly LabelSource[],
    group: MatchGroup,
    asked: Asked,
    wanted: number,
    cutFields: Set<string>,
  ): Parts<Match[]> {
    const { maxFetchSize } = this.#config;
    const most = Math.min(wanted, maxFetchSize);
    const labels: Label[] = [];
    for (const source of sources) {
      yield* this.#labels.read(source, group === "secondary");
      const found = this.#find(source, group, asked, most);
      const isCut = source.kind === "column" && found.length >= most && most < maxFetchSize;
      if (isCut) cutFields.add(source.field);
      for (const label of found) labels.push(label);
      yield;
    }
    if (group !== "secondary" && this.#own !== null) {
      const typed = partOf(this.#typed, asked.part);
      labels.push(...this.#own.find(typed, asked.maxEdits, this.#request));
    }
    return labels.map((label) => ({ group, label }));
  }

  /** Keeps the first `max-fetch-size` values of each field. A value found by several stages counts once. */
  #fetched(matches: Match[]): Match[] {
    const { maxFetchSize } = this.#config;
    if (matches.length <= maxFetchSize) return matches;
    const fetched = new Map<string, Set<string>>(this.#sources.map(({ field }) => [field, new Set()]));
    return matches.filter(({ label: { field, parentPath, text, payload } }) => {
      const values = fetched.get(field);
      if (values === undefined || payload !== undefined) return true;
      const value = JSON.stringify([parentPath, text]);
      if (values.size >= maxFetchSize && !values.has(value)) return false;
      values.add(value);
      return true;
    });
  }

  #find({ field, kind }: LabelSource, group: MatchGroup, asked: Asked, wanted: number): readonly Label[] {
    const secondary = group === "secondary";
    const once = (find: () => Label[]): readonly Label[] =>
      getOrInsert(this.#known, JSON.stringify([field, secondary, asked]), find);
    switch (kind) {
      case "path":
      case "term":
        return once(() => this.#labels.facets({ field, kind }, asked, secondary));
      case "words":
        return secondary ? [] : once(() => this.#labels.phrases(asked, this.#limit * LABELS_PER_PLACE));
      case "column": {
        const by = asked.maxEdits === 0 ? "weight" : "likeness";
        const order = { by, prefix: this.#prefix } as const;
        return secondary ? [] : this.#labels.titles(field, asked, order, wanted);
      }
    }
  }

  #byWeight(matches: Match[]): Match[] {
    return matches.sort(
      ({ label: a }, { label: b }) =>
        b.weight - a.weight || this.#begins(b) - this.#begins(a) || this.#compareTexts(a, b),
    );
  }

  #byLikeness(matches: Match[]): Match[] {
    return matches
      .map((match) => ({ match, common: commonLength(match.label.sortKey, this.#prefix) }))
      .sort(
        (a, b) =>
          b.common - a.common ||
          b.match.label.weight - a.match.label.weight ||
          this.#compareTexts(a.match.label, b.match.label),
      )
      .map(({ match }) => match);
  }

  #begins(label: Label): number {
    return Number(label.sortKey.startsWith(this.#prefix));
  }

  #compareTexts(a: Label, b: Label): number {
    return (
      compareCodePoints(a.sortKey, b.sortKey) ||
      this.#rankOf(a) - this.#rankOf(b) ||
      compareCodePoints(a.parentPath ?? "", b.parentPath ?? "")
    );
  }

  #rankOf({ field }: Label): number {
    return this.#sources.findIndex((source) => source.field === field);
  }
}

function payloadOf({ group, label }: Match): Record<string, string> {
  const payload: Record<string, string> =
    label.payload === undefined ? { count: String(label.weight) } : { ...label.payload };
  if (label.id !== null) payload["id"] = label.id;
  if (label.parentPath !== null) payload["catPath"] = label.parentPath;
  payload["meta.matchGroupName"] = MATCH_GROUPS[group];
  payload["meta.weight"] = String(label.weight);
  payload["meta.matchKey"] = group === "secondary" ? (label.parentPath ?? "") : label.text;
  return payload;
}

/** The value that groups suggestions: an entry of the payload, or the type. */
function groupValue(match: Match, key: string | null): string | null {
  if (key === null || key === "type") return match.label.field;
  return payloadOf(match)[key] ?? null;
}

function suggestionOf(match: Match): Suggestion {
  return { phrase: match.label.text, type: match.label.field, payload: payloadOf(match) };
}
