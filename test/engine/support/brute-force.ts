// A search over plain documents that knows every rule of the engine and no index: the slow twin.
//
// It reads lists of values, loops over all products for everything, and shares with the engine only what is not the engine's
// business: text analysis, sort keys, the table of length codes, field weights by name, and the parser of query strings.
// Rules are written down once more, from decisions.md and reference-behaviour.md, as plainly as possible.
import type {
  FilterParameter,
  ProductSet,
  SearchRequest,
  TenantConfig,
} from "../../../src/interface/index.ts";
import { sortKey, textOfSortKey } from "../../../src/index-engine/analysis/index.ts";
import {
  filterKey,
  VARIANT_ID_FIELD,
  type FieldPlan,
} from "../../../src/index-engine/fields/index.ts";
import { readFilterParameter } from "../../../src/index-engine/filter/index.ts";
import {
  FACET_KINDS,
  NORM_GROUPS,
  STEM_PREFIX,
  type FacetKind,
  type FieldValue,
  type IndexableProduct,
  type IndexableRow,
} from "../../../src/index-engine/model.ts";
import {
  DEFAULT_FIELD_WEIGHTS,
  parseQueryString,
  readSort,
  type Expression,
} from "../../../src/index-engine/query/index.ts";
import { fieldWeights, weightOf, type FieldWeights } from "../../../src/index-engine/rank/index.ts";
import { encodeNorm, NORM_LENGTHS } from "../../../src/index-engine/segment/index.ts";

export interface BruteHit {
  id: string;
  score: number | null;
  sortValues: (number | string | null)[];
  sortedFields: { field: string; value: number; prefix: string }[];
  variant: number | null;
  variantScore: number | null;
  matchedQueries: string[];
  set: number;
}

export interface BruteExecution {
  matchCount: number;
  hits: BruteHit[];
  /** `name|kind` -> key -> distinct products; null without facets. */
  facets: Record<string, Record<string, number>> | null;
  setCounts: number[];
  meta: Record<string, unknown>;
}

/** A product with what is asked of it over and over. */
interface Subject {
  readonly product: IndexableProduct;
  /** Effective values of each variant row; one row for a product without variants. */
  readonly rows: readonly (readonly FieldValue[])[];
  /** Dictionary term -> field -> frequency. */
  readonly terms: Map<string, Map<string, number>>;
  /** The terms of each variant's own texts. */
  readonly variantTerms: readonly Set<string>[];
  /** Decoded length by norm group. */
  readonly lengths: readonly number[];
}

interface Group {
  readonly word: string;
  readonly alternatives: readonly { readonly term: string; readonly factor: number }[];
}

/** What a search of its own (the request's, or a set's) found: product -> score. */
interface Found {
  readonly scores: Map<Subject, number>;
  readonly executed: string;
  readonly meta: Record<string, unknown>;
}

type Query =
  | { readonly kind: "all" | "none" }
  | { readonly kind: "words"; readonly groups: readonly Group[] }
  | { readonly kind: "expression"; readonly expression: Expression };

type RowTest = (values: readonly FieldValue[]) => boolean;

interface Filter {
  readonly field: string;
  readonly post: boolean;
  readonly test: RowTest;
}

/** @param products live products, each id once, in any order */
export class BruteForce {
  readonly #subjects: readonly Subject[];
  readonly #fields: FieldPlan;

