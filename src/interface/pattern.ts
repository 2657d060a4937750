/**
 * Regular expressions of configuration files are written for Java. Nearly all mean the same in JavaScript; what differs in practice
 * are flags in front (`(?i)grün`), which become flags of the expression.
 *
 * Compiled with the `u` flag (so that `.` is a whole character), or without it where an old-fashioned escape such as `\-`
 * is not allowed there.
 */
const INLINE_FLAGS = /^\(\?([imsuU]+)\)/;

/** Throws a SyntaxError for what is no regular expression in JavaScript. `whole`: must match the whole text. */
export function compilePattern(
  pattern: string,
  options: { whole?: boolean; global?: boolean } = {},
): RegExp {
  const inline = INLINE_FLAGS.exec(pattern);
  let flags = options.global === true ? "g" : "";
  for (const flag of "ims") if (inline?.[1].includes(flag) === true) flags += flag;
  let source = inline === null ? pattern : pattern.slice(inline[0].length);
  if (options.whole === true) source = `^(?:${source})$`;
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}
