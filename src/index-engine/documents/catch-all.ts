/**
 * The built-in preset indexes fields that no rule names (docs/indexing.md 8.4).
 *
 * | unnamed value            | Search        | facet value       | filter value     | sort column |
 * |--------------------------|---------------|-------------------|------------------|-------------|
 * | attribute, string        | `_attributes` | up to 64 chars    | longer: its hash | -           |
 * | attribute, number        | `_attributes` | number            | -                | -           |
 * | data, JSON number        | -             | number            | -                | number      |
 * | data, string             | `_other`      | up to 64 chars    | longer: its hash | string      |
 * | data, string, a URL      | -             | -                 | the value        | -           |
 * | data, true or false      | -             | `"true"`, `"false"` | -              | string      |
 * | data, category path(s)   | `_other`      | path (masters)    | -                | -           |
 *
 * All are shown in hits (usage Result) and apply to both levels. An attribute object inside `data` is an attribute
 * under the name of the data field. Elements of a list are independent: `[1, 2.5, "x"]` has a number part and a term
 * part.
 *
 * URLs and the words true and false are not searched, because they would match unintentionally: every product of a
 * shop has `https`, `img` and `jpg` in its image address, and "true wireless" is a kind of headphones. (The
 * reference's preset also has URLs as Result only.)
 *
 * A number of an attribute is a JSON number, or a text that reads as one (the reference's preset asks its rule for
 * numbers before the one for texts). Texts that look like codes stay texts: leading zeros, exponents, eight digits or
 * more before the point (an EAN has 8 to 14). In both cases the text is searched as sent.
 *
 *   "9", "-12.5", "10.0", "0"  numbers        "007", "1e5", "+5", "4006381333931", "12 cm"  texts
 *
 * Facets keep their own names; search text does not. A real catalogue has 5,300 attribute names, and a search field
 * for each would make nearly every posting's signature (segment/model, Signatures) unique. So their texts share two
 * search fields with a low weight.
 */
import type { FieldValue } from "../segment/model/index.ts";
import type { RowWriter } from "./row-writer.ts";
import { filterKey, isShortValue } from "./filter-key.ts";
import { type AttributeItem, levelsOf, PathItem, textOf, type Item } from "./values.ts";

/** Search field of all unnamed attributes. */
export const ATTRIBUTES_SEARCH_FIELD = "_attributes";
/** Search field of all unnamed data. */
export const OTHER_SEARCH_FIELD = "_other";

const URL_PATTERN = /^\s*(?:https?:)?\/\/\S+\s*$/i;

function termValue(field: string, text: string, id: string | null, facetable: boolean): FieldValue {
  const value = text.trim();
  return facetable && isShortValue(value)
    ? { kind: "term", field, value, id, facet: true }
    : { kind: "term", field, value: filterKey(value), id, facet: false };
}

const NUMBER_TEXT = /^-?(?:0|[1-9]\d{0,6})(?:\.\d+)?$/;

/** Null: a text or a boolean. */
function attributeNumber(value: AttributeItem["value"]): number | null {
  if (typeof value === "number") return value + 0;
  if (typeof value !== "string") return null;
  const text = value.trim();
  return NUMBER_TEXT.test(text) ? Number(text) + 0 : null;
}

export function isUrl(value: string): boolean {
  return URL_PATTERN.test(value);
}

/** An attribute that no rule names, under `field`. */
export function writeUnnamedAttribute(row: RowWriter, field: string, item: AttributeItem): void {
  const { value, code } = item;
  const text = String(value);
  const number = attributeNumber(value);
  row.values.push(
    number === null
      ? termValue(field, text, code, true)
      : { kind: "number", field, value: number, id: code, facet: true },
  );
  if (typeof value !== "boolean" && !isUrl(text)) {
    row.addText(ATTRIBUTES_SEARCH_FIELD, text);
  }
}

/** One item of a data field that no rule names. Path facets are those of masters (docs/behaviour.md 1.1). */
export function writeUnnamedData(row: RowWriter, field: string, item: Item): void {
  if (typeof item === "number") {
    const value = item + 0;
    row.values.push({ kind: "number", field, value, id: null, facet: true });
    row.columns.push({ field, value });
  } else if (typeof item === "string") {
    if (isUrl(item)) {
      row.values.push(termValue(field, item, null, false));
      return;
    }
    row.values.push(termValue(field, item, null, true));
    row.addText(OTHER_SEARCH_FIELD, item);
    row.columns.push({ field, value: item });
  } else if (typeof item === "boolean") {
    row.values.push(termValue(field, String(item), null, true));
    row.columns.push({ field, value: String(item) });
  } else if (item instanceof PathItem) {
    if (row.isMaster) {
      levelsOf(item).forEach((value, level) => {
        row.values.push({ kind: "path", field, value, id: item.nodes[level].id, facet: true });
      });
    }
    row.texts.push({ field: OTHER_SEARCH_FIELD, text: textOf(item) });
  } else {
    writeUnnamedAttribute(row, field, item);
  }
}
