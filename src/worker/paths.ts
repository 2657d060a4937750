/**
 * Parameters in paths, from the URL as sent.
 *
 * hono decodes paths before matching, which loses the difference between `a%252Fb` and `a%2Fb`, so values
 * are taken from the raw path by position. An invalid escape stays unchanged.
 *
 *   /search-api/v1/doc/{tenant}/{id}      positions 0, 1, 2, 3 and 4 to the end: an id may contain slashes, encoded or not
 */
import { ServiceError, isIndexName } from "../interface/index.ts";
import type { AppContext } from "./context.ts";
import { rawPath } from "./address.ts";

function segments(c: AppContext): string[] {
  return rawPath(c.req.raw.url).slice(1).split("/");
}

export function pathParameter(c: AppContext, position: number): string {
  return decode(segments(c)[position] ?? "");
}

/** The name of an index, a tenant or a rules text. Throws 403 forbidden if the caller has no access. */
export function nameParameter(c: AppContext, position: number): string {
  const name = pathParameter(c, position);
  c.get("caller").requireName(name);
  return name;
}

/** Everything from a position on. */
export function pathRest(c: AppContext, position: number): string {
  return decode(segments(c).slice(position).join("/"));
}

/** The name of an index that may be created. Throws 400 invalid_index_name. */
export function newIndexName(name: string): string {
  if (isIndexName(name)) return name;
  throw new ServiceError(
    "invalid_index_name",
    `${JSON.stringify(name)} is not a valid index name: it must match [a-z0-9_-]+ (at most 200 characters).`,
    {
      details: { problems: [{ path: "indexName", message: "must match [a-z0-9_-]+" }] },
    },
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
