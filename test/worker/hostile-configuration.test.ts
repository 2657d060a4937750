// Configurations that are meant to hurt are refused with a documented answer, before anything is done with them that
// takes longer than reading them:
// 1. what is nested too deep, has too many values, characters or documents, or is a long YAML or HOCON;
// 2. own queries alike;
// 3. what stands there stays;
// 4. no reader takes the square of a text's length, or its memory: errors without end, paths of thousands of parts,
//    lists that grow, lines of backslashes;
// 5. expressions that are short each fill no memory together.
import { afterAll, beforeAll, describe, test, vi } from "vitest";
import { LIMITS } from "../../src/interface/index.ts";
import { readBody } from "../../src/worker/configuration-body.ts";
import { call, errorOf, freshName, send } from "./support.ts";

const name = freshName("hostile-configuration");
const ENTRY = `/admin-api/v1/config/tenant/${name}`;
const QUERIES = `/admin-api/v1/config/suggest/${name}/queries`;
const QUERIES_SENT = { queries: [{ phrase: "shoe" }] };

beforeAll(async () => {
  await (await call(ENTRY, send("PUT", { "index-name": name }))).text();
  await (await call(QUERIES, send("PUT", QUERIES_SENT))).text();
});

afterAll(async () => {
  for (const path of [ENTRY, QUERIES]) await (await call(path, { method: "DELETE" })).text();
});

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}

function keys(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join("\n");
}

const yaml = (text: string): RequestInit => ({
  method: "PUT",
  body: text,
  headers: { "content-type": "application/yaml" },
});
const TOO_LONG = LIMITS.configurationYamlCharacters.value;

test.for([
  ["levels", send("PUT", nested(LIMITS.configurationLevels.value + 1)), "bad_request"],
  // Deeper than the stack.
  ["levels of a part", send("PATCH", `{"meta-data":${nested(100_000)}}`), "bad_request"],
  ["values", send("PUT", JSON.stringify({ a: Array(LIMITS.configurationEntries.value).fill(0) })), "bad_request"],
  // Each problem of a value would repeat the key.
  ["characters of paths", send("PUT", { ["k".repeat(500_000)]: Array(1_000).fill("${none}") }), "bad_request"],
  ["documents", yaml("---\na: 1\n".repeat(LIMITS.configurationDocuments.value + 1)), "bad_request"],
  ["YAML", yaml("# x\n".repeat(TOO_LONG / 4 + 1)), "body_too_large"],
  ["HOCON", yaml(`a {\n${"b = 1\n".repeat(TOO_LONG / 6)}}\n`), "body_too_large"],
  ["aliases", yaml(`a: &a [x]\n${keys(200, (i) => `k${i}: [*a, *a]`)}`), "bad_request"],
] as const)("entries: too many %s (1, 3)", async ([, request, type], { expect }) => {
  expect((await errorOf(await call(ENTRY, request))).type).toBe(type);
  expect(await (await call(ENTRY)).json()).toEqual({ "index-name": name });
});

describe("own queries (2, 3)", () => {
  test("a patch of too many levels", async ({ expect }) => {
    const patch = send("PATCH", `{"sharpened":${nested(100_000)}}`);
    expect((await errorOf(await call(QUERIES, patch))).type).toBe("invalid_configuration");
  });

  test.for([
    ["wrong entries", `{"queries":[${"0,".repeat(300_000)}0]}`],
    ["wrong entries in a bare list", `[${"0,".repeat(300_000)}0]`],
    ["characters of paths", JSON.stringify({ sharpened: { ["k".repeat(500_000)]: Array(1_000).fill(0) } })],
    ["levels", `{"sharpened":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`],
    ["almost too many wrong entries", `[${"0,".repeat(79_990)}0]`],
  ])("too many %s", async ([, body = ""], { expect }) => {
    const error = await errorOf(await call(QUERIES, send("PUT", body)));
    expect(error.type).toBe("invalid_configuration");
    expect(await (await call(QUERIES)).json()).toMatchObject(QUERIES_SENT);
  });
});

/** Each took half a minute, or all memory. */
const READ_WITHIN_MS = 30_000;

