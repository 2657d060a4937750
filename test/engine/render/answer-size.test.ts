// What an answer may hold:
// 1. hits up to LIMITS.answerBytes in UTF-8, exactly; the refusal names how many fit;
// 2. sources up to four times as much;
// 3. no number is named where not even the first fits.
import { expect, test } from "vitest";
import { AnswerSize } from "../../../src/index-engine/answer/render/index.ts";
import { LIMITS, ServiceError } from "../../../src/interface/index.ts";

const MOST = LIMITS.answerBytes.value;

function refusal(
  hits: Iterable<readonly [text: string, sourceBytes: number]>,
): ServiceError | null {
  const size = new AnswerSize();
  try {
    for (const [text, sourceBytes] of hits) size.add(text, sourceBytes);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  return null;
}

function of(count: number, text: string, sourceBytes: number): (readonly [string, number])[] {
  return Array.from({ length: count }, () => [text, sourceBytes] as const);
}

test.each([
  ["a", 1],
  ["ü", 2],
  ["€", 3],
])("hits of %s (1)", (character, bytes) => {
  const text = character.repeat(MOST / 16 / bytes - (bytes === 3 ? 1 / 3 : 0));
  expect(refusal(of(16, text, 0))).toBeNull();
  expect(refusal(of(17, text, 0))).toMatchObject({
    type: "answer_too_large",
    message: expect.stringContaining("limit=16 fits") as unknown,
  });
});

test("sources (2)", () => {
  expect(refusal(of(64, "{}", MOST / 16))).toBeNull();
  expect(refusal(of(65, "{}", MOST / 16))).toMatchObject({
    type: "answer_too_large",
    message: expect.stringContaining("limit=64 fits") as unknown,
  });
});

test("the first (3)", () => {
  const refused = refusal([["a".repeat(MOST + 1), 0]]);
  expect(refused?.type).toBe("answer_too_large");
  expect(refused?.message).not.toContain("limit=");
});
