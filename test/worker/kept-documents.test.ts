// A document that was shown is kept as JSON by the shard. It is shown as it is after
// 1. a PUT, a PATCH of numbers, a PATCH of text, a DELETE, and a PUT again.
import { test } from "vitest";
import { apply, document, importAll, uniqueName } from "../objects/support/index.ts";
import { call } from "./support.ts";

async function shown(name: string): Promise<unknown> {
  const response = await call(`/search-api/v1/doc/${name}/a`);
  const body: { readonly data?: unknown } = await response.json();
  return response.status === 200 ? body.data : response.status;
}

test("after every update (1)", async ({ expect }) => {
  const name = uniqueName("kept-document");
  await importAll(name, [document("a", "shoe", { price: 1 })]);
  const expectTwice = async (expected: unknown): Promise<void> => {
    expect(await shown(name)).toEqual(expected);
    expect(await shown(name)).toEqual(expected);
  };
  await expectTwice({ title: "shoe", price: 1 });
  await apply(name, { kind: "put", documents: [document("a", "boot", { price: 1 })] });
  await expectTwice({ title: "boot", price: 1 });
  await apply(name, { kind: "patch", documents: [{ id: "a", data: { price: 2 } }] });
  await expectTwice({ title: "boot", price: 2 });
  await apply(name, { kind: "patch", documents: [{ id: "a", data: { title: "clog" } }] });
  await expectTwice({ title: "clog", price: 2 });
  await apply(name, { kind: "delete", ids: ["a"] });
  await expectTwice(404);
  await apply(name, { kind: "put", documents: [document("a", "mule")] });
  await expectTwice({ title: "mule" });
});
