// The queue of a shard's updates (src/objects/shard/writing/update-queue.ts), by itself.
//  1. whatever comes whenever: every update is carried out once, in the order in which they came, never two batches at
//     a time; each gets its own answer
//  2. a batch is within the limits, or one update; it is as large as they allow
//  3. when carrying out fails, exactly those fail that were not settled; the next ones are carried out all the same
//  4. a sender that waits for each answer is not kept waiting for others; many senders share batches
import fc from "fast-check";
import { test } from "vitest";
import type { ShardResult, ShardUpdateAnswer, UpdateCall } from "../../src/objects/index.ts";
import { ok } from "../../src/objects/results.ts";
import { UpdateQueue, type WaitingUpdate } from "../../src/objects/shard/writing/update-queue.ts";
import { forAllAsync, runs } from "../support/property.ts";

/** As the queue has them. */
const MOST_DOCUMENTS = 1_000;
const MOST_BYTES = 4_000_000;

const BUFFER = new ArrayBuffer(5_000_000);

/** Documents of so many bytes in all, whose content nobody looks at; told apart by `epoch`. */
function put(epoch: number, documents: number, sizeBytes: number): UpdateCall {
  const each = Math.floor(sizeBytes / documents);
  return {
    epoch,
    kind: "put",
    documents: Array.from(
      { length: documents },
      (_, i) => new Uint8Array(BUFFER, 0, i === 0 ? sizeBytes - each * (documents - 1) : each),
    ),
    replaceExisting: true,
  };
}

function remove(epoch: number, ids: number, idLength: number): UpdateCall {
  return { epoch, kind: "delete", ids: new Array<string>(ids).fill("x".repeat(idLength)) };
}

interface Size {
  readonly documents: number;
  readonly bytes: number;
}

function sizeOf(calls: readonly UpdateCall[]): Size {
  let [documents, bytes] = [0, 0];
  for (const call of calls) {
    if (call.kind === "delete") {
      documents += call.ids.length;
      for (const id of call.ids) bytes += id.length;
    } else {
      documents += call.documents.length;
      for (const { byteLength } of call.documents) bytes += byteLength;
    }
  }
  return { documents, bytes };
}

function isWithin(calls: readonly UpdateCall[]): boolean {
  const { documents, bytes } = sizeOf(calls);
  return documents <= MOST_DOCUMENTS && bytes <= MOST_BYTES;
}

function answerTo({ epoch }: UpdateCall): ShardResult<ShardUpdateAnswer> {
  return ok({ [`update ${epoch}`]: "CREATED" as const });
}

/** Others have their turn of the event loop, so many times. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await scheduler.wait(0);
}

/** Waited for from now on: it may fail before anyone else looks at it. */
async function outcomeOf<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [outcome] = await Promise.allSettled([work]);
  return outcome;
}

/** What becomes of a batch. */
interface Outcome {
  readonly turns: number;
  /** Of so many updates the answer comes later; 0: of none. */
  readonly late: number;
  /** It fails when so many are settled; null: it does not. */
  readonly failsAfter: number | null;
}

const WELL: Outcome = { turns: 0, late: 0, failsAfter: null };

class Batches {
  readonly queue: UpdateQueue;
  readonly calls: (readonly UpdateCall[])[] = [];
  readonly kept: Promise<void>[] = [];
  /** The error of each update that must fail, by epoch. */
  readonly errors = new Map<number, Error>();
  mostAtOnce = 0;
  #atOnce = 0;

  /** `outcomes`: of the batches in order; those behind the last go well. */
  isSearched = true;

  constructor(outcomes: readonly Outcome[] = []) {
    this.queue = new UpdateQueue(
      (batch) => this.#carryOut(batch, outcomes[this.calls.length] ?? WELL),
      (work) => this.kept.push(work),
      () => this.isSearched,
    );
  }

  async #carryOut(batch: readonly WaitingUpdate[], outcome: Outcome): Promise<void> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
    this.calls.push(batch.map(({ call }) => call));
    await turns(outcome.turns);
    const settled = batch.slice(0, outcome.failsAfter ?? batch.length);
    settled.forEach((update, i) => {
      const { call } = update;
      const later = async (): Promise<ShardResult<ShardUpdateAnswer>> => {
        await turns(2);
        return answerTo(call);
      };
      update.settle(i < outcome.late ? later() : answerTo(call));
    });
    this.#atOnce--;
    if (outcome.failsAfter === null) return;
    const error = new Error(`batch ${this.calls.length}`);
    for (const { call } of batch.slice(settled.length)) this.errors.set(call.epoch, error);
    throw error;
  }

  get epochs(): number[] {
    return this.calls.flat().map(({ epoch }) => epoch);
  }
}

const anyCall = fc.oneof(
  { weight: 4, arbitrary: fc.constant((epoch: number) => put(epoch, 1, 300)) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 1_300 }), fc.nat(900_000)).map(
      ([documents, bytes]) =>
        (epoch: number) =>
          put(epoch, documents, bytes),
    ),
  },
  { weight: 1, arbitrary: fc.nat(4_500_000).map((bytes) => (epoch: number) => put(epoch, 1, bytes)) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(700), fc.nat(40)).map(
      ([ids, length]) =>
        (epoch: number) =>
          remove(epoch, ids, length),
    ),
  },
);
const anyOutcome = fc.record({
  turns: fc.nat(3),
  late: fc.constantFrom(0, 0, 1, 3),
  failsAfter: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(3) }),
});

