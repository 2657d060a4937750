/** What shops say of a product's availability -> a stock: how many, or 1 and 0. */

const IN = new Set(
  (
    "true yes y ja j oui si in_stock instock available onstock on_stock auf_lager lieferbar sofort_lieferbar verfügbar vorrätig " +
    "preorder pre_order backorder back_order onbackorder limited_availability limitedavailability low_stock lowstock en_stock"
  ).split(" "),
);
const OUT = new Set(
  (
    "false no n nein non out_of_stock outofstock sold_out soldout unavailable not_available discontinued ausverkauft vergriffen " +
    "nicht_auf_lager nicht_lieferbar nicht_verfügbar nicht_vorrätig rupture"
  ).split(" "),
);

/** `12`, `10+`, `> 10`; `in stock`, `https://schema.org/InStock`. Null: it says neither. */
export function stockOf(said: string | number | boolean): number | null {
  if (typeof said === "number") return said;
  const text = String(said).trim().toLowerCase();
  const number = /^[<>]?\s*(-?\d+)\s*\+?$/.exec(text)?.[1];
  if (number !== undefined) return Number(number);
  const word = text.replace(/^https?:\/\/schema\.org\//, "").replaceAll(/[\s_-]+/g, "_");
  if (IN.has(word)) return 1;
  return OUT.has(word) ? 0 : null;
}
