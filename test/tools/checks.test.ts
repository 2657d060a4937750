// The checks of .ci/run notice what they are there for:
// 1. a deployment that would get a local-only variable, misses a binding, has zod's languages in its code, or more of
//    it than it may;
// 2. a test file that did not run, could not be loaded, or holds no test.
import { describe, test } from "vitest";
import { gzipSync } from "node:zlib";
import { ballast, bindingsOf, codeBytesOf, problems, startupMsOf } from "../../scripts/check-deploy.ts";
import { summarize } from "../../scripts/check-tests.ts";

const durableObjects = ["INDEX", "SHARD", "SESSION", "CATALOG"].map((name) => ({
  name,
  type: "durable_object_namespace",
}));
const good = [...durableObjects, { name: "SNAPSHOTS", type: "r2_bucket" }, { name: "ASSETS", type: "assets" }];

describe("check-deploy", () => {
  test("1: a good deployment", ({ expect }) => {
    expect(problems(good, "ENVIRONMENT=development")).toEqual([]);
  });

  test("1: local-only variables, whatever .dev.vars says", ({ expect }) => {
    const environment = { name: "ENVIRONMENT", type: "plain_text" };
    expect(problems([...good, environment], "")).toEqual(["ENVIRONMENT is local only, but would be deployed"]);
    expect(problems([...good, { name: "EXTRA", type: "secret_text" }], "EXTRA=1")).toHaveLength(1);
  });

  test("1: a missing binding", ({ expect }) => {
    expect(problems(good.slice(1), "")).toEqual(["binding INDEX (durable_object_namespace) is missing"]);
  });

  test("1: reads the upload form", async ({ expect }) => {
    const part = `Content-Disposition: form-data; name="metadata"\r\n\r\n${JSON.stringify({ bindings: good })}`;
    expect(await bindingsOf(Buffer.from(`--x\r\n${part}\r\n--x--\r\n`))).toEqual(good);
  });

  test("1: the size of the code, without its map", async ({ expect }) => {
    const part = (name: string, type: string, text: string): string =>
      `----boundary\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n` +
      `Content-Type: ${type}\r\n\r\n${text}\r\n`;
    const code = "export default {};\n".repeat(99);
    const module = part("index.js", "application/javascript+module", code);
    const map = part("index.js.map", "application/source-map", code);
    const form = Buffer.from(`${module}${map}----boundary--\r\n`);
    expect(await codeBytesOf(form)).toBe(gzipSync(code).length);
    await expect(codeBytesOf(Buffer.from(`${map}----boundary--\r\n`))).rejects.toThrow("no JavaScript");
  });

  test("1: the time of a start, without waiting", ({ expect }) => {
    const nodes = ["(root)", "(idle)", "init", "(program)"].map((functionName, id) => ({
      id,
      callFrame: { functionName },
    }));
    const profile = { nodes, samples: [1, 2, 3, 2], timeDeltas: [9_000, 1_500, 4_000, 500] };
    expect(startupMsOf(profile)).toBe(2);
  });

  test("1: what should not be in the code", ({ expect }) => {
    const file = (path: string): string => `// node_modules/zod/v4/${path}.js\nvar x;\n`;
    expect(ballast(Buffer.from(file("core/core") + file("locales/en")))).toEqual([]);
    expect(ballast(Buffer.from(file("core/core") + file("locales/de")))).toHaveLength(1);
    expect(ballast(Buffer.from("var x;"))).toHaveLength(1);
  });
});

describe("check-tests", () => {
  const report = {
    numPassedTests: 2,
    numFailedTests: 0,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [{ name: "/r/test/a.test.ts", status: "passed", assertionResults: [{}, {}, {}] }],
  };

  test("2: counts", ({ expect }) => {
    expect(summarize(report, ["/r/test/a.test.ts"])).toEqual({ passed: 2, failed: 0, skipped: 1, problems: [] });
  });

  test("2: a file that did not run", ({ expect }) => {
    const summary = summarize(report, ["/r/test/a.test.ts", "/r/test/b.test.ts"]);
    expect(summary).toMatchObject({ failed: 1, problems: ["/r/test/b.test.ts did not run"] });
  });

  test("2: a file without tests", ({ expect }) => {
    const broken = { name: "/r/test/c.test.ts", status: "failed", assertionResults: [] };
    const summary = summarize({ ...report, testResults: [broken] }, []);
    expect(summary).toMatchObject({ failed: 1 });
  });
});
