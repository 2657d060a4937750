/** The interface of data processors, and shared helpers. */
import type { IndexConfig, Pattern, ProcessorConfig } from "../../../interface/index.ts";
import { patternSteps } from "../pattern-steps.ts";
import type { AttributeItem, PathItem } from "../values.ts";

/** The copy of a document that processors change. Only masters, as in the reference; `data` is raw JSON. */
export interface WorkingDocument {
  readonly id: string;
  readonly data: Record<string, unknown>;
  attributes: readonly AttributeItem[];
  readonly categories: readonly PathItem[];
}

/** Changes the document in place; false: it must not be indexed. Must be idempotent, because PATCH runs it again. */
export type Processor = (document: WorkingDocument) => boolean;

/** Throws an Error that describes the problem with the settings. */
export type ProcessorFactory = (settings: ProcessorConfig["settings"], config: IndexConfig) => Processor;

/** The strings of a string or a list of strings; null for other values, which text processors ignore. */
export function stringsOf(value: unknown): readonly string[] | null {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value) || value.length === 0) return null;
  const strings: string[] = [];
  for (const element of value) {
    if (typeof element !== "string") return null;
    strings.push(element);
  }
  return strings;
}

/** Scalars as text, for processors that do not change values. */
export function textsOf(value: unknown): string[] {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts: string[] = [];
  for (const element of elements) {
    if (typeof element === "string") texts.push(element);
    else if (typeof element === "number" || typeof element === "boolean") texts.push(String(element));
  }
  return texts;
}

/** Writes one value or a list, as in the source; an empty result removes the field. */
export function writeStrings(
  data: Record<string, unknown>,
  name: string,
  strings: readonly string[],
  asList: boolean,
): void {
  const present = strings.filter((text) => text !== "");
  setValue(data, name, present.length === 0 ? null : asList ? present : present[0]);
}

/** Also works for names such as `__proto__`. */
export function setValue(data: Record<string, unknown>, name: string, value: unknown): void {
  // Much faster, where the prototype of `data` has no setter.
  if (name !== "__proto__") {
    data[name] = value;
    return;
  }
  Object.defineProperty(data, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

/** Splits like Java: without captured groups and empty parts at the end. */
export function splitText(text: string, separator: Pattern): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of separator.matches(text, patternSteps.spend)) {
    if (start === end && (start === 0 || start === text.length)) continue;
    parts.push(text.slice(from, start));
    from = end;
  }
  parts.push(text.slice(from));
  while (parts.length > 0 && parts.at(-1) === "") parts.pop();
  return parts;
}

/** A list in a setting, such as `a,b, c`. Null: the setting is missing. */
export function namesIn(setting: string | undefined): ReadonlySet<string> | null {
  if (setting === undefined || setting.trim() === "") return null;
  return new Set(setting.split(",").map((name) => name.trim()));
}
