// React InstantSearch, 20 of run.ts: its real widgets on the real service.
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
    const ids = (): Promise<(string | null)[]> =>
      page.locator(".ais-Hits-item article").evaluateAll((all) => all.map((one) => one.getAttribute("data-id")));

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
      assert.equal((await ids()).length, 8);
      searches = 0;
      await page.getByRole("searchbox").first().pressSequentially("shoes");
      await page.locator(".ais-Hits-item mark").first().waitFor();
      await page.locator("#completions li").first().waitFor();
      await untilStats(/^712 results/);
      assert.equal(searches, "shoes".length);
    });

    test("20: values of a facet, searched and chosen", async () => {
      const brands = page.locator(".ais-RefinementList");
      const first = brands.locator("li").first();
      const count = await first.locator(".ais-RefinementList-count").innerText();
      await first.getByRole("checkbox").check();
      await untilStats(new RegExp(`^${count} results`));
      await brands.getByRole("searchbox").fill("veloc");
      const velocita = brands.locator("li").filter({ hasText: "Velocita" });
      await velocita.getByRole("checkbox").check();
      await page.locator(".ais-CurrentRefinements-category").nth(1).waitFor();
      await page.locator(".ais-ClearRefinements-button").click();
      await untilStats(/^712 results/);
    });

    test("20: categories, range, sort and pages", async () => {
      const menu = page.locator(".ais-HierarchicalMenu-link");
      await menu.filter({ hasText: /^Clothing & Shoes/ }).click();
      await page.locator(".ais-HierarchicalMenu-list--child").first().waitFor();
      const ends = page.locator(".ais-RangeInput-input");
      await ends.nth(0).fill("60");
      await ends.nth(1).fill("120");
      await page.locator(".ais-RangeInput-submit").click();
      await page.locator(".ais-CurrentRefinements-category").nth(2).waitFor();
      await page.locator(".ais-SortBy-select").selectOption("sample/sort/price");
      // The answer is drawn some frames after it came.
      const prices = `[...document.querySelectorAll(".price")].map((one) => Number(one.textContent))`;
      const rising = `${prices}.every((one, at, all) => one >= 60 && one <= 120 && one >= (all[at - 1] ?? 0))`;
      await page.waitForFunction(rising);
      const before = await ids();
      await page.getByRole("link", { name: "Page 2", exact: true }).click();
      await page.locator(`[data-id="${before[0]}"]`).waitFor({ state: "detached" });
      await page.waitForFunction(rising);
    });

    test("20: events", async () => {
      await page.locator(".ais-Hits-item article").first().click();
      const sent = String(await page.evaluate("JSON.stringify(events)"));
      assert.match(sent, /clickedObjectIDsAfterSearch[^]*Product clicked/);
      assert.deepEqual(watched.complaints, []);
    });
  });
}
