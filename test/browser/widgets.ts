// Widgets of InstantSearch.js beyond the shop's, 22 of run.ts: on the real service, with the browser's history.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { bundled } from "./bundled.ts";
import { loadSample } from "./sample.ts";
import type { Stage } from "./stage.ts";
import type { WatchedPage } from "./watched-page.ts";

const HTML = `<!doctype html><title>Widgets</title><body><script type="module" src="/widgets.js"></script>`;

export function widgetTests(stage: Stage): void {
  describe("InstantSearch widgets", () => {
    let watched: WatchedPage;
    let page: Page;

    const untilStats = (text: RegExp): Promise<void> =>
      page.locator(".ais-Stats-text").filter({ hasText: text }).waitFor();
    const untilHits = (count: number): Promise<unknown> =>
      page.waitForFunction(`document.querySelectorAll("[data-id]").length === ${count}`);
    const untilAddress = (part: string): Promise<unknown> =>
      page.waitForURL((url) => decodeURIComponent(url.search).includes(part));

    before(async () => {
      await loadSample(stage);
      watched = await stage.openPage();
      page = watched.page;
      const script = await bundled("widgets-page.ts");
      await page.route("/widgets?*", (route) => route.fulfill({ contentType: "text/html", body: HTML }));
      await page.route("/widgets", (route) => route.fulfill({ contentType: "text/html", body: HTML }));
      await page.route("/widgets.js", (route) => route.fulfill({ contentType: "text/javascript", body: script }));
      await page.goto("/widgets");
    });

    test("22: the facets of the index, each by its widget", async () => {
      await untilStats(/^2,372 results/);
      for (const name of ["HierarchicalMenu", "Menu", "RangeSlider"]) {
        // Without a theme a slider has no height.
        await page.locator(`#facets .ais-${name}`).waitFor({ state: "attached" });
      }
      const ends = await page
        .locator("[role=slider]")
        .evaluateAll((all) => all.map((one) => Number(one.getAttribute("aria-valuenow"))));
      assert.equal(ends.length, 2);
      assert.ok((ends[0] ?? 0) < (ends[1] ?? 0));
    });

    test("22: three levels of a tree, up again by the breadcrumb, and back", async () => {
      const link = (name: string) =>
        page.locator(".ais-HierarchicalMenu-link").filter({ hasText: new RegExp(`^${name}`) });
      await link("Sports & Outdoor").click();
      await link("Running").first().click();
      await link("Running Shoes").click();
      await page.locator(".ais-Breadcrumb-item--selected", { hasText: "Running Shoes" }).waitFor();
      await untilStats(/^48 results/);
      await untilAddress("[2]=Running Shoes");
      await page.locator(".ais-Breadcrumb-link", { hasText: "Sports & Outdoor" }).click();
      await link("Running Shoes").waitFor({ state: "detached" });
      await page.waitForURL((url) => !decodeURIComponent(url.search).includes("Running"));
      await page.goBack();
      await untilStats(/^48 results/);
      await page.reload();
      await untilStats(/^48 results/);
      await page.locator(".ais-Breadcrumb-link", { hasText: "Home" }).click();
      await untilStats(/^2,372 results/);
    });

    test("22: more hits, and more of them a page", async () => {
      await untilHits(8);
      await page.locator(".ais-InfiniteHits-loadMore").click();
      await untilHits(16);
      await page.locator(".ais-InfiniteHits-loadMore").click();
      await untilHits(24);
      const ids = await page.locator("[data-id]").evaluateAll((all) => all.map((one) => one.getAttribute("data-id")));
      assert.equal(new Set(ids).size, 24);
      await page.locator(".ais-HitsPerPage-select").selectOption("16");
      await untilHits(16);
      assert.deepEqual(watched.complaints, []);
    });
  });
}
