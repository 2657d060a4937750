/** Derives a column's rule from its values if its name is unknown. */
import type { Dialect } from "./dialects.ts";
import { looksLikeHtml } from "./html.ts";
import type { ColumnRule } from "./model.ts";
import { spokenColumn } from "./nested-names.ts";
import { VARIANT, normalized } from "./names.ts";
import { pairSeparatorsOf } from "./separators.ts";
import { fieldName, looksLikePrice, readNumber } from "./values.ts";

const PICTURE = /^(https?:)?\/\/\S+\.(jpe?g|png|webp|gif|avif)(\?[^\s,;|]*)?$/i;
/** Columns of options: one pair alone is one, too. */
const OPTIONS =
  /^(option(s|ids|values)?|variation(s|options)?|properties|attributes?|features|specs|specifications|merkmale|eigenschaften)$/;

export function unknownRule(column: string, values: readonly string[], dialect: Dialect | null): ColumnRule {
  // Switches and texts for search engines of programs that are known, and fields that begin with an underscore: inner
  // affairs.
  if (dialect !== null && /^(meta: |seo |google shopping|_)/i.test(column)) return { kind: "skip" };
  if (values.length === 0) return { kind: "skip" };
  const own = column.replace(VARIANT, "");
  const field = fieldName(spokenColumn(own)) || fieldName(column);
  return {
    ...ruleOfValues(column, field, values),
    ...(own === column ? {} : { level: "variant" }),
  };
}

function ruleOfValues(column: string, field: string, values: readonly string[]): ColumnRule {
  if (values.every(isPlainNumber)) return { kind: "number", field };
  if (values.every(looksLikePrice)) return { kind: "price", field };
  if (values.every((value) => value.split(/[|;,\s]+/).every((one) => PICTURE.test(one))))
    return { kind: "images", field: "imageUrl" };
  const pairs = pairSeparatorsOf(values);
  if (pairs !== null && (pairs.isList || OPTIONS.test(normalized(column))))
    return { kind: "attributes", list: pairs.list, pair: pairs.pair };
  return { kind: values.some(looksLikeHtml) ? "html" : "text", field };
}

function isPlainNumber(value: string): boolean {
  return readNumber(value, null, "number") !== null && !/^0\d/.test(value) && value.length < 16;
}
