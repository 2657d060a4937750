/** What a data processor is, and what they share. */
import type { IndexConfig, Pattern, ProcessorConfig } from "../../../interface/index.ts";
import { patternSteps } from "../pattern-steps.ts";
import type { AttributeItem, PathItem } from "../values.ts";

/**
 * A document on its way through the processors: a copy they may change, the stored source stays as it was sent. They
 * see masters only, as in the reference; `data` is raw JSON.
 */
export interface WorkingDocument {
  readonly id: string;
  readonly data: Record<string, unknown>;
  attributes: readonly AttributeItem[];
  readonly categories: readonly PathItem[];
}

/**
 * Changes the document in place. False: the document is not to be indexed. Must be idempotent: PATCH runs it again.
 */
export type Processor = (document: WorkingDocument) => boolean;

/** Fails with an Error whose message says what is wrong with the settings. */
export type ProcessorFactory = (
  settings: ProcessorConfig["settings"],
  config: IndexConfig,
) => Processor;

/** The strings of a string or a list of strings; null for anything else, which text processors leave alone. */
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

/** Scalars as text, for processors that only look. */
export function textsOf(value: unknown): string[] {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts: string[] = [];
  for (const element of elements) {
    if (typeof element === "string") texts.push(element);
    else if (typeof element === "number" || typeof element === "boolean")
      texts.push(String(element));
  }
  return texts;
}

/** Writes one value or a list, in the form the source had; nothing is left of an empty result. */
export function writeStrings(
  data: Record<string, unknown>,
  name: string,
  strings: readonly string[],
  asList: boolean,
): void {
  const present = strings.filter((text) => text !== "");
  setValue(data, name, present.length === 0 ? null : asList ? present : present[0]);
}

/** A name such as `__proto__` is a field like any other. */
export function setValue(data: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(data, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

/** Splits like Java: no captured groups, no empty parts at the end. */
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

/** A list in a setting: `a,b, c`. Null when the setting is not there. */
export function namesIn(setting: string | undefined): ReadonlySet<string> | null {
  if (setting === undefined || setting.trim() === "") return null;
  return new Set(setting.split(",").map((name) => name.trim()));
}
