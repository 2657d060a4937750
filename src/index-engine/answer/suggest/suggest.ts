/**
 * Typed characters -> suggestions (docs/indexing.md 7).
 *
 *   sources   fields of the configuration, else brand, category, title: facet values, or strings of a sort column
 *   stages    best matches (names that answer), secondary matches (categories whose path answers);
 *             only when those found nothing, for three characters and more and without `filter`: one edit, then two
 *   order     by weight (live products), then what begins with the input, then by name; forgiving stages by common beginning first
 *   fetched   of each field the first `max-fetch-size` values in this order; the rest is as if it were not there
 *   output    a phrase once, the better match keeps it or the group that is to (groups.ts); groups and their sizes as configured
 *
 * Everything comes from the reader given: a write shows in the next suggestion, and answers do not depend on segments
 * (I4). Not here: sharpened and relaxed queries, which the interface offers no way to feed.
 */
import {
  LIMITS,
  type SuggestConfig,
  type SuggestRequest,
  type Suggestion,
} from "../../../interface/index.ts";
import { fold, type Analyzer } from "../../analysis/index.ts";
import type { LiveSegment, Segment } from "../../segment/model/index.ts";
import { compareCodePoints, work } from "../../base/index.ts";
import { columnLabelBytes } from "./column-labels.ts";
import { facetLabelBytes } from "./facet-labels.ts";
import { isGrouped, limitByGroups, withoutRepeated } from "./groups.ts";
import {
  LocalLabels,
  type LabelFinder,
  type LabelSource,
  type SuggestFieldPlan,
} from "./label-finder.ts";
import { MATCH_GROUPS, type Label, type Match, type MatchGroup } from "./label.ts";
import { titleHashBytes } from "./title-hashes.ts";
import { typedWords, type TypedWords } from "./words.ts";

/** Without configuration (docs/indexing.md 7.2). */
const DEFAULT_SOURCES = ["brand", "category", "title"] as const;
const SHORTEST_FORGIVEN_INPUT = 3;
const FORGIVING_STAGES = [
  ["oneEdit", 1],
  ["twoEdits", 2],
] as const satisfies readonly (readonly [MatchGroup, number])[];

/** Best first, at most `request.limit`. Throws ServiceError `search_too_expensive`. */
export function suggest(
  reader: { readonly segments: readonly LiveSegment[] },
  plan: SuggestFieldPlan,
  config: SuggestConfig,
  request: SuggestRequest,
): Suggestion[] {
  const typed = typedRequest(config, request, plan.analyzer);
  if (typed === null) return [];
  const labels = new LocalLabels(reader.segments, plan, typed);
  return work.within(() => suggestFrom(labels, plan.language, config, request, typed));
}

/** What of a request labels are looked up by; null: nothing to look for. */
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

/** Fields that labels come from, in order. */
export function sourceFields(config: SuggestConfig, { filter }: SuggestRequest): string[] {
  const configured = config.sourceFields.length > 0 ? config.sourceFields : DEFAULT_SOURCES;
  return [...new Set(configured)].filter((field) => filter.length === 0 || filter.includes(field));
}

/** The same, wherever the labels come from. */
export function suggestFrom(
  labels: LabelFinder,
  language: string,
  config: SuggestConfig,
  request: SuggestRequest,
  typed: TypedWords,
): Suggestion[] {
  return new Suggesting(labels, language, config, request, typed).answer(suggestLimit(request));
}

/** Bytes that suggesting keeps for these segments. */
export function suggestBytes(segments: Iterable<Segment>): number {
  const all = [...segments];
  return facetLabelBytes(all) + columnLabelBytes(all) + titleHashBytes(all);
}

class Suggesting {
  readonly #labels: LabelFinder;
  readonly #config: SuggestConfig;
  readonly #sources: readonly LabelSource[];
  /** Forgiving is for those who typed enough and did not narrow the kinds. */
  readonly #mayForgive: boolean;
  /** What was typed, folded: the beginning of sort keys that begin with it. */
  readonly #prefix: string;

