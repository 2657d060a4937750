/**
 * Pages of more than LARGE_PAGE hits are made two at a time in an isolate: making one takes up to a second with pauses
 * for others, and holds its hits, up to 16 MB, until the end. Sixty at once would hold a gigabyte.
 */
import { Turns } from "./turns.ts";

export const LARGE_PAGE = 100;

const pages = new Turns({
  atOnce: "largePagesAtOnce",
  waiting: "largePagesWaiting",
  tooMany: `Too many pages of more than ${LARGE_PAGE} hits are being made; ask again, or for a smaller page.`,
});

/** @param limit hits that are asked for at most. Throws 429 too_many_requests. */
export async function inTurn<T>(limit: number, make: () => Promise<T>): Promise<T> {
  return limit <= LARGE_PAGE ? make() : pages.run(make);
}
