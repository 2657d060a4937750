/**
 * Selects the part of a long text that is most relevant to a query.
 *
 *   ... with a quick lacing system. The [shoe] for [runners] who train on trails. Further ...
 *           |<------------------------ FRAGMENT_LENGTH ------------------------>|
 *
 * Among all spans from one mark to another that fit, it takes the one with the most different words
 * of the query, then the one with the most marks, then the first. The remaining length is filled
 * with text before and after it, cut between words.
 */

/** [start, end) in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const FRAGMENT_LENGTH = 160;

/**
 * @param marks ascending, at least one; `group` is the word of the query
 * @param words the terms of the text, ascending by start: the text may also be cut between them,
 *   because some scripts have no spaces
 */
export function bestFragment(
  text: string,
  marks: readonly (Span & { readonly group: number })[],
  words: readonly Span[],
): Span {
  let best = { first: 0, last: 0, groups: 0 };
  let first = 0;
  const counts = new Map<number, number>();
  marks.forEach(({ end, group }, last) => {
    counts.set(group, (counts.get(group) ?? 0) + 1);
    while (first < last && end - marks[first].start > FRAGMENT_LENGTH) {
      const left = marks[first++].group;
      const count = (counts.get(left) ?? 0) - 1;
      if (count > 0) counts.set(left, count);
      else counts.delete(left);
    }
    const isBetter =
      counts.size > best.groups || (counts.size === best.groups && last - first > best.last - best.first);
    if (isBetter) best = { first, last, groups: counts.size };
  });
  const { start } = marks[best.first];
  const { end } = marks[best.last];
  const room = Math.max(0, FRAGMENT_LENGTH - (end - start));
  const before = Math.min(start, Math.floor(room / 2));
  const after = Math.min(text.length - end, room - before);
  const from = Math.max(0, start - (room - after));
  return { start: startOf(text, from, start, words), end: endOf(text, end, end + after, words) };
}

/** The first place in [from, start] where a word starts. */
function startOf(text: string, from: number, start: number, words: readonly Span[]): number {
  if (from === 0) return 0;
  for (let at = from; at < start; at++) if (isSpace(text, at - 1) && !isSpace(text, at)) return at;
  return words.find((word) => word.start >= from && word.start <= start)?.start ?? start;
}

/** The last place in [end, to] where a word ends. */
function endOf(text: string, end: number, to: number, words: readonly Span[]): number {
  if (to >= text.length) return text.length;
  for (let at = to; at > end; at--) if (isSpace(text, at) && !isSpace(text, at - 1)) return at;
  return words.findLast((word) => word.end >= end && word.end <= to)?.end ?? end;
}

function isSpace(text: string, at: number): boolean {
  return /\s/u.test(text.charAt(at));
}
