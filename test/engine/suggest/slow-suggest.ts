// The slow obvious account of suggesting: every live product, every word of every label, no index. Ungrouped.
import type { SuggestConfig, SuggestRequest } from "../../../src/interface/index.ts";
import { fold, sortKey, type Analyzer } from "../../../src/index-engine/analysis/index.ts";
import type {
  FieldValue,
  IndexableProduct,
} from "../../../src/index-engine/segment/model/index.ts";
import { compareCodePoints } from "../../../src/index-engine/base/index.ts";

export interface SlowSuggestion {
  readonly phrase: string;
  readonly type: string;
  readonly group: string;
  readonly weight: number;
  readonly id: string | null;
  readonly catPath: string | null;
}

interface SlowLabel {
  readonly type: string;
  readonly phrase: string;
  readonly parent: string | null;
  readonly weight: number;
  readonly id: string | null;
  readonly key: string;
}

function labelsOf(
  products: readonly IndexableProduct[],
  field: string,
  language: string,
): SlowLabel[] {
  const values = products.map((product) =>
    [...product.values, ...product.variants.flatMap((variant) => variant.values)].filter(
      (value): value is FieldValue & { kind: "term" | "path" } =>
        value.field === field && value.kind !== "number" && value.facet,
    ),
  );
  if (values.some((own) => own.length > 0)) {
    const keyOf = ({ kind, value }: { kind: string; value: string }): string =>
      kind === "term" ? value.toLowerCase() : value;
    return [...new Set(values.flat().map(keyOf))].map((key) => {
      const carrying = values
        .map((own) => own.filter((value) => keyOf(value) === key))
        .filter((own) => own.length > 0);
      const spelling =
        most(
          carrying
            .flatMap((own) => distinct(own.map(({ value, id }) => [value, id])))
            .map(([value]) => value),
        ) ?? "";
      const steps = carrying[0][0].kind === "path" ? spelling.split("/") : [spelling];
      const phrase = steps[steps.length - 1].replaceAll("%2F", "/");
      return {
        type: field,
        phrase,
        parent: steps.length > 1 ? steps.slice(0, -1).join("/") : null,
        weight: carrying.length,
        id: most(
          carrying
            .flatMap((own) => distinct(own.map(({ value, id }) => [value, id])))
            .flatMap(([, id]) => id ?? []),
        ),
        key: sortKey(phrase, language),
      };
    });
  }
  const titles = products.flatMap((product) => {
    const own = [...product.columns, ...product.variants.flatMap((variant) => variant.columns)]
      .flatMap((column) =>
        column.field === field && typeof column.value === "string" ? [column.value] : [],
      )
      .map((value) => sortKey(value, language))
      .sort(compareCodePoints);
    return own.slice(0, 1);
  });
  return [...new Set(titles)].map((key) => ({
    type: field,
    phrase: key.slice(key.indexOf("\u0000") + 1),
    parent: null,
    weight: titles.filter((title) => title === key).length,
    id: null,
    key,
  }));
}

function distinct(pairs: readonly [string, string | null][]): [string, string | null][] {
  return [...new Map(pairs.map((pair) => [JSON.stringify(pair), pair])).values()];
}

function most(texts: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || compareCodePoints(a[0], b[0]));
  return best?.[0] ?? null;
}

/** Optimal string alignment by its definition. */
export function slowDistance(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const [x, y] = [a.length - 1, b.length - 1];
  let best = Math.min(
    slowDistance(a.slice(0, x), b) + 1,
    slowDistance(a, b.slice(0, y)) + 1,
    slowDistance(a.slice(0, x), b.slice(0, y)) + Number(a[x] !== b[y]),
  );
  if (x > 0 && y > 0 && a[x] === b[y - 1] && a[x - 1] === b[y]) {
    best = Math.min(best, slowDistance(a.slice(0, x - 1), b.slice(0, y - 1)) + 1);
  }
  return best;
}

/** One edit from three letters on, two from five. */
export function forgiven(typed: string, edits: number): number {
  return edits <= (typed.length < 3 ? 0 : typed.length < 5 ? 1 : 2) ? edits : Infinity;
}

function slowWordEdits(typed: string, word: string, isLast: boolean): number {
  if (typed === word || (isLast && word.startsWith(typed))) return 0;
  if (typed[0] !== word[0]) return Infinity;
  if (!isLast) return forgiven(typed, slowDistance(typed, word));
  let best = Infinity;
  for (let end = 0; end <= word.length; end++)
    best = Math.min(best, slowDistance(typed, word.slice(0, end)));
  return forgiven(typed, best);
}

