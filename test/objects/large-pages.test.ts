// Pages of many hits take turns (src/objects/large-pages.ts):
// 1. two are made at a time, the others in the order of their arrival; small ones do not wait; what failed ends, too;
// 2. 429 where too many wait, and room again when some were made;
// 3. what was never ended, and who waits no more, hold nobody up for long.
import { afterEach, test, vi } from "vitest";
import { LIMITS, ServiceError } from "../../src/interface/index.ts";
import { inTurn, LARGE_PAGE } from "../../src/objects/large-pages.ts";

const AT_ONCE = LIMITS.largePagesAtOnce.value;
const LARGE = LARGE_PAGE + 1;

interface Made {
  readonly order: number[];
  most: number;
  /** Ends the page that was begun first. */
  endFirst(fails?: boolean): void;
  make(number: number): Promise<number>;
}

function pages(): Made {
  const running: { number: number; over: PromiseWithResolvers<void> }[] = [];
  const made: Made = {
    order: [],
    most: 0,
    endFirst: (fails = false) => {
      const first = running.shift();
      if (fails) first?.over.reject(new Error("failed"));
      else first?.over.resolve();
    },
    make: async (number) => {
      const over = Promise.withResolvers<void>();
      made.order.push(number);
      running.push({ number, over });
      made.most = Math.max(made.most, running.length);
      await over.promise;
      return number;
    },
  };
  return made;
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("turns (1)", async ({ expect }) => {
  const made = pages();
  const all = Array.from({ length: 7 }, (_, i) =>
    inTurn(LARGE, () => made.make(i)).catch((error: unknown) => String(error)),
  );
  expect(await inTurn(LARGE_PAGE, async () => "small")).toBe("small");
  for (let i = 0; i < 7; i++) {
    await vi.waitFor(() => expect(made.order).toHaveLength(Math.min(7, i + AT_ONCE)));
    made.endFirst(i === 3);
  }
  expect(await Promise.all(all)).toEqual([0, 1, 2, "Error: failed", 4, 5, 6]);
  expect(made.order).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(made.most).toBe(AT_ONCE);
});

test("too many that wait (2)", async ({ expect }) => {
  const made = pages();
  const count = AT_ONCE + LIMITS.largePagesWaiting.value;
  const all = Array.from({ length: count }, (_, i) => inTurn(LARGE, () => made.make(i)));
  const refused = await inTurn(LARGE, async () => 0).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ServiceError);
  expect(refused).toMatchObject({ type: "too_many_requests", retryAfterS: 1 });
  made.endFirst();
  await vi.waitFor(() => expect(made.order).toHaveLength(AT_ONCE + 1));
  const another = inTurn(LARGE, () => made.make(count));
  for (let i = 0; i < count; i++) {
    await vi.waitFor(() => expect(made.order.length).toBeGreaterThan(i + 1));
    made.endFirst();
  }
  expect(await another).toBe(count);
  expect((await Promise.all(all)).length).toBe(count);
});

test("what was dropped (3)", async ({ expect }) => {
  const made = pages();
  const never = Array.from({ length: AT_ONCE }, (_, i) => inTurn(LARGE, () => made.make(i)));
  const waits = inTurn(LARGE, () => made.make(9));
  expect(made.order).toHaveLength(AT_ONCE);
  const realNow = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + 11_000);
  await vi.waitFor(() => expect(made.order).toContain(9));
  for (let i = 0; i <= AT_ONCE; i++) made.endFirst();
  expect(await waits).toBe(9);
  await Promise.all(never);
});
