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
}

export const MATCH_GROUPS = {
  best: "best matches",
  secondary: "secondary matches",
  oneEdit: "fuzzy matches with 1 edit",
  twoEdits: "fuzzy matches with 2 edits",
} as const;
export type MatchGroup = keyof typeof MATCH_GROUPS;

export interface Match {
  readonly group: MatchGroup;
  readonly label: Label;
}
