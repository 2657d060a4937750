/**
 * Answers that changed on purpose since the other checkout. A run that finds nothing else is a success.
 *
 * An entry covers one part of an answer, as narrowly as it can, and says why the new answer is right. Remove it once
 * both sides have the change.
 */
import type { CorpusName } from "./corpora.ts";
import type { PartDifference } from "./outcome.ts";

export interface Case {
  readonly set: string;
  readonly configuration: string;
  readonly corpus: CorpusName;
  /** Query string of an address, or the JSON of a body. */
  readonly input: string;
}

export interface DeliberateDifference {
  readonly name: string;
  readonly reason: string;
  covers(difference: PartDifference, of: Case): boolean;
}

export const DELIBERATE_DIFFERENCES: readonly DeliberateDifference[] = [
  {
    name: "searches without configured stages",
    reason:
      "they fill the page and settle words by evidence (docs/query-core.md); the first edition tried stages",
    covers: (_difference, { configuration }) => configuration.startsWith("relevance"),
  },
];
