// The slow obvious account of suggesting: every live product, every word of every label, no index. Ungrouped.
import type { SuggestConfig, SuggestQueries, SuggestRequest } from "../../../src/interface/index.ts";
import { fold, isUnspaced, sortKey, type Analyzer } from "../../../src/index-engine/analysis/index.ts";
import type { FieldValue, IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
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
  /** A query of the shop's own. */
  readonly isOwn?: true;
}

/**
 * Words that complete the typed ones in titles, one a stem; of one typed word also the best four with the three that
 * stand behind each of them most often. Most products first, so many.
 */
function phrasesOf(
  products: readonly IndexableProduct[],
  analyzer: Analyzer,
  typed: readonly string[],
  isBeginning: boolean,
  maxEdits: number,
  most: number,
): SlowLabel[] {
  const titles = products
    .map(({ id, texts, variants }) => ({
      id,
      words: [...texts, ...variants.flatMap((variant) => variant.texts)]
        .filter(({ field }) => field === "title")
        .flatMap(({ text }) => analyzer.terms(text)),
      shown: labelsOf(
        products.filter((product) => product.id === id),
        "title",
        analyzer.language,
      )[0],
    }))
    .sort((a, b) => compareCodePoints(a.id, b.id));
  const before = typed.slice(0, -1);
  const last = typed[typed.length - 1];
  const complete = titles.filter(({ words }) =>
    before.every((word) => words.some((own) => slowWordEdits(word, own, false, analyzer) === 0)),
  );
  const counts = new Map<string, number>();
  for (const { words } of complete) {
    for (const word of new Set(words)) {
      const isWord = word.length >= 3 && !/\d/.test(word) && !analyzer.isStopWord(word) && !isUnspaced(word);
      if (isWord && slowWordEdits(last, word, isBeginning, analyzer) <= maxEdits)
        counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const spelled = (word: string): string => {
    const shown = titles.find(({ words }) => words.includes(word))?.shown?.phrase ?? "";
    const piece = shown.match(/[\p{L}\p{N}]+/gu)?.find((own) => analyzer.terms(own)[0] === word);
    return piece?.toLowerCase() ?? word;
  };
  const oneAStem = (of: ReadonlyMap<string, number>, size: number): [string, number][] => {
    const stems = new Set<string>();
    return [...of]
      .filter(([, count]) => count >= 2)
      .sort((a, b) => b[1] - a[1] || compareCodePoints(a[0], b[0]))
      .slice(0, size * 3)
      .filter(([word]) => !stems.has(analyzer.stem(word)) && stems.add(analyzer.stem(word)));
  };
  const best = oneAStem(counts, most).slice(0, most);
  const followed = before.length > 0 ? [] : best.slice(0, 4);
  const pairs = followed.flatMap(([word]) => {
    const behind = new Map<string, number>();
    for (const { texts } of products) {
      const own = texts
        .filter(({ field }) => field === "title")
        .flatMap(({ text }) => {
          const words = analyzer.terms(text);
          return words.filter((other, i) => i > 0 && words[i - 1] === word && other !== word);
        });
      for (const other of new Set(own)) {
        const isWord = other.length >= 3 && !/\d/.test(other) && !analyzer.isStopWord(other);
        if (isWord) behind.set(other, (behind.get(other) ?? 0) + 1);
      }
    }
    return oneAStem(behind, 3)
      .filter(([other]) => analyzer.stem(other) !== analyzer.stem(word))
      .slice(0, 3)
      .map(([other, count]) => ({ words: [word, other], count }));
  });
  return [...best.map(([word, count]) => ({ words: [...before, word], count })), ...pairs]
    .sort((a, b) => b.count - a.count)
    .slice(0, most)
    .map(({ words, count }) => {
      const phrase = words.map(spelled).join(" ");
      const key = sortKey(phrase, analyzer.language);
      return { type: "keyword", phrase, parent: null, weight: count, id: null, key };
    });
}

function labelsOf(products: readonly IndexableProduct[], field: string, language: string): SlowLabel[] {
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
      const carrying = values.map((own) => own.filter((value) => keyOf(value) === key)).filter((own) => own.length > 0);
      const spelling =
        most(carrying.flatMap((own) => distinct(own.map(({ value, id }) => [value, id]))).map(([value]) => value)) ??
        "";
      const steps = carrying[0][0].kind === "path" ? spelling.split("/") : [spelling];
      const phrase = steps[steps.length - 1].replaceAll("%2F", "/");
      return {
        type: field,
        phrase,
        parent: steps.length > 1 ? steps.slice(0, -1).join("/") : null,
        weight: carrying.length,
        id: most(
          carrying.flatMap((own) => distinct(own.map(({ value, id }) => [value, id]))).flatMap(([, id]) => id ?? []),
        ),
        key: sortKey(phrase, language),
      };
    });
  }
  const titles = products.flatMap((product) => {
    const own = [...product.columns, ...product.variants.flatMap((variant) => variant.columns)]
      .flatMap((column) => (column.field === field && typeof column.value === "string" ? [column.value] : []))
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

const distances = new Map<string, number>();

/** Optimal string alignment by its definition. */
export function slowDistance(a: string, b: string): number {
  const pair = `${a} ${b}`;
  const known = distances.get(pair) ?? distanceOf(a, b);
  distances.set(pair, known);
  return known;
}

function distanceOf(a: string, b: string): number {
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

/** One edit from three letters on, two from six. */
export function forgiven(typed: string, edits: number): number {
  return edits <= (typed.length < 3 ? 0 : typed.length < 6 ? 1 : 2) ? edits : Infinity;
}

function slowWordEdits(
  typed: string,
  word: string,
  isBeginning: boolean,
  { language }: Pick<Analyzer, "language">,
): number {
  const fits = (own: string): boolean => own === word || (isBeginning && word.startsWith(own));
  // German: each of these letters as typed, and written out as with dots on it.
  const umlauts = language === "de" ? "aou" : "";
  const written = [...typed].reduce(
    (all, letter) => all.flatMap((own) => [own + letter, ...(umlauts.includes(letter) ? [`${own}${letter}e`] : [])]),
    [""],
  );
  if (written.some(fits)) return 0;
  if (/\d/.test(typed) || /\d/.test(word)) return Infinity;
  const ends = isBeginning ? Array.from({ length: word.length + 1 }, (_, end) => end) : [word.length];
  const edits = written.flatMap((own) => ends.map((end) => slowDistance(own, word.slice(0, end))));
  return forgiven(typed, Math.min(...edits));
}

function slowEdits(
  typed: readonly string[],
  words: readonly string[],
  isLastBeginning: boolean,
  analyzer: Analyzer,
): number {
  return typed.reduce((sum, word, i) => {
    const isBeginning = isLastBeginning && i === typed.length - 1;
    const edits = words.map((other) => slowWordEdits(word, other, isBeginning, analyzer));
    return sum + Math.min(Infinity, ...edits);
  }, 0);
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

/** docs/indexing.md 7.3: own queries, brands and categories; half of the places for phrases; a quarter for titles. */
function balancedSlowly<T extends { readonly type: string; readonly isOwn?: true }>(
  labels: readonly T[],
  limit: number,
): T[] {
  const isOf = (type: string) => (label: T) => label.isOwn === undefined && label.type === type;
  const phrases = labels.filter(isOf("keyword"));
  const titles = labels.filter(isOf("title"));
  const named = labels.filter((label) => !phrases.includes(label) && !titles.includes(label));
  const places = Math.max(limit - named.length, Math.floor(limit / 2));
  const first = phrases.slice(0, places);
  first.push(...named.slice(0, limit - first.length));
  const others = labels.filter((label) => first.includes(label));
  const most = others.length === 0 ? limit : Math.ceil(limit / 4);
  return [...others, ...titles.slice(0, most)].slice(0, limit);
}

/**
 * Of the first labels of each kind, two for each place: those that no other label with the same stems precedes, of its
 * own kind or of a kind before it. Brands stay.
 */
function withoutOtherForms<T>(
  items: readonly T[],
  labelOf: (item: T) => string,
  kindOf: (item: T) => string,
  limit: number,
  analyzer: Analyzer,
): T[] {
  const kinds = ["own", "brand", "category", "keyword", "title"];
  const first = items.filter((item, at) => {
    const before = items.slice(0, at).filter((other) => kindOf(other) === kindOf(item));
    return before.length < 2 * limit;
  });
  const stems = (item: T): string => {
    const terms = analyzer.terms(labelOf(item));
    return terms.length === 0 ? labelOf(item).trim().toLowerCase() : terms.map((term) => analyzer.stem(term)).join(" ");
  };
  const place = (item: T): number => kinds.indexOf(kindOf(item)) * items.length + items.indexOf(item);
  return first.filter(
    (item) =>
      kindOf(item) === "brand" || !first.some((other) => place(other) < place(item) && stems(other) === stems(item)),
  );
}

export const NO_QUERIES: SuggestQueries = { queries: [], sharpened: {}, relaxed: {} };

export function suggestSlowly(
  products: readonly IndexableProduct[],
  analyzer: Analyzer,
  config: SuggestConfig,
  request: SuggestRequest,
  own: SuggestQueries = NO_QUERIES,
): SlowSuggestion[] {
  const typed = analyzer.queryTerms(request.userQuery);
  if (typed.length === 0 || !config.isEnabled) return [];
  const { filter, limit } = request;
  const { language } = analyzer;
  const prefix = fold(request.userQuery.trim(), language);
  const isBalanced =
    config.sourceFields.length === 0 && config.group.key === null && config.group.deduplicationOrder.length === 0;
  const fields = config.sourceFields.length > 0 ? config.sourceFields : ["brand", "category", "keyword", "title"];
  const sources = [...new Set(fields)].filter((field) => filter.length === 0 || filter.includes(field));
  const labels = [
    ...sources.flatMap((field) => labelsOf(products, field, language)),
    ...own.queries
      .filter(({ type, tags }) => filter.length === 0 || [type, ...tags].some((tag) => filter.includes(tag)))
      .map(({ phrase, type, weight }): SlowLabel => ({
        type,
        phrase,
        parent: null,
        weight,
        id: null,
        key: sortKey(phrase, language),
        isOwn: true,
      })),
  ];
  const primary = (label: SlowLabel, words = typed, isLastBeginning = true): number =>
    slowEdits(words, analyzer.terms(label.phrase), isLastBeginning, analyzer);
  const secondary = (label: SlowLabel): boolean => {
    const above = (label.parent ?? "").split("/").map((step) => step.replaceAll("%2F", "/"));
    const words = analyzer.terms(above.join(" "));
    return label.parent !== null && slowEdits(typed, words, true, analyzer) === 0;
  };
  const phrases = (words: readonly string[], isBeginning: boolean, maxEdits: number): SlowLabel[] =>
    sources.includes("keyword") ? phrasesOf(products, analyzer, words, isBeginning, maxEdits, limit * 2) : [];

  type Found = [string, SlowLabel];
  const stage = (group: string, found: readonly SlowLabel[]): Found[] => found.map((label) => [group, label]);
  const begins = ({ key }: SlowLabel): number => Number(key.startsWith(prefix));
  const byText = (a: SlowLabel, b: SlowLabel): number =>
    compareCodePoints(a.key, b.key) ||
    sources.indexOf(a.type) - sources.indexOf(b.type) ||
    compareCodePoints(a.parent ?? "", b.parent ?? "");
  const common = ({ key }: SlowLabel): number => {
    let length = 0;
    while (length < key.length && length < prefix.length && key[length] === prefix[length]) length++;
    return length;
  };
  const byWeight = (found: Found[]): Found[] =>
    found.sort(([, a], [, b]) => b.weight - a.weight || begins(b) - begins(a) || byText(a, b));
  const byLikeness = (found: Found[]): Found[] =>
    found.sort(([, a], [, b]) => common(b) - common(a) || b.weight - a.weight || byText(a, b));
  const answering = (edits: number): SlowLabel[] => [
    ...labels.filter((label) => primary(label) <= edits),
    ...phrases(typed, true, edits),
  ];

  const best = stage("best matches", answering(0));
  const second = stage("secondary matches", labels.filter(secondary));
  let found =
    config.sortStrategy === "MatchGroupsSeparated"
      ? [...byWeight(best), ...byWeight(second)]
      : byWeight([...best, ...second]);
  const keyOf = (query: string): string => analyzer.terms(query).join(" ");
  const listed = (group: string, lists: SuggestQueries["relaxed"]): Found[] =>
    stage(
      group,
      (filter.length > 0 && !filter.includes("keyword") ? [] : Object.entries(lists))
        .filter(([query]) => keyOf(query) === keyOf(request.userQuery))
        .flatMap(([, list]) => list)
        .map((phrase) => ({
          type: "keyword",
          phrase,
          parent: null,
          weight: 0,
          id: null,
          key: sortKey(phrase, language),
          isOwn: true,
        })),
    );
  const sharpened = listed("sharpened matches", own.sharpened).slice(0, config.maxSharpenedQueries);
  if (found.length === 0 && sharpened.length === 0 && request.userQuery.trim().length >= 3) {
    found = byLikeness(stage("fuzzy matches with 1 edit", answering(1)));
    if (found.length === 0) found = byLikeness(stage("fuzzy matches with 2 edits", answering(2)));
    for (let length = typed.length - 1; length > 0 && found.length === 0; length--) {
      found = byWeight(
        Array.from({ length: typed.length - length + 1 }, (_, start) => start).flatMap((start) => {
          const words = typed.slice(start, start + length);
          const isLast = start + length === typed.length;
          if (words.join("").length < 3) return [];
          return stage("shingle matches", [
            ...labels.filter((label) => primary(label, words, isLast) === 0),
            ...phrases(words, isLast, 0),
          ]);
        }),
      );
    }
  }
  const valuesOf = (field: string): string[] => [
    ...new Set(
      found
        .filter(([, { type, isOwn }]) => type === field && isOwn === undefined)
        .map(([, { parent, phrase }]) => JSON.stringify([parent, phrase])),
    ),
  ];
  const fetched = found.filter(
    ([, { type, isOwn, parent, phrase }]) =>
      isOwn === true ||
      valuesOf(type)
        .slice(0, config.maxFetchSize)
        .includes(JSON.stringify([parent, phrase])),
  );
  const kindOf = ([, { type, isOwn }]: Found): string => (isBalanced && isOwn === true ? "own" : type);
  const unique = unrepeatedSlowly(
    fetched,
    ([, { phrase }]) => phrase,
    kindOf,
    isBalanced ? { deduplicate: true, group: { ...config.group, deduplicationOrder: ["own", ...fields] } } : config,
  );
  const chosen = isBalanced
    ? balancedSlowly(
        withoutOtherForms(unique, ([, { phrase }]) => phrase, kindOf, limit, analyzer).map((match) => ({
          match,
          ...match[1],
        })),
        limit,
      ).map(({ match }) => match)
    : unique.slice(0, limit);
  const all = sharpened.slice();
  for (const more of [chosen, listed("relaxed matches", own.relaxed)]) {
    const known = all.map(([, { phrase }]) => phrase.toLowerCase());
    all.push(...more.filter(([, { phrase }]) => !known.includes(phrase.toLowerCase())));
  }
  return all
    .slice(0, limit)
    .map(([group, { phrase, type, weight, id, parent }]) => ({ phrase, type, group, weight, id, catPath: parent }));
}
