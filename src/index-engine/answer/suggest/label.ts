/** What suggesting finds before it is put in order and rendered. */

export interface Label {
  /** The source field; the suggestion's type. */
  readonly field: string;
  readonly text: string;
  /** Sort key of the text: the last tie. */
  readonly sortKey: string;
  /** Live products. */
  readonly weight: number;
  readonly id: string | null;
  /** Categories: the path above, null at the root. Others: null. */
  readonly parentPath: string | null;
  /** Queries of the shop's own: what they say of themselves, instead of what the catalogue says. */
  readonly payload?: Readonly<Record<string, string>>;
}

/**
 * Labels that no field brings: phrases from titles, and queries of the shop's own that name no
 * other type.
 */
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
