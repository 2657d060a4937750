/**
 * Keeps all of an answer but its hits within LIMITS.answerFrameBytes: an answer has hundreds of links, and each repeats
 * all filters.
 *
 * V8 copies texts that are put together with `+` only when they are read, so their length is checked while they are still
 * cheap.
 */
import { LIMITS, ServiceError } from "../../../interface/index.ts";

const MOST_BYTES = LIMITS.answerFrameBytes.value;
/** The most bytes that a UTF-16 code unit takes in UTF-8. */
const MOST_UNIT_BYTES = 3;
const encoder = new TextEncoder();

/** Throws ServiceError `answer_too_large` if so many characters take more bytes in any case. */
export function checkFrameCharacters(characters: number): void {
  if (characters <= MOST_BYTES) return;
  const message = `All but the hits takes more than ${MOST_BYTES} bytes: send fewer filter values, or withFacets=false.`;
  const problem = { path: "withFacets", message: "must be false here" };
  throw new ServiceError("answer_too_large", message, { details: { problems: [problem] } });
}

/** The same by bytes. */
export function checkFrame(texts: readonly string[]): void {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  checkFrameCharacters(characters);
  if (characters * MOST_UNIT_BYTES <= MOST_BYTES) return;
  checkFrameCharacters(texts.reduce((sum, text) => sum + encoder.encode(text).byteLength, 0));
}
