/**
 * The parts of an address by slicing its text: making a URL of it, and iterating over URLSearchParams, takes the
 * runtime several times as long.
 */

/** The path as it was sent. */
export function rawPath(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start === -1) return "/";
  for (let at = start; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code === QUESTION_MARK || code === HASH) return url.slice(start, at);
  }
  return url.slice(start);
}

const QUESTION_MARK = 0x3f;
const HASH = 0x23;

/** The query string as it was sent, without `?`. */
export function rawQuery(url: string): string {
  const hash = url.indexOf("#");
  const address = hash === -1 ? url : url.slice(0, hash);
  const start = address.indexOf("?");
  return start === -1 ? "" : address.slice(start + 1);
}

/**
 * Names and values of a form-encoded query, as URLSearchParams has them: `+` is a space, everything is decoded once,
 * a broken escape stays as it is.
 */
export function queryPairs(query: string): Iterable<readonly [name: string, value: string]> {
  // URLSearchParams takes one question mark away.
  if (query.startsWith("?") || !query.isWellFormed()) return new URLSearchParams(query);
  const pairs: (readonly [string, string])[] = [];
  try {
    for (const part of query.split("&")) {
      if (part === "") continue;
      const equals = part.indexOf("=");
      pairs.push(
        equals === -1
          ? [decoded(part), ""]
          : [decoded(part.slice(0, equals)), decoded(part.slice(equals + 1))],
      );
    }
  } catch {
    // An escape that is broken, or no UTF-8.
    return new URLSearchParams(query);
  }
  return pairs;
}

/** Throws URIError. */
function decoded(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? decodeURIComponent(spaced) : spaced;
}
