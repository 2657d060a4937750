/**
 * Our own stages, used where a tenant configures none (decisions.md "Built-in preset"): what a shopper typed is taken at its word
 * first, and trusted a little less with every step.
 *
 *   AllTerms    every word, in some form of it
 *   Prefix      the last word is the beginning of one: it is still being typed
 *   SplitJoin   words written together or apart: "head phones", "fussballschuhe", "xyz123", "15in"; some title has the parts
 *               together, or what is only misspelt would be taken to pieces ("offiec")
 *   OneTypo     a word of 4 letters or more is one edit away (a word of 3 letters lacks one), or is two words
 *   TwoTypos    of 8 letters or more, two
 *   MostTerms   as many of the words as any product has, by all of these; a word that is no typo of anything so far may be one in
 *               its first letter
 *
 * Each step keeps what the steps before it allow, so each finds at least what they would. Stop words are never required beside
 * other words.
 */
import type { FieldWeights } from "../../rank/index.ts";
import { NO_EXPANSIONS, type Expansions, type StagePlan } from "./stage.ts";

const prefix: Expansions = { ...NO_EXPANSIONS, prefix: true };
const together: Expansions = { ...prefix, joins: true, splits: "together" };
const oneTypo: Expansions = { ...together, splits: "anywhere", typos: { kind: "own", edits: 1 } };
const twoTypos: Expansions = { ...oneTypo, typos: { kind: "own", edits: 2 } };

const STEPS = [
  { name: "AllTerms", expansions: NO_EXPANSIONS, isMost: false },
  { name: "Prefix", expansions: prefix, isMost: false },
  { name: "SplitJoin", expansions: together, isMost: false },
  { name: "OneTypo", expansions: oneTypo, isMost: false },
  { name: "TwoTypos", expansions: twoTypos, isMost: false },
  {
    name: "MostTerms",
    expansions: { ...twoTypos, typosForUnknownOnly: true, anyFirstLetter: true },
    isMost: true,
  },
] as const satisfies readonly {
  name: string;
  expansions: Expansions;
  isMost: boolean;
}[];

export function ladder(weights: FieldWeights): StagePlan[] {
  return STEPS.map(({ name, expansions, isMost }, number) => ({
    number,
    name,
    strategy: name,
    weights,
    stems: true,
    requirement: isMost ? { kind: "most" } : { kind: "all" },
    stopWordsOptional: true,
    isSameField: false,
    isPhrase: false,
    phraseSlop: 0,
    expansions,
    acceptNoResult: false,
  }));
}