  constructor(products: readonly IndexableProduct[], fields: FieldPlan) {
    this.#fields = fields;
    this.#subjects = products
      .map((product) => this.#subject(product))
      .sort((a, b) => byCodePoints(a.product.id, b.product.id));
  }

  search(request: SearchRequest, tenant: TenantConfig): BruteExecution {
    const subjects = this.#subjects;
    const weights = this.#weightsOf(tenant);
    const includeMain = request.arranged?.includeMainResult ?? true;
    const filters = this.#filters(request.filters, tenant, request.withFacets);
    const criteria = this.#criteria(request.sort, tenant);
    const query: Query = includeMain ? this.#query(request.q) : { kind: "all" };
    const passes = (subject: Subject, some: readonly Filter[]): boolean =>
      passingRows(subject, some).length > 0;

    // The request's own query decides its stage under all filters.
    const found = this.#run(query, weights, filters);
    const natural = new Map(includeMain ? found.scores : []);

    // Sets: in order, an id belongs to the first set that names it.
    const setOf = new Map<Subject, { set: number; position: number }>();
    (request.arranged?.sets ?? []).forEach((set, number) => {
      let position = 0;
      for (const subject of this.#membersOf(set, tenant, weights, new Set(setOf.keys()))) {
        setOf.set(subject, { set: number, position: position++ });
      }
    });

    const matchesUnder = (some: readonly Filter[]): Subject[] =>
      subjects.filter((subject) => {
        if (!passes(subject, some)) return false;
        return setOf.has(subject) || (includeMain && this.#matches(query, weights, found, subject));
      });
    const all = matchesUnder(filters);

    const placed = criteria.length === 0;
    const ordered = [...all].sort((a, b) => {
      const setA = placed ? setOf.get(a) : undefined;
      const setB = placed ? setOf.get(b) : undefined;
      if (setA !== undefined || setB !== undefined) {
        if (setA === undefined) return 1;
        if (setB === undefined) return -1;
        return setA.set - setB.set || setA.position - setB.position;
      }
      return this.#compare(criteria, natural, a, b);
    });
    const end = request.offset + request.limit;
    const page = end > 10_000 ? [] : ordered.slice(request.offset, end);

    return {
      matchCount: all.length,
      hits: page.map((subject) => {
        const entry = setOf.get(subject);
        const picked = this.#pickVariant(
          subject,
          query,
          weights,
          filters,
          criteria,
          request,
          tenant,
        );
        return {
          id: subject.product.id,
          score: criteria.length > 0 ? null : (natural.get(subject) ?? 0),
          sortValues: criteria.map((criterion) => shownOf(criterion, subject)),
          sortedFields: sortedFieldsOf(criteria, subject),
          variant: picked?.variant ?? null,
          variantScore: picked?.score ?? null,
          matchedQueries: [
            ...(natural.has(subject) ? [found.executed] : []),
            ...(entry === undefined ? [] : [`hero-product-set-${entry.set}`]),
          ],
          set: placed && entry !== undefined ? entry.set : -1,
        };
      }),
      facets: request.withFacets ? this.#facets(filters, all, matchesUnder) : null,
      setCounts: (request.arranged?.sets ?? []).map((_, set) =>
        placed ? all.filter((subject) => setOf.get(subject)?.set === set).length : 0,
      ),
      meta: {
        ...(includeMain ? {} : { includeMainResult: "false" }),
        ...(includeMain && query.kind === "all" ? { noQuery: true } : {}),
        ...found.meta,
      },
    };
  }

  // ---- documents -----------------------------------------------------------------------------------------------------------

  #subject(product: IndexableProduct): Subject {
    const terms = new Map<string, Map<string, number>>();
    const lengths = NORM_GROUPS.map(() => 0);
    const read = (row: IndexableRow): Set<string> => {
      const own = new Set<string>();
      for (const { field, text } of row.texts) {
        for (const term of this.#fields.analyzer.terms(text)) {
          const stem = this.#fields.analyzer.stem(term);
          for (const entry of stem === term ? [term] : [term, STEM_PREFIX + stem]) {
            own.add(entry);
            const byField = terms.get(entry) ?? new Map<string, number>();
            byField.set(field, Math.min(255, (byField.get(field) ?? 0) + 1));
            terms.set(entry, byField);
          }
          lengths[NORM_GROUPS.indexOf(this.#fields.normGroup(field))]++;
        }
      }
      return own;
    };
    read(product);
    const variantTerms = product.variants.map(read);
    return {
      product,
      rows:
        product.variants.length === 0
          ? [product.values]
          : product.variants.map((variant) => [...product.values, ...variant.values]),
      terms,
      variantTerms,
      lengths: lengths.map((length) => NORM_LENGTHS[encodeNorm(length)]),
    };
  }

  // ---- queries -------------------------------------------------------------------------------------------------------------

  #groups(text: string): Group[] {
    const words = [...new Set(this.#fields.analyzer.terms(text))];
    return words.map((word) => {
      const stem = this.#fields.analyzer.stem(word);
      return {
        word,
        alternatives: [
          { term: word, factor: 1 },
          ...(stem === word ? [] : [{ term: stem, factor: 0.8 }]),
          { term: STEM_PREFIX + stem, factor: 0.8 },
        ],
      };
    });
  }

  #query(text: string): Query {
    if (text.trim() === "") return { kind: "all" };
    const groups = this.#groups(text);
    return groups.length === 0 ? { kind: "none" } : { kind: "words", groups };
  }

  /** The products a query finds under filters, with scores. */
  #run(query: Query, weights: FieldWeights, filters: readonly Filter[]): Found {
    const candidates = this.#subjects.filter((subject) => passingRows(subject, filters).length > 0);
    switch (query.kind) {
      case "none":
        return { scores: new Map(), executed: "", meta: { error: "invalid user query" } };
      case "all":
        return {
          scores: new Map(candidates.map((subject) => [subject, 0])),
          executed: "_match_all",
          meta: { query_executed: "_match_all", query_strategy: "_match_all", query_stage: 0 },
        };
      case "expression": {
        const scores = new Map<Subject, number>();
        for (const subject of candidates) {
          const score = this.#evaluate(query.expression, weights, subject);
          if (score !== null) scores.set(subject, Math.min(100_000_000, Math.round(score)));
        }
        return { scores, executed: "querystring", meta: {} };
      }
      case "words": {
        const words = query.groups.map(({ word }) => word);
        const matched = (subject: Subject): number =>
          query.groups.filter((group) => this.#score(group, weights, subject) > 0).length;
        const most = Math.max(0, ...candidates.map(matched));
        const required = most === 0 ? words.length : most;
        const scores = new Map<Subject, number>();
        for (const subject of candidates) {
          if (matched(subject) !== required) continue;
          let score = 0;
          for (const group of query.groups) score += this.#score(group, weights, subject);
          scores.set(subject, score);
        }
        const isFirst = required === words.length;
        const executed = isFirst ? words.join(" AND ") : `${required} of (${words.join(", ")})`;
        return {
          scores,
          executed,
          meta: {
            analyzedQuery: words.join(" "),
            query_executed: executed,
            query_strategy: isFirst ? "AllTerms" : "MostTerms",
            query_stage: isFirst ? 0 : 1,
          },
        };
      }
    }
  }

  /** Whether the query, at the stage decided, matches a product that other filters let through. */
  #matches(query: Query, weights: FieldWeights, found: Found, subject: Subject): boolean {
    if (query.kind === "none") return false;
    if (query.kind !== "words") return true;
    const matched = query.groups.filter((group) => this.#score(group, weights, subject) > 0).length;
    const required = /^(\d+) of \(/.exec(found.executed);
    const isFirst = found.meta["query_stage"] === 0;
    // At least: without a filter that left fewer words, a product may match more than the stage asks for.
    return matched >= (isFirst ? query.groups.length : Number(required?.[1]));
  }

  /** BM25F of one word, rounded; 0: does not match. */
  #score(group: Group, weights: FieldWeights, subject: Subject): number {
    const count = this.#subjects.length;
    const frequencies = group.alternatives.map(
      ({ term }) => this.#subjects.filter((other) => other.terms.has(term)).length,
    );
    const n = Math.max(...frequencies);
    const idf = Math.log(1 + (count - n + 0.5) / (n + 0.5));
    let best = 0;
    for (const { term, factor } of group.alternatives) {
      const byField = subject.terms.get(term);
      if (byField === undefined) continue;
      let frequency = 0;
      NORM_GROUPS.forEach((norm, g) => {
        let weighted = 0;
        for (const [field, times] of byField) {
          if (this.#fields.normGroup(field) === norm) weighted += weightOf(weights, field) * times;
        }
        const average = this.#subjects.reduce((sum, other) => sum + other.lengths[g], 0) / count;
        const relative = average === 0 ? 1 : subject.lengths[g] / average;
        const b = [0.3, 0.3, 0.75][g] ?? 0;
        frequency += weighted / (1 - b + b * relative);
      });
      if (frequency === 0) continue;
      const score = (10_000 * factor * idf * frequency * 2.2) / (1.2 + frequency);
      best = Math.max(best, Math.round(score), 1);
    }
    return best;
  }

  /** Null: does not match. */
  #evaluate(expression: Expression, weights: FieldWeights, subject: Subject): number | null {
    switch (expression.kind) {
      case "everything":
        return 0;
      case "words": {
        const scores = expression.groups.map((group) =>
          this.#score(group, expression.weights ?? weights, subject),
        );
        if (scores.length === 0 || scores.includes(0)) return null;
        return scores.reduce((sum, score) => sum + score, 0) * expression.boost;
      }
      case "clauses": {
        const results = expression.clauses.map(({ occur, expression: inner }) => ({
          occur,
          score: this.#evaluate(inner, weights, subject),
        }));
        if (results.some(({ occur, score }) => occur === "not" && score !== null)) return null;
        if (results.some(({ occur, score }) => occur === "must" && score === null)) return null;
        const shoulds = results.filter(({ occur }) => occur === "should");
        const hasMust = results.some(({ occur }) => occur === "must");
        if (!hasMust && shoulds.length > 0 && shoulds.every(({ score }) => score === null)) {
          return null;
        }
        let sum = 0;
        for (const { occur, score } of results) if (occur !== "not") sum += score ?? 0;
        return sum * expression.boost;
      }
    }
  }

  #weightsOf(tenant: TenantConfig): FieldWeights {
    const stage = tenant.stages?.find(
      ({ weightedFields }) => Object.keys(weightedFields).length > 0,
    );
    const entries =
      stage === undefined
        ? DEFAULT_FIELD_WEIGHTS
        : Object.entries(stage.weightedFields).map(([field, weight]) => ({ field, weight }));
    return fieldWeights(entries, this.#fields.searchAliases);
  }

  // ---- filters -------------------------------------------------------------------------------------------------------------

  #kindsOf(field: string): FacetKind[] {
    const config = this.#fields.field(field);
    const isConfigured =
      config !== null && (config.usages.includes("Facet") || config.usages.includes("Filter"));
    return FACET_KINDS.filter((kind) => {
      if (isConfigured) {
        if (kind === "path" && config.type === "category") return true;
        if (kind === "number" && config.type === "number") return true;
        if (kind === "term" && config.type !== "category" && config.type !== "number") return true;
      }
      return this.#subjects.some(({ rows }) =>
        rows.some((values) => values.some((value) => value.field === field && value.kind === kind)),
      );
    });
  }