test("1, 2, 3: any updates, whenever they come", async ({ expect }) => {
  const seen = { failed: 0, shared: 0, answered: 0, runs: 0 };
  await forAllAsync(
    runs(25),
    fc.array(fc.tuple(fc.oneof(fc.constant(0), fc.nat(4)), anyCall), { maxLength: 14 }),
    fc.array(anyOutcome, { maxLength: 6 }),
    async (arrivals, outcomes) => {
      const batches = new Batches(outcomes);
      const answers: Promise<PromiseSettledResult<ShardResult<ShardUpdateAnswer>>>[] = [];
      const calls: UpdateCall[] = [];
      for (const [before, make] of arrivals) {
        await turns(before);
        const call = make(calls.length);
        calls.push(call);
        answers.push(outcomeOf(batches.queue.add(call)));
      }
      const settled = await Promise.all(answers);
      await Promise.all(batches.kept);
      expect(batches.epochs).toEqual(calls.map(({ epoch }) => epoch));
      expect(batches.mostAtOnce).toBeLessThanOrEqual(1);
      for (const batch of batches.calls) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length === 1 || isWithin(batch)).toBe(true);
        if (batch.length > 1) seen.shared++;
      }
      expect(settled).toEqual(
        calls.map((call) => {
          const reason = batches.errors.get(call.epoch);
          return reason === undefined ? { status: "fulfilled", value: answerTo(call) } : { status: "rejected", reason };
        }),
      );
      seen.failed += batches.errors.size;
      seen.answered += calls.length - batches.errors.size;
      if (batches.kept.length > 1) seen.runs++;
    },
  );
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
});

test("2: a batch is as large as it may be", async ({ expect }) => {
  await forAllAsync(runs(25), fc.array(anyCall, { minLength: 2, maxLength: 12 }), async (given) => {
    const batches = new Batches();
    // The first goes alone: it was there before the others. They have all come before the second batch begins.
    const calls = given.map((make, epoch) => make(epoch));
    await Promise.all(calls.map((call) => batches.queue.add(call)));
    expect(batches.calls.flat()).toEqual(calls);
    batches.calls.slice(1).forEach((batch, i) => {
      const next = batches.calls[i + 2]?.[0];
      expect(batch.length === 1 || isWithin(batch)).toBe(true);
      if (next !== undefined) expect(isWithin([...batch, next])).toBe(false);
    });
  });
});

test("2: the limits themselves", async ({ expect }) => {
  // Documents and bytes of each update; the bar is where a batch ends.
  for (const given of ["1 1 | 600 10, 400 10 | 1 1", "1 1 | 1 3999999, 1 1 | 1 1", "1 1 | 1001 10 | 1 4000001 | 1 1"]) {
    const expected = given.split(" | ").map((batch) => batch.split(", "));
    const sizes = expected.flat().map((update) => update.split(" ").map(Number));
    const batches = new Batches();
    await Promise.all(sizes.map(([documents, bytes], i) => batches.queue.add(put(i, documents, bytes))));
    const sent = batches.calls.map((batch) => batch.map(({ epoch }) => sizes[epoch].join(" ")));
    expect(sent).toEqual(expected);
    expect(batches.calls.flat().map(({ epoch }) => epoch)).toEqual([...sizes.keys()]);
  }
});

test("3: an answer that comes later is not overtaken by a failure", async ({ expect }) => {
  const batches = new Batches([WELL, { turns: 1, late: 2, failsAfter: 3 }]);
  const calls = Array.from({ length: 6 }, (_, epoch) => put(epoch, 1, 10));
  const settled = await Promise.allSettled(calls.map((call) => batches.queue.add(call)));
  expect(batches.calls.map(({ length }) => length)).toEqual([1, 5]);
  expect(settled.map(({ status }) => status)).toEqual([
    ...new Array<string>(4).fill("fulfilled"),
    "rejected",
    "rejected",
  ]);
  await expect(batches.queue.add(put(6, 1, 10))).resolves.toEqual(answerTo(put(6, 1, 10)));
});

/** Turns of the event loop that pass meanwhile. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  let passed = 0;
  const counting = (async () => {
    while (!isOver) {
      await scheduler.wait(0);
      passed++;
    }
  })();
  try {
    await work;
  } finally {
    isOver = true;
  }
  await counting;
  return passed;
}

test("4: one who waits for each answer", async ({ expect }) => {
  const updates = 40;
  const batches = new Batches();
  const sending = async (): Promise<void> => {
    for (let i = 0; i < updates; i++) await batches.queue.add(put(i, 1, 300));
  };
  const passed = await turnsOf(sending());
  expect(batches.calls.map(({ length }) => length)).toEqual(new Array<number>(updates).fill(1));
  // One turn each, in which others may arrive.
  expect(passed).toBeLessThanOrEqual(2 * updates);
});

test("4: many, while nobody searches", async ({ expect }) => {
  const batches = new Batches();
  batches.isSearched = false;
  const each = 20;
  const passed = await turnsOf(
    Promise.all(
      Array.from({ length: 4 }, async (_, sender) => {
        for (let i = 0; i < each; i++) await batches.queue.add(put(sender * each + i, 1, 300));
      }),
    ),
  );
  // A turn for each batch, as for one who sends alone.
  expect(passed).toBeLessThanOrEqual(2 * batches.calls.length + 2);
});

test("4: many who do not wait for each other share batches", async ({ expect }) => {
  const batches = new Batches();
  const senders = 8;
  const each = 6;
  await Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      for (let i = 0; i < each; i++) {
        await batches.queue.add(put(sender * each + i, 1, 300));
        await turns(sender % 3);
      }
    }),
  );
  expect(batches.epochs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: senders * each }, (_, i) => i));
  expect(batches.calls.length).toBeLessThan((senders * each) / 2);
});
