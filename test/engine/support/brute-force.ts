// A search over plain documents that knows every rule of the engine and no index: the slow twin.
//
// It reads lists of values, loops over all products for everything, and shares with the engine only what is not the
// engine's business: text analysis, sort keys, the table of length codes, field weights by name, and the parser of
// query strings. Rules are written down once more, from docs/behaviour.md and docs/indexing.md, as plainly as
// possible.
import type { FilterParameter, ProductSet, SearchRequest, TenantConfig } from "../../../src/interface/index.ts";
import { sortKey, textOfSortKey } from "../../../src/index-engine/analysis/index.ts";
import { filterKey, VARIANT_ID_FIELD, type FieldPlan } from "../../../src/index-engine/documents/index.ts";
import { readFilterParameter } from "../../../src/index-engine/query/filter/index.ts";
import {
  FACET_KINDS,
  NORM_GROUPS,
  STEM_PREFIX,
  type FacetKind,
  type FieldValue,
  type IndexableProduct,
  type IndexableRow,
} from "../../../src/index-engine/segment/model/index.ts";
import { prepare, readSort } from "../../../src/index-engine/query/index.ts";
import type { Expression, SearchPlan, TextQuery, WordsAsked } from "../../../src/index-engine/query/plan.ts";
import { parseQueryString } from "../../../src/index-engine/query/query-string.ts";
import { DEFAULT_FIELD_WEIGHTS } from "../../../src/index-engine/query/stages/tenant-stages.ts";
import type { CompiledRules } from "../../../src/index-engine/query/rules/index.ts";
import {
  fieldWeights,
  weightOf,
  type FieldWeights,
  type TermGroup,
} from "../../../src/index-engine/query/rank/index.ts";
import { encodeNorm, NORM_LENGTHS } from "../../../src/index-engine/segment/format/index.ts";
import { readingsOf } from "../../../src/index-engine/query/title-words.ts";
import { unitsOf } from "../../../src/index-engine/query/rank/scoring/units.ts";
import { slowFinal } from "../scoring/slow-scoring.ts";
import { note, RelevanceRun, type Notes, type RelevanceSubjects } from "./brute-relevance.ts";
import { BruteDictionary, runStages, WordScores, type WordsRun } from "./brute-stages.ts";
import { compareUtf8 } from "./products.ts";
import { plainRequest } from "./request.ts";
import { slowPhrase, slowProximity, type Analysis, type SlowWord } from "./slow-titles.ts";

const PLAIN = plainRequest({ limit: 1 });

/** The words of a group, and of what stands for it as several words. */
function wordsOfGroup(group: TermGroup): TermGroup[] {
  const parts = (group.subQueries ?? []).flatMap((whole) =>
    whole.kind === "all" ? whole.groups.flatMap(wordsOfGroup) : [],
  );
  return group.alternatives.length === 0 ? parts : [group, ...parts];
}

interface Alternative {
  readonly factor: number;
  /** By norm group. */
  readonly parts: readonly number[];
}

/** In each norm group the best alternative counts. */
function wordScore(idf: number, alternatives: readonly Alternative[]): number {
  let frequency = 0;
  let counted = 0;
  NORM_GROUPS.forEach((_, g) => {
    const [best] = alternatives.toSorted((a, b) => b.factor * b.parts[g] - a.factor * a.parts[g]);
    if (best === undefined) return;
    frequency += best.parts[g];
    counted += best.factor * best.parts[g];
  });
  if (frequency === 0) return 0;
  return Math.max(1, Math.round((10_000 * idf * counted * 2.2) / (1.2 + frequency)));
}

/** A tenant's own stages and functions decide alone; without them the stock counts where scores are near-equal. */
function isStockFirst({ stages, scoring }: TenantConfig): boolean {
  return stages === null && scoring === null;
}

/** @param required groups */
function executedText({ groups, corrected }: WordsAsked, required: number): string {
  const words = groups.map(({ word, subQueries }) => {
    if (corrected.some(([typed]) => typed === word)) return `${word}~`;
    return (subQueries ?? []).some(({ kind }) => kind === "prefix") ? `${word}*` : word;
  });
  if (required === words.length) return words.join(" AND ");
  return required === 1 ? words.join(" OR ") : `${required} of (${words.join(", ")})`;
}