  #filters(
    parameters: readonly FilterParameter[],
    tenant: TenantConfig,
    withFacets: boolean,
  ): Filter[] {
    return parameters.flatMap((parameter) => {
      const withoutId = parameter.name.replace(/\.id$/, "");
      const field = [withoutId, parameter.name].find((name) => this.#kindsOf(name).length > 0);
      if (field === undefined) return [];
      const byId = field !== parameter.name;
      const kinds = this.#kindsOf(field);
      const texts = parameter.values
        .map((value) => value.replace(/^,|,$/, ""))
        .filter((value) => value !== "");
      const range = rangeOf(parameter.values);
      if (!byId && kinds.every((kind) => kind === "number") && range === null) return [];
      const positive = (value: FieldValue): boolean => {
        if (value.field !== field) return false;
        if (byId) {
          return texts.some((text) => {
            const id = value.kind === "path" ? (text.split("/").at(-1) ?? "") : text;
            return value.id === id;
          });
        }
        switch (value.kind) {
          case "number":
            return range !== null && value.value >= range[0] && value.value <= range[1];
          case "path":
            return texts.includes(value.value);
          case "term":
            return texts.some((text) =>
              [text.trim(), filterKey(text.trim())].some(
                (key) => key.toLowerCase() === value.value.toLowerCase(),
              ),
            );
        }
      };
      const facet = tenant.facets.facets.find(({ sourceField }) => sourceField === field);
      const post =
        withFacets &&
        !parameter.negated &&
        facet !== undefined &&
        !facet.filterSensitive &&
        (facet.multiSelect || facet.showUnselectedOptions || facet.type?.kind === "range");
      const test: RowTest = (values) => values.some(positive) !== parameter.negated;
      return [{ field, post, test }];
    });
  }

  // ---- sets ----------------------------------------------------------------------------------------------------------------

  #membersOf(
    set: ProductSet,
    tenant: TenantConfig,
    weights: FieldWeights,
    used: ReadonlySet<Subject>,
  ): Subject[] {
    switch (set.type) {
      case "generic":
        return [];
      case "static": {
        const ids = [...new Set(set.ids)];
        const name = set.name ?? "";
        const members: Subject[] = [];
        for (const id of ids) {
          for (const subject of this.#subjects) {
            const isMeant = name.startsWith("field:")
              ? this.#hasTerms(subject, name.slice("field:".length).trim(), id)
              : subject.product.id === id;
            if (isMeant && !members.includes(subject)) members.push(subject);
          }
        }
        return members.filter((subject) => !used.has(subject));
      }
      case "dynamic":
      case "querystring": {
        let query = this.#query(set.query ?? "");
        let own = weights;
        if (set.type === "querystring") {
          const expression = parseQueryString(set.query, {
            groups: (text) => this.#groups(text),
            fieldOnly: (field) => fieldWeights([{ field, weight: 1 }], this.#fields.searchAliases),
          });
          if (expression !== null) query = { kind: "expression", expression };
          if (set.fieldWeights !== null && set.fieldWeights !== undefined) {
            own = fieldWeights(
              Object.entries(set.fieldWeights).map(([field, weight]) => ({ field, weight })),
              this.#fields.searchAliases,
            );
          }
        }
        const parameters = Object.entries(set.filters ?? {})
          .map(([name, text]) => readFilterParameter(name, text))
          .filter((parameter) => parameter !== null);
        const found = this.#run(query, own, this.#filters(parameters, tenant, false));
        const criteria = this.#criteria(readSort(set.sort), tenant);
        return [...found.scores.keys()]
          .sort((a, b) => this.#compare(criteria, found.scores, a, b))
          .filter((subject) => !used.has(subject))
          .slice(0, set.limit);
      }
    }
  }

  #hasTerms(subject: Subject, field: string, id: string): boolean {
    const words = this.#fields.analyzer.terms(id);
    const weights = fieldWeights([{ field, weight: 1 }], this.#fields.searchAliases);
    return (
      words.length > 0 &&
      words.every((word) =>
        [...(subject.terms.get(word)?.keys() ?? [])].some((name) => weightOf(weights, name) > 0),
      )
    );
  }

  // ---- order ---------------------------------------------------------------------------------------------------------------

  #criteria(
    sort: readonly { readonly field: string; readonly descending: boolean }[],
    tenant: TenantConfig,
  ): Criterion[] {
    const criteria: Criterion[] = [];
    for (const { field, descending } of sort) {
      const config = this.#fields.field(field);
      if (config !== null && !config.usages.includes("Sort")) continue;
      const option = tenant.sortOptions?.find(
        (one) => one.field === field && (one.order === "DESC") === descending,
      );
      for (const kind of ["number", "string"] as const) {
        const exists = this.#subjects.some(
          ({ product }) => valuesOf(product, field, kind).length > 0,
        );
        if (!exists) continue;
        criteria.push({
          field,
          descending,
          kind,
          missing: option?.missing ?? null,
          language: this.#fields.language,
        });
      }
    }
    return criteria;
  }

  #compare(
    criteria: readonly Criterion[],
    scores: ReadonlyMap<Subject, number>,
    a: Subject,
    b: Subject,
  ): number {
    const scoreA = scores.get(a) ?? 0;
    const scoreB = scores.get(b) ?? 0;
    if (criteria.length > 0) {
      for (const criterion of criteria) {
        const order = compareValues(
          criterion,
          ownValue(criterion, columnValues(criterion, a.product)),
          ownValue(criterion, columnValues(criterion, b.product)),
        );
        if (order !== 0) return order;
      }
      if (scoreA !== scoreB) return scoreB - scoreA;
    } else {
      const bucket = Math.floor(scoreB / 2_500) - Math.floor(scoreA / 2_500);
      if (bucket !== 0) return bucket;
      if (isInStock(a.product) !== isInStock(b.product)) return isInStock(a.product) ? -1 : 1;
      if (scoreA !== scoreB) return scoreB - scoreA;
    }
    return byCodePoints(a.product.id, b.product.id);
  }

  // ---- variants ------------------------------------------------------------------------------------------------------------

  #pickVariant(
    subject: Subject,
    query: Query,
    weights: FieldWeights,
    filters: readonly Filter[],
    criteria: readonly Criterion[],
    request: SearchRequest,
    tenant: TenantConfig,
  ): { variant: number; score: number } | null {
    const { product } = subject;
    const count = product.variants.length;
    if (count === 0) return null;
    const boosts = (request.arranged?.sets ?? []).flatMap((set) => {
      const fallback = set.type === "dynamic" || set.type === "querystring" ? set.query : null;
      return (set.variantBoostTerms ?? fallback ?? "").split(/\s+/).filter((term) => term !== "");
    });
    const strength = (group: Group, variant: number): number => {
      let best = 0;
      for (const { term, factor } of group.alternatives) {
        if (!subject.variantTerms[variant].has(term)) continue;
        const fields = [...(subject.terms.get(term)?.keys() ?? [])]
          .map((field) => weightOf(weights, field))
          .sort((a, b) => b - a);
        const [first = 0, ...others] = fields;
        best = Math.max(best, factor * (first + 0.2 * others.reduce((sum, one) => sum + one, 0)));
      }
      return best;
    };
    const scoreOf = (variant: number): number => {
      let score = 0;
      if (query.kind === "words") {
        for (const group of query.groups) score += strength(group, variant);
      }
      for (const term of boosts) {
        const groups = this.#groups(term);
        const inContent =
          groups.length > 0 && groups.every((group) => strength(group, variant) > 0);
        const isId = product.variants[variant].values.some(
          (value) =>
            value.field === VARIANT_ID_FIELD &&
            value.kind === "term" &&
            value.value.toLowerCase() === filterKey(term).toLowerCase(),
        );
        if (inContent || isId) score += 1_000;
      }
      return score;
    };
    const passing = passingRows(subject, filters).map((variant) => ({
      variant,
      score: scoreOf(variant),
    }));
    const scored = passing.filter(({ score }) => score > 0);
    const better = (
      a: { variant: number; score: number },
      b: { variant: number; score: number },
    ): number => {
      for (const criterion of criteria) {
        const order = compareValues(
          criterion,
          variantValue(criterion, product, a.variant),
          variantValue(criterion, product, b.variant),
        );
        if (order !== 0) return order;
      }
      return b.score - a.score;
    };
    const matching = (scored.length > 0 ? scored : passing).sort(
      (a, b) => better(a, b) || a.variant - b.variant,
    );
    const [first, second] = matching;
    if (first === undefined) return null;
    const isPreferred = filters.some(({ field }) =>
      tenant.facets.facets.some(
        (facet) => facet.preferVariantOnFilter && facet.sourceField === field,
      ),
    );
    const isShown = {
      pickAlways: true,
      pickIfSingleHit: second === undefined,
      pickIfDrilledDown: matching.length < count || count === 1,
      pickIfBestScored: second === undefined || better(first, second) < 0,
    }[isPreferred ? "pickAlways" : tenant.variantPickingStrategy];
    return isShown ? first : null;
  }

  // ---- facets --------------------------------------------------------------------------------------------------------------

  #facets(
    filters: readonly Filter[],
    all: readonly Subject[],
    matchesUnder: (filters: readonly Filter[]) => Subject[],
  ): Record<string, Record<string, number>> {
    const counts: Record<string, Record<string, number>> = {};
    const count = (
      subjects: readonly Subject[],
      applied: readonly Filter[],
      accept: (field: string) => boolean,
    ): void => {
      for (const subject of subjects) {
        const keys = new Set<string>();
        for (const row of passingRows(subject, applied)) {
          for (const value of subject.rows[row]) {
            if (!value.facet || !accept(value.field)) continue;
            const key = value.kind === "term" ? value.value.toLowerCase() : value.value;
            keys.add(JSON.stringify([`${value.field}|${value.kind}`, String(key)]));
          }
        }
        for (const text of keys) {
          const [field, key] = JSON.parse(text) as [string, string];
          counts[field] ??= {};
          counts[field][key] = (counts[field][key] ?? 0) + 1;
        }
      }
    };
    const postFields = new Set(filters.filter(({ post }) => post).map(({ field }) => field));
    count(all, filters, (field) => !postFields.has(field));
    for (const postField of postFields) {
      const rest = filters.filter(({ field, post }) => !post || field !== postField);
      count(matchesUnder(rest), rest, (field) => field === postField);
    }
    return counts;
  }
}

