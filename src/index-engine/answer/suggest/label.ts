/** A candidate for a suggestion, before ordering and rendering. */

export interface Label {
  /** The source field, and the type of the suggestion. */
  readonly field: string;
  readonly text: string;
  /** Sort key of the text, the last tie-breaker. */
  readonly sortKey: string;
  /** Number of live products. */
  readonly weight: number;
  readonly id: string | null;
  /** For categories: the parent path, null at the root. Null for others. */
  readonly parentPath: string | null;
  /** For the shop's own queries: the payload they were sent with. It replaces that of the catalogue. */
  readonly payload?: Readonly<Record<string, string>>;
}

/** The type of labels without a field: phrases from titles, and the shop's own queries that name no other type. */
export const KEYWORD = "keyword";

/** The field of product titles, whose words make the phrases. */
export const TITLE = "title";

export const MATCH_GROUPS = {
  sharpened: "sharpened matches",
  best: "best matches",
  secondary: "secondary matches",
  oneEdit: "fuzzy matches with 1 edit",
  twoEdits: "fuzzy matches with 2 edits",
  shingles: "shingle matches",
  relaxed: "relaxed matches",
} as const;
export type MatchGroup = keyof typeof MATCH_GROUPS;

export interface Match {
  readonly group: MatchGroup;
  readonly label: Label;
}