  constructor(
    labels: LabelFinder,
    language: string,
    config: SuggestConfig,
    request: SuggestRequest,
    typed: TypedWords,
  ) {
    this.#labels = labels;
    this.#config = config;
    this.#sources = sourceFields(config, request).flatMap((field) => {
      const kind = labels.kindOf(field);
      return kind === null ? [] : [{ field, kind }];
    });
    this.#mayForgive = request.filter.length === 0 && typed.text.length >= SHORTEST_FORGIVEN_INPUT;
    this.#prefix = fold(typed.text, language);
  }

  answer(limit: number): Suggestion[] {
    // More labels of a column are named when so many were dropped as repeated that others may belong into the answer:
    // not only when it is short, because labels of another kind may stand where those would.
    for (let wanted = limit; ; wanted *= 2) {
      const { matches, cutFields } = this.#collect(wanted);
      const { group } = this.#config;
      const groupOf = (match: Match): string | null => groupValue(match, group.key);
      const distinct = withoutRepeated(matches, ({ label }) => label.text, groupOf, this.#config);
      const chosen = isGrouped(group)
        ? limitByGroups(distinct, groupOf, group, limit)
        : distinct.slice(0, limit);
      // No answer takes more than `limit` of one source.
      const isEnough = [...cutFields].every(
        (field) => distinct.filter(({ label }) => label.field === field).length >= limit,
      );
      if (isEnough) return chosen.map(suggestionOf);
    }
  }

  /** At most `wanted` labels of each column. `cutFields`: the columns that may have more. */
  #collect(wanted: number): { matches: readonly Match[]; cutFields: ReadonlySet<string> } {
    const { alwaysDoFuzzy, maxFetchSize, sortStrategy } = this.#config;
    const most = Math.min(wanted, maxFetchSize);
    const cutFields = new Set<string>();
    const stage = (group: MatchGroup, maxEdits: number): Match[] =>
      this.#sources.flatMap((source) => {
        const labels = this.#find(source, group, maxEdits, most);
        const isCut = source.kind === "column" && labels.length >= most && most < maxFetchSize;
        if (isCut) cutFields.add(source.field);
        return labels.map((label) => ({ group, label }));
      });

    const best = stage("best", 0);
    const secondary = stage("secondary", 0);
    let matches = this.#fetched(
      sortStrategy === "MatchGroupsSeparated"
        ? [...this.#byWeight(best), ...this.#byWeight(secondary)]
        : this.#byWeight([...best, ...secondary]),
    );
    const isEnough = (): boolean =>
      matches.length > 0 && !(alwaysDoFuzzy && matches.length < wanted);
    for (const [group, maxEdits] of FORGIVING_STAGES) {
      if (!this.#mayForgive || isEnough()) break;
      matches = this.#fetched([...matches, ...this.#byLikeness(stage(group, maxEdits))]);
    }
    return { matches, cutFields };
  }

  /** The first `max-fetch-size` values of each field; a value that several stages found is one. */
  #fetched(matches: readonly Match[]): readonly Match[] {
    const { maxFetchSize } = this.#config;
    if (matches.length <= maxFetchSize) return matches;
    const fetched = new Map<string, Set<string>>(
      this.#sources.map(({ field }) => [field, new Set()]),
    );
    return matches.filter(({ label: { field, parentPath, text } }) => {
      const values = fetched.get(field);
      const value = JSON.stringify([parentPath, text]);
      if (values === undefined || (values.size >= maxFetchSize && !values.has(value))) return false;
      values.add(value);
      return true;
    });
  }

  #find(
    { field, kind }: LabelSource,
    group: MatchGroup,
    maxEdits: number,
    wanted: number,
  ): Label[] {
    const secondary = group === "secondary";
    if (kind !== "column") return this.#labels.facets({ field, kind }, maxEdits, secondary);
    if (secondary) return [];
    const by = maxEdits === 0 ? "weight" : "likeness";
    return this.#labels.titles(field, maxEdits, { by, prefix: this.#prefix }, wanted);
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

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function payloadOf({ group, label }: Match): Record<string, string> {
  const payload: Record<string, string> = { count: String(label.weight) };
  if (label.id !== null) payload["id"] = label.id;
  if (label.parentPath !== null) payload["catPath"] = label.parentPath;
  payload["meta.matchGroupName"] = MATCH_GROUPS[group];
  payload["meta.weight"] = String(label.weight);
  payload["meta.matchKey"] = group === "secondary" ? (label.parentPath ?? "") : label.text;
  return payload;
}

/** The value that groups suggestions: a payload entry, `type` among them. */
function groupValue(match: Match, key: string | null): string | null {
  if (key === null || key === "type") return match.label.field;
  return payloadOf(match)[key] ?? null;
}

function suggestionOf(match: Match): Suggestion {
  return { phrase: match.label.text, type: match.label.field, payload: payloadOf(match) };
}
