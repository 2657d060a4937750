/**
 * Browsers of any origin may call every operation. `*` cannot be combined with cookies, and there are none; an
 * Authorization header that a script sets itself works with `*` as long as the preflight names it.
 */

/** Two hours is the most Chromium keeps, a day the most Firefox does. */
const PREFLIGHT_MAX_AGE_S = 86_400;
const REQUEST_HEADERS = "authorization, content-type, if-none-match, prefer";
/** Names of header fields and what parts them, as browsers send them: in a preflight only, and not many. */
const ASKED_HEADERS = /^[\w!#$%&'*+.^`|~-]+(?:, ?[\w!#$%&'*+.^`|~-]+){0,31}$/;
const READABLE_HEADERS = "etag, retry-after, server-timing, allow, preference-applied";

/**
 * `asked`: Access-Control-Request-Headers. Libraries add fields of their own (X-Requested-With, traceparent); none of
 * them means anything here.
 */
export function preflightResponse(allowed: readonly string[], asked: string | null): Response {
  const headers =
    asked !== null && ASKED_HEADERS.test(asked) ? `${REQUEST_HEADERS}, ${asked}` : REQUEST_HEADERS;
  return new Response(null, {
    status: 204,
    headers: {
      allow: allowed.join(", "),
      "access-control-allow-origin": "*",
      "access-control-allow-methods": allowed.join(", "),
      "access-control-allow-headers": headers,
      vary: "access-control-request-headers",
      "access-control-max-age": String(PREFLIGHT_MAX_AGE_S),
    },
  });
}

export function allowAnyOrigin(headers: Headers): void {
  headers.set("access-control-allow-origin", "*");
  headers.set("access-control-expose-headers", READABLE_HEADERS);
  headers.set("timing-allow-origin", "*");
}
