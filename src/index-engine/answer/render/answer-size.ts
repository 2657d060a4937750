/**
 * Keeps the hits of an answer within LIMITS.answerBytes, and what is read for them within four
 * times as much.
 */
import { LIMITS, ServiceError } from "../../../interface/index.ts";

/** Sources of hits may be so much larger than the hits. */
export const SOURCE_SHARE = 4;
const SOURCE_BYTES = LIMITS.answerBytes.value * SOURCE_SHARE;

/** Adds up the hits of a page in their order, from its first. */
export class AnswerSize {
  #hitCount = 0;
  #bytes = 0;
  #sourceBytes = 0;

  /**
   * Throws ServiceError `answer_too_large` with a limit that fits, if any does.
   * @param hitBytes of the JSON of the next hit
   * @param sourceBytes that were read for it
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
    : tooLarge(
        `The hits take more than ${most} bytes: limit=${limit} fits, or choose fewer fields.`,
        limit,
      );
}

function sourcesTooLarge(limit: number): ServiceError {
  const fits = limit === 0 ? "not even the first fits" : `limit=${limit} fits`;
  return tooLarge(
    `The documents of the hits take more than ${SOURCE_BYTES} bytes: ${fits}.`,
    limit,
  );
}

function tooLarge(message: string, limit: number): ServiceError {
  const problem =
    limit === 0
      ? { path: "fields", message: "must be fewer here" }
      : { path: "limit", message: `must be at most ${limit} here` };
  return new ServiceError("answer_too_large", message, { details: { problems: [problem] } });
}
