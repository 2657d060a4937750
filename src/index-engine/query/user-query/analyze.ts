/**
 * User-query analyzers (docs/search.md "Preprocessors and analyzers"): text -> words.
 *
 *   WhitespaceAnalyzer (default)         Head Phones  ->  head | phones
 *   WhitespaceWithShingles               Head Phones  ->  head (glued: headphones) | phones
 *   NonAlphanumericWordSplitAnalyzer     lounge, 4-tlg.  ->  lounge | 4-tlg
 *   QuerqyQueryExpander                  Head Phones  ->  Head | Phones        and the rules are applied to them
 *   AsciifyQuerqyQueryAnalyzer           the same
 *
 * An extension of ours: words in double quotes stay together as a phrase, except where quotes are separators as
 * everything else (NonAlphanumericWordSplitAnalyzer). A `-` or `+` before a word has no meaning, as in the reference
 * (its rule engine's parser reads it and the search drops it).
 *
 * AsciifyQuerqyQueryAnalyzer exists in the reference because its rules compare accents: the original query and the
 * asciified one are expanded and joined by OR. Our rules are compared folded, so one pass finds the rules of both
 * spellings, and the index folds the words.
 */
import type { ANALYZER_NAMES } from "../../../interface/configuration-schema.ts";
import type { TenantConfig } from "../../../interface/index.ts";
import { alphanumericWords, spacedWords } from "./split.ts";
import { plainWord, type UserWord } from "./user-word.ts";

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
 * The words of a query in order; none for a text of separators only. A word may be without letters and digits ("shoes
 * & socks" has three words at white space): it counts where the reference counts words, and has no terms.
 */
export function analyze(text: string, tenant: Pick<TenantConfig, "analyzer">): UserWord[] {
  return analyzerOf(tenant).words(text);
}

/** Whether the tenant's analyzer is one that applies rules. */
export function expandsByRules(tenant: Pick<TenantConfig, "analyzer">): boolean {
  return analyzerOf(tenant).expands;
}

function analyzerOf({ analyzer }: Pick<TenantConfig, "analyzer">): UserQueryAnalyzer {
  if (!isAnalyzer(analyzer)) throw new Error(`${analyzer} is no user-query analyzer`);
  return ANALYZERS[analyzer];
}

function isAnalyzer(name: string): name is AnalyzerName {
  return Object.hasOwn(ANALYZERS, name);
}

/** Phrases are never glued: their words were put in quotes to stay as they are. */
function glued(words: readonly UserWord[]): UserWord[] {
  return words.map((word, position): UserWord => {
    const next = words[position + 1];
    return next === undefined || next.isPhrase || word.isPhrase
      ? word
      : { ...word, glued: word.text + next.text };
  });
}

/** One `+` or `-` before a word is an operator there; alone it is a word. */
function withoutOperators(text: string): UserWord[] {
  return spacedWords(text).map((word) =>
    !word.isPhrase && word.text.length > 1 && /^[-+]/.test(word.text)
      ? plainWord(word.text.slice(1))
      : word,
  );
}
