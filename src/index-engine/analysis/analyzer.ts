/** Placeholder signature; the implementation follows. */
export const ANALYSIS_VERSION = 1;

export interface Analyzer {
  /** Two- or three-letter language, lower case; `default` analysis for languages without data. */
  readonly language: string;
  /** Exact terms of a text in order: HTML stripped, folded, lower case. Empty for a text without letters and digits. */
  terms(text: string): string[];
  /** The light stem of an exact term; the term itself where there is none. */
  stem(term: string): string;
}

export declare function analyzerFor(language: string): Analyzer;
