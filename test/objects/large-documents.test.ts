// A document of 90,000 different words is indexed in steps, between which others have their turn:
// 1. by an update,
// 2. by an import.
// 3. One that is too large is rejected under its id, without being parsed.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LIMITS } from "../../src/interface/index.ts";
import { ADDING_BYTES, Pause } from "../../src/objects/pause.ts";
import { apply, document, importAll, titleOf, uniqueName } from "./support/index.ts";

const WORDS = 90_000;
const LARGE = document("large", "shoe", {
  text: Array.from({ length: WORDS }, (_, i) => `w${(i * 7919).toString(36)}`).join(" "),
});
/** A step has about 2,000 words. */
const FEWEST_STEPS = WORDS / 3_000;

const isDue = Reflect.get(Pause.prototype, "isDue") as (this: Pause, bytes: number) => boolean;
let steps = 0;

beforeEach(() => {
  steps = 0;
  vi.spyOn(Pause.prototype, "isDue").mockImplementation(function (this: Pause, bytes) {
    if (bytes === ADDING_BYTES) steps++;
    return isDue.call(this, bytes);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

test("by an update (1)", async () => {
  const name = uniqueName("large-update");
  await importAll(name, [document("a", "boot")]);
  expect(steps).toBe(0);
  await apply(name, { kind: "put", documents: [LARGE] });
  expect(steps).toBeGreaterThan(FEWEST_STEPS);
  expect(await titleOf(name, "large")).toBe("shoe");
});

test("by an import (2)", async () => {
  const name = uniqueName("large-import");
  await importAll(name, [document("a", "boot"), LARGE]);
  expect(steps).toBeGreaterThan(FEWEST_STEPS);
  expect(await titleOf(name, "large")).toBe("shoe");
});

test("that is too large (3)", async () => {
  const name = uniqueName("too-large");
  await importAll(name, [document("a", "boot")]);
  const documents = [document("a", "shoe", { text: "x".repeat(LIMITS.documentBytes.value) }), document("b", "hat")];
  const parse = vi.spyOn(JSON, "parse");
  expect(await apply(name, { kind: "put", documents })).toEqual({ a: "DISMISSED", b: "CREATED" });
  expect(await apply(name, { kind: "patch", documents })).toEqual({ a: "DISMISSED", b: "NOOP" });
  expect(await apply(name, { kind: "patch", documents: [{ ...documents[0], id: "c" }] })).toEqual({ c: "NOT_FOUND" });
  const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
  expect(longest).toBeLessThan(LIMITS.documentBytes.value);
  expect(await titleOf(name, "a")).toBe("boot");
});
