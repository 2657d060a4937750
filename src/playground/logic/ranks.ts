/** Compares the positions of hits in two lists. */
export type RankChange =
  | { readonly kind: "same" }
  /** `by` > 0: it is this many positions higher than in the other list. */
  | { readonly kind: "moved"; readonly by: number }
  | { readonly kind: "only" };

export interface Comparison {
  /** By position. `by` > 0: higher in the left list. */
  readonly left: readonly RankChange[];
  readonly right: readonly RankChange[];
  /** Number of common hits. */
  readonly shared: number;
  /** Number of positions with the same hit in both lists. */
  readonly unmoved: number;
}

/** By id; if a list has an id twice (a tenant of several indexes), the first position counts. */
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
