/**
 * Parameters in paths, from the address as it was sent.
 *
 * hono decodes parts of a path before it matches, which loses the difference between `a%252Fb` and `a%2Fb`; so values
 * are taken from the raw path by position. A broken escape stays as it is.
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

/** The name of an index, a tenant or a rules text; throws 403 forbidden where it is not the caller's business. */
export function nameParameter(c: AppContext, position: number): string {
  const name = pathParameter(c, position);
  c.get("caller").requireName(name);
  return name;
}

/** Everything from a position on. */
export function pathRest(c: AppContext, position: number): string {
  return decode(segments(c).slice(position).join("/"));
}

/** An index name that something is to be created under; throws 400 invalid_index_name. */
export function newIndexName(name: string): string {
  if (isIndexName(name)) return name;
  throw new ServiceError(
    "invalid_index_name",
    `${JSON.stringify(name)} is no index name: it must match [a-z0-9_-]+ (at most 200 characters).`,
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
