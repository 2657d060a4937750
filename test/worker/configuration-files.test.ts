/**
 * Configuration files over HTTP, as they lie beside the reference's services:
 *
 * 1. YAML with dotted keys and several documents; later ones go over earlier ones, those of a profile are left out,
 *    and said so.
 * 2. `.properties`: escapes, comments, lines that go on, older names.
 * 3. HOCON: comments, braces, dotted keys, substitutions, includes; what is broken is refused with its line.
 * 4. Keys that the reference ignores are `warnings`; in calls for one entry they are refused.
 * 5. Placeholders of Spring are filled in; what has no value is a warning.
 */
import { afterAll, beforeAll, describe, test } from "vitest";
import { LIMITS } from "../../src/interface/index.ts";
import { readBody } from "../../src/worker/configuration-body.ts";
import { readHocon } from "../../src/worker/hocon.ts";
import { readProperties } from "../../src/worker/properties.ts";
import { call, send } from "./support.ts";

const CONFIG = "/admin-api/v1/config";

let before: unknown;
beforeAll(async () => {
  before = await stored();
});
// One document for all tests of the run: it is put back.
afterAll(async () => {
  await (await call(CONFIG, send("PUT", before))).text();
});

async function put(path: string, body: string): Promise<{ status: number; answer: unknown }> {
  const response = await call(path, { method: "PUT", body });
  return { status: response.status, answer: await response.json() };
}

async function stored(path = CONFIG): Promise<unknown> {
  return (await call(path)).json();
}

describe("1: YAML", () => {
  test("dotted keys, several documents", async ({ expect }) => {
    const sent = await put(
      CONFIG,
      `
spring.cloud.config.enabled: false
ocs:
  tenant-config.files_a.facet-configuration:
    max-facets: 3
    facets: [{source-field: brand}, {source-field: price}]
---
ocs:
  tenant-config.files_a:
    facet-configuration.facets: [{source-field: size}]
---
spring.config.activate.on-profile: preset
ocs.tenant-config.files_a.facet-configuration.max-facets: 9
`,
    );
    expect(sent).toEqual({
      status: 200,
      answer: {
        version: expect.any(Number),
        warnings: [
          { path: "document 3", message: "is for the profile preset, and profiles are never active; it is ignored" },
        ],
      },
    });
    expect(await stored(`${CONFIG}/tenant/files_a`)).toEqual({
      "facet-configuration": { "max-facets": 3, facets: [{ "source-field": "size" }] },
    });
  });

  test("an entry of its own, and one document alone", async ({ expect }) => {
    const sent = await put(`${CONFIG}/tenant/files_b`, "relevance-configuration.enough: 2\nlocale: de\n");
    expect(sent).toEqual({ status: 200, answer: { version: expect.any(Number) } });
    expect(await stored(`${CONFIG}/tenant/files_b`)).toEqual({
      "relevance-configuration": { enough: 2 },
      locale: "de",
    });
  });

  test("broken ones are refused with the line", async ({ expect }) => {
    const { status, answer } = await put(CONFIG, "ocs:\n  a: 1\n---\nocs: {b\n");
    expect([status, answer]).toMatchObject([400, { type: "bad_request" }]);
    expect(readBody("a: 1\n---\nb: {c: 2}\n").documents).toEqual([{ a: 1 }, { b: { c: 2 } }]);
  });
});

