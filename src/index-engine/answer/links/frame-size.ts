/** Limits everything in an answer except its hits to LIMITS.answerFrameBytes: hundreds of links repeat all filters. */
import { LIMITS, ServiceError } from "../../../interface/index.ts";

const MOST_BYTES = LIMITS.answerFrameBytes.value;

/** Throws ServiceError `answer_too_large` above the limit. */
export function checkFrameBytes(bytes: number): void {
  if (bytes <= MOST_BYTES) return;
  const message = `The answer without its hits exceeds ${MOST_BYTES} bytes: send fewer filter values, or withFacets=false.`;
  const problem = { path: "withFacets", message: "must be false here" };
  throw new ServiceError("answer_too_large", message, { details: { problems: [problem] } });
}
