/** Ordinals that form one entry: see `FacetData.sameKey`. */
import { hasBit } from "../../base/index.ts";

/**
 * First ordinal of the group of `ordinal`. Same as `FacetData.firstOfGroup`, for loops that fetch
 * `sameKey` once.
 */
export function firstOfGroup(sameKey: Uint32Array | null, ordinal: number): number {
  let first = ordinal;
  if (sameKey !== null) while (hasBit(sameKey, first)) first--;
  return first;
}
