/**
 * The stages of a tenant's `query-configuration` (docs/search.md "Stages of your own"), as StagePlans.
 *
 * Settings of Elasticsearch's fields and analyzers map to features of this engine:
 *
 *   DefaultQuery            words in any field (or the number of words required by minShouldMatch),
 *                           typos by fuzziness AUTO
 *   ConfigurableQuery       the same, with only its own settings
 *   NgramQuery              dictionary words that share trigrams with the query's words; minShouldMatch is both the
 *                           share of a word's trigrams and the share of the words
 *   DisMaxQuery             any of the words, the last one as a prefix as well
 *   RelaxedQuery,           as many of the words as any product has, written together or apart; the
 *   PredictionQuery         others only add to the score. If nothing is found, the stage named by
 *                           fallbackQuery comes next
 *
 *   operator AND             all words; otherwise minShouldMatch, otherwise one
 *   multimatch_type          cross_fields: a word in any field; best_fields, most_fields: all words
 *                            in one field; phrase, phrase_prefix: in their order; phrase_prefix,
 *                            bool_prefix: the last word as a prefix as well
 *   tieBreaker               share of the other fields besides a word's best one
 *   analyzer                 `whitespace`, `minimal`, `keyword`: the exact words; otherwise also their stems, if a
 *                            `.standard` sub-field (or no sub-field at all) is searched. `standard`: stop words are
 *                            optional. If not all words must match, text typed as one word (`100359698_003`) counts as
 *                            one: always for the exact analyzers, otherwise if it contains `_`
 *   isQueryWithShingles      also joins adjacent words
 *   allowParallelSpellcheck  if nothing is found, the stage is tried again with corrections of the
 *                            unknown words, and later stages keep them
 */
import {
  givenSetting,
  parseMinShouldMatch,
  QUERY_GRAMMAR,
  type MultimatchType,
  type SettingGrammar,
} from "../../../interface/configuration-query.ts";
import type { StageConfig } from "../../../interface/index.ts";
import { work } from "../../base/index.ts";
import { storedPattern, type Pattern } from "../../../interface/pattern.ts";
import { fieldWeights, SUB_FIELD, type FieldWeight } from "../rank/index.ts";
import type { Requirement, StagePlan } from "./stage.ts";

interface Defaults {
  readonly operator: "AND" | "OR";
  readonly minShouldMatch: string | null;
  readonly tieBreaker: number;
  readonly fuzziness: string | null;
  readonly spellcheck: boolean;
  readonly acceptNoResult: boolean;
  readonly type: MultimatchType;
}

const CONFIGURABLE: Defaults = {
  operator: "OR",
  minShouldMatch: null,
  tieBreaker: 0,
  fuzziness: null,
  spellcheck: true,
  acceptNoResult: false,
  type: "cross_fields",
};
const BY_STRATEGY: ReadonlyMap<string, Partial<Defaults>> = new Map([
  ["DefaultQuery", { minShouldMatch: "2<80%", tieBreaker: 0.8, fuzziness: "AUTO", spellcheck: false }],
  ["NgramQuery", { minShouldMatch: "70%", spellcheck: false, acceptNoResult: true, type: "best_fields" }],
  ["DisMaxQuery", { spellcheck: false, acceptNoResult: true }],
  ["RelaxedQuery", { operator: "AND" }],
  ["PredictionQuery", { operator: "AND" }],
] satisfies [string, Partial<Defaults>][]);

const EXACT_ANALYZERS: ReadonlySet<string> = new Set(["whitespace", "minimal", "keyword"]);
/** Fields of a stage without `weighted-fields`. */
const ALL_FIELDS: readonly FieldWeight[] = [{ field: "*", weight: 1 }];

interface Compiled {
  readonly config: StageConfig;
  readonly pattern: Pattern | null;
  /** Its plan, and the plan of a second try with corrections, if enabled. */
  readonly plans: readonly StagePlan[];
}

/** A query's words -> the stages that fit, in order; empty if no condition fits. A single stage has none (5.4). */
export function configuredStages(
  configs: readonly StageConfig[],
  searchAliases: ReadonlyMap<string, readonly string[]>,
): (words: readonly string[]) => StagePlan[] {
  const stages = configs.map((config) => compile(config, searchAliases));
  return (words) => {
    const text = words.join(" ");
    const plans: StagePlan[] = [];
    let isCorrected = false;
    let number = 0;
    for (const stage of stages) {
      if (stages.length > 1 && !fits(stage, words.length, text)) continue;
      const { fallbackQuery } = stage.config.settings;
      const tries = [stage, ...stages.filter(({ config }) => config.name === fallbackQuery)];
      const own: StagePlan[] = [];
      for (const one of tries.slice(0, 2)) {
        // A stage that already has corrections needs no second try.
        own.push(...(isCorrected ? one.plans.slice(-1).map(withCorrections) : one.plans));
        if (one.plans.length > 1) isCorrected = true;
      }
      // The fallback belongs to the stage that names it. That stage also decides whether the chain may end there.
      const { acceptNoResult } = stage.plans[0];
      own.forEach((plan, i) => plans.push({ ...plan, acceptNoResult: acceptNoResult && i === own.length - 1, number }));
      number++;
    }
    return plans;
  };
}

