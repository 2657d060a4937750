/**
 * Whether a name fits a pattern in which `*` is any run of characters. In one pass over the name: every part is taken
 * where it is found first, so that no pattern takes longer than its length and the name's.
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
