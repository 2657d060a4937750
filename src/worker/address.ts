/**
 * Takes parts of a URL by slicing its text, because creating a URL and iterating over URLSearchParams takes the
 * runtime several times longer.
 */

/** The path as sent. */
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

/** The query string as sent, without `?`. */
export function rawQuery(url: string): string {
  const hash = url.indexOf("#");
  const address = hash === -1 ? url : url.slice(0, hash);
  const start = address.indexOf("?");
  return start === -1 ? "" : address.slice(start + 1);
}

/**
 * Names and values of a form-encoded query, like URLSearchParams: `+` is a space, everything is decoded once,
 * an invalid escape stays unchanged.
 */
export function queryPairs(query: string): Iterable<readonly [name: string, value: string]> {
  // URLSearchParams removes one question mark.
  if (query.startsWith("?") || !query.isWellFormed()) return new URLSearchParams(query);
  const pairs: (readonly [string, string])[] = [];
  try {
    for (const part of query.split("&")) {
      if (part === "") continue;
      const equals = part.indexOf("=");
      pairs.push(
        equals === -1 ? [decoded(part), ""] : [decoded(part.slice(0, equals)), decoded(part.slice(equals + 1))],
      );
    }
  } catch {
    // An invalid escape, or not UTF-8.
    return new URLSearchParams(query);
  }
  return pairs;
}

/** Throws URIError. */
function decoded(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? decodeURIComponent(spaced) : spaced;
}
