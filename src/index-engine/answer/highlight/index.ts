/** Marks the query's terms in the texts of a hit. */
export { Highlighter } from "./highlighter.ts";
export { bestFragment, type Span } from "./fragment.ts";
export { FieldSelection, patternsOf } from "./field-selection.ts";
