/** Keeps the hits of an answer within LIMITS.answerBytes. */
import { LIMITS, ServiceError } from "../../interface/index.ts";

const encoder = new TextEncoder();

/** The most bytes that a UTF-16 code unit takes in UTF-8. */
const MOST_BYTES = 3;

/** Bytes are counted only where the number of characters leaves open whether they fit. */
export class AnswerSize {
  #hitCount = 0;
  #mostBytes = 0;
  #bytes = 0;
  readonly #uncounted: string[] = [];

  /** Throws ServiceError `answer_too_large` with a limit that fits. @param text JSON of the next hit */
  add(text: string): void {
    this.#mostBytes += text.length * MOST_BYTES;
    this.#uncounted.push(text);
    if (this.#mostBytes > LIMITS.answerBytes.value) {
      for (const one of this.#uncounted) this.#bytes += encoder.encode(one).byteLength;
      this.#uncounted.length = 0;
      if (this.#bytes > LIMITS.answerBytes.value) throw tooLarge(Math.max(1, this.#hitCount));
    }
    this.#hitCount++;
  }
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError(
    "answer_too_large",
    `The hits take more than ${LIMITS.answerBytes.value} bytes: limit=${limit} fits, or choose fewer fields.`,
    { details: { problems: [{ path: "limit", message: `must be at most ${limit} here` }] } },
  );
}
