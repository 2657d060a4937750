/**
 * User-query analyzers (docs/search.md "Preprocessors and analyzers"): text -> words.
 *
 *   WhitespaceAnalyzer (default)         Head Phones  ->  head | phones
 *   WhitespaceWithShingles               Head Phones  ->  head (glued: headphones) | phones
 *   NonAlphanumericWordSplitAnalyzer     lounge, 4-tlg.  ->  lounge | 4-tlg
 *   QuerqyQueryExpander                  Head Phones  ->  Head | Phones        and applies rules
 *   AsciifyQuerqyQueryAnalyzer           the same
 *
 * Unlike the reference, words in double quotes form a phrase, except in NonAlphanumericWordSplitAnalyzer, where quotes
 * are separators. A `-` or `+` before a word has no effect, as in the reference (its rule parser reads it and the
 * search drops it).
 *
 * The reference has AsciifyQuerqyQueryAnalyzer because its rules distinguish accents: it expands both the original and
 * the asciified query and joins them by OR. Rules here are compared after folding, so one pass covers both spellings.
 */
import type { ANALYZER_NAMES } from "../../../interface/configuration-schema.ts";
import type { TenantConfig } from "../../../interface/index.ts";
import { alphanumericWords, plainWord, spacedWords, type UserWord } from "./split.ts";

type AnalyzerName = (typeof ANALYZER_NAMES)[number];

interface UserQueryAnalyzer {
  readonly words: (text: string) => UserWord[];
  /** Whether the tenant's rules are applied to the words. */
  readonly expands: boolean;
}

const ANALYZERS: Readonly<Record<AnalyzerName, UserQueryAnalyzer>> = {
  WhitespaceAnalyzer: { words: (text) => spacedWords(text.toLowerCase()), expands: false },
  WhitespaceWithShingles: {
    words: (text) => glued(spacedWords(text.toLowerCase())),
    expands: false,
  },
  NonAlphanumericWordSplitAnalyzer: {
    words: (text) => alphanumericWords(text).map((word) => plainWord(word)),
    expands: false,
  },
  QuerqyQueryExpander: { words: withoutOperators, expands: true },
  AsciifyQuerqyQueryAnalyzer: { words: withoutOperators, expands: true },
};

/**
 * The words of a query in order; none for a text of separators. A word may have no letters or digits ("shoes & socks"
 * has three words): it counts as a word, as in the reference, but has no terms.
 */
export function analyze(text: string, tenant: Pick<TenantConfig, "analyzer">): UserWord[] {
  return analyzerOf(tenant).words(text);
}

export function expandsByRules(tenant: Pick<TenantConfig, "analyzer">): boolean {
  return analyzerOf(tenant).expands;
}

function analyzerOf({ analyzer }: Pick<TenantConfig, "analyzer">): UserQueryAnalyzer {
  if (!isAnalyzer(analyzer)) throw new Error(`${analyzer} is not a user-query analyzer`);
  return ANALYZERS[analyzer];
}

function isAnalyzer(name: string): name is AnalyzerName {
  return Object.hasOwn(ANALYZERS, name);
}

/** Phrases are not joined with their neighbours. */
function glued(words: readonly UserWord[]): UserWord[] {
  return words.map((word, position): UserWord => {
    const next = words[position + 1];
    return next === undefined || next.isPhrase || word.isPhrase ? word : { ...word, glued: word.text + next.text };
  });
}

/** A `+` or `-` before a word is an operator; alone it is a word. */
function withoutOperators(text: string): UserWord[] {
  return spacedWords(text).map((word) =>
    !word.isPhrase && word.text.length > 1 && /^[-+]/.test(word.text) ? plainWord(word.text.slice(1)) : word,
  );
}
