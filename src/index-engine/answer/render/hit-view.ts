/** What a request changes about its hits: a choice of `fields`, and highlighting (`highlight`). */
import type { DocumentBody, Highlight, SearchRequest } from "../../../interface/index.ts";
import type { Analyzer } from "../../analysis/index.ts";
import type { Parts } from "../../base/index.ts";
import { Highlighter, FieldSelection } from "../highlight/index.ts";
import type { TermGroup } from "../../query/rank/index.ts";

/** Created once per search. */
export class HitView {
  readonly #fields: FieldSelection | null;
  readonly #highlighter: Highlighter | null;

  constructor(fields: FieldSelection | null, highlighter: Highlighter | null) {
    this.#fields = fields;
    this.#highlighter = highlighter;
  }

  /** Null if not requested. Covers all fields of the document, not only those in `fields`. */
  *highlights({ data }: DocumentBody): Parts<Record<string, Highlight[]> | null> {
    return this.#highlighter === null ? null : yield* this.#highlighter.of(data);
  }

  /**
   * The document with the selected data only. `attributes` and `categories` are selected by these
   * names; the id always stays.
   * @param derived fields that are selected along with another: `price_prefix` -> `price`
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

/** Null if hits are shown unchanged. `asked`: the terms that the search looked for. */
export function hitViewOf(
  { fields, highlight, highlightTag = "em" }: SearchRequest,
  asked: readonly TermGroup[],
  analyzer: Analyzer,
): HitView | null {
  if (fields === undefined && highlight === undefined) return null;
  return new HitView(
    fields === undefined ? null : new FieldSelection(fields),
    highlight === undefined ? null : new Highlighter(asked, analyzer, new FieldSelection(highlight), highlightTag),
  );
}
