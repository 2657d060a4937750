/** Renders the result of a search as the answer. */
export { keepDocument, keptDocument, keptDocumentBytes } from "./kept-documents.ts";
export { AnswerSize, SOURCE_SHARE } from "./answer-size.ts";
export { hitViewOf, type HitView } from "./hit-view.ts";
export {
  keptHit,
  render,
  renderAnswer,
  renderHit,
  renderHitInParts,
  sizeBytesOf,
  wholeJson,
  type AnswerInput,
  type HitInput,
  type JsonPieces,
  type RenderInput,
} from "./render.ts";
export { sortableFields } from "./sort-options.ts";