// ---- rows ------------------------------------------------------------------------------------------------------------------

/** Positions of the variant rows that pass every filter (I1). */
function passingRows(subject: Subject, filters: readonly Filter[]): number[] {
  return subject.rows.flatMap((values, row) =>
    filters.every(({ test }) => test(values)) ? [row] : [],
  );
}

/** `10,20`, `10-20`, `15`, `10,`, `,20`; several: smallest to largest. Null: nothing readable. */
function rangeOf(values: readonly string[]): [number, number] | null {
  const number = String.raw`\s*(-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*`;
  let range: [number, number] | null = null;
  for (const value of values) {
    let one: [number, number] | null = null;
    const from = new RegExp(`^${number},$`).exec(value);
    const to = new RegExp(`^,${number}$`).exec(value);
    const single = new RegExp(`^${number}$`).exec(value);
    const between = new RegExp(`^${number}-${number}$`).exec(value);
    if (from !== null) one = [Number(from[1]), Infinity];
    else if (to !== null) one = [-Infinity, Number(to[1])];
    else if (single !== null) one = [Number(single[1]), Number(single[1])];
    else if (between !== null) {
      const ends = [Number(between[1]), Number(between[2])];
      one = [Math.min(...ends), Math.max(...ends)];
    }
    if (one === null) continue;
    range = range === null ? one : [Math.min(range[0], one[0]), Math.max(range[1], one[1])];
  }
  return range;
}

