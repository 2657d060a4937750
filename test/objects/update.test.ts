// Updates of a live index, through the objects' RPC. (Outcomes over HTTP: worker/document-rules; checkpoints:
// number-updates.)
//  1. the documents of one update count in their order: a second patch sees the first, what changed is reported
//  2. bad documents are DISMISSED without harm to their neighbours, also under awkward ids
//  3. put on a missing index creates it, once for concurrent calls, and not where an import is faster; a live index
//     ignores langCode
// A patch of what only R2 has: stored-blocks.test.ts 3. Updates and generations: history.model.test.ts,
// publishing.test.ts 3.
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { indexStub } from "../../src/objects/index.ts";
import { unwrap } from "../../src/interface/index.ts";
import { once, withFaults } from "./support/faults.ts";
import { apply, countOf, document, importAll, outcome, read, titleOf, uniqueName } from "./support/index.ts";

describe("updates", () => {
  test("count in their order", async ({ expect }) => {
    const name = uniqueName("order");
    await importAll(name, [document("1", "one")]);
    const patches = [
      { id: "1", data: { price: 1 } },
      { id: "1", data: { stock: 2 } },
      { id: "1", data: { price: 1 } },
    ];
    expect(await apply(name, { kind: "patch", documents: patches })).toEqual({ "1": "UPDATED" });
    expect(await read(name, "1")).toEqual({ title: "one", price: 1, stock: 2 });
    expect(await apply(name, { kind: "patch", documents: patches })).toEqual({ "1": "NOOP" });
    const dismissed = { id: "1", data: { price: "none" } };
    const titled = { id: "1", data: { title: "other" } };
    for (const documents of [
      [titled, titled],
      [{ id: "1", data: { title: "another" } }, dismissed],
    ]) {
      expect(await apply(name, { kind: "patch", documents })).toEqual({ "1": "UPDATED" });
    }
    expect(await apply(name, { kind: "patch", documents: [titled, dismissed] })).toEqual({ "1": "UPDATED" });
    expect(await apply(name, { kind: "patch", documents: [titled, dismissed] })).toEqual({ "1": "DISMISSED" });
    expect(await apply(name, { kind: "delete", ids: ["1", "1"] })).toEqual({ "1": "DELETED" });
  });

  test("dismiss bad documents only", async ({ expect }) => {
    const name = uniqueName("bad");
    await importAll(name, []);
    const documents = [{ id: "a" }, { data: {} }, document("__proto__", "proto"), document("constructor", "built"), 5];
    const answer = await apply(name, { kind: "put", documents });
    expect(new Map(Object.entries(answer))).toEqual(
      new Map([
        ["a", "DISMISSED"],
        ["", "DISMISSED"],
        ["__proto__", "CREATED"],
        ["constructor", "CREATED"],
      ]),
    );
    expect(await titleOf(name, "__proto__")).toBe("proto");
    expect(await countOf(name)).toBe(2);
  });

  test("create a missing index, once", async ({ expect }) => {
    const name = uniqueName("created");
    const ensure = (langCode: string) => indexStub(env, name).ensureIndex({ indexName: name, langCode });
    const routes = await Promise.all([ensure("de"), ensure("de"), ensure("de_DE")]);
    for (const route of routes) expect(unwrap(route)).toMatchObject({ epoch: 1, generation: 1, language: "de" });
    expect(unwrap(await ensure("en")).language).toBe("de");
    expect(await apply(name, { kind: "put", documents: [document("1", "eins")] })).toEqual({ "1": "CREATED" });
    expect(await titleOf(name, "1")).toBe("eins");
    expect(
      await outcome(indexStub(env, uniqueName("x")).ensureIndex({ indexName: uniqueName("x"), langCode: "" })),
    ).toBe("invalid_locale");
  });

  test("create no index where an import goes live first", async ({ expect }) => {
    const name = uniqueName("overtaken");
    const plan = once(({ what }) => what === "beginFreeze", {
      before: async () => void (await importAll(name, [document("1", "imported")])),
    });
    const { result } = await withFaults(name, plan, () =>
      indexStub(env, name).ensureIndex({ indexName: name, langCode: "en" }),
    );
    expect([plan.met(), unwrap(result).generation]).toEqual([true, 2]);
    expect(await titleOf(name, "1")).toBe("imported");
  });
});
