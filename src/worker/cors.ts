/**
 * Browsers of any origin may call every operation. `*` excludes cookies, which are not used; an
 * Authorization header set by a script works with `*` if the preflight allows it.
 */

/** Chromium caches at most two hours, Firefox a day. */
const PREFLIGHT_MAX_AGE_S = 86_400;
const REQUEST_HEADERS = "authorization, content-type, if-match, if-none-match, prefer";
/** A short list of header names as sent by browsers in a preflight. */
const ASKED_HEADERS = /^[\w!#$%&'*+.^`|~-]+(?:, ?[\w!#$%&'*+.^`|~-]+){0,31}$/;
const READABLE_HEADERS = "etag, retry-after, server-timing, allow, preference-applied";

/**
 * `asked`: Access-Control-Request-Headers. Libraries add their own headers (X-Requested-With, traceparent), which
 * are ignored.
 */
export function preflightResponse(allowed: readonly string[], asked: string | null): Response {
  const headers = asked !== null && ASKED_HEADERS.test(asked) ? `${REQUEST_HEADERS}, ${asked}` : REQUEST_HEADERS;
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