export interface BruteHit {
  id: string;
  score: number | null;
  sortValues: (number | string | null)[];
  sortedFields: { field: string; value: number; prefix: string }[];
  variant: number | null;
  variantScore: number | null;
  isSoldOut: boolean;
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

type ScoreFunction = NonNullable<TenantConfig["scoring"]>["functions"][number];

/** What a search of its own (the request's, or a set's) found. */
interface Found {
  /** Product that passes the filters -> score. */
  readonly scores: Map<Subject, number>;
  /** Whether the query matches, whatever filters say. */
  readonly isMatch: (subject: Subject) => boolean;
  /** Whether it lacks words. */
  readonly isPartial: (subject: Subject) => boolean;
  /** Whether it comes before the others without a sort. */
  readonly isFirst: (subject: Subject) => boolean;
  /** Null where the query is no words. */
  readonly asked: WordsAsked | null;
  /** The most that the words can score. */
  readonly most: number;
  readonly executed: string;
  readonly meta: Record<string, unknown>;
}

interface Filters {
  readonly all: readonly Filter[];
  /** Those that a search without stages decides by. */
  readonly ofBasis: readonly Filter[];
  /** Ids that static sets name: a stage that finds these alone has found nothing. */
  readonly named: ReadonlySet<string>;
}

type RowTest = (values: readonly FieldValue[]) => boolean;

interface Filter {
  readonly field: string;
  readonly post: boolean;
  readonly test: RowTest;
  /** Of the values of its field, which the facet counts. */
  readonly counts: (value: FieldValue) => boolean;
}

/** @param products live products, each id once, in any order */
export class BruteForce {
  readonly #subjects: readonly Subject[];
  readonly #fields: FieldPlan;
  /** Length by norm group, of all products. */
  readonly #averages: readonly number[];
  readonly #words: RelevanceSubjects<Subject>;
  readonly #scores: WordScores<Subject>;
  readonly #notes: Notes;
  #rules: CompiledRules | null = null;

  constructor(products: readonly IndexableProduct[], fields: FieldPlan, notes: Notes = new Map<string, number>()) {
    this.#fields = fields;
    this.#notes = notes;
    this.#subjects = products
      .map((product) => this.#subject(product))
      .sort((a, b) => compareUtf8(a.product.id, b.product.id));
    this.#averages = NORM_GROUPS.map(
      (_, g) => this.#subjects.reduce((sum, other) => sum + other.lengths[g], 0) / this.#subjects.length,
    );
    this.#words = this.#wordSubjects();
    this.#scores = new WordScores(this.#words);
  }

