/** Stage chains as a configuration file has them: one for every strategy and setting that changes what runs. */

interface Stage {
  readonly strategy: string;
  readonly condition?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly "weighted-fields"?: Readonly<Record<string, number>>;
}
type Stages = Readonly<Record<string, Stage>>;

const FIELDS = {
  title: 3,
  "title.standard": 2.5,
  brand: 2,
  "brand.standard": 1.5,
  category_leaf: 2,
  "category_leaf.standard": 1.7,
  "category_lvl_*": 1,
  description: 0.5,
  "description.standard": 0.4,
  bullet_points: 0.5,
  _attributes: 0.3,
};
/** Without sub-fields: other forms count in all of them. */
const FEW_FIELDS = { title: 2, brand: 1, search_combi: 1, _attributes: 0.2 };

/** A chain of one stage. */
function only(strategy: string, settings: Stage["settings"] = {}, fields = FIELDS): Stages {
  return { only: { strategy, settings, "weighted-fields": fields } };
}

function configurable(settings: Stage["settings"]): Stages {
  return only("ConfigurableQuery", settings);
}

/** The typical file: exact numbers, the phrase, all words, most words, trigrams. */
export const CHAIN: Stages = {
  numbers: {
    strategy: "ConfigurableQuery",
    condition: { matchingRegex: "\\s*\\d[\\d\\s-]{6,}", maxTermCount: 10 },
    settings: { operator: "OR", analyzer: "whitespace", acceptNoResult: true },
    "weighted-fields": { ean: 1, artNr: 2 },
  },
  phrase: {
    strategy: "ConfigurableQuery",
    condition: { minTermCount: 2, maxTermCount: 4 },
    settings: {
      operator: "AND",
      multimatch_type: "phrase",
      phraseSlop: 1,
      allowParallelSpellcheck: false,
    },
    "weighted-fields": { title: 3, brand: 1 },
  },
  words: {
    strategy: "DefaultQuery",
    settings: { fuzziness: "AUTO", tieBreaker: 0.5, allowParallelSpellcheck: true },
    "weighted-fields": FIELDS,
  },
  relaxed: {
    strategy: "RelaxedQuery",
    condition: { minTermCount: 2 },
    settings: { tieBreaker: 0.2, analyzer: "standard", fallbackQuery: "grams" },
    "weighted-fields": FIELDS,
  },
  grams: {
    strategy: "NgramQuery",
    condition: { maxQueryLength: 60 },
    settings: { minShouldMatch: "60%" },
    "weighted-fields": { title: 3, brand: 2, category_leaf: 2 },
  },
};

/** The reference's own preset. */
const PRESET: Stages = {
  ean: {
    strategy: "ConfigurableQuery",
    condition: { matchingRegex: "\\s*\\d{13}(\\s+\\d{13})*\\s*", maxTermCount: 42 },
    settings: { operator: "OR", analyzer: "whitespace", acceptNoResult: true },
    "weighted-fields": { ean: 1 },
  },
  "all-words": {
    strategy: "ConfigurableQuery",
    condition: { minTermCount: 1, maxTermCount: 10 },
    settings: {
      operator: "AND",
      tieBreaker: 0.7,
      multimatch_type: "cross_fields",
      analyzer: "standard",
      isQueryWithShingles: true,
      allowParallelSpellcheck: false,
    },
    "weighted-fields": FIELDS,
  },
  relaxed: {
    strategy: "RelaxedQuery",
    condition: { minTermCount: 2, maxTermCount: 10 },
    settings: {
      analyzer: "standard",
      tieBreaker: 0.2,
      fallbackQuery: "grams",
      allowParallelSpellcheck: false,
    },
    "weighted-fields": FIELDS,
  },
  "one-word": {
    strategy: "ConfigurableQuery",
    condition: { maxTermCount: 1 },
    settings: { tieBreaker: 0.7, fuzziness: "AUTO", allowParallelSpellcheck: false },
    "weighted-fields": { title: 3, "title.standard": 2.5, brand: 2, category_leaf: 1.8 },
  },
  grams: {
    strategy: "NgramQuery",
    condition: { maxTermCount: 10 },
    settings: { minShouldMatch: "80%", tieBreaker: 0.2, acceptNoResult: false },
    "weighted-fields": { title: 3, brand: 2, category_leaf: 2 },
  },
  dismax: {
    strategy: "DisMaxQuery",
    condition: { minTermCount: 3, matchingRegex: ".*\\s\\w{1,4}" },
    settings: { acceptNoResult: false },
    "weighted-fields": { title: 1, brand: 1 },
  },
  many: {
    strategy: "ConfigurableQuery",
    condition: { minTermCount: 10 },
    settings: { analyzer: "standard", minShouldMatch: "75%", allowParallelSpellcheck: false },
    "weighted-fields": FIELDS,
  },
};

export const STAGES = {
  default: only("DefaultQuery"),
  defaultAnywhere: { only: { strategy: "DefaultQuery" } },
  allWords: configurable({ operator: "AND" }),
  minShouldMatch: configurable({ operator: "OR", minShouldMatch: "2<-25% 6<-3" }),
  crossFields: configurable({
    operator: "AND",
    multimatch_type: "cross_fields",
    tieBreaker: 0.3,
    analyzer: "minimal",
  }),
  bestFields: configurable({
    minShouldMatch: "75%",
    multimatch_type: "best_fields",
    tieBreaker: 0.2,
  }),
  mostFields: configurable({ minShouldMatch: "-1", multimatch_type: "most_fields" }),
  phrase: configurable({ operator: "AND", multimatch_type: "phrase", phraseSlop: 2 }),
  phrasePrefix: configurable({ operator: "AND", multimatch_type: "phrase_prefix" }),
  boolPrefix: configurable({ minShouldMatch: "2<75%", multimatch_type: "bool_prefix" }),
  disMax: only("DisMaxQuery", { tieBreaker: 0.1 }),
  ngram: only("NgramQuery", { minShouldMatch: "55%" }),
  relaxed: {
    relaxed: {
      strategy: "RelaxedQuery",
      settings: { fallbackQuery: "grams", tieBreaker: 0.4 },
      "weighted-fields": FEW_FIELDS,
    },
    grams: {
      strategy: "NgramQuery",
      condition: { minTermCount: 99 },
      settings: { minShouldMatch: "60%" },
      "weighted-fields": FEW_FIELDS,
    },
  },
  prediction: only("PredictionQuery", { allowParallelSpellcheck: false, phraseSlop: 2 }),
  chain: CHAIN,
  preset: PRESET,
  whitespace: configurable({ analyzer: "whitespace", tieBreaker: 1 }),
  standard: configurable({ analyzer: "standard", operator: "AND" }),
  shingles: configurable({
    operator: "AND",
    isQueryWithShingles: true,
    allowParallelSpellcheck: false,
  }),
  fuzzy: configurable({ operator: "AND", fuzziness: 2, allowParallelSpellcheck: false }),
  fuzzyLengths: configurable({ minShouldMatch: "80%", fuzziness: "AUTO:4,7", tieBreaker: 0.6 }),
} as const satisfies Readonly<Record<string, Stages>>;
