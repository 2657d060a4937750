/**
 * Prices in the words of a query: "jacket under 100 euro". Products are not named after the price that a shopper
 * would pay, and those that have the number for another reason ("coffee mill 100 g") should not come first.
 */
import type { WordQuery } from "../plan.ts";

const CURRENCIES: ReadonlySet<string> = new Set(
  "euro euros eur dollar dollars usd pound pounds gbp franken chf kronor kroner kr zloty zlotych zl pln czk kc".split(
    " ",
  ),
);
const NUMBER = /^\d+(?:[.,]\d+)?$/;

/**
 * The terms of all prices, as numbers of terms. A price ends the query, or a currency or a stop word follows it:
 * "heater under 1000 watt" has none.
 * @param upTo words before the highest price
 */
export function priceWords(
  { terms, sequence, stopWords }: Pick<WordQuery, "terms" | "sequence" | "stopWords">,
  upTo: ReadonlySet<string>,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (let i = 0; i < sequence.length; i++) {
    if (!upTo.has(terms[sequence[i]])) continue;
    // "less than 50", "moins de 50"
    let end = i + 1;
    while (end < sequence.length && (upTo.has(terms[sequence[end]]) || stopWords[sequence[end]])) end++;
    const first = end;
    while (end < sequence.length && NUMBER.test(terms[sequence[end]])) end++;
    if (end === first) continue;
    const after = sequence[end];
    const hasCurrency = after !== undefined && CURRENCIES.has(terms[after]);
    if (after !== undefined && !hasCurrency && !stopWords[after]) continue;
    for (let at = i; at < end + Number(hasCurrency); at++) found.add(sequence[at]);
  }
  return found;
}
