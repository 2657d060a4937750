// Which reports of failures a run of the tests expects (scripts/test-output.ts): those that tests provoke, and no
// others.
import { expect, test } from "vitest";
import { isExpectedOfProduct, isExpectedOfRuntime, verdictOn } from "../../scripts/test-output.ts";

test.each([
  [
    true,
    "uncaught exception; exception = workerd/api/actor-state.c++:1235: failed: broken.outputGateBroken; jsg.Error: injected: abort\nstack: workerd@39310a7\n",
  ],
  [
    true,
    "exception = workerd/api/actor-state.c++:1235: failed: broken.outputGateBroken; jsg.Error: injected: crash\nstack: workerd@1\n",
  ],
  [
    true,
    "uncaught exception; source = Uncaught (in promise); stack = Error: injected: setLive of catalog fail\n    at carryOut\n",
  ],
  [
    true,
    "uncaught exception; source = Uncaught (in promise); stack = TypeError: Can't read from request stream because client disconnected.\n",
  ],
  [
    false,
    "uncaught exception; exception = workerd/api/actor-state.c++:1235: failed: broken.outputGateBroken; jsg.Error: reset\n",
  ],
  [
    false,
    "uncaught exception; source = Uncaught (in promise); stack = TypeError: undefined is not a function\n    at injected: x\n",
  ],
  [false, "uncaught exception; source = Uncaught (in promise); stack = Error: not injected: x\n"],
  [
    true,
    'console warning; message = Called .text() on an HTTP body which does not appear to be text. The body\'s Content-Type is "application/x-ndjson".\n',
  ],
  [false, "*** Received signal #11: Segmentation fault\n"],
])("workerd: %s for %s", (expected, message) => {
  expect(isExpectedOfRuntime(message)).toBe(expected);
});

test.each([
  [true, { event: "delivery_failed", reason: "Error: injected: setLive of catalog fail" }],
  [
    true,
    { event: "collection_failed", reason: "ServiceError: Durable storage could not read or write the data; retry." },
  ],
  [true, { event: "storage_unavailable", reason: "get indexes/a/1/0/manifest.json: injected: get fail" }],
  [true, { event: "storage_unavailable", reason: "get imports/ocs-1-a-en/stored/b.blk: bytes 16 to 28 are missing" }],
  [true, { event: "rules_unreadable", tenant: "t", problems: [] }],
  [false, { event: "collection_failed", reason: "TypeError: undefined is not a function" }],
  [false, { event: "storage_unavailable", reason: "get a: undefined is not a function" }],
  [false, { event: "internal_error", reason: "ServiceError: x" }],
  [false, { event: "constructor", reason: "ServiceError: x" }],
  [false, { event: "collection_failed" }],
  [false, null],
])("product: %s for %j", (expected, entry) => {
  expect(isExpectedOfProduct(JSON.stringify(entry))).toBe(expected);
});

test("product: text is never expected", () => {
  expect(isExpectedOfProduct("injected: x")).toBe(false);
});

test.each([
  ["hidden", '{"event":"published"}\n', false],
  ["hidden", "NOSENTRY SQLite alarm overdue, running despite AlarmManager mismatch; actorId = a\n", true],
  ["hidden", '{"event":"delivery_failed","reason":"Error: injected: x"}\n', true],
  ["unexpected", '{"event":"delivery_failed","reason":"Error: x"}\n', true],
  ["unexpected", "uncaught exception; source = Uncaught; stack = Error: x\n", false],
  // Of whoever writes text, such as Vitest itself.
  ["shown", '{"numTotalTests":1}\n', false],
  ["shown", "{ not JSON }\n", true],
  ["shown", "Error: injected: x\n", true],
])("%s: %s", (verdict, message, isError) => {
  expect(verdictOn(message, isError)).toBe(verdict);
});