function slowEdits(typed: readonly string[], words: readonly string[]): number {
  return typed.reduce(
    (sum, word, i) =>
      sum +
      Math.min(
        Infinity,
        ...words.map((other) => slowWordEdits(word, other, i === typed.length - 1)),
      ),
    0,
  );
}

/**
 * As the reference does it: group by group in the order given, then the others, whatever was seen before is dropped.
 * The others are gone through as one group, which is in no order of groups but the better match first.
 */
export function unrepeatedSlowly<T>(
  items: readonly T[],
  labelOf: (item: T) => string,
  groupOf: (item: T) => string,
  { deduplicate, group: { deduplicationOrder } }: Pick<SuggestConfig, "deduplicate" | "group">,
): T[] {
  const isCaseless = deduplicate || deduplicationOrder.length > 0;
  const listed = deduplicationOrder.map((name) => items.filter((item) => groupOf(item) === name));
  const others = items.filter((item) => !deduplicationOrder.includes(groupOf(item)));
  const seen = new Set<string>();
  const kept = new Set<T>();
  for (const item of [...listed.flat(), ...others]) {
    const label = isCaseless ? labelOf(item).trim().toLowerCase() : labelOf(item);
    if (!seen.has(label)) kept.add(item);
    seen.add(label);
  }
  return items.filter((item) => kept.has(item));
}

export function suggestSlowly(
  products: readonly IndexableProduct[],
  analyzer: Analyzer,
  config: SuggestConfig,
  request: SuggestRequest,
): SlowSuggestion[] {
  const typed = analyzer.terms(request.userQuery);
  if (typed.length === 0 || !config.isEnabled) return [];
  const { language } = analyzer;
  const prefix = fold(request.userQuery.trim(), language);
  const fields =
    config.sourceFields.length > 0 ? config.sourceFields : ["brand", "category", "title"];
  const labels = [...new Set(fields)]
    .filter((field) => request.filter.length === 0 || request.filter.includes(field))
    .flatMap((field) => labelsOf(products, field, language));
  const primary = (label: SlowLabel): number => slowEdits(typed, analyzer.terms(label.phrase));
  const secondary = (label: SlowLabel): boolean =>
    label.parent !== null &&
    slowEdits(
      typed,
      analyzer.terms(
        label.parent
          .split("/")
          .map((step) => step.replaceAll("%2F", "/"))
          .join(" "),
      ),
    ) === 0;

  type Found = [string, SlowLabel];
  const stage = (group: string, test: (label: SlowLabel) => boolean): Found[] =>
    labels.filter(test).map((label) => [group, label]);
  const begins = ({ key }: SlowLabel): number => Number(key.startsWith(prefix));
  const byText = (a: SlowLabel, b: SlowLabel): number =>
    compareCodePoints(a.key, b.key) ||
    fields.indexOf(a.type) - fields.indexOf(b.type) ||
    compareCodePoints(a.parent ?? "", b.parent ?? "");
  const common = ({ key }: SlowLabel): number => {
    let length = 0;
    while (length < key.length && length < prefix.length && key[length] === prefix[length])
      length++;
    return length;
  };
  const byWeight = (found: Found[]): Found[] =>
    found.sort(([, a], [, b]) => b.weight - a.weight || begins(b) - begins(a) || byText(a, b));
  const byLikeness = (found: Found[]): Found[] =>
    found.sort(([, a], [, b]) => common(b) - common(a) || b.weight - a.weight || byText(a, b));

  const best = stage("best matches", (label) => primary(label) === 0);
  const second = stage("secondary matches", secondary);
  let found =
    config.sortStrategy === "MatchGroupsSeparated"
      ? [...byWeight(best), ...byWeight(second)]
      : byWeight([...best, ...second]);
  if (found.length === 0 && request.filter.length === 0 && request.userQuery.trim().length >= 3) {
    found = byLikeness(stage("fuzzy matches with 1 edit", (label) => primary(label) <= 1));
    if (found.length === 0)
      found = byLikeness(stage("fuzzy matches with 2 edits", (label) => primary(label) <= 2));
  }
  const valuesOf = (field: string): SlowLabel[] => [
    ...new Set(found.map(([, label]) => label).filter(({ type }) => type === field)),
  ];
  const fetched = found.filter(([, label]) =>
    valuesOf(label.type).slice(0, config.maxFetchSize).includes(label),
  );
  const unique = unrepeatedSlowly(
    fetched,
    ([, { phrase }]) => phrase,
    ([, { type }]) => type,
    config,
  );
  return unique.slice(0, request.limit).map(([group, { phrase, type, weight, id, parent }]) => ({
    phrase,
    type,
    group,
    weight,
    id,
    catPath: parent,
  }));
}
