/**
 * Reads Java `.properties` files as keys and values. The last value of a repeated key is used.
 *
 *   # comment, ! comment
 *   suggest.group.key=type        key: up to an unescaped `=`, `:` or white space
 *   a = one \
 *       two                       a line that ends with `\` continues in the next: "one two"
 *   b = \u20ac\t\=                escapes
 */

/**
 * Null: not a .properties file. Every line must be a comment or contain `=` or `:`, and be neither YAML nor HOCON:
 *
 *   a.b: c                  YAML, unless another line has `=`; lines of YAML may be indented, these may not be then
 *   a.b = "c", a = [b, c]   HOCON: quotes and brackets are no part of a value
 *   a.b = {                 HOCON
 */
export function readProperties(text: string): Record<string, string> | null {
  const entries = new Map<string, string>();
  let hasEquals = false;
  let hasColon = false;
  for (const line of logicalLines(text)) {
    const match = LINE.exec(line);
    if (match === null) return null;
    const [, key, separator, value] = match;
    if (separator === "=") hasEquals = true;
    else hasColon = true;
    if (OF_HOCON.test(value)) return null;
    entries.set(unescaped(key), unescaped(value));
  }
  return !hasEquals || (hasColon && INDENTED.test(text)) ? null : Object.fromEntries(entries);
}

/** A value that opens a section is HOCON. */
const LINE = /^((?:[\w.\-$<>[\]]|\\.)+)\s*([=:])\s*(?!\s|[{[]\s*$)(.*)$/s;
/** A text in quotes, a list, a section; maybe with a comment behind it. */
const OF_HOCON = /^(?:"(?:[^"\\]|\\.)*"|\[.*\]|\{.*\})\s*(?:(?:\/\/|#).*)?$/s;
/** Line ends are left out: a run of them would be read again from each of its characters. */
const INDENTED = /^[^\S\r\n\u2028\u2029]+\S/m;

function* logicalLines(text: string): Generator<string, void, void> {
  let open = "";
  for (const natural of text.split(/\r\n|\r|\n/)) {
    const line = natural.trimStart();
    if (open === "" && (line === "" || line.startsWith("#") || line.startsWith("!"))) continue;
    if (hasOpenEnd(line)) open += line.slice(0, -1);
    else {
      yield open + line;
      open = "";
    }
  }
  if (open !== "") yield open;
}

/** Whether an odd number of backslashes is at its end. */
function hasOpenEnd(line: string): boolean {
  let at = line.length;
  while (at > 0 && line[at - 1] === "\\") at--;
  return (line.length - at) % 2 === 1;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f" };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code: string | undefined, one: string) =>
    code === undefined ? (ESCAPES[one] ?? one) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
