// Widgets of InstantSearch.js beyond the shop's, 22 of run.ts: on the real service, with the browser's history.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { AisleClient, mainSlice, type Filters } from "../../packages/client/src/index.ts";
import { bundled } from "./bundled.ts";
import { loadSample } from "./sample.ts";
import type { Stage } from "./stage.ts";
import type { WatchedPage } from "./watched-page.ts";

const HTML = `<!doctype html><title>Widgets</title><body><script type="module" src="/widgets.js"></script>`;

export function widgetTests(stage: Stage): void {
  describe("InstantSearch widgets", () => {
    let watched: WatchedPage;
    let page: Page;
    let searches = 0;

    const untilStats = (text: RegExp): Promise<void> =>
      page.locator(".ais-Stats-text").filter({ hasText: text }).waitFor();
    const untilHits = (count: number): Promise<unknown> =>
      page.waitForFunction(`document.querySelectorAll("[data-id]").length === ${count}`);
    const untilAddress = (part: string): Promise<unknown> =>
      page.waitForURL((url) => decodeURIComponent(url.search).includes(part));

    const slider = (end: 0 | 1) => page.locator("[role=slider]").nth(end);
    const endsOfSlider = (): Promise<number[]> =>
      page.locator("[role=slider]").evaluateAll((all) => all.map((one) => Number(one.getAttribute("aria-valuenow"))));
    const countOf = async (filters: Filters): Promise<string> => {
      const result = await new AisleClient({ url: stage.origin }).search("sample", { filters, limit: 0 });
      return (mainSlice(result)?.matchCount ?? 0).toLocaleString("en-US");
    };
    const untilCount = (count: string): Promise<void> => untilStats(new RegExp(`^${count} results`));

    before(async () => {
      await loadSample(stage);
      watched = await stage.openPage();
      page = watched.page;
      page.on("request", (request) => {
        if (request.url().includes("/search-api/")) searches++;
      });
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
      const ends = await endsOfSlider();
      assert.equal(ends.length, 2);
      assert.ok((ends[0] ?? 0) < (ends[1] ?? 0));
      // dynamicWidgets searches once for the list of facets and once for its widgets.
      assert.equal(searches, 1);
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
      await untilAddress("hitsPerPage]=16");
    });

    test("22: a range by its slider and by its inputs, and back", async () => {
      const whole = await endsOfSlider();
      await slider(0).focus();
      await page.keyboard.press("PageUp");
      await untilAddress("price]=");
      const [from = 0, to = 0] = await endsOfSlider();
      assert.ok(from > (whole[0] ?? 0) && to === whole[1], `${from} to ${to}`);
      await untilCount(await countOf({ price: { from } }));
      // The inputs say the same.
      assert.equal(await page.locator(".ais-RangeInput-input--min").inputValue(), String(from));

      await page.locator(".ais-RangeInput-input--min").fill("60");
      await page.locator(".ais-RangeInput-input--max").fill("120");
      await page.locator(".ais-RangeInput-submit").click();
      await untilCount(await countOf({ price: { from: 60, to: 120 } }));
      await untilAddress("price]=60:120");
      const prices = await page
        .locator("[data-price]")
        .evaluateAll((all) => all.map((one) => Number(one.getAttribute("data-price"))));
      assert.ok(
        prices.every((price) => price >= 60 && price <= 120),
        prices.join(),
      );
      await page.goBack();
      await untilCount(await countOf({ price: { from } }));
      await page.goBack();
      await untilStats(/^2,372 results/);
      assert.deepEqual(await endsOfSlider(), whole);
      assert.equal(await page.locator(".ais-RangeInput-input--min").inputValue(), "");
    });

    test("22: a menu of numbers and a switch, together, and back", async () => {
      // The router of InstantSearch writes no address for a choice that follows a step back at once.
      await page.goto("/widgets");
      await untilStats(/^2,372 results/);
      const choice = (label: string) => page.locator(".ais-NumericMenu-item").filter({ hasText: label });
      await choice("4 and more").getByRole("radio").check();
      await untilCount(await countOf({ rating: { from: 4 } }));
      // Each choice becomes a step of the history some time after it was made.
      await untilAddress("rating]=4:");
      await page.locator(".ais-ToggleRefinement-checkbox").check();
      await untilCount(await countOf({ rating: { from: 4 }, gender: "Women's" }));
      await untilAddress("gender]=true");
      await choice("Below 4").getByRole("radio").check();
      await untilCount(await countOf({ rating: { to: 3.99 }, gender: "Women's" }));
      await untilAddress("rating]=:3.99");
      await page.goBack();
      await untilCount(await countOf({ rating: { from: 4 }, gender: "Women's" }));
      await page.goBack();
      await untilCount(await countOf({ rating: { from: 4 } }));
      assert.equal(await page.locator(".ais-ToggleRefinement-checkbox").isChecked(), false);
      assert.equal(await choice("4 and more").getByRole("radio").isChecked(), true);
      await choice("All").getByRole("radio").check();
      await untilStats(/^2,372 results/);
    });

    test("22: events of what was seen, chosen and ordered", async () => {
      const sent = (): Promise<{ method: string; payload: Record<string, unknown> }[]> => page.evaluate("events");
      const seen = (await sent()).filter(({ method }) => method === "viewedObjectIDs");
      assert.ok(seen.length > 0);
      const [first] = await page
        .locator("[data-id]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-id")));
      // Without a theme the slider's values lie over the hits.
      await page.locator("[data-id]").first().dispatchEvent("click");
      const ordered = (await sent()).find(({ method }) => method === "convertedObjectIDsAfterSearch");
      assert.equal(ordered?.payload["eventName"], "Product ordered");
      assert.deepEqual(ordered?.payload["objectIDs"], [first]);
      await page.locator(".ais-ToggleRefinement-checkbox").check();
      await untilCount(await countOf({ gender: "Women's" }));
      const chosen = (await sent()).find(({ method }) => method === "clickedFilters");
      assert.deepEqual(chosen?.payload["filters"], ["gender:Women's"]);
      assert.deepEqual(watched.complaints, []);
    });
  });
}