// ---- sorting ---------------------------------------------------------------------------------------------------------------

interface Criterion {
  readonly field: string;
  readonly descending: boolean;
  readonly kind: "number" | "string";
  readonly missing: string | null;
  readonly language: string;
}

/** Values of a row's own; strings as sort keys. */
function rowValues(row: IndexableRow, field: string, kind: string): (number | string)[] {
  return row.columns
    .filter((column) => column.field === field && typeof column.value === kind)
    .map(({ value }) => value);
}

function valuesOf(product: IndexableProduct, field: string, kind: string): (number | string)[] {
  return [product, ...product.variants].flatMap((row) => rowValues(row, field, kind));
}

function keyed(criterion: Criterion, values: readonly (number | string)[]): (number | string)[] {
  return values.map((value) =>
    typeof value === "string" ? sortKey(value, criterion.language) : value,
  );
}

function columnValues(criterion: Criterion, product: IndexableProduct): (number | string)[] {
  return keyed(criterion, valuesOf(product, criterion.field, criterion.kind));
}

function smallest(values: readonly (number | string)[]): number | string | null {
  return values.length === 0 ? null : values.reduce((a, b) => (compareAny(b, a) < 0 ? b : a));
}

function largest(values: readonly (number | string)[]): number | string | null {
  return values.length === 0 ? null : values.reduce((a, b) => (compareAny(b, a) > 0 ? b : a));
}

