/** One column of a record -> what it says, by the rule of a mapping. */
import { stockOf } from "./availability.ts";
import { textOf } from "./families.ts";
import { htmlToText } from "./html.ts";
import type { ColumnRule, FeedValue, FeedValues } from "./model.ts";
import { readList, readNumber, readPairs, readPaths, unquoted } from "./values.ts";
import { numberKind } from "./weigh-columns.ts";

export type DataValue = string | number | boolean | readonly (string | number | boolean)[];

/** The content of a cell. `problem`: why it cannot be read. */
export interface Reading {
  readonly value: DataValue | null;
  readonly attributes: readonly [string, string[]][];
  readonly paths: string[][];
  readonly problem: string | null;
}

const NOTHING: Reading = { value: null, attributes: [], paths: [], problem: null };

export function readColumn(rule: ColumnRule, raw: FeedValue, values: FeedValues, shared: FeedValues): Reading {
  const texts = (Array.isArray(raw) ? raw.flat() : [raw]).map((one) => String(one).trim()).filter((one) => one !== "");
  if (texts.length === 0) return NOTHING;
  const listed = (): string[] => texts.flatMap((one) => readList(one, rule.list));
  const { prefix } = rule;
  const whole = (one: string): string =>
    prefix === undefined || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(one) ? one : prefix + one;
  switch (rule.kind) {
    case "text":
      if (typeof raw === "number" || typeof raw === "boolean") return of(raw);
      return of(texts.length === 1 ? whole(withoutSpreadsheetQuotes(texts[0])) : texts.map(whole));
    case "html": {
      const text = htmlToText(texts.join("\n"));
      return text === "" ? NOTHING : of(text);
    }
    case "number":
    case "price": {
      const number = typeof raw === "number" ? raw : readNumber(texts[0], rule.decimal ?? null, numberKind(rule));
      return number === null ? { ...NOTHING, problem: `"${texts[0].slice(0, 40)}" is no ${rule.kind}` } : of(number);
    }
    case "availability": {
      const said = typeof raw === "number" || typeof raw === "boolean" ? raw : texts[0];
      const isLost = rule.field === undefined && stockOf(said) === null;
      return isLost ? { ...NOTHING, problem: `"${texts[0].slice(0, 40)}" says no stock` } : of(said);
    }
    case "list": {
      const list = listed();
      return list.length === 0 ? NOTHING : of(list);
    }
    case "images": {
      const list = [...new Set(listed().map(whole))];
      return list.length === 0 ? NOTHING : of(list.length === 1 ? list[0] : list);
    }
    case "categories": {
      const paths = levelsOf(raw) ?? texts.flatMap((one) => readPaths(htmlToText(one), rule));
      const above = (rule.under ?? [])
        .map((column) => htmlToText(textOf(values.get(column))))
        .filter((one) => one !== "");
      return { ...NOTHING, paths: paths.map((path) => [...above, ...path]) };
    }
    case "attribute":
      return { ...NOTHING, attributes: attributesOf(rule, raw, texts, values, shared) };
    case "attributes": {
      const pairs = texts.flatMap((one) => readPairs(one, rule.list ?? ",", rule.pair ?? "="));
      return {
        ...NOTHING,
        attributes: pairs.map(([name, value]) => [name, readList(value, "|").map((one) => htmlToText(unquoted(one)))]),
      };
    }
    case "only":
    case "skip":
      return NOTHING;
  }
}

/** Lists in a list are category paths, level by level: `categories[].path[].name`. Null: it is none. */
function levelsOf(raw: FeedValue): string[][] | null {
  if (!Array.isArray(raw) || !raw.some(Array.isArray)) return null;
  return raw.map((path: FeedValue) =>
    (Array.isArray(path) ? path : [path])
      .map((level: FeedValue) => htmlToText(textOf(level)))
      .filter((level) => level !== ""),
  );
}

/** `'0123` and `="0123"`: what keeps a spreadsheet from taking an article number for a number. */
function withoutSpreadsheetQuotes(text: string): string {
  return (
    /^(?:'(\d+)|="(.*)")$/
      .exec(text)
      ?.slice(1)
      .find((one) => one !== undefined) ?? text
  );
}

function of(value: DataValue): Reading {
  return { ...NOTHING, value };
}

function attributesOf(
  rule: ColumnRule,
  raw: FeedValue,
  texts: readonly string[],
  values: FeedValues,
  shared: FeedValues,
): [string, string[]][] {
  const listed = (from: readonly string[]): string[] => from.flatMap((one) => readList(one, rule.list));
  if (rule.nameColumn === undefined) return rule.field === undefined ? [] : [[rule.field, listed(texts)]];
  const names = values.get(rule.nameColumn) ?? shared.get(rule.nameColumn);
  if (Array.isArray(names) && rule.nameIndex === undefined) {
    // Lists side by side: the names and the values of `attributes: [{name, options}]`.
    const all: readonly FeedValue[] = Array.isArray(raw) ? raw : [raw];
    return names.flatMap((name, at): [string, string[]][] => {
      const value = all[at];
      const own = listed((Array.isArray(value) ? value : [value]).map((one) => String(one ?? "")));
      return own.length === 0 ? [] : [[String(name), own]];
    });
  }
  const name = textOf(Array.isArray(names) ? names[rule.nameIndex ?? 0] : names);
  // A product of Shopify without options has one without a meaning.
  if (name === "" || (name === "Title" && texts[0] === "Default Title")) return [];
  return [[name, listed(texts)]];
}
