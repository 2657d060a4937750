// The playground, 1 to 7 and 10 of run.ts.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { Stage } from "./stage.ts";
import type { WatchedPage } from "./watched-page.ts";

export function playgroundTests(stage: Stage): void {
  let watched: WatchedPage;
  let page: Page;

  const ids = (): Promise<(string | null)[]> =>
    page.locator(".card").evaluateAll((cards) => cards.map((card) => card.getAttribute("data-id")));
  /** The answer that stands in the page now, not the one before. */
  const settled = async (): Promise<void> => {
    await page.locator("#results:not([aria-busy])").waitFor();
  };
  const parameters = (): URLSearchParams => new URL(page.url()).searchParams;

  describe("the playground", () => {
    before(async () => {
      watched = await stage.openPage();
      page = watched.page;
    });

    test("1: loads the sample into an empty service", async () => {
      await page.goto("/");
      await page.getByRole("heading", { name: "Nothing here yet" }).waitFor();
      await page.getByRole("button", { name: "Load sample catalogue" }).click();
      await page.locator(".card").first().waitFor({ timeout: 60_000 });
      assert.match(await page.locator("#count").innerText(), /^2,372 products/);
      assert.equal(await page.locator(".card").count(), 12);
      assert.equal(parameters().get("@in"), "sample");
      assert.deepEqual(await page.locator("#tenant option").allInnerTexts(), ["sample", "sample-de"]);
    });

    test("2: suggests by keyboard", async () => {
      const box = page.getByRole("combobox", { name: "Search" });
      await page.keyboard.press("/");
      await box.pressSequentially("runn");
      const options = page.locator("#suggestions [role=option]");
      await options.first().waitFor();
      assert.equal(await box.getAttribute("aria-expanded"), "true");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      const marked = page.locator("#suggestions [aria-selected=true]");
      assert.equal(await marked.getAttribute("id"), await box.getAttribute("aria-activedescendant"));
      assert.equal(await box.inputValue(), await marked.locator(".phrase").innerText());
      await page.keyboard.press("Escape");
      assert.equal(await options.count(), 0);
      assert.equal(await box.inputValue(), "runn");
      await box.press("i");
      await options.first().waitFor();
      await page.keyboard.press("ArrowDown");
      const chosen = await box.inputValue();
      await page.keyboard.press("Enter");
      await page.locator("#count q", { hasText: chosen }).waitFor();
      assert.equal(parameters().get("q"), chosen);
      assert.equal(await options.count(), 0);
    });

    test("2: marks what was found, and says how it was understood", async () => {
      await page.goto("/?@in=sample&q=runing+shoes");
      await page.locator(".card mark").first().waitFor();
      assert.match(await page.locator(".understood").innerText(), /corrected to/);
      await page.locator("#timing-summary").click();
      assert.match(await page.locator(".timings").innerText(), /round trip[^]*tookInMillis[^]*search engine/);
      await page.locator(".badge.variants:visible").first().waitFor();
    });

    test("2: searches while somebody types, in one step to go back", async () => {
      await page.goto("/?@in=sample");
      await page.locator(".card").first().waitFor();
      const box = page.getByRole("combobox", { name: "Search" });
      await box.pressSequentially("jea", { delay: 250 });
      await page.locator("#count q", { hasText: "jea" }).waitFor();
      assert.equal(parameters().get("typing"), "true");
      assert.equal(await page.evaluate("document.activeElement.id"), "q");
      await box.press("Enter");
      await page.waitForURL((url) => url.searchParams.get("typing") === null);
      await page.goBack();
      await page.goBack();
      await page.waitForURL((url) => url.searchParams.get("q") === null);
      await settled();
    });

    test("3: offers less where nothing is found", async () => {
      await page.goto("/?@in=sample&q=zzyx+jeans&color=nocolor");
      await page.getByRole("button", { name: "Only “jeans”" }).click();
      await page.locator(".card").first().waitFor();
      assert.equal(parameters().get("q"), "jeans");
      assert.equal(parameters().get("color"), null);
    });

    test("3: takes two values of a facet, and gives them back", async () => {
      await page.goto("/?@in=sample&q=shoes");
      const color = page.locator(".facet[data-field=color]");
      await color.getByRole("checkbox", { name: "Black" }).focus();
      await page.keyboard.press("Space");
      await page.locator(".chips .chip", { hasText: "Black" }).waitFor();
      await settled();
      assert.equal(await page.evaluate("document.activeElement.dataset.key"), "color Black");
      await color.getByRole("checkbox", { name: "White" }).click();
      await page.locator(".chips .chip", { hasText: "White" }).waitFor();
      await settled();
      assert.equal(parameters().get("color"), "black,white");
      assert.equal(await color.locator("input:checked").count(), 2);
      const both = Number((await page.locator("#count strong").innerText()).replace(",", ""));
      await page.getByRole("button", { name: "Remove color Black" }).click();
      await page.locator(".chips .chip", { hasText: "Black" }).waitFor({ state: "detached" });
      await settled();
      assert.equal(parameters().get("color"), "white");
      assert.ok(Number((await page.locator("#count strong").innerText()).replace(",", "")) < both);
    });

    test("3: finds values of a large facet, takes a range and a branch of categories", async () => {
      await page.goto("/?@in=sample");
      const brand = page.locator(".facet[data-field=brand]");
      await brand.getByRole("searchbox").fill("velo");
      await brand.locator(".value-name", { hasText: "Velocita" }).first().waitFor();
      await brand.locator("li").nth(4).waitFor({ state: "detached" });
      await brand.getByRole("checkbox", { name: "Velocita" }).click();
      await page.locator(".chips .chip", { hasText: "Velocita" }).waitFor();
      await page.getByLabel("price from", { exact: true }).fill("50");
      await page.getByLabel("price from", { exact: true }).press("Tab");
      await page.locator(".chips .chip", { hasText: "from 50" }).waitFor();
      assert.equal(parameters().get("price"), "50,");
      await page.locator(".facet[data-field=category] input").first().click();
      await page.locator(".facet[data-field=category] .tree .tree").waitFor();
      assert.equal(parameters().get("brand"), "velocita");
    });

    test("4: pages, sorts, and goes back", async () => {
      await page.goto("/?@in=sample&q=shoes");
      await page.locator(".card").first().waitFor();
      const first = await ids();
      await page.getByRole("link", { name: "Next page" }).click();
      await page.locator(".paging [aria-current]", { hasText: "2" }).waitFor();
      const second = await ids();
      assert.equal(second.filter((id) => first.includes(id)).length, 0);
      assert.equal(parameters().get("offset"), "12");
      await page.getByLabel("Sort").selectOption({ label: "Price ↑" });
      await page.waitForURL(/sort=price/);
      await settled();
      assert.equal(parameters().get("offset"), null);
      await page.goBack();
      await page.locator(".paging [aria-current]", { hasText: "2" }).waitFor();
      assert.deepEqual(await ids(), second);
      await page.goBack();
      await page.locator(".paging [aria-current]", { hasText: "1" }).waitFor();
      assert.deepEqual(await ids(), first);
      await page.goForward();
      await page.locator(".paging [aria-current]", { hasText: "2" }).waitFor();
      await page.reload();
      await page.locator(".card").first().waitFor();
      assert.deepEqual(await ids(), second);
    });

    test("5: explains a hit", async () => {
      await page.goto("/?@in=sample&q=runing+shoes");
      await page.locator(".card .why").first().click();
      const sheet = page.getByRole("dialog", { name: "Why is this a result?" });
      await sheet.locator(".contributions li").first().waitFor();
      assert.match(await sheet.innerText(), /running/);
      assert.ok((await sheet.locator(".why-lines li").count()) > 3);
      await sheet.getByRole("button", { name: "Show the whole document" }).click();
      await sheet.locator(".json .token-key", { hasText: '"variants"' }).first().waitFor();
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
      assert.match(String(await page.evaluate("document.activeElement.className")), /why/);
    });

    test("5: copies the request, and the command is that request", async () => {
      await page.goto("/?@in=sample&q=it's&color=red");
      await settled();
      await page.getByRole("button", { name: "Copy as curl" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const copied = String(await page.evaluate("navigator.clipboard.readText()"));
      assert.equal(
        copied,
        String.raw`curl '${stage.origin}/search-api/v1/search/sample?q=it%27s&color=red&highlight=title,name,description'`,
      );
      await page.getByRole("button", { name: "JSON", exact: true }).click();
      const sheet = page.getByRole("dialog", { name: "Request and answer" });
      const shown: unknown = JSON.parse(await sheet.locator(".json").innerText());
      assert.ok(typeof shown === "object" && shown !== null && "slices" in shown);
      await page.keyboard.press("Escape");
    });

    test("6: compares tenants and parameters", async () => {
      await page.goto("/?@in=sample&q=jeans");
      await page.getByRole("button", { name: "Compare" }).click();
      await page.locator(".rank").first().waitFor();
      assert.equal(parameters().get("@vs"), "sample-de");
      assert.equal(await page.locator(".side").count(), 2);
      assert.match(await page.locator(".compare-summary").innerText(), /^0 of 12/);
      await page.getByLabel("Compare with").selectOption("sample");
      await page.locator(".change.same").nth(23).waitFor();
      await page.getByLabel("with these parameters instead").fill("limit=6&offset=2");
      await page.getByLabel("with these parameters instead").press("Enter");
      await page.locator(".side >> nth=1 >> .change.up").first().waitFor();
      assert.match(await page.locator(".compare-summary").innerText(), /^6 of 12/);
      await page.locator(".rank .why").first().click();
      await page.locator(".contributions li").first().waitFor();
      await page.keyboard.press("Escape");
      await page.reload();
      await page.locator(".side >> nth=1 >> .change.up").first().waitFor();
    });

    test("6: shows product sets as slices", async () => {
      await page.goto("/?@in=sample&q=socks");
      await settled();
      await page.getByRole("button", { name: "Arrange" }).click();
      const sets = [{ type: "static", name: "Mine", ids: ["ERUN003"], asSeparateSlice: true }];
      await page.getByLabel("Product sets as JSON").fill("{");
      await page.getByRole("dialog").getByRole("button", { name: "Arrange" }).click();
      await page.getByRole("dialog").getByRole("alert").waitFor();
      await page.getByLabel("Product sets as JSON").fill(JSON.stringify(sets));
      await page.getByRole("dialog").getByRole("button", { name: "Arrange" }).click();
      await page.locator(".slice-label", { hasText: "Mine" }).waitFor();
      assert.equal((await ids())[0], "ERUN003");
    });

    test("7: imports a file", async () => {
      await page.goto("/?@in=sample");
      await page.getByRole("button", { name: "Import" }).click();
      await page.locator("input[type=file]").setInputFiles({
        name: "Broken.ndjson",
        mimeType: "application/x-ndjson",
        buffer: Buffer.from('{"id":"1","data":{"title":"one"}}\n{"id":"2"\n'),
      });
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Import" }).click();
      await dialog.getByRole("alert").waitFor();
      assert.match(await dialog.innerText(), /line 2: not JSON/);
      await page.keyboard.press("Escape");

      const products = Array.from({ length: 30 }, (_, at) => ({
        id: `p${at}`,
        // Markup in a catalogue is text.
        data: { title: `<img src=x onerror=alert(1)> Lamp ${at}`, price: at },
      }));
      await page.getByRole("button", { name: "Import" }).click();
      await page.locator("input[type=file]").setInputFiles({
        name: "My Lamps.json",
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify([...products, { id: "" }])),
      });
      assert.equal(await dialog.getByLabel("Index").inputValue(), "my-lamps");
      await dialog.getByRole("button", { name: "Import" }).click();
      await dialog.getByText("1 was refused").waitFor();
      await dialog.getByRole("button", { name: "Search my-lamps" }).click();
      await page.locator("#count", { hasText: "30 products" }).waitFor();
      assert.match(await page.locator(".card .title").first().innerText(), /^<img src=x/);
      assert.equal(parameters().get("@in"), "my-lamps");
    });

    test("7: a file of a shop: how its columns are understood, changed", async () => {
      await page.getByRole("button", { name: "Import" }).click();
      await page.locator("input[type=file]").setInputFiles({
        name: "Schuhe.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(
          'Artikelnummer;Bezeichnung;Preis;Absatz;Bild\n1;Gr\xfcner Schuh;"1.012,99 \x80";flach;/1.jpg\n2;Stiefel;89,00;hoch;/2.jpg\n',
          "latin1",
        ),
      });
      const dialog = page.getByRole("dialog");
      await dialog.getByText('CSV, ";" between columns, windows-1252').waitFor();
      const price = dialog.getByRole("row", { name: "Preis" });
      assert.match(await price.innerText(), /1\.012,99 € → 1012\.99/);
      await dialog.getByText("/1.jpg is no whole address").waitFor();
      await dialog.getByLabel("Where pictures are").fill("https://shop.example/media");
      await dialog.getByLabel("Where pictures are").press("Tab");
      await dialog.getByText("is no whole address").waitFor({ state: "detached" });
      const picture = dialog.getByRole("row", { name: "Bild" });
      assert.match(await picture.innerText(), /\/1\.jpg → https:\/\/shop\.example\/media\/1\.jpg/);
      await dialog.getByLabel("Field of Absatz").fill("heel");
      await dialog.getByLabel("Field of Absatz").press("Tab");
      await dialog.getByRole("button", { name: "Import" }).click();
      await page.locator("#count", { hasText: "2 products" }).waitFor();
      assert.equal(parameters().get("@in"), "schuhe");
      const address = `${stage.origin}/search-api/v1/search/schuhe?heel=flach`;
      const found = await (await fetch(address)).text();
      assert.match(found, /Grüner Schuh/);
      assert.doesNotMatch(found, /Stiefel/);
    });

    test("7: a file with variants: the column that groups them, or none", async () => {
      const rows = "id;item_group_id;title;price;size\n1;A;Shirt S;10 €;S\n2;A;Shirt M;10 €;M\n3;B;Hat;9 €;M\n";
      for (const [name, count] of [
        ["grouped", "2 products"],
        ["rows", "3 products"],
      ] as const) {
        await page.getByRole("button", { name: "Import" }).click();
        await page
          .locator("input[type=file]")
          .setInputFiles({ name: `${name}.csv`, mimeType: "text/csv", buffer: Buffer.from(rows) });
        const dialog = page.getByRole("dialog");
        const variants = dialog.getByLabel("Variants");
        const shown = await variants.locator("option:checked").innerText();
        assert.equal(shown, "rows with the same item_group_id are one product");
        assert.equal(
          await dialog.getByLabel("Field of item_group_id").getAttribute("placeholder"),
          "id of the product",
        );
        if (name === "rows") await variants.selectOption({ label: "none: every row is a product" });
        await dialog.getByRole("button", { name: "Import" }).click();
        await page.waitForURL((url) => url.searchParams.get("@in") === name);
        await page.locator("#count", { hasText: count }).waitFor();
      }
    });

    test("4: a page behind the last one leads to the first", async () => {
      await page.goto("/?@in=sample&q=shoes&offset=5000");
      await page.getByText("There are no hits on this page.").waitFor();
      await page.getByRole("button", { name: "First page" }).click();
      await page.locator(".card").first().waitFor();
      assert.equal(parameters().get("offset"), null);
      assert.equal(parameters().get("q"), "shoes");
    });

    test("10: fits a phone", async () => {
      const phone = await stage.openPage({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
      for (const address of ["/?@in=sample&q=shoes&color=black", "/?@in=sample&q=jeans&@vs=sample-de", "/docs"]) {
        await phone.page.goto(address);
        await phone.page.locator(".card, .rank, .try-fold").first().waitFor();
        const width = await phone.page.evaluate("document.documentElement.scrollWidth");
        assert.deepEqual([address, width], [address, 390]);
      }
      await phone.page.goto("/?@in=sample&q=shoes");
      await phone.page.locator(".card").first().waitFor();
      await phone.page.locator("#filters-summary").click();
      const sheet = phone.page.getByRole("dialog", { name: "Filters" });
      await sheet.getByRole("checkbox", { name: "Black" }).click();
      await phone.page.locator("#results:not([aria-busy])").waitFor();
      await phone.page.waitForURL(/color=black/);
      const count = await phone.page.locator("#count strong").textContent();
      await sheet.getByRole("button", { name: `Show ${count} products` }).click();
      await phone.page.locator("#filters #facets .facet").first().waitFor({ state: "attached" });
      assert.deepEqual(phone.complaints, []);
      await phone.page.context().close();
    });

    test("nothing was complained of", () => {
      assert.deepEqual(watched.complaints, []);
    });

    test("says what the service says", async () => {
      await page.goto("/?@in=nobody");
      await page.getByRole("alert").waitFor();
      assert.match(await page.getByRole("alert").innerText(), /404 index_not_found[^]*nobody not found/);
      await page.getByRole("button", { name: "Start over" }).click();
      await page.locator(".card").first().waitFor();
      assert.equal(parameters().get("@in"), await page.locator("#tenant").inputValue());
      await page.goto("/?@in=sample&limit=x");
      await page.getByText("must be a number").first().waitFor();
    });
  });
}
