/**
 * Browsers of any origin may call every operation. `*` cannot be combined with cookies, and there are none; an Authorization header that
 * a script sets itself works with `*` as long as the preflight names it.
 */

/** Two hours is the most Chromium keeps, a day the most Firefox does. */
const PREFLIGHT_MAX_AGE_S = 86_400;
const REQUEST_HEADERS = "authorization, content-type, if-none-match, prefer";
const READABLE_HEADERS = "etag, retry-after, server-timing, allow, preference-applied";

export function preflightResponse(allowed: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      allow: allowed.join(", "),
      "access-control-allow-origin": "*",
      "access-control-allow-methods": allowed.join(", "),
      "access-control-allow-headers": REQUEST_HEADERS,
      "access-control-max-age": String(PREFLIGHT_MAX_AGE_S),
    },
  });
}

export function allowAnyOrigin(headers: Headers): void {
  headers.set("access-control-allow-origin", "*");
  headers.set("access-control-expose-headers", READABLE_HEADERS);
  headers.set("timing-allow-origin", "*");
}
