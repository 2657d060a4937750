// The reference page, 8 of run.ts.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Stage } from "./stage.ts";
import type { WatchedPage } from "./watched-page.ts";

export function referenceTests(stage: Stage): void {
  describe("the reference page", () => {
    let docs: WatchedPage;
    before(async () => {
      docs = await stage.openPage();
    });

    test("8: an operation that reads", async () => {
      await docs.page.goto("/docs");
      const section = docs.page.locator("#search");
      await section.getByText("Try it").click();
      await section.locator("input[name=q]").fill("jeans");
      await section.getByRole("button", { name: "Send GET" }).click();
      await section.locator(".status", { hasText: "200" }).waitFor();
      assert.match(await section.locator(".try-headers").innerText(), /etag/);
      assert.match(await section.locator(".try-output .json").innerText(), /"tookInMillis"/);
      assert.match(await section.locator(".try-curl").innerText(), /q=jeans/);
    });

    test("8: an import, its session handed on", async () => {
      const send = async (id: string, name: string, status: string): Promise<void> => {
        const section = docs.page.locator(`#${id}`);
        if (!(await section.locator(".try-fold").evaluate((fold) => fold.hasAttribute("open")))) {
          await section.getByText("Try it").click();
        }
        await section.getByRole("button", { name }).click();
        await section.locator(".status", { hasText: status }).waitFor();
      };
      assert.equal(await docs.page.locator("#deleteIndex .warning").count(), 0);
      await send("startImport", "Send GET", "200");
      await send("add", "Send POST", "200");
      await send("done", "Send POST", "200");
      assert.match(await docs.page.locator("#done .warning").innerText(), /Replaces the live index/);
      await send("deleteIndex", "Send DELETE", "200");
    });

    test("8: nothing was complained of", () => {
      assert.deepEqual(docs.complaints, []);
    });

    test("8: an error, with its words", async () => {
      const section = docs.page.locator("#getIndex");
      await section.getByText("Try it").click();
      await section.locator("input[name=name]").fill("nobody");
      await section.getByRole("button", { name: "Send GET" }).click();
      await section.locator(".status", { hasText: "404" }).waitFor();
      assert.match(await section.locator(".try-output").innerText(), /index_not_found/);
    });

    test("8: without script", async () => {
      const plain = await stage.openPage({ javaScriptEnabled: false });
      await plain.page.goto("/docs");
      assert.ok((await plain.page.locator(".operation").count()) > 30);
      assert.equal(await plain.page.locator(".try-fold").count(), 0);
      // Types lead to their models; examples are in the page.
      await plain.page.locator("#search").getByRole("link", { name: "SearchResult" }).click();
      await plain.page.locator("#model-SearchResult").getByText("tookInMillis").waitFor();
      const add = plain.page.locator("#add .example").filter({ hasText: "curl" });
      await add.locator("summary").click();
      assert.match(await add.locator("pre").innerText(), /--data-raw '\{\s+"session":/);
      await plain.page.goto("/");
      await plain.page.locator(".noscript").waitFor();
      await plain.page.context().close();
    });
  });
}
