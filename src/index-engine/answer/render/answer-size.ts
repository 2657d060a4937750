/**
 * Limits the hits of an answer to LIMITS.answerBytes, and the stored documents read for them to four times as much.
 */
import { LIMITS, ServiceError } from "../../../interface/index.ts";

/** The stored documents may be this many times as large as the hits. */
export const SOURCE_SHARE = 4;
const SOURCE_BYTES = LIMITS.answerBytes.value * SOURCE_SHARE;

/** Adds up the sizes of a page's hits, in their order. */
export class AnswerSize {
  #hitCount = 0;
  #bytes = 0;
  #sourceBytes = 0;

  /**
   * Throws ServiceError `answer_too_large` with a limit that fits, if there is one.
   * @param hitBytes size of the next hit as JSON
   * @param sourceBytes size of the stored document read for it
   */
  add(hitBytes: number, sourceBytes: number): void {
    this.#sourceBytes += sourceBytes;
    if (this.#sourceBytes > SOURCE_BYTES) throw sourcesTooLarge(this.#hitCount);
    this.#bytes += hitBytes;
    if (this.#bytes > LIMITS.answerBytes.value) throw hitsTooLarge(this.#hitCount);
    this.#hitCount++;
  }
}

function hitsTooLarge(limit: number): ServiceError {
  const most = LIMITS.answerBytes.value;
  return limit === 0
    ? tooLarge(`The first hit takes more than ${most} bytes: choose fewer fields.`, limit)
    : tooLarge(`The hits take more than ${most} bytes: limit=${limit} fits, or choose fewer fields.`, limit);
}

function sourcesTooLarge(limit: number): ServiceError {
  const fits = limit === 0 ? "not even the first fits" : `limit=${limit} fits`;
  return tooLarge(`The documents of the hits take more than ${SOURCE_BYTES} bytes: ${fits}.`, limit);
}

function tooLarge(message: string, limit: number): ServiceError {
  const problem =
    limit === 0
      ? { path: "fields", message: "must be fewer here" }
      : { path: "limit", message: `must be at most ${limit} here` };
  return new ServiceError("answer_too_large", message, { details: { problems: [problem] } });
}
