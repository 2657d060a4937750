/** What a request wants of its hits besides the usual: `fields`, and marks (`highlight`). */
import type { DocumentBody, Highlight, SearchRequest } from "../../../interface/index.ts";
import type { Analyzer } from "../../analysis/index.ts";
import { Highlighter, FieldSelection } from "../highlight/index.ts";
import type { TermGroup } from "../../query/rank/index.ts";

/** Made once per search. */
export class HitView {
  readonly #fields: FieldSelection | null;
  readonly #highlighter: Highlighter | null;

  constructor(fields: FieldSelection | null, highlighter: Highlighter | null) {
    this.#fields = fields;
    this.#highlighter = highlighter;
  }

  /** Null: not asked for. Of all that the hit would show, whether it is among `fields` or not. */
  highlights({ data }: DocumentBody): Record<string, Highlight[]> | null {
    return this.#highlighter?.of(data) ?? null;
  }

  /**
   * The document with the chosen data only; `attributes` and `categories` are chosen by these
   * names, the id stays.
   * @param derived names that come and go with another field: `price_prefix` -> `price`
   */
  cut(document: DocumentBody, derived: ReadonlyMap<string, string>): DocumentBody {
    const fields = this.#fields;
    if (fields === null) return document;
    const isChosen = (name: string): boolean => fields.has(derived.get(name) ?? name);
    return {
      ...document,
      data: Object.fromEntries(Object.entries(document.data).filter(([name]) => isChosen(name))),
      attributes: fields.has("attributes") ? document.attributes : null,
      categories: fields.has("categories") ? document.categories : null,
    };
  }
}

/** Null: hits are shown as they are. `asked`: what the search has looked for. */
export function hitViewOf(
  { fields, highlight, highlightTag = "em" }: SearchRequest,
  asked: readonly TermGroup[],
  analyzer: Analyzer,
): HitView | null {
  if (fields === undefined && highlight === undefined) return null;
  return new HitView(
    fields === undefined ? null : new FieldSelection(fields),
    highlight === undefined
      ? null
      : new Highlighter(asked, analyzer, new FieldSelection(highlight), highlightTag),
  );
}
