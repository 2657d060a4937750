/** What the service made of the query: a correction, and products that lack words of it. */
import type { ProductHit } from "./product.ts";

/** `meta` of an answer. */
export type Meta = Readonly<Record<string, unknown>>;

/** Sentences for an answer with so many hits. Empty if all hits have all words as they are typed. */
export function understood(meta: Meta, hitCount: number): string[] {
  const { query_corrected: corrected, query_complete: complete } = meta;
  const sentences: string[] = [];
  if (typeof corrected === "string") sentences.push(`Showing results for “${corrected}”.`);
  if (typeof complete === "number" && complete < hitCount) sentences.push(completeOf(complete));
  return sentences;
}

function completeOf(count: number): string {
  if (count === 0) return "No product has all words. These have some of them.";
  return `${count.toLocaleString()} ${count === 1 ? "product has" : "products have"} all words, the others some of them.`;
}

/**
 * The position of the first hit that lacks words, for a line before it. -1 if there is nothing to separate: no such hit,
 * only such products, or one with all words behind it, because by relevance the two may mix.
 */
export function startOfFill(hits: readonly ProductHit[], meta: Meta): number {
  if (meta["query_complete"] === 0) return -1;
  const first = hits.findIndex((hit) => hit["_partial"] === true);
  return hits.slice(first).every((hit) => hit["_partial"] === true) ? first : -1;
}