/** Ascending takes the smallest, descending the largest. */
function ownValue(
  criterion: Criterion,
  values: readonly (number | string)[],
): number | string | null {
  return criterion.descending ? largest(values) : smallest(values);
}

/** A variant's own value, else the master's. */
function variantValue(
  criterion: Criterion,
  product: IndexableProduct,
  variant: number,
): number | string | null {
  const own = rowValues(product.variants[variant], criterion.field, criterion.kind);
  const master = rowValues(product, criterion.field, criterion.kind);
  return smallest(keyed(criterion, own.length > 0 ? own : master));
}

function compareAny(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return byCodePoints(String(a), String(b));
}

function compareValues(
  criterion: Criterion,
  first: number | string | null,
  second: number | string | null,
): number {
  const { missing, descending, kind, language } = criterion;
  const replace = (value: number | string | null): number | string | null => {
    if (value !== null || missing === null || missing.startsWith("_")) return value;
    if (kind === "string") return sortKey(missing, language);
    return Number.isFinite(Number(missing)) ? Number(missing) : null;
  };
  const a = replace(first);
  const b = replace(second);
  if (a === null && b === null) return 0;
  if (a === null) return missing === "_first" ? -1 : 1;
  if (b === null) return missing === "_first" ? 1 : -1;
  return descending ? compareAny(b, a) : compareAny(a, b);
}