/** For work.ts: the cost of a step of a condition's expression. */
const STEPS_OF_CONDITION = 2;

function spendOnCondition(steps: number): void {
  work.spend(STEPS_OF_CONDITION * steps);
}

function fits({ config, pattern }: Compiled, wordCount: number, text: string): boolean {
  const { minTermCount, maxTermCount, maxQueryLength } = config.condition;
  return (
    wordCount >= minTermCount &&
    wordCount <= (maxTermCount ?? Infinity) &&
    text.length <= (maxQueryLength ?? Infinity) &&
    (pattern === null || pattern.isWhole(text, spendOnCondition))
  );
}

function compile(config: StageConfig, searchAliases: ReadonlyMap<string, readonly string[]>): Compiled {
  const { strategy, settings, weightedFields } = config;
  const defaults = { ...CONFIGURABLE, ...BY_STRATEGY.get(strategy) };
  const flag = (
    name: "acceptNoResult" | "allowParallelSpellcheck" | "isQueryWithShingles",
    otherwise: boolean,
  ): boolean => givenSetting(settings[name], QUERY_GRAMMAR[name]) ?? otherwise;
  const type = givenSetting(settings["multimatch_type"], QUERY_GRAMMAR.multimatch_type) ?? defaults.type;
  const tie = givenSetting(settings["tieBreaker"], QUERY_GRAMMAR.tieBreaker) ?? defaults.tieBreaker;
  const operator = givenSetting(settings["operator"], QUERY_GRAMMAR.operator) ?? defaults.operator;
  const slop = givenSetting(settings["phraseSlop"], QUERY_GRAMMAR.phraseSlop);
  const minShouldMatch =
    understood(settings["minShouldMatch"], QUERY_GRAMMAR.minShouldMatch) ?? defaults.minShouldMatch;
  const fuzziness = understood(settings["fuzziness"], QUERY_GRAMMAR.fuzziness) ?? defaults.fuzziness;
  const analyzer = (settings["analyzer"] ?? "").toLowerCase();
  const fields = Object.entries(weightedFields).map(([field, weight]) => ({ field, weight }));
  const entries = fields.length === 0 ? ALL_FIELDS : fields;
  const hasSubFields = entries.some(({ field }) => SUB_FIELD.test(field));
  const isRelaxed = strategy === "RelaxedQuery" || strategy === "PredictionQuery";
  const isNgrams = strategy === "NgramQuery";
  const plan: StagePlan = {
    number: 0,
    name: config.name,
    strategy,
    weights: fieldWeights(entries, searchAliases, type === "most_fields" ? null : tie),
    stems:
      !EXACT_ANALYZERS.has(analyzer) && (!hasSubFields || entries.some(({ field }) => field.endsWith(".standard"))),
    keepsCompounds: EXACT_ANALYZERS.has(analyzer),
    requirement: isRelaxed ? { kind: "most" } : requirementOf(operator, minShouldMatch),
    stopWordsOptional: analyzer === "standard",
    isSameField: !isNgrams && (type === "best_fields" || type === "most_fields"),
    isPhrase: type === "phrase" || type === "phrase_prefix",
    phraseSlop: slop ?? (isRelaxed ? 5 : 0),
    expansions: {
      prefix: type === "phrase_prefix" || type === "bool_prefix" || strategy === "DisMaxQuery",
      joins: isRelaxed || flag("isQueryWithShingles", false),
      splits: isRelaxed,
      typos: fuzziness === null || fuzziness === "0" ? null : { kind: "fuzziness", value: fuzziness },
      typosForUnknownOnly: false,
      ngrams: isNgrams ? { kind: "ngrams", share: shareOf(minShouldMatch) } : null,
    },
    acceptNoResult: flag("acceptNoResult", defaults.acceptNoResult),
  };
  const { matchingRegex } = config.condition;
  return {
    config,
    pattern: matchingRegex === null ? null : storedPattern(matchingRegex),
    plans: flag("allowParallelSpellcheck", defaults.spellcheck) ? [plan, withCorrections(plan)] : [plan],
  };
}

/** The same stage with corrections of unknown words: at most 2 edits, like the reference's spell check. */
function withCorrections(plan: StagePlan): StagePlan {
  const { typos } = plan.expansions;
  return {
    ...plan,
    expansions: {
      ...plan.expansions,
      typos: typos ?? { kind: "typos", edits: 2 },
      typosForUnknownOnly: typos === null,
    },
  };
}

function requirementOf(operator: "AND" | "OR", minShouldMatch: string | null): Requirement {
  if (operator === "AND") return { kind: "all" };
  const rules = minShouldMatch === null ? null : parseMinShouldMatch(minShouldMatch);
  return { kind: "some", rules: rules ?? [{ above: 0, amount: 1, isPercentage: false }] };
}

/** The share of trigrams for a plain percentage. Other rules apply to words only. */
function shareOf(minShouldMatch: string | null): number {
  const match = /^(\d+)%$/.exec((minShouldMatch ?? "").trim());
  return match === null ? 0.7 : Math.min(1, Number(match[1]) / 100);
}

/** The text itself, if valid; it is parsed again for the words of a query. */
function understood(text: string | undefined, grammar: SettingGrammar<unknown>): string | null {
  return text === undefined || grammar.read(text) === null ? null : text;
}
