// The demo shop, 16 to 18 of run.ts: InstantSearch's real widgets on the real service.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { AisleClient } from "../../packages/client/src/index.ts";
import { loadSample } from "./sample.ts";
import type { Stage } from "./stage.ts";
import type { WatchedPage } from "./watched-page.ts";

// Run in the page.
const SORTED_WITHIN_60_AND_120 = `
  [...document.querySelectorAll(".product .price b")].map((one) => Number(one.textContent))
    .every((one, at, all) => all.length > 3 && one >= 60 && one <= 120 && one >= (all[at - 1] ?? 0))`;
const KEEP_EVENTS = `
  document.addEventListener("shop:event", ({ detail: { method, payload } }) => {
    document.body.dataset[method] = JSON.stringify(payload);
  });`;

export function shopTests(stage: Stage): void {
  let watched: WatchedPage;
  let page: Page;
  /** Searches and suggestions since the last look, as the page has sent them. */
  let sent: URL[] = [];

  const stats = (): Promise<string> => page.locator(".ais-Stats-text").innerText();
  const untilStats = (text: RegExp): Promise<void> =>
    page.locator(".ais-Stats-text").filter({ hasText: text }).waitFor();
  const ids = (): Promise<(string | null)[]> =>
    page.locator(".product").evaluateAll((all) => all.map((one) => one.getAttribute("data-id")));
  const searches = (): URL[] => sent.filter(({ pathname }) => pathname.includes("/search/"));
  const panel = (title: string) => page.locator(".ais-Panel").filter({ hasText: title });

  describe("the shop", () => {
    before(async () => {
      await loadSample(stage);
      watched = await stage.openPage();
      page = watched.page;
      page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.pathname.includes("-api/")) sent.push(url);
      });
    });

    test("16: shows what the index has", async () => {
      await page.goto("/shop");
      await untilStats(/^2,372 products$/);
      assert.equal(await page.locator(".product").count(), 24);
      assert.equal(await page.locator(".product svg").count(), 24);
      const titles = await page.locator(".ais-Panel-header:visible").allInnerTexts();
      assert.deepEqual(titles.slice(0, 5), ["Category", "Brand", "Price", "Size", "Color"]);
    });

    test("17: one search a page, while typing", async () => {
      sent = [];
      const box = page.getByRole("searchbox").first();
      await box.pressSequentially("running sh");
      await untilStats(/for “running sh”$/);
      await page.locator("#suggestions button").first().waitFor();
      const last = searches().at(-1);
      assert.equal(last?.searchParams.get("q"), "running sh");
      assert.equal(last?.searchParams.get("typing"), "true");
      // One search and one list of suggestions for each letter.
      assert.equal(searches().length, "running sh".length);
      assert.match(await page.locator(".product h2 mark").first().innerText(), /^(run|sh)/i);
      await page.locator("#suggestions button").first().click();
      assert.notEqual(await box.inputValue(), "running sh");
      await box.fill("shoes");
      await untilStats(/for “shoes”$/);
    });

    test("16: brands, several at once, searched", async () => {
      const brands = panel("Brand");
      const all = await stats();
      const first = brands.locator("li").first();
      const name = await first.locator(".ais-RefinementList-labelText").innerText();
      const count = await first.locator(".ais-RefinementList-count").innerText();
      sent = [];
      await first.getByRole("checkbox").check();
      await untilStats(new RegExp(`^${count} products`));
      assert.equal(searches().length, 1);
      // The others can still be chosen.
      assert.ok((await brands.locator("li").count()) > 4);
      await brands.getByRole("searchbox").fill("velco");
      await brands.locator("li").filter({ hasText: "Velcoita" }).waitFor({ state: "detached" });
      await brands.locator("li").filter({ hasText: "Velocita" }).getByRole("checkbox").check();
      await page.locator(".ais-CurrentRefinements-category").nth(1).waitFor();
      const chips = await page.locator(".ais-CurrentRefinements-categoryLabel").allInnerTexts();
      assert.deepEqual(chips, [name, "Velocita"]);
      await page.getByRole("button", { name: "Clear filters" }).click();
      await untilStats(new RegExp(`^${all}$`));
    });

    test("16: a facet that shows its choice only keeps its other values", async () => {
      const sizes = panel("Size");
      await sizes.getByRole("checkbox").first().check();
      await page.locator(".ais-CurrentRefinements-category").first().waitFor();
      assert.equal(await sizes.locator("li").count(), 8);
      await page
        .getByRole("button", { name: "Remove" })
        .or(page.locator(".ais-CurrentRefinements-delete"))
        .first()
        .click();
      await page.locator(".ais-CurrentRefinements--noRefinement").waitFor({ state: "attached" });
    });

    test("16: categories, prices, sort, pages, and back", async () => {
      await page.locator(".ais-HierarchicalMenu-link").filter({ hasText: "Clothing & Shoes" }).click();
      await page.locator(".ais-HierarchicalMenu-list--child").first().waitFor();
      const child = page.locator(".ais-HierarchicalMenu-link").filter({ hasText: /^Men's Shoes/ });
      const count = await child.locator(".ais-HierarchicalMenu-count").innerText();
      await child.click();
      await untilStats(new RegExp(`^${count} products`));
      // Siblings stay.
      await page
        .locator(".ais-HierarchicalMenu-link")
        .filter({ hasText: /^Kids' Shoes/ })
        .waitFor();

      const price = panel("Price");
      await price.getByRole("spinbutton").nth(0).fill("60");
      await price.getByRole("spinbutton").nth(1).fill("120");
      await price.getByRole("button", { name: "Apply" }).click();
      await page.locator("#sort select").selectOption({ label: "Price, ascending" });
      await page.waitForURL(/sortBy/);
      await page.locator("#hits:not(:empty)").waitFor();
      // The answer is drawn some frames after it came.
      while ((await page.evaluate(SORTED_WITHIN_60_AND_120)) !== true) {
        await page.evaluate("new Promise(requestAnimationFrame)");
      }
      const shown = await ids();
      const address = page.url();
      // What is in the address is what is shown.
      await page.goto("about:blank");
      await page.goto(address);
      await page.locator(".product").first().waitFor();
      assert.deepEqual(await ids(), shown);

      await page.goto("/shop?q=shoes");
      await untilStats(/for “shoes”$/);
      assert.equal(await page.getByRole("searchbox").first().inputValue(), "shoes");
      const before = await ids();
      await page.getByRole("link", { name: /Page 2/ }).click();
      await page.waitForURL(/page=2/);
      await page.locator(`.product[data-id="${before[0]}"]`).waitFor({ state: "detached" });
      assert.equal(new URL(page.url()).searchParams.get("q"), "shoes");
      await page.goBack();
      await page.locator(`.product[data-id="${before[0]}"]`).waitFor();
    });

    test("17: events", async () => {
      await page.evaluate(KEEP_EVENTS);
      const [id] = await ids();
      await page.locator(".product").first().click();
      await page.locator("body[data-clicked-object-i-ds-after-search]").waitFor();
      const text = await page.locator("body").getAttribute("data-clicked-object-i-ds-after-search");
      const event = JSON.parse(text ?? "") as Record<string, unknown>;
      assert.deepEqual(event["objectIDs"], [id]);
      assert.equal(event["eventName"], "Product clicked");
      assert.match(String(event["queryID"]), /^[0-9a-f-]{36}$/);
      assert.deepEqual(watched.complaints, []);
    });

    test("16: sizes by size, and ways out of nothing", async () => {
      await page.goto("/shop");
      await untilStats(/^2,372 products$/);
      const sizes = await panel("Size").locator(".ais-RefinementList-labelText").allInnerTexts();
      assert.deepEqual(
        sizes.filter((one) => /^[SMLX]+$/.test(one)),
        ["XS", "S", "M", "L", "XL"],
      );
      await page.goto("/shop?q=zzyx+jeans&refinementList[brand][0]=Nobody");
      const ways = page.locator(".ways-out button");
      await ways.first().waitFor();
      assert.deepEqual(await ways.allInnerTexts(), ["Without filters", "Only “zzyx”", "Only “jeans”", "All products"]);
      assert.equal(await page.locator(".ais-RangeInput:visible").count(), 0);
      await ways.nth(2).click();
      await untilStats(/for “jeans”$/);
      assert.equal(await page.locator(".ais-CurrentRefinements-item").count(), 0);
    });

    test("16: prices in their currency, drawings for pictures that do not load", async () => {
      const aisle = new AisleClient({ url: stage.origin });
      const data = { title: "Lamp", price: 12.5, currency: "EUR", stock: 0 };
      const products = [{ id: "1", data: { ...data, imageUrl: `${stage.origin}/no.jpg` } }];
      await aisle.import("own", products, { locale: "en" });
      const own = await stage.openPage();
      await own.page.goto("/shop?index=own");
      const card = own.page.locator(".product");
      await card.locator("svg").waitFor();
      assert.match(await card.innerText(), /€12\.50[^]*sold out/);
      assert.equal(await card.locator("img:visible").count(), 0);
      const link = own.page.getByRole("link", { name: "Playground" });
      assert.equal(await link.getAttribute("href"), "/?%40in=own");
      await link.click();
      await own.page.locator(".card").waitFor();
      await own.page.getByRole("link", { name: "Shop" }).click();
      await own.page.waitForURL(/\/shop\?index=own$/);
    });

    test("16: corrections, products with some of the words, long titles", async () => {
      const aisle = new AisleClient({ url: stage.origin });
      const long = `Acme Drill, ${"quick and quiet, ".repeat(12)}for masonry`;
      const titles = ["Acme Hiking Boots", "Acme Hiking Socks", "Bex Hiking Socks", "Acme Lamp", "Bex Lamp", long];
      const products = titles.map((title, at) => ({ id: `${at}`, data: { title } }));
      await aisle.import("outdoor", products, { locale: "en" });
      const own = await stage.openPage();
      const said = own.page.locator("#understood");
      await own.page.goto("/shop?index=outdoor&q=acme+hikng+boots");
      await said.getByText(/^Showing results for “acme hiking boots”. 1 product has all words, /).waitFor();
      const order = await own.page
        .locator(".product, .fill-line")
        .evaluateAll((all) => all.map((one) => one.className));
      assert.deepEqual(order.slice(0, 3), ["product", "fill-line", "product"]);
      assert.equal(order.filter((one) => one === "fill-line").length, 1);
      await own.page.goto("/shop?index=outdoor&q=bex+boots");
      await said.getByText(/^No product has all words. These have some of them.$/).waitFor();
      assert.equal(await own.page.locator(".fill-line").count(), 0);
      await own.page.goto("/shop?index=outdoor&q=masonry");
      assert.equal(await own.page.locator(".product h2").innerText(), long);
      assert.equal(await own.page.locator(".product mark").innerText(), "masonry");
      assert.equal(await said.innerText(), "");
      assert.deepEqual(own.complaints, []);
    });

    test("16: yes and no, one product, a page behind the last one", async () => {
      const aisle = new AisleClient({ url: stage.origin });
      const products = [true, true, false].map((waterproof, at) => ({
        id: `${at}`,
        data: { title: "Tent", waterproof },
      }));
      await aisle.import("tents", products, { locale: "en" });
      const own = await stage.openPage();
      await own.page.goto("/shop?index=tents");
      const facet = own.page.locator(".ais-Panel").filter({ hasText: "Waterproof" });
      await facet.locator("li").nth(1).waitFor();
      assert.deepEqual(await facet.locator(".ais-RefinementList-labelText").allInnerTexts(), ["Yes", "No"]);
      await facet.getByRole("checkbox", { name: "No" }).check();
      await own.page
        .locator(".ais-Stats-text")
        .filter({ hasText: /^1 product$/ })
        .waitFor();
      assert.equal(await own.page.locator(".ais-CurrentRefinements-categoryLabel").innerText(), "No");
      await own.page.goto("/shop?index=tents&page=9");
      await own.page.getByText("There are no products on this page.").waitFor();
      await own.page.getByRole("button", { name: "First page" }).click();
      await own.page.locator(".product").nth(2).waitFor();
      assert.deepEqual(own.complaints, []);
    });

    test("18: on a phone, and without an index", async () => {
      const phone = await stage.openPage({ viewport: { width: 390, height: 800 } });
      await phone.page.goto("/shop?q=shoes");
      await phone.page.locator(".product").first().waitFor();
      const width = await phone.page.evaluate("document.documentElement.scrollWidth");
      assert.equal(width, 390);
      await phone.page.getByRole("button", { name: "Filters" }).click();
      const sheet = phone.page.getByRole("dialog", { name: "Filters" });
      await sheet.getByRole("checkbox").first().check();
      const done = sheet.getByRole("button", { name: /^Show \d+ products$/ });
      await done.click();
      await sheet.waitFor({ state: "detached" });
      const focused = await phone.page.evaluate("document.activeElement?.id");
      assert.equal(focused, "open-filters");
      assert.deepEqual(phone.complaints, []);

      const other = await stage.openPage();
      await other.page.goto("/shop?index=nobody-has-this");
      await other.page.getByRole("heading", { name: "Which shop?" }).waitFor();
      await other.page.getByRole("link", { name: "sample", exact: true }).click();
      await other.page.locator(".product").first().waitFor();
      await other.page.route("**/v1/tenants", (route) => route.fulfill({ json: [] }));
      await other.page.goto("/shop?index=nobody-has-this");
      await other.page.getByRole("heading", { name: "Nothing to sell yet" }).waitFor();
      // The browser itself reports the 404.
      assert.deepEqual(
        other.complaints.filter((one) => !one.includes("404")),
        [],
      );
    });
  });
}
