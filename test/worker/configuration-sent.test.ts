// What can be read and means nothing is refused when it is sent, and stands in nobody's way once it is stored.
// 1. As an entry and in a whole document: 400 with the path of the value in what was sent, and nothing is stored. The name of an entry
//    may begin like its section.
// 2. A rules text may have any name.
//
// The configuration is one document for all tests of the run: it is put back.
import { afterAll, beforeAll, describe, test } from "vitest";
import { call, errorOf, freshName, send } from "./support.ts";

const CONFIG = "/admin-api/v1/config";

let before: unknown;
beforeAll(async () => {
  before = await (await call(CONFIG)).json();
});
afterAll(async () => {
  await (await call(CONFIG, send("PUT", before))).text();
});

async function pathsOf(response: Response): Promise<string[]> {
  const { type, details } = await errorOf(response);
  if (type !== "invalid_configuration") throw new Error(type);
  return (details as { problems: { path: string }[] }).problems.map(({ path }) => path);
}

const stage = (settings: object): object => ({ "query-configuration": { a: { settings } } });

describe("1: refused", () => {
  test.for([
    ["tenant", stage({ operator: "XOR" }), "query-configuration.a.settings.operator"],
    ["tenant", stage({ fallbackQuery: "a" }), "query-configuration.a.settings.fallbackQuery"],
    ["tenant", { "index-name": "" }, "index-name"],
    [
      "index",
      {
        "data-processor-configuration": {
          processors: ["RemoveValuesDataProcessor"],
          configuration: { RemoveValuesDataProcessor: { title: "(" } },
        },
      },
      "data-processor-configuration.configuration.RemoveValuesDataProcessor.title",
    ],
  ] as const)("%s %j", async ([kind, entry, path], { expect }) => {
    for (const name of ["t", "i", kind, `${kind}-config`, freshName("sent")]) {
      const at = `${CONFIG}/${kind}/${name}`;
      expect(await pathsOf(await call(at, send("PUT", entry)))).toEqual([path]);
      expect((await call(at)).status).toBe(404);
      const section = `${kind}-config`;
      const whole = { ocs: { [section]: { [name]: entry } } };
      expect(await pathsOf(await call(CONFIG, send("PUT", whole)))).toEqual([
        `ocs.${section}.${name}.${path}`,
      ]);
    }
  });
});

test("2: rules of any name", async ({ expect }) => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    const path = `${CONFIG}/rules/${name}`;
    expect((await call(path)).status).toBe(404);
    expect((await call(path, { method: "PUT", body: "a =>\n  SYNONYM: b\n" })).status).toBe(200);
    expect(await (await call(path)).text()).toBe("a =>\n  SYNONYM: b\n");
    expect((await call(path, { method: "DELETE" })).status).toBe(200);
    expect((await call(path)).status).toBe(404);
  }
});