  search(request: SearchRequest, tenant: TenantConfig, rules: CompiledRules | null = null): BruteExecution {
    this.#rules = rules;
    const subjects = this.#subjects;
    const weights = this.#weightsOf(tenant);
    const includeMain = request.arranged?.includeMainResult ?? true;
    const main = prepare(
      {
        ...PLAIN,
        q: includeMain ? request.q : "",
        queryStage: request.queryStage ?? 0,
        isTyping: request.isTyping ?? false,
      },
      tenant,
      this.#fields,
      rules,
    );
    const ofRules = this.#filters(main.searches[0].inducedFilters, tenant, false);
    const filters = [...this.#filters(request.filters, tenant, request.withFacets), ...ofRules];
    const criteria = this.#criteria(request.sort, tenant);
    const query: TextQuery = includeMain ? main.searches[0].query : { kind: "all" };
    const passes = (subject: Subject, some: readonly Filter[]): boolean => passingRows(subject, some).length > 0;

    // The request's own query decides its stage under all filters; without stages what it finds is cut by those of the
    // request.
    const found = this.#run(
      query,
      weights,
      { all: filters, ofBasis: ofRules, named: namedIn(request) },
      criteria.length > 0,
      tenant,
    );
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
        return setOf.has(subject) || (includeMain && found.isMatch(subject));
      });
    const all = matchesUnder(filters);
    // What a set names belongs to the result as it is.
    const isPartial = (subject: Subject): boolean =>
      natural.has(subject) && !setOf.has(subject) && found.isPartial(subject);
    if (found.asked !== null && query.kind === "relevance") {
      const left = subjects.filter(found.isMatch);
      if (left.length > natural.size && natural.size > 0) note(this.#notes, "filters intersect");
      if (all.some((one) => setOf.has(one) && found.isPartial(one))) {
        note(this.#notes, "partial product in a set");
      }
      if (criteria.length > 0 && all.some(isPartial) && !all.every(isPartial)) {
        note(this.#notes, "two runs of a sort");
      }
    }

    const placed = criteria.length === 0;
    const ordered = [...all].sort((a, b) => {
      const setA = placed ? setOf.get(a) : undefined;
      const setB = placed ? setOf.get(b) : undefined;
      if (setA !== undefined || setB !== undefined) {
        if (setA === undefined) return 1;
        if (setB === undefined) return -1;
        return setA.set - setB.set || setA.position - setB.position;
      }
      const run = placed ? 0 : Number(isPartial(a)) - Number(isPartial(b));
      if (run !== 0) return run;
      const first = placed && includeMain ? Number(found.isFirst(b)) - Number(found.isFirst(a)) : 0;
      if (first !== 0) note(this.#notes, "brand and kind first");
      return first !== 0 ? first : this.#compare(criteria, natural, isStockFirst(tenant), a, b);
    });
    const end = request.offset + request.limit;
    const page = end > 10_000 ? [] : ordered.slice(request.offset, end);

    return {
      matchCount: all.length,
      hits: page.map((subject) => {
        const entry = setOf.get(subject);
        const picked = this.#pickVariant(subject, found.asked, weights, filters, criteria, request, tenant);
        return {
          id: subject.product.id,
          score: criteria.length > 0 ? null : (natural.get(subject) ?? 0),
          sortValues: criteria.map((criterion) => shownOf(criterion, subject)),
          sortedFields: sortedFieldsOf(criteria, subject),
          variant: picked?.variant ?? null,
          variantScore: picked?.score ?? null,
          isSoldOut:
            picked === null &&
            subject.product.variants.length > 0 &&
            !this.#fields.isPrivate("stock") &&
            !isInStock(subject.product),
          matchedQueries: [
            ...(natural.has(subject) ? [found.executed] : []),
            ...(isPartial(subject) ? ["_partial"] : []),
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
        ...(includeMain ? main.meta : {}),
        ...found.meta,
      },
    };
  }

  // ---- documents

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

  // ---- queries

  #groups(text: string): TermGroup[] {
    const words = [...new Set(this.#fields.analyzer.queryTerms(text))];
    return words.map((word) => {
      const stem = this.#fields.analyzer.stem(word);
      return {
        word,
        alternatives: [
          { term: word, factor: 1 },
          ...(stem === word ? [] : [{ term: stem, factor: 0.95 }]),
          { term: STEM_PREFIX + stem, factor: 0.95 },
        ],
      };
    });
  }

  #search(text: string, tenant: TenantConfig): SearchPlan {
    return prepare({ ...PLAIN, q: text }, tenant, this.#fields, this.#rules).searches[0];
  }

  /** What is asked of products. */
  #wordSubjects(): RelevanceSubjects<Subject> {
    const vocabulary = new Map<string, number>();
    for (const { terms } of this.#subjects) {
      for (const term of terms.keys()) vocabulary.set(term, (vocabulary.get(term) ?? 0) + 1);
    }
    const { analyzer } = this.#fields;
    return {
      source: new BruteDictionary(vocabulary, analyzer),
      analyzer,
      productCount: this.#subjects.length,
      idOf: ({ product }) => product.id,
      termScore: (subject, term, factor, idf, weights) =>
        wordScore(idf, [{ factor, parts: this.#termParts(subject, term, weights) }]),
      wordScore: (subject, alternatives, idf, weights, addsUp) => {
        const all = alternatives
          .map(({ term, factor }) => ({ factor, parts: this.#termParts(subject, term, weights) }))
          .filter(({ parts }) => parts.some((part) => part > 0));
        const best = Math.max(0, ...all.map((one) => wordScore(idf, [one])));
        return addsUp && weights.tie === null ? Math.max(best, wordScore(idf, all)) : best;
      },
      vocabulary: () => vocabulary.keys(),
      isPhrase: ({ product }, groups, slop, weights, titlesOnly) =>
        readingsOf(groups).some((reading) =>
          slowPhrase(
            product,
            reading.map((group) => this.#stands(group)),
            slop,
            (field) => weightOf(weights, field) > 0 && (!titlesOnly || this.#fields.normGroup(field) === "title"),
            this.#analysis,
            reading.map(({ word, alternatives }) => this.#stands({ word, alternatives })),
          ),
        ),
      isAllowed: (subject, restrictions, weights) =>
        restrictions.every(
          ({ expression, negated }) => (this.#evaluate(expression, weights, subject) !== null) !== negated,
        ),
      fieldsOf: (weights) =>
        [...new Set(this.#subjects.flatMap(({ terms }) => [...terms.values()].flatMap((by) => [...by.keys()])))]
          .filter((field) => weightOf(weights, field) > 0)
          .map((field) => fieldWeights([{ field, weight: weightOf(weights, field) }], new Map(), weights.tie)),
      productOf: ({ product }) => product,
      stands: (group) => this.#stands(group),
      titleWords: (run) => this.#titleWords(run),
      titleBonus: (subject, run) => this.#titleBonus(subject, run),
      isTitle: (field, { asked }) => this.#fields.normGroup(field) === "title" && weightOf(asked.weights, field) > 0,
    };
  }

  /** Whether a token of a text stands for a word, by the terms and beginnings of its group. */
  #stands({ alternatives, subQueries }: TermGroup): (token: string) => boolean {
    const terms = new Set(alternatives.map(({ term }) => term));
    return (token) => {
      const stem = this.#fields.analyzer.stem(token);
      return (
        terms.has(token) ||
        (stem !== token && terms.has(STEM_PREFIX + stem)) ||
        (subQueries ?? []).some((whole) => whole.kind === "prefix" && token.startsWith(whole.prefix))
      );
    };
  }

  get #analysis(): Analysis {
    const { analyzer } = this.#fields;
    return { terms: (text) => analyzer.terms(text), normGroup: (field) => this.#fields.normGroup(field) };
  }

  #titleWords(run: WordsRun<Subject>): SlowWord[] {
    return run.asked.typed.map((group) => ({
      stands: this.#stands(group),
      idf: run.idf(group),
      sequences: (group.subQueries ?? []).flatMap((whole) =>
        whole.kind === "all" ? [whole.groups.map((part) => this.#stands(part))] : [],
      ),
    }));
  }

  /** What a product's titles add to its score. */
  #titleBonus({ product }: Subject, run: WordsRun<Subject>): number {
    const searched = (field: string): boolean => weightOf(run.asked.weights, field) > 0;
    return slowProximity(product, this.#titleWords(run), searched, this.#analysis);
  }

  /**
   * The products a query finds under filters, with scores: of the text, or where functions take part, final ones.
   * @param isSorted by columns: then titles and the like add nothing, but to what functions get
   */
  #run(query: TextQuery, weights: FieldWeights, filters: Filters, isSorted: boolean, { scoring }: TenantConfig): Found {
    if (scoring === null || scoring.functions.length === 0) {
      return this.#runText(query, weights, filters, isSorted);
    }
    const found = this.#runText(query, weights, filters, false);
    const scores = new Map<Subject, number>();
    for (const [subject, score] of found.scores) {
      const text = found.most > 0 ? (10 * score) / found.most : 1;
      const doc = (field: string): number | null => {
        const values = valuesOf(subject.product, field, "number").map(Number);
        return values.length === 0 ? null : Math.max(...values);
      };
      const final = slowFinal(scoring, { id: subject.product.id, doc, text }, NO_REQUEST);
      scores.set(subject, unitsOf(final));
    }
    return { ...found, scores, ...(scoring.boostMode === "replace" && { isFirst: () => true }) };
  }

  #mostOfExpression(expression: Expression): number {
    switch (expression.kind) {
      case "everything":
        return 0;
      case "words":
        return (
          expression.groups.reduce((sum, group) => sum + 10_000 * this.#scores.idf(group) * 2.2, 0) * expression.boost
        );
      case "clauses":
        return (
          expression.clauses.reduce(
            (sum, { occur, expression: inner }) => sum + (occur === "not" ? 0 : this.#mostOfExpression(inner)),
            0,
          ) * expression.boost
        );
    }
  }

  #runText(query: TextQuery, weights: FieldWeights, filters: Filters, isSorted: boolean): Found {
    const passing = (some: readonly Filter[]): Subject[] =>
      this.#subjects.filter((subject) => passingRows(subject, some).length > 0);
    const candidates = passing(filters.all);
    const found = (
      score: (subject: Subject) => number | null,
      more: Partial<Found> & Pick<Found, "executed">,
    ): Found => {
      const scores = new Map<Subject, number>();
      for (const subject of candidates) {
        const own = score(subject);
        if (own !== null) scores.set(subject, own);
      }
      const isMatch = (subject: Subject): boolean => score(subject) !== null;
      const none = { isPartial: () => false, isFirst: () => true, asked: null, most: 0, meta: {} };
      return { scores, isMatch, ...none, ...more };
    };
    switch (query.kind) {
      case "none":
        return found(() => null, { executed: "" });
      case "all":
        return found(() => 0, {
          executed: "_match_all",
          meta: { query_executed: "_match_all", query_strategy: "_match_all", query_stage: 0 },
        });
      case "expression": {
        const { expression } = query;
        return found(
          (subject) => {
            const score = this.#evaluate(expression, weights, subject);
            return score === null ? null : Math.min(100_000_000, Math.round(score));
          },
          {
            executed: "querystring",
            most: this.#mostOfExpression(expression),
            meta: { query_executed: "querystring", query_strategy: "querystring", query_stage: 0 },
          },
        );
      }
      case "stages": {
        const { words, stages, firstStage } = query;
        const others = candidates.filter(({ product }) => !filters.named.has(product.id));
        const { run, required } = runStages(words, stages, firstStage, others, this.#words);
        return found(
          (subject) => {
            const score = run.score(subject, required);
            if (score === null) return null;
            return score + (isSorted ? 0 : this.#titleBonus(subject, run));
          },
          {
            ...ofWords(query, run, executedText(run.asked, required)),
            isFirst: (subject) =>
              run.asked.requirement !== "most" || required === run.asked.groups.length || run.isBrandAndKind(subject),
          },
        );
      }
      case "relevance": {
        const basis = passing(filters.ofBasis);
        const result = new RelevanceRun(query, weights, basis, this.#words, this.#notes);
        const { run, isFilled } = result;
        const { groups, unread, optional, unwanted } = run.asked;
        const ignored = [...unread, ...optional.map(({ word }) => word)];
        const executed = executedText(run.asked, isFilled ? 1 : groups.length);
        const common = ofWords(query, run, executed);
        const isMatch = (subject: Subject): boolean => result.members.has(subject);
        return found((subject) => (isMatch(subject) ? result.score(subject, isSorted) : null), {
          ...common,
          isMatch,
          isPartial: (subject) => result.isPartial(subject),
          isFirst: (subject) => result.isFirst(subject),
          meta: {
            ...common.meta,
            ...(ignored.length > 0 && { query_ignored: ignored }),
            ...(unwanted.length > 0 && { query_unwanted: unwanted.map(({ word }) => word) }),
            ...(isFilled && {
              query_filled: true,
              query_complete: candidates.filter((subject) => isMatch(subject) && !result.isPartial(subject)).length,
            }),
          },
        });
      }
    }
  }

  /** The weighted frequency in each norm group. */
  #termParts(subject: Subject, term: string, weights: FieldWeights): number[] {
    const byField = subject.terms.get(term) ?? new Map<string, number>();
    // Of the best field all counts, of the others the share that `tie` says; equal weights: the first name.
    const names = [...byField.keys()].sort();
    const bestWeight = Math.max(0, ...names.map((field) => weightOf(weights, field)));
    const bestField = names.find((field) => weightOf(weights, field) === bestWeight);
    return NORM_GROUPS.map((norm, g) => {
      let weighted = 0;
      for (const field of names) {
        if (this.#fields.normGroup(field) !== norm) continue;
        const share = weights.tie === null || field === bestField ? 1 : weights.tie;
        weighted += share * weightOf(weights, field) * (byField.get(field) ?? 0);
      }
      const average = this.#averages[g] ?? 0;
      const relative = average === 0 ? 1 : subject.lengths[g] / average;
      const b = [0.5, 0.5, 0.9][g] ?? 0;
      return weighted / (1 - b + b * relative);
    });
  }

  /** Null: does not match. */
  #evaluate(expression: Expression, weights: FieldWeights, subject: Subject): number | null {
    switch (expression.kind) {
      case "everything":
        return 0;
      case "words": {
        const scores = expression.groups.map((group) =>
          this.#scores.group(subject, group, expression.weights ?? weights),
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
    const stage = tenant.stages?.find(({ weightedFields }) => Object.keys(weightedFields).length > 0);
    const own = tenant.stages === null ? tenant.relevance.weightedFields : {};
    const weighted = Object.entries(stage?.weightedFields ?? own);
    const entries =
      weighted.length === 0 ? DEFAULT_FIELD_WEIGHTS : weighted.map(([field, weight]) => ({ field, weight }));
    return fieldWeights(entries, this.#fields.searchAliases);
  }

  // ---- filters

  #kindsOf(field: string): FacetKind[] {
    const config = this.#fields.field(field);
    const isConfigured = config !== null && (config.usages.includes("Facet") || config.usages.includes("Filter"));
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

  #filters(parameters: readonly FilterParameter[], tenant: TenantConfig, withFacets: boolean): Filter[] {
    return parameters.flatMap((parameter) => {
      const withoutId = parameter.name.replace(/\.id$/, "");
      const field = [withoutId, parameter.name].find((name) => this.#kindsOf(name).length > 0);
      if (field === undefined) return [];
      const byId = field !== parameter.name;
      const kinds = this.#kindsOf(field);
      const texts = parameter.values;
      // 007 and 1e5 are codes where there are texts.
      const isNumber = (text: string): boolean => !kinds.includes("term") || !/^\s*-?0\d|\de/i.test(text);
      const ranges = (parameter.texts ?? [parameter.values])
        .map((text) => rangeOf(text.filter(isNumber)))
        .filter((range) => range !== null);
      if (!byId && kinds.every((kind) => kind === "number") && ranges.length === 0) return [];
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
            return ranges.some(([lower, upper]) => value.value >= lower && value.value <= upper);
          case "path":
            return texts.includes(value.value);
          case "term":
            return texts.some((text) =>
              [text.trim(), filterKey(text.trim())].some((key) => key.toLowerCase() === value.value.toLowerCase()),
            );
        }
      };
      const facet = tenant.facets.facets.find(({ sourceField }) => sourceField === field);
      // A tree is counted without its own filter, whatever is configured but filter-sensitive.
      const isTree = kinds.every((kind) => kind === "path") && facet?.type?.kind !== "ignore";
      const isKept =
        facet !== undefined && (facet.multiSelect || facet.showUnselectedOptions || facet.type?.kind === "range");
      // So is a range, configured or by default.
      const { type, filterSensitive } = tenant.facets.defaultNumberFacet;
      const isRange =
        facet === undefined && type?.kind === "range" && !filterSensitive && kinds.every((kind) => kind === "number");
      const isApart = facet?.filterSensitive !== true && (isTree || isKept || isRange);
      const post = withFacets && !parameter.negated && isApart;
      const test: RowTest = (values) => values.some(positive) !== parameter.negated;
      // A filter-sensitive facet of numbers counts those that pass.
      const isSensitive = (facet ?? tenant.facets.defaultNumberFacet).filterSensitive;
      const counts = (value: FieldValue): boolean =>
        !isSensitive || parameter.negated || value.kind !== "number" || positive(value);
      return [{ field, post, test, counts }];
    });
  }

  // ---- sets

  #membersOf(set: ProductSet, tenant: TenantConfig, weights: FieldWeights, used: ReadonlySet<Subject>): Subject[] {
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
        const read = this.#search(set.query ?? "", tenant);
        let { query } = read;
        let induced = read.inducedFilters;
        let own = weights;
        if (set.type === "querystring") {
          const expression = parseQueryString(set.query, {
            groups: (text) => this.#groups(text),
            fieldOnly: (field) => fieldWeights([{ field, weight: 1 }], this.#fields.searchAliases),
          });
          if (expression !== null) {
            query = { kind: "expression", expression };
            induced = [];
          }
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
        const criteria = this.#criteria(readSort(set.sort), tenant);
        const setFilters = this.#filters([...parameters, ...induced], tenant, false);
        const basis = { all: setFilters, ofBasis: setFilters, named: new Set<string>() };
        const found = this.#run(query, own, basis, criteria.length > 0, tenant);
        const run = (subject: Subject): number =>
          Number(criteria.length > 0 ? found.isPartial(subject) : !found.isFirst(subject));
        return [...found.scores.keys()]
          .sort((a, b) => run(a) - run(b) || this.#compare(criteria, found.scores, isStockFirst(tenant), a, b))
          .filter((subject) => !used.has(subject))
          .slice(0, set.limit);
      }
    }
  }

  #hasTerms(subject: Subject, field: string, id: string): boolean {
    const words = this.#fields.analyzer.queryTerms(id);
    const weights = fieldWeights([{ field, weight: 1 }], this.#fields.searchAliases);
    return (
      words.length > 0 &&
      words.every((word) => [...(subject.terms.get(word)?.keys() ?? [])].some((name) => weightOf(weights, name) > 0))
    );
  }

  // ---- order

  #criteria(
    sort: readonly { readonly field: string; readonly descending: boolean }[],
    tenant: TenantConfig,
  ): Criterion[] {
    const criteria: Criterion[] = [];
    for (const { field, descending } of sort) {
      const option = tenant.sortOptions?.find((one) => one.field === field && (one.order === "DESC") === descending);
      const missing = option?.missing ?? null;
      const { language } = this.#fields;
      const may = (name: string, usage: "Sort" | "Facet"): boolean =>
        this.#fields.field(name)?.usages.includes(usage) ?? true;
      const columns = (["number", "string"] as const).filter(
        (kind) => may(field, "Sort") && this.#subjects.some(({ product }) => valuesOf(product, field, kind).length > 0),
      );
      for (const kind of columns) {
        criteria.push({ field, descending, kind, missing, language, facet: null });
      }
      if (columns.length > 0) continue;
      // No column: values of the facet, of `a.b.c` those of the field a.b.c, else c of a.b, else b.c of a.
      const steps = field.split(".");
      for (let length = steps.length; length > 0; length--) {
        const name = steps.slice(0, length).join(".");
        const rest = steps.slice(length).join(".");
        if (!may(name, "Facet") || (length < steps.length && rest === "") || name === "") continue;
        const facets = (["number", "term", "path"] as const)
          .filter((kind) =>
            this.#subjects.some(({ rows }) =>
              rows.some((values) => values.some((one) => one.field === name && one.kind === kind && one.facet)),
            ),
          )
          .flatMap((kind): NonNullable<Criterion["facet"]>[] => {
            if (length === steps.length) return [{ name, kind, id: null, key: null }];
            const id = /^id\.(.+)$/s.exec(rest)?.[1];
            if (id !== undefined) return [{ name, kind, id, key: null }];
            const range = rangeOf([rest]);
            if (kind === "number" && (range === null || range[0] !== range[1])) return [];
            const key = { term: rest.trim().toLowerCase(), path: rest, number: String(range?.[0]) };
            return [{ name, kind, id: null, key: key[kind] }];
          });
        for (const facet of facets) {
          const kind = facet.kind === "number" ? "number" : "string";
          criteria.push({ field, descending, kind, missing, language, facet });
        }
        if (facets.length > 0) break;
      }
    }
    return criteria;
  }

  #compare(
    criteria: readonly Criterion[],
    scores: ReadonlyMap<Subject, number>,
    isStockFirst: boolean,
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
      if (isStockFirst && isInStock(a.product) !== isInStock(b.product)) return isInStock(a.product) ? -1 : 1;
      if (scoreA !== scoreB) return scoreB - scoreA;
    }
    return compareUtf8(a.product.id, b.product.id);
  }

  // ---- variants

  #pickVariant(
    subject: Subject,
    asked: WordsAsked | null,
    mainWeights: FieldWeights,
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
    const weights = asked?.weights ?? mainWeights;
    const strength = (group: TermGroup, variant: number): number => {
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
    const groups = asked === null ? [] : [...asked.groups, ...asked.optional];
    const rows = passingRows(subject, filters);
    const words = product.variants.map((_, variant) =>
      rows.includes(variant)
        ? groups.flatMap(wordsOfGroup).reduce((sum, group) => sum + strength(group, variant), 0)
        : 0,
    );
    const boosted = (variant: number): number =>
      boosts.filter((term) => {
        const own = this.#groups(term);
        const inContent = own.length > 0 && own.every((group) => strength(group, variant) > 0);
        const isId = product.variants[variant].values.some(
          (value) =>
            value.field === VARIANT_ID_FIELD &&
            value.kind === "term" &&
            value.value.toLowerCase() === filterKey(term).toLowerCase(),
        );
        return inContent || isId;
      }).length;
    // Functions rank variants from what their words say; where these say nothing, all are equal.
    const ranking = (tenant.scoring?.functions ?? []).filter(ranksVariants);
    const scoreOf = (variant: number): number => {
      let score = words[variant];
      if (tenant.scoring !== null && ranking.length > 0) {
        const doc = (field: string): number | null => {
          const own = rowValues(product.variants[variant], field, "number").map(Number);
          const master = rowValues(product, field, "number").map(Number);
          const values = own.length > 0 ? own : master;
          return values.length === 0 ? null : Math.min(...values);
        };
        score = slowFinal(
          { ...tenant.scoring, functions: ranking },
          { id: product.id, doc, text: words.some((one) => one > 0) ? score : 1 },
          NO_REQUEST,
        );
      }
      return score + 1_000 * boosted(variant);
    };
    const passing = rows.map((variant) => ({ variant, score: scoreOf(variant) }));
    const scored = passing.filter(({ variant }) => words[variant] > 0 || boosted(variant) > 0);
    const better = (a: { variant: number; score: number }, b: { variant: number; score: number }): number => {
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
    // Among equals, those in stock; this is not better.
    const soldOut = ({ variant }: { variant: number }): number =>
      Number(!this.#fields.isPrivate("stock") && !isVariantInStock(product, variant));
    const matching = (scored.length > 0 ? scored : passing).sort(
      (a, b) => better(a, b) || soldOut(a) - soldOut(b) || a.variant - b.variant,
    );
    const [first, second] = matching;
    if (first === undefined) return null;
    const isPreferred = filters.some(({ field }) =>
      tenant.facets.facets.some((facet) => facet.preferVariantOnFilter && facet.sourceField === field),
    );
    const isShown = {
      pickAlways: true,
      pickIfSingleHit: second === undefined,
      pickIfDrilledDown: matching.length < count || count === 1,
      pickIfBestScored: second === undefined || better(first, second) < 0,
    }[isPreferred ? "pickAlways" : tenant.variantPickingStrategy];
    return isShown ? first : null;
  }

  // ---- facets

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
            const own = applied.filter(({ field }) => field === value.field);
            if (!own.every((filter) => filter.counts(value))) continue;
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

// ---- scoring

const NO_REQUEST = { nowMs: 0, parameters: {} };

/** What a search for words has in common, with stages or without. */
function ofWords(
  { words }: Extract<TextQuery, { kind: "stages" | "relevance" }>,
  run: WordsRun<Subject>,
  executed: string,
): Pick<Found, "asked" | "most" | "executed" | "meta"> {
  const { asked } = run;
  const { corrected } = asked;
  return {
    asked,
    most: [...asked.groups, ...asked.optional]
      .map((group) => 10_000 * run.idf(group) * 2.2)
      .reduce((sum, one) => sum + one, 0),
    executed,
    meta: {
      query_executed: executed,
      query_strategy: asked.strategy,
      query_stage: asked.number,
      ...(corrected.length > 0 && {
        query_corrected: words.sequence
          .map((at) => words.terms[at])
          .map((word) => corrected.find(([typed]) => typed === word)?.[1][0] ?? word)
          .join(" "),
        query_correction: Object.fromEntries(corrected),
      }),
    },
  };
}

/** Unless it says itself: a function of a field that variants may have. */
function ranksVariants({ type, field, options }: ScoreFunction): boolean {
  if (type === "rank_feature") return false;
  const said = options["USE_FOR_VARIANTS"];
  if (said !== undefined) return said === "true";
  return type !== "random_score" && type !== "weight" && field !== null;
}

// ---- rows

/** Positions of the variant rows that pass every filter (I1). */
function passingRows(subject: Subject, filters: readonly Filter[]): number[] {
  return subject.rows.flatMap((values, row) => (filters.every(({ test }) => test(values)) ? [row] : []));
}

/**
 * A text cut at its commas: `10,20`, `10-20`, `15`, `10,`, `,20`; several: smallest to largest. Null: nothing
 * readable.
 */
function rangeOf(values: readonly string[]): [number, number] | null {
  const number = String.raw`\s*(-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*`;
  const open = values.join(",");
  const from = new RegExp(`^${number},$`).exec(open);
  if (from !== null && values.length === 2) return [Number(from[1]), Infinity];
  const to = new RegExp(`^,${number}$`).exec(open);
  if (to !== null && values.length === 2) return [-Infinity, Number(to[1])];
  let range: [number, number] | null = null;
  for (const value of values) {
    let one: [number, number] | null = null;
    const single = new RegExp(`^${number}$`).exec(value);
    const between = new RegExp(`^${number}-${number}$`).exec(value);
    if (single !== null) one = [Number(single[1]), Number(single[1])];
    else if (between !== null) {
      const ends = [Number(between[1]), Number(between[2])];
      one = [Math.min(...ends), Math.max(...ends)];
    }
    if (one === null) continue;
    range = range === null ? one : [Math.min(range[0], one[0]), Math.max(range[1], one[1])];
  }
  return range;
}

// ---- sorting

interface Criterion {
  readonly field: string;
  readonly descending: boolean;
  readonly kind: "number" | "string";
  readonly missing: string | null;
  readonly language: string;
  /** Null: a column. Otherwise listed values of the field, all or those with the id or key. */
  readonly facet: {
    readonly name: string;
    readonly kind: FacetKind;
    readonly id: string | null;
    readonly key: string | null;
  } | null;
}

/** The values of a row's own that a criterion looks at. */
function sortedValues(criterion: Criterion, row: IndexableRow): (number | string)[] {
  const { facet } = criterion;
  if (facet === null) return rowValues(row, criterion.field, criterion.kind);
  return row.values.flatMap((one) => {
    if (one.field !== facet.name || one.kind !== facet.kind || !one.facet) return [];
    if (facet.id !== null) return one.id === facet.id ? [one.value] : [];
    if (facet.key === null || one.kind === "number") {
      return facet.key === null || String(one.value) === facet.key ? [one.value] : [];
    }
    const key = one.kind === "term" ? one.value.toLowerCase() : one.value;
    return key === facet.key ? [facet.key] : [];
  });
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
  return values.map((value) => (typeof value === "string" ? sortKey(value, criterion.language) : value));
}

function columnValues(criterion: Criterion, product: IndexableProduct): (number | string)[] {
  const rows = [product, ...product.variants];
  return keyed(
    criterion,
    rows.flatMap((row) => sortedValues(criterion, row)),
  );
}

function smallest(values: readonly (number | string)[]): number | string | null {
  return values.length === 0 ? null : values.reduce((a, b) => (compareAny(b, a) < 0 ? b : a));
}

function largest(values: readonly (number | string)[]): number | string | null {
  return values.length === 0 ? null : values.reduce((a, b) => (compareAny(b, a) > 0 ? b : a));
}

/** Ascending takes the smallest, descending the largest. */
function ownValue(criterion: Criterion, values: readonly (number | string)[]): number | string | null {
  return criterion.descending ? largest(values) : smallest(values);
}

/** A variant's own value, else the master's. */
function variantValue(criterion: Criterion, product: IndexableProduct, variant: number): number | string | null {
  const own = sortedValues(criterion, product.variants[variant]);
  const master = sortedValues(criterion, product);
  return smallest(keyed(criterion, own.length > 0 ? own : master));
}

function compareAny(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compareUtf8(String(a), String(b));
}

function compareValues(criterion: Criterion, first: number | string | null, second: number | string | null): number {
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

function sortedFieldsOf(criteria: readonly Criterion[], subject: Subject): BruteHit["sortedFields"] {
  const fields: BruteHit["sortedFields"] = [];
  for (const criterion of criteria) {
    if (criterion.facet !== null || criterion.kind !== "number") continue;
    if (fields.some(({ field }) => field === criterion.field)) continue;
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

/** Of its own stock, else of the master's. */
function isVariantInStock(product: IndexableProduct, variant: number): boolean {
  const own = rowValues(product.variants[variant], "stock", "number").map(Number);
  const stock = own.length > 0 ? own : rowValues(product, "stock", "number").map(Number);
  return stock.length === 0 || Math.min(...stock) > 0;
}

/** Missing stock is stock. */
function isInStock(product: IndexableProduct): boolean {
  const stock = valuesOf(product, "stock", "number").map(Number);
  return stock.length === 0 || Math.max(...stock) > 0;
}

function namedIn({ arranged }: SearchRequest): ReadonlySet<string> {
  const sets = arranged?.sets ?? [];
  return new Set(
    sets.flatMap((set) => (set.type === "static" && set.name?.startsWith("field:") !== true ? set.ids : [])),
  );
}
