/** `_highlightResult` and `_snippetResult` of a hit. */
import type { Highlight, ResultHit } from "../../client/src/index.ts";
import { listOf, type Highlighted, type HighlightResult, type Params } from "./protocol.ts";

export interface Tags {
  readonly pre: string;
  readonly post: string;
}

export function tagsOf({ highlightPreTag, highlightPostTag }: Params): Tags {
  return { pre: highlightPreTag ?? "<em>", post: highlightPostTag ?? "</em>" };
}

/** Names for Aisle's `highlight`: all fields, unless the page specifies them. */
export function highlightedFields(params: Params): readonly string[] {
  const asked = params.attributesToHighlight;
  const snippets = snippetFields(params).map(({ name }) => name);
  return [...new Set([...(asked === undefined ? ["*"] : listOf(asked)), ...snippets])];
}

/**
 * `_highlightResult` has whole texts. Of a text of more than 200 characters the service sends a fragment, and the text
 * is marked where the fragment stands. `_snippetResult` is the fragment. Texts without matches have no marks.
 */
export function highlightsOf(
  { document, metaData }: ResultHit,
  params: Params,
): { _highlightResult: Record<string, Highlighted>; _snippetResult?: Record<string, Highlighted> } {
  const tags = tagsOf(params);
  const ellipsis = params.snippetEllipsisText ?? "…";
  const marked = new Map(Object.entries(metaData?.highlights ?? {}));
  const whole: Form = {
    plain: (text) => text,
    marked: (found, text) => wholeOf(found, text, tags, ellipsis),
  };
  const results = [...new Set([...Object.keys(document.data), ...marked.keys()])].flatMap((name) =>
    named(name, resultOf(document.data[name], marked.get(name) ?? [], whole)),
  );
  const snippets = snippetFields(params).flatMap(({ name, words }) => {
    const short: Form = {
      plain: (text) => shortened(text, words, ellipsis),
      marked: (found) => fragmentOf(found, tags, ellipsis),
    };
    return named(name, resultOf(document.data[name], marked.get(name) ?? [], short));
  });
  return {
    _highlightResult: Object.fromEntries(results),
    ...(snippets.length > 0 && { _snippetResult: Object.fromEntries(snippets) }),
  };
}

/** How texts are written. */
interface Form {
  readonly plain: (text: string) => string;
  /** @param text null if the hit does not have the field */
  readonly marked: (found: Highlight, text: string | null) => string;
}

const named = (name: string, result: Highlighted | null): [string, Highlighted][] =>
  result === null ? [] : [[name, result]];

function resultOf(value: unknown, marked: readonly Highlight[], form: Form): Highlighted | null {
  const texts = (Array.isArray(value) ? (value as unknown[]) : [value]).map(textOf);
  const results = texts.map((text, at): HighlightResult | null => {
    const found = marked.find((one) => one.value === at);
    if (found === undefined) {
      return text === null ? null : { value: form.plain(text), matchLevel: "none", matchedWords: [] };
    }
    const words = found.marks.map(([start, end]) => found.text.slice(start, end).toLowerCase());
    return {
      value: form.marked(found, text),
      matchLevel: "full",
      matchedWords: [...new Set(words)],
      fullyHighlighted: false,
    };
  });
  const there = results.filter((one) => one !== null);
  if (there.length === 0) return null;
  const [first] = there;
  return Array.isArray(value) || first === undefined ? there : first;
}

/** Strings, numbers, values of attributes; null: not a text. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const isAttribute = typeof value === "object" && value !== null && "value" in value;
  return isAttribute ? textOf(value.value) : null;
}

/** Tags and entities, which a page would show as they are written. */
const MARKUP = /<[a-z/!]|&#?\w+;/i;

/** The fragment within its text; alone if the text has markup, or the hit does not have the field. */
function wholeOf(found: Highlight, text: string | null, tags: Tags, ellipsis: string): string {
  const isFragment = !found.whole && text !== null && !MARKUP.test(text);
  const from = isFragment ? text.indexOf(found.text) : -1;
  if (text === null || from < 0) return fragmentOf(found, tags, ellipsis);
  return text.slice(0, from) + withTags(found, tags) + text.slice(from + found.text.length);
}

function fragmentOf(found: Highlight, tags: Tags, ellipsis: string): string {
  const value = withTags(found, tags);
  if (found.whole) return value;
  // The service's HTML tells at which ends it is cut.
  return (found.html.startsWith("…") ? ellipsis : "") + value + (found.html.endsWith("…") ? ellipsis : "");
}

function withTags({ text, marks }: Highlight, { pre, post }: Tags): string {
  let written = "";
  let at = 0;
  for (const [start, end] of marks) {
    written += text.slice(at, start) + pre + text.slice(start, end) + post;
    at = end;
  }
  return written + text.slice(at);
}

/** `description:20`: the number of words. */
function snippetFields(params: Params): { name: string; words: number }[] {
  return listOf(params.attributesToSnippet).map((text) => {
    const [name = "", words = "10"] = text.split(":");
    return { name, words: Number(words) };
  });
}

function shortened(text: string, words: number, ellipsis: string): string {
  const all = text.split(/\s+/);
  return all.length <= words ? text : all.slice(0, words).join(" ") + ellipsis;
}
