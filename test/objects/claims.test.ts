// Claims of an isolate (src/objects/claims.ts) count until they are ended, or have given no sign of life for a while.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Claims } from "../../src/objects/claims.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

test("claims end or lapse", () => {
  const claims = new Claims(1_000);
  const [ended, seen] = [claims.begin(1), claims.begin(10)];
  claims.begin(100);
  claims.end(ended);
  expect(claims.size).toBe(110);
  vi.setSystemTime(Date.now() + 1_000);
  expect(claims.size).toBe(110);
  seen.seenMs = Date.now();
  vi.setSystemTime(Date.now() + 1);
  expect(claims.size).toBe(10);
});
