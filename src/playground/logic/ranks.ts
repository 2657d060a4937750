/** Two lists of hits for one query: which stand where in the other. */
export type RankChange =
  | { readonly kind: "same" }
  /** `by` > 0: it stands so many places further up here than there. */
  | { readonly kind: "moved"; readonly by: number }
  | { readonly kind: "only" };

export interface Comparison {
  /** By place. Seen from the left: `by` > 0 is further up on the left. */
  readonly left: readonly RankChange[];
  readonly right: readonly RankChange[];
  /** Hits that both lists have. */
  readonly shared: number;
  /** Places that hold the same hit on both sides. */
  readonly unmoved: number;
}

/** By id; of an id that a list has twice (a tenant over several indexes) the first place counts. */
export function compareRanks(left: readonly string[], right: readonly string[]): Comparison {
  const [inLeft, inRight] = [placesOf(left), placesOf(right)];
  const leftChanges = left.map((id, place) => changeOf(place, inRight.get(id)));
  return {
    left: leftChanges,
    right: right.map((id, place) => changeOf(place, inLeft.get(id))),
    shared: [...inLeft.keys()].filter((id) => inRight.has(id)).length,
    unmoved: leftChanges.filter(({ kind }) => kind === "same").length,
  };
}

function placesOf(ids: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, id] of ids.entries()) if (!places.has(id)) places.set(id, place);
  return places;
}

function changeOf(here: number, there: number | undefined): RankChange {
  if (there === undefined) return { kind: "only" };
  return there === here ? { kind: "same" } : { kind: "moved", by: there - here };
}
