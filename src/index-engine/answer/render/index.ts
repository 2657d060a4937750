/** What was found -> the answer as it is sent. */
export { answerJson } from "./answer-json.ts";
export { AnswerSize, SOURCE_SHARE } from "./answer-size.ts";
export { hitViewOf, type HitView } from "./hit-view.ts";
export {
  render,
  renderAnswer,
  renderHit,
  type AnswerInput,
  type AnswerOf,
  type HitInput,
  type RenderInput,
} from "./render.ts";
export { buildSortOptions, sortableFields } from "./sort-options.ts";
