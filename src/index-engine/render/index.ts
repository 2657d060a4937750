/** What was found -> the answer as it is sent. */
export { QueryLinks } from "./links.ts";
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
