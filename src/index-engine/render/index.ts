/** What was found -> the answer as it is sent. */
export { AnswerSize, SOURCE_SHARE } from "./answer-size.ts";
export { FieldSelection, patternsOf } from "./field-selection.ts";
export { hitViewOf, type HitView } from "./hit-view.ts";
export { QueryLinks } from "./links.ts";
export {
  render,
  renderAnswer,
  renderHit,
  type AnswerInput,
  type HitInput,
  type RenderInput,
} from "./render.ts";
export { buildSortOptions, sortableFields } from "./sort-options.ts";
