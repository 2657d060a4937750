/**
 * Marks the query's terms in the texts of a hit (docs/answers.md "Highlighting").
 *
 *   data of the hit ── requested fields ── their texts ── plain text ── terms with their places
 *                   ── marks ── fragment, escaped
 *
 * Marks everything that the executed stage looked for (term-matcher.ts): typed words, other forms, corrections,
 * synonyms, prefixes, words joined or split. It marks them in all requested fields, even if those are not searched.
 * Optional words (for, with) are not marked. Addresses of pages and images are not treated as text.
 *
 * The texts of a hit are strings, lists of strings, values of attributes and category paths. Numbers are only marked
 * in fields requested by their full name, because `*` would mark prices.
 */
import { type Highlight, type HighlightTag, LIMITS } from "../../../interface/index.ts";
import { plainText, termsWithPlaces, type Analyzer } from "../../analysis/index.ts";
import { work, type Parts } from "../../base/index.ts";
import { isUrl } from "../../documents/index.ts";
import type { TermGroup } from "../../query/rank/index.ts";
import type { FieldSelection } from "./field-selection.ts";
import { bestFragment, type Span } from "./fragment.ts";
import { TermMatcher } from "../../query/index.ts";

/** Longer texts are cut to a fragment. */
const WHOLE_LENGTH = 200;
/** Maximum number of values per field. Only the first ones with marks are returned. */
const MOST_VALUES = 10;

/** Of a value, however short; of removing markup from a character; of reading one. 10 ns each (base/work.ts). */
const STEPS_OF_VALUE = 200;
const STEPS_OF_PLAIN = 1;
const STEPS_OF_CHARACTER = 20;

type Mark = Span & { readonly group: number };

export class Highlighter {
  readonly #matcher: TermMatcher;
  readonly #analyzer: Analyzer;
  readonly #fields: FieldSelection;
  readonly #tag: HighlightTag;

  constructor(groups: readonly TermGroup[], analyzer: Analyzer, fields: FieldSelection, tag: HighlightTag) {
    this.#matcher = new TermMatcher(groups, analyzer);
    this.#analyzer = analyzer;
    this.#fields = fields;
    this.#tag = tag;
  }

  /** By field, without the fields that have no marks. A value is a part, and each counts, so lists may be long. */
  *of(data: Readonly<Record<string, unknown>>): Parts<Record<string, Highlight[]>> {
    const highlights: [string, Highlight[]][] = [];
    for (const [field, shown] of Object.entries(data)) {
      if (!this.#fields.has(field)) continue;
      const withNumbers = this.#fields.names(field);
      const found: Highlight[] = [];
      const values: readonly unknown[] = Array.isArray(shown) ? shown : [shown];
      for (let value = 0; value < values.length && found.length < MOST_VALUES; value++) {
        const text = textOf(values[value], withNumbers);
        work.spend(STEPS_OF_VALUE);
        if (text === null) continue;
        yield;
        const highlight = yield* this.#mark(text, value);
        if (highlight !== null) found.push(highlight);
      }
      if (found.length > 0) highlights.push([field, found]);
    }
    return Object.fromEntries(highlights);
  }

  /** Null if there is nothing to mark. */
  *#mark(source: string, value: number): Parts<Highlight | null> {
    work.spend(Math.ceil(source.length * STEPS_OF_PLAIN));
    const text = plainText(source);
    const beginning = beginningOf(text);
    work.spend(beginning.length * STEPS_OF_CHARACTER);
    const terms = termsWithPlaces(beginning, this.#analyzer);
    yield;
    const groups = yield* this.#matcher.groupsOf(terms.map(({ term }) => term));
    const marks = terms.flatMap(({ start, end }, i): Mark[] =>
      groups[i] < 0 ? [] : [{ start, end, group: groups[i] }],
    );
    if (marks.length === 0) return null;
    marks.sort((a, b) => a.start - b.start || a.end - b.end);
    const whole = text.length <= WHOLE_LENGTH;
    const { start, end } = whole
      ? { start: 0, end: text.length }
      : bestFragment(
          text,
          marks,
          terms.toSorted((a, b) => a.start - b.start),
        );
    const shown = text.slice(start, end);
    const spans = joined(
      marks
        .filter((mark) => mark.start >= start && mark.end <= end)
        .map((mark) => [mark.start - start, mark.end - start]),
    );
    const before = start > 0 ? "…" : "";
    const after = end < text.length ? "…" : "";
    const html = before + markedHtml(shown, spans, this.#tag) + after;
    return { html, text: shown, marks: spans, whole, value };
  }
}

function textOf(value: unknown, withNumbers: boolean): string | null {
  if (typeof value === "string") return isUrl(value) ? null : value;
  if (typeof value === "number") return withNumbers ? String(value) : null;
  if (typeof value !== "object" || value === null || !("value" in value)) return null;
  const { value: inner } = value;
  return typeof inner === "object" ? null : textOf(inner, withNumbers);
}

/** The part of a text that is searched for terms, cut between words if possible. */
function beginningOf(text: string): string {
  const limit = LIMITS.highlightCharacters.value;
  if (text.length <= limit) return text;
  const end = text.slice(0, limit).search(/\s\S*$/u);
  return text.slice(0, end > 0 ? end : limit);
}

/** Merges overlapping and touching spans. (Ideographs are terms both alone and in adjacent pairs.) */
function joined(spans: readonly [number, number][]): [number, number][] {
  const all: [number, number][] = [];
  for (const [start, end] of spans) {
    const last = all.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}

function markedHtml(text: string, spans: readonly [number, number][], tag: HighlightTag): string {
  let html = "";
  let at = 0;
  for (const [start, end] of spans) {
    html += `${escaped(text.slice(at, start))}<${tag}>${escaped(text.slice(start, end))}</${tag}>`;
    at = end;
  }
  return html + escaped(text.slice(at));
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]);
}
