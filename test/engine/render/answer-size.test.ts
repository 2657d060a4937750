// What an answer may hold:
// 1. hits up to LIMITS.answerBytes, exactly; the refusal names how many fit;
// 2. sources up to four times as much;
// 3. no number is named where not even the first fits.
import { expect, test } from "vitest";
import { AnswerSize } from "../../../src/index-engine/answer/render/index.ts";
import { LIMITS, ServiceError } from "../../../src/interface/index.ts";

const MOST = LIMITS.answerBytes.value;

function refusal(hits: Iterable<readonly [hitBytes: number, sourceBytes: number]>): ServiceError | null {
  const size = new AnswerSize();
  try {
    for (const [hitBytes, sourceBytes] of hits) size.add(hitBytes, sourceBytes);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  return null;
}

function of(count: number, hitBytes: number, sourceBytes: number): (readonly [number, number])[] {
  return Array.from({ length: count }, () => [hitBytes, sourceBytes] as const);
}

test("hits (1)", () => {
  expect(refusal(of(16, MOST / 16, 0))).toBeNull();
  expect(refusal(of(17, MOST / 16, 0))).toMatchObject({
    type: "answer_too_large",
    message: expect.stringContaining("limit=16 fits") as unknown,
  });
});

test("sources (2)", () => {
  expect(refusal(of(64, 2, MOST / 16))).toBeNull();
  expect(refusal(of(65, 2, MOST / 16))).toMatchObject({
    type: "answer_too_large",
    message: expect.stringContaining("limit=64 fits") as unknown,
  });
});

test("the first (3)", () => {
  const refused = refusal([[MOST + 1, 0]]);
  expect(refused?.type).toBe("answer_too_large");
  expect(refused?.message).not.toContain("limit=");
});