function shownOf(criterion: Criterion, subject: Subject): number | string | null {
  const value = ownValue(criterion, columnValues(criterion, subject.product));
  return typeof value === "string" ? textOfSortKey(value) : value;
}

function sortedFieldsOf(
  criteria: readonly Criterion[],
  subject: Subject,
): BruteHit["sortedFields"] {
  const fields: BruteHit["sortedFields"] = [];
  for (const criterion of criteria) {
    if (criterion.kind !== "number" || fields.some(({ field }) => field === criterion.field))
      continue;
    const values = columnValues(criterion, subject.product).map(Number);
    if (values.length === 0 || Math.min(...values) === Math.max(...values)) continue;
    fields.push(
      criterion.descending
        ? { field: criterion.field, value: Math.max(...values), prefix: "{to}" }
        : { field: criterion.field, value: Math.min(...values), prefix: "{from}" },
    );
  }
  return fields;
}

/** Missing stock is stock. */
function isInStock(product: IndexableProduct): boolean {
  const stock = valuesOf(product, "stock", "number").map(Number);
  return stock.length === 0 || Math.max(...stock) > 0;
}

function byCodePoints(a: string, b: string): number {
  const x = [...a];
  const y = [...b];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const order = (x[i].codePointAt(0) ?? 0) - (y[i].codePointAt(0) ?? 0);
    if (order !== 0) return order;
  }
  return x.length - y.length;
}