describe("2: .properties", () => {
  test("as suggest settings", async ({ expect }) => {
    const sent = await put(
      CONFIG,
      `# where the cluster is
elasticsearch.hosts=localhost:9200
! what is suggested
suggest.index.default.sourceFields=brand,\\
    category
suggest.group.key = type
suggest.group.share.conf=brand=0.4,category=0.3
suggest.files_c.max-sharpened-queries=3
`,
    );
    expect(sent).toEqual({ status: 200, answer: { version: expect.any(Number) } });
    expect(await stored()).toEqual({
      elasticsearch: { hosts: "localhost:9200" },
      suggest: {
        index: { default: { sourceFields: "brand,category" } },
        group: { key: "type", "share-conf": "brand=0.4,category=0.3" },
        files_c: { "max-sharpened-queries": "3" },
      },
    });
  });

  test("what is one", ({ expect }) => {
    expect(readProperties("a=1\\u0020b\\n\nb\\=c = \\\\x\na=2")).toEqual({ a: "2", "b=c": "\\x" });
    expect(readProperties("a=\n")).toEqual({ a: "" });
    expect(readProperties("a.b[0] = 1\na.b[1].c: 2 = 3\n")).toEqual({ "a.b[0]": "1", "a.b[1].c": "2 = 3" });
    for (const other of [
      "a: 1",
      "",
      "# only a comment",
      "suggest {",
      "a = {\n}",
      "a = {\nb = 1 }",
      "- x=1",
      "a=1\nb",
      "a: >\n  b=c",
      'a = "b"',
      "a = [b, c]",
    ])
      expect(readProperties(other)).toBeNull();
  });
});

describe("3: HOCON", () => {
  test("as suggest settings", async ({ expect }) => {
    const sent = await put(
      CONFIG,
      `# settings of the service
suggest {
  server: { port: 8081, address: "0.0.0.0" } // not read here
  dataprovider: [
    # none
  ]
  preload-indexes: null # all
  update-rate: \${?FILES_NOT_SET}
  group.key = type
  group {
    share-conf: "brand=0.4,category=0.3"
  }
  "files.d" { always-do-fuzzy: true, locale = en }
}
include "env_overwrite.conf"
`,
    );
    expect(sent).toEqual({
      status: 200,
      answer: {
        version: expect.any(Number),
        warnings: [{ path: "suggest.dataprovider", message: "unknown key; it is ignored" }],
      },
    });
    expect(await stored(`${CONFIG}/suggest/files.d`)).toEqual({ "always-do-fuzzy": true, locale: "en" });
    expect(await stored()).toMatchObject({
      suggest: { group: { key: "type", "share-conf": "brand=0.4,category=0.3" } },
    });
  });

  test("flat lines with quotes and lists", async ({ expect }) => {
    const sent = await put(
      CONFIG,
      'suggest.group.key = "type" // the field\nsuggest.files_e.sourceFields = ["brand", category]\nsuggest.locale = "de"\n',
    );
    expect(sent).toEqual({ status: 200, answer: { version: expect.any(Number) } });
    expect(await stored()).toEqual({
      suggest: { group: { key: "type" }, files_e: { sourceFields: ["brand", "category"] }, locale: "de" },
    });
  });

  test.each<[string, unknown]>([
    ["a = 1", { a: 1 }],
    ["{a: 1, b: [1, two words, {c: 3}]}", { a: 1, b: [1, "two words", { c: 3 }] }],
    ["a.b = 1\na { c = 2 }\na = {d: true}", { a: { b: 1, c: 2, d: true } }],
    ["a = 1\na = null", { a: null }],
    ["a = [1]\na += 2", { a: [1, 2] }],
    ['a = "x\\n"\nb = """q"q"""', { a: "x\n", b: 'q"q' }],
    ["a = 10 minutes // long", { a: "10 minutes" }],
    ["x = 7\na = ${x}\nb = ${x} days\nc = ${?no}", { x: 7, a: 7, b: "7 days" }],
    ["a = 1\na = ${?NO}", { a: 1 }],
    ['"a.b".c = 1', { "[a.b]": { c: 1 } }],
    ["o { p = 1 }\nq = ${o}", { o: { p: 1 }, q: { p: 1 } }],
  ])("%s", (text, expected) => {
    if (JSON.stringify(readHocon(text)) !== JSON.stringify(expected)) {
      throw new Error(JSON.stringify(readHocon(text)));
    }
  });

  test.each<[string, number]>([
    ["suggest {\n a = 1\n", 3],
    ["{a = ${b}}", 1],
    ["\n{a = ${a}}", 2],
    ["a { b = [1", 1],
    ['a { b = "x', 1],
    ["a { b = c: d }", 1],
    ["a { } }", 1],
  ])("broken: %j", async (text, line) => {
    const { status, answer } = await put(CONFIG, text);
    const { details } = answer as { details?: { line: number } };
    if (status !== 400 || details?.line !== line) throw new Error(JSON.stringify(answer));
  });

  test("a file that grows without end is refused", ({ expect }) => {
    const lines = Array.from({ length: 40 }, (_, i) => `a${i + 1} = \${a${i}}\${a${i}}`);
    expect(() => readHocon(["a0 = xx", ...lines].join("\n"))).toThrow(/^a\d+ is too large: .* more than \d+ values/);
    expect(() => readHocon("{a:".repeat(200))).toThrow("levels");
  });

  const LONG = "x".repeat(100_000);
  test.for([
    ["a text of long texts", `a = ${LONG}\nb = ${"${a}".repeat(2_500)}`],
    ["a list of long texts", `a = ${LONG}\nb = [${"${a},".repeat(2_500)}]`],
    ["long texts between others", `a = ${LONG}\nb = [${"x ${a} y,".repeat(2_500)}]`],
    ["long keys", `a { ${LONG} = 1 }\nb = [${"${a},".repeat(2_500)}]`],
    ["long texts behind optional substitutions", `a = ${LONG}\na = \${?NONE}\nb = [${"${?a},".repeat(2_500)}]`],
  ] as const)("%s are counted before they are put together", ([, text], { expect }) => {
    const most = LIMITS.configurationCharacters.value;
    expect(() => readHocon(text)).toThrow(
      new RegExp(`^b\\S* is too large: .* ${most} characters \\(configurationCharacters\\)`),
    );
  });
});

