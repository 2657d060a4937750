/** Page numbers to offer, with `null` for gaps: 1 … 4 [5] 6 … 20. */

/** The service's paging limit; a page beyond it is empty. */
const RESULT_WINDOW = 10_000;

export interface Pages {
  /** From 1. */
  readonly current: number;
  readonly last: number;
  readonly shown: readonly (number | null)[];
}

/** Null: there is only one page. */
export function pagesOf(matchCount: number, limit: number, offset: number): Pages | null {
  if (limit < 1) return null;
  const last = Math.min(Math.ceil(matchCount / limit), Math.floor(RESULT_WINDOW / limit));
  if (last <= 1 && offset === 0) return null;
  const current = Math.floor(offset / limit) + 1;
  const wanted = [1, current - 1, current, current + 1, last]
    .filter((page) => page >= 1 && page <= Math.max(last, current))
    .toSorted((a, b) => a - b);
  const shown: (number | null)[] = [];
  let before = 0;
  for (const page of new Set(wanted)) {
    // A gap of a single page shows that page.
    if (page === before + 2) shown.push(before + 1);
    else if (page > before + 1) shown.push(null);
    shown.push(page);
    before = page;
  }
  return { current, last: Math.max(last, 1), shown };
}