describe("texts that are slow to read (3, 4)", () => {
  test.for([
    ["commas", "a: [" + ",".repeat(260_000)],
    ["brackets that close nothing", "}\n".repeat(130_000)],
    ["a path of HOCON", `a${".b".repeat(120_000)} { c = 1 }`],
    ["a substitution of HOCON", `x = \${${"a.".repeat(120_000)}b}`],
    ["additions to a list", "a { b = 1 }\n" + "c += 1\n".repeat(37_000)],
    ["backslashes", `${"\\".repeat(1_000_000)}x=1`],
    ["line ends behind .properties", `a=b\nc:d\n${"\r".repeat(1_000_000)}`],
    ["line ends alone", `a: [\n${"\r".repeat(250_000)}`],
    ["aliases and anchors", `a:\n${keys(9_000, (i) => `- [&a${i} 1, *a${i}]`)}`],
    ["comments behind a list", `a = [${"]#".repeat(400_000)}\u2028x`],
  ] as const)("%s", { timeout: READ_WITHIN_MS }, async ([, text], { expect }) => {
    const { type } = await errorOf(await call(ENTRY, yaml(text)));
    expect(["bad_request", "body_too_large", "invalid_configuration"]).toContain(type);
    expect(await (await call(ENTRY)).json()).toEqual({ "index-name": name });
  });

  // At most 100 of one anchor, which the parser counts.
  const MANY = Array(98).fill("*a").join(",");
  test.for([
    ["texts", `a: &a ${"x".repeat(200_000)}\nb: [${MANY}]`, /more than 4000000 characters, at b\[\d+\]/],
    ["keys", `a: &a {${"x".repeat(200_000)}: 1}\nb: [${MANY}]`, /more than 4000000 characters, at b\[\d+\]\.x/],
    ["values", `a: &a [${"1,".repeat(10_000)}]\nb: [${MANY}]`, /more than 20000 values/],
    [
      "merged objects",
      `a: &a\n${keys(10_000, (i) => `  k${i}: 1`)}\nb: [${MANY.replaceAll("*a", "{<<: *a}")}]`,
      /more than 20000 values/,
    ],
    ["anchors", `a:\n${keys(1_001, (i) => `- [&a${i} 1, *a${i}]`)}`, /more than 2000 aliases and anchors/],
  ] as const)("aliases of %s are counted before they are written out", ([, text, message], { expect }) => {
    const stringify = vi.spyOn(JSON, "stringify");
    try {
      expect(() => readBody(text)).toThrow(message);
      expect(stringify).not.toHaveBeenCalled();
    } finally {
      stringify.mockRestore();
    }
  });

  test("a list that is added to is the list", async ({ expect }) => {
    const { documents } = readBody("c = [1]\nc += 2\nd { e += x }\nd.e += y\nf = ${c}\nc += 3\n");
    expect(documents).toEqual([{ c: [1, 2, 3], d: { e: ["x", "y"] }, f: [1, 2, 3] }]);
  });

  test("an error names its place", ({ expect }) => {
    expect(() => readBody("a: 1\nb: [\n  x: ,\n")).toThrow(/neither JSON nor YAML: .* at line \d+, column \d+/);
  });
});

describe("expressions that are many parts together (5)", () => {
  const INDEX_ENTRY = `/admin-api/v1/config/index/${name}`;
  const MOST = LIMITS.configurationInstructions.value;
  const PARTS = 1_800;
  /** Twice as many as are allowed; with half of them none is refused. */
  const patterns = Array.from({ length: (2 * MOST) / PARTS }, (_, i) => `(ab${i % 10}){${PARTS / 3}}`);
  const dynamicFields = (all: readonly string[]): unknown => ({
    "field-configuration": { "dynamic-fields": all.map((pattern) => ({ "source-names": [pattern] })) },
  });
  const conditions = (all: readonly string[]): unknown => ({
    "index-name": name,
    "query-configuration": Object.fromEntries(
      all.map((pattern, i) => [`s${i}`, { condition: { "matching-regex": pattern } }]),
    ),
  });
  const processor = (all: readonly string[]): unknown => ({
    "data-processor-configuration": {
      processors: ["SkipDocumentDataProcessor"],
      configuration: { SkipDocumentDataProcessor: Object.fromEntries(all.map((pattern, i) => [`field${i}`, pattern])) },
    },
  });

  test.for([
    ["dynamic fields", INDEX_ENTRY, dynamicFields],
    ["data processors", INDEX_ENTRY, processor],
    ["conditions of stages", ENTRY, conditions],
  ] as const)("of %s", async ([, path, entry], { expect }) => {
    const { type, details } = await errorOf(await call(path, send("PUT", entry(patterns))));
    expect(type).toBe("invalid_configuration");
    expect(JSON.stringify(details)).toContain(`more than ${MOST} parts`);
    const few = await call(path, send("PUT", entry(patterns.slice(0, patterns.length / 3))));
    expect(few.status, await few.text()).toBe(200);
    await (await call(path, { method: "DELETE" })).text();
  });
});
