// React InstantSearch, 20 of run.ts: some of its real widgets on the real service. They share their state, and the
// client, with those of InstantSearch.js: all others are tried there (shop.ts, widgets.ts).
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { bundled } from "./bundled.ts";
import { loadSample } from "./sample.ts";
import type { Stage } from "./stage.ts";
import type { WatchedPage } from "./watched-page.ts";

const HTML = `<!doctype html><title>React</title><div id="root"></div><script type="module" src="/react.js"></script>`;

export function reactTests(stage: Stage): void {
  describe("React InstantSearch", () => {
    let watched: WatchedPage;
    let page: Page;
    let searches = 0;

    const untilStats = (text: RegExp): Promise<void> =>
      page.locator(".ais-Stats-text").filter({ hasText: text }).waitFor();

    before(async () => {
      await loadSample(stage);
      watched = await stage.openPage();
      page = watched.page;
      const script = await bundled("react-page.ts");
      await page.route("/react", (route) => route.fulfill({ contentType: "text/html", body: HTML }));
      await page.route("/react.js", (route) => route.fulfill({ contentType: "text/javascript", body: script }));
      page.on("request", (request) => {
        if (request.url().includes("/search-api/")) searches++;
      });
      await page.goto("/react");
    });

    test("20: hits and highlights while typing, one search each", async () => {
      await untilStats(/^2,372 results/);
      assert.equal(await page.locator(".ais-Hits-item article").count(), 8);
      searches = 0;
      await page.getByRole("searchbox").pressSequentially("shoes");
      await page.locator(".ais-Hits-item mark").first().waitFor();
      await page.locator("#completions li").first().waitFor();
      await untilStats(/^712 results/);
      assert.equal(searches, "shoes".length);
    });

    test("20: a value of a facet", async () => {
      const first = page.locator(".ais-RefinementList-item").first();
      const count = await first.locator(".ais-RefinementList-count").innerText();
      await first.getByRole("checkbox").check();
      await untilStats(new RegExp(`^${count} results`));
    });

    test("20: events", async () => {
      await page.locator(".ais-Hits-item article").first().click();
      const sent = String(await page.evaluate("JSON.stringify(events)"));
      assert.match(sent, /clickedObjectIDsAfterSearch[^]*Product clicked/);
      assert.deepEqual(watched.complaints, []);
    });
  });
}
