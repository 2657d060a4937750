/**
 * A query that is one article code names the variant that has it (docs/search.md "Variants"). Words do not tell: of
 * `4711` and `4711-01` both have the word 4711.
 *
 * Values as they were sent are only in the stored documents, so a hit carries the variants that may be meant, and
 * rendering picks (answer/render/named-variant.ts).
 */
export interface NamedVariants {
  /** In lower case. */
  readonly code: string;
  /** Best first. */
  readonly variants: readonly { readonly variant: number; readonly score: number | null }[];
}

const CODE = /^(?=\D*\d)\S{1,64}$/;

/** The code that the query is, in lower case; null: it is none. */
export function codeOf(query: string): string | null {
  const text = query.trim();
  return CODE.test(text) ? text.toLowerCase() : null;
}
