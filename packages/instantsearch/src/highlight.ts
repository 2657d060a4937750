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
 * Texts without matches are returned unchanged. For texts of more than 200 characters the service
 * sends a fragment, which is shown instead.
 */
export function highlightsOf(
  { document, metaData }: ResultHit,
  params: Params,
): { _highlightResult: Record<string, Highlighted>; _snippetResult?: Record<string, Highlighted> } {
  const tags = tagsOf(params);
  const marked = new Map(Object.entries(metaData?.highlights ?? {}));
  const results = new Map<string, Highlighted>();
  for (const name of new Set([...Object.keys(document.data), ...marked.keys()])) {
    const result = resultOf(document.data[name], marked.get(name) ?? [], tags);
    if (result !== null) results.set(name, result);
  }
  const snippets = snippetFields(params).flatMap(({ name, words }): [string, Highlighted][] => {
    const result = results.get(name);
    if (result === undefined) return [];
    const cut = (one: HighlightResult): HighlightResult => shortened(one, words, params);
    return [[name, Array.isArray(result) ? result.map(cut) : cut(result)]];
  });
  return {
    _highlightResult: Object.fromEntries(results),
    ...(snippets.length > 0 && { _snippetResult: Object.fromEntries(snippets) }),
  };
}

function resultOf(value: unknown, marked: readonly Highlight[], tags: Tags): Highlighted | null {
  const texts = (Array.isArray(value) ? (value as unknown[]) : [value]).map(textOf);
  const results = texts.map((text, at): HighlightResult | null => {
    const found = marked.find((one) => one.value === at);
    if (found === undefined) {
      return text === null ? null : { value: text, matchLevel: "none", matchedWords: [] };
    }
    const words = found.marks.map(([start, end]) => found.text.slice(start, end).toLowerCase());
    return {
      value: withTags(found, tags),
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

/** The service's fragments are already short, and cutting them could remove marks. */
function shortened(result: HighlightResult, words: number, params: Params): HighlightResult {
  const all = result.value.split(/\s+/);
  if (result.matchLevel === "full" || all.length <= words) return result;
  return { ...result, value: all.slice(0, words).join(" ") + (params.snippetEllipsisText ?? "…") };
}
