/** Formats prices in the currency of the document, or with the unit of the price facet. */
import type { Facet } from "../../interface/index.ts";

/** @param currency of the document, as an ISO code; null: none */
export type PriceFormat = (price: number, currency: string | null) => string;

const PRICE_FIELDS = /^(sale_?|final_?)?price$/i;
const DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

/** `unit` and `unitAsPrefix` are settings of the price facet. */
export function priceFormat(facets: readonly Facet[]): PriceFormat {
  const meta = facets.find(({ fieldName }) => PRICE_FIELDS.test(fieldName))?.meta;
  const unit = meta?.["unit"];
  const isPrefix = String(meta?.["unitAsPrefix"]) === "true";
  return (price, currency) => {
    if (currency !== null && /^[A-Z]{3}$/.test(currency)) {
      return price.toLocaleString(undefined, { style: "currency", currency });
    }
    const number = price.toLocaleString(undefined, DIGITS);
    if (typeof unit !== "string") return number;
    return isPrefix ? `${unit}${number}` : `${number}${unit}`;
  };
}
