/**
 * Whether a name matches a pattern in which `*` is any run of characters. One pass over the name: every part is matched
 * at its first occurrence, so the time is linear in both lengths.
 */
export function fitsWildcard(pattern: string, name: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