test("4: what the reference ignores", async ({ expect }) => {
  const tenants = "ocs:\n  tenant-config:\n    files_e:\n      maxFacets: 12\n      locale: de\n";
  expect(await put(CONFIG, tenants)).toEqual({
    status: 200,
    answer: {
      version: expect.any(Number),
      warnings: [{ path: "ocs.tenant-config.files_e.maxFacets", message: expect.stringContaining("unknown key") }],
    },
  });
  expect(await stored(`${CONFIG}/tenant/files_e`)).toEqual({ locale: "de" });
  const refused = await put(`${CONFIG}/tenant/files_e`, "maxFacets: 12");
  expect(refused).toMatchObject({
    status: 400,
    answer: { type: "invalid_configuration", details: { problems: [{ path: "maxFacets" }] } },
  });
  const index = "ocs: {index-config: {files_e: {fields: {}}}}";
  expect(await put(CONFIG, index)).toMatchObject({
    status: 400,
    answer: { details: { problems: [{ path: "ocs.index-config.files_e.fields" }] } },
  });
});

describe("5: placeholders", () => {
  test("are filled in", async ({ expect }) => {
    const file = `
ocs:
  default-tenant-config:
    facet-configuration:
      max-facets: \${MOST_FACETS:8}
      facets:
        - source-field: brand
          label: \${BRAND_LABEL}
          multi-select: \${MULTI:true}
suggest:
  locale: \${shop.language}
`;
    const { status, answer } = await put(CONFIG, file);
    expect([status, answer]).toMatchObject([
      200,
      {
        warnings: [
          { path: "ocs.default-tenant-config.facet-configuration.facets[0].label" },
          { path: "suggest.locale" },
        ],
      },
    ]);
    expect(await stored()).toMatchObject({
      ocs: {
        "default-tenant-config": {
          "facet-configuration": { "max-facets": "8", facets: [{ label: "${BRAND_LABEL}", "multi-select": "true" }] },
        },
      },
    });
  });

  test("of a properties file", ({ expect }) => {
    const text = "suggest.locale=${LOCALE:en}\nsuggest.source-fields=${suggest.locale}_title\n";
    expect(JSON.stringify(readBody(text).documents)).toContain("en_title");
  });
});
