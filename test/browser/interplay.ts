// What comes in between, 11 to 15 of run.ts: answers that are late, refused, or not wanted any more.
import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import type { Page, Route } from "playwright-core";
import type { Stage } from "./stage.ts";

const SEARCHES = "**/search-api/v1/search/**";
const TENANTS = "**/search-api/v1/tenants";

/** As slow as a service far away. */
const LATE_MS = 700;

function later(route: Route): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LATE_MS)).then(() => route.continue());
}

function refusal(status: number, type: string): Parameters<Route["fulfill"]>[0] {
  const message = `test says ${status}`;
  return { status, contentType: "application/json", body: JSON.stringify({ message, type }) };
}

export function interplayTests(stage: Stage): void {
  let page: Page;
  const settled = (): Promise<void> => page.locator("#results:not([aria-busy])").waitFor();
  const parameters = (): URLSearchParams => new URL(page.url()).searchParams;
  const box = (value: string): ReturnType<Page["locator"]> =>
    page.locator(".facet[data-field=color]").getByRole("checkbox", { name: value });
  const chip = (value: string): ReturnType<Page["locator"]> => page.locator(".chips .chip", { hasText: value });
  const open = async (address: string): Promise<void> => {
    await page.goto(address);
    await page.locator(".card, .rank, [role=alert]").first().waitFor();
    await settled();
  };

  describe("what comes in between", () => {
    before(async () => {
      ({ page } = await stage.openPage());
    });
    beforeEach(() => page.unrouteAll({ behavior: "ignoreErrors" }));

    test("11: a second value while the first is under way", async () => {
      await open("/?@in=sample&q=shoes");
      await page.route(SEARCHES, later);
      await box("Black").click();
      await page.waitForTimeout(100);
      await box("White").click();
      assert.equal(await box("White").isChecked(), true);
      await page.waitForURL(/color=black,white/);
      await settled();
      assert.equal(await page.locator(".facet[data-field=color] input:checked").count(), 2);
      // Ticked and taken back: nothing is left of it.
      await box("Black").click();
      await box("Red").click();
      await box("Red").click();
      await page.waitForURL(/color=white/);
      await settled();
      await page.waitForTimeout(100);
      assert.equal(parameters().get("color"), "white");
    });

    test("11: other choices while one is under way", async () => {
      await open("/?@in=sample&q=shoes");
      await page.route(SEARCHES, later);
      await page.getByLabel("Hits per page").selectOption("24");
      await box("Black").click();
      await page.getByLabel("Hits per page").selectOption("48");
      await page.getByLabel("price from", { exact: true }).fill("50");
      await page.getByLabel("price from", { exact: true }).press("Tab");
      await chip("Black").waitFor();
      await settled();
      await page.getByLabel("Sort").selectOption({ label: "Price ↑" });
      await settled();
      assert.deepEqual(
        ["limit", "color", "price", "sort"].map((name) => parameters().get(name)),
        ["48", "black", "50,", "price"],
      );
    });

    test("11: nothing of the answer before stands beside a failure", async () => {
      await open("/?@in=sample&q=jeans");
      await page.route(SEARCHES, (route) => route.fulfill(refusal(503, "unavailable")));
      await page.getByRole("combobox", { name: "Search" }).fill("hats");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      // A heading for screen readers, without a count.
      assert.equal(await page.locator("#count").innerText(), "Products");
      assert.equal(await page.locator(".facet").count(), 0);
      assert.equal(await page.getByRole("button", { name: "JSON" }).isVisible(), false);
      await page.unrouteAll();
      await page.getByLabel("Hits per page").selectOption("24");
      await page.locator("#count", { hasText: "for hats" }).waitFor();
      assert.equal(await page.getByRole("alert").count(), 0);
    });

    test("12: an address that is refused can be put right", async () => {
      for (const [what, address] of [
        ["limit", "/?@in=sample&q=shoes&color=black&limit=x"],
        ["offset", "/?@in=sample&q=shoes&color=black&offset=-1"],
        ["sets", "/?@in=sample&q=shoes&color=black&@sets={"],
      ] as const) {
        await open(address);
        await chip("black").waitFor();
        if (what === "limit") await page.getByLabel("Hits per page").selectOption("12");
        else if (what === "offset") await chip("black").click();
        else {
          await page.getByRole("button", { name: "Arrange" }).click();
          await page.getByRole("button", { name: "No product sets" }).click();
        }
        await page.locator(".card").first().waitFor();
        assert.equal(await page.getByRole("alert").count(), 0);
        await open(address);
        await page.getByRole("button", { name: "Start over" }).click();
        await page.locator("#count", { hasText: "2,372 products" }).waitFor();
        assert.equal(page.url(), `${stage.origin}/?@in=sample`);
      }
    });

    test("12: a right side that is refused leaves the left alone", async () => {
      await open("/?@in=sample&q=jeans&@vs=sample&@with=limit%3Dx");
      assert.equal(await page.locator(".side >> nth=0 >> .rank").count(), 12);
      await page.locator(".side >> nth=1").getByRole("alert").getByText("must be a number").first().waitFor();
      await page.locator(".rank .why").first().click();
      await page.locator(".contributions li").first().waitFor();
      await page.keyboard.press("Escape");
      await page.getByLabel("with these parameters instead").fill("limit=6");
      await page.getByLabel("with these parameters instead").press("Enter");
      await page.locator(".compare-summary", { hasText: "6 of 12" }).waitFor();
    });

    test("12: several ranges cannot be arranged, and a chip can go", async () => {
      const sets = encodeURIComponent('[{"type":"static","ids":["ERUN003"]}]');
      await open(`/?@in=sample&price=0,20&price=100,120&@sets=${sets}`);
      assert.match(await page.getByRole("alert").innerText(), /price has several/);
      await chip("0 – 20").click();
      await page.locator(".card").first().waitFor();
      assert.equal(parameters().get("price"), "100,120");
    });

    test("13: an answer that comes after the sign-out is not shown", async () => {
      await open("/?@in=sample");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByLabel("User").fill("somebody");
      await page.getByLabel("Password").fill("x");
      await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      await settled();
      await page.route(SEARCHES, later);
      await page.route(TENANTS, (route) => route.fulfill(refusal(401, "unauthorized")));
      await page.getByRole("combobox", { name: "Search" }).fill("jeans");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("alert").waitFor();
      await page.waitForTimeout(LATE_MS + 300);
      assert.equal(await page.locator(".card").count(), 0);
      assert.equal(await page.locator("#board").isVisible(), false);
      assert.match(await page.locator("#account").innerText(), /Sign in/);
    });

    test("13: whoever may not is asked to sign in, and the page knows who has", async () => {
      await open("/?@in=sample");
      await page.route("**/indexer-api/**", (route) => route.fulfill(refusal(401, "unauthorized")));
      await page.getByRole("button", { name: "Import" }).click();
      const dialog = page.getByRole("dialog", { name: "Import a catalogue" });
      await dialog.getByRole("button", { name: "Load sample catalogue" }).focus();
      await page.keyboard.press("Enter");
      await dialog.getByRole("alert").waitFor();
      assert.equal(await page.evaluate("document.activeElement.textContent"), "Sign in");
      await page.keyboard.press("Enter");
      await page.getByLabel("User").fill("somebody");
      await page.getByLabel("Password").fill("x");
      await page.keyboard.press("Enter");
      await dialog.getByText("Drop a file here").waitFor();
      assert.equal(await page.locator("#account").innerText(), "Sign out");
      await page.keyboard.press("Escape");
      await page.route(SEARCHES, (route) => route.fulfill(refusal(403, "forbidden")));
      await page.getByLabel("Hits per page").selectOption("24");
      await page.getByRole("alert").getByRole("button", { name: "Sign in" }).waitFor();
      await page.unrouteAll();
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator(".card").nth(23).waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await settled();
    });

    test("14: what is being typed stays", async () => {
      await page.route(TENANTS, later);
      const field = page.getByRole("combobox", { name: "Search" });
      await page.goto("/");
      await field.fill("shoes");
      await page.keyboard.press("Enter");
      assert.equal(await page.getByText("Nothing here yet").count(), 0);
      await field.fill("shoes for w");
      await page.locator("#count", { hasText: "for shoes" }).waitFor();
      assert.equal(await field.inputValue(), "shoes for w");
      await page.goto("/?@in=sample&q=shoes");
      await field.fill("shoes for w");
      await page.locator("#count", { hasText: "for shoes" }).waitFor();
      assert.equal(await field.inputValue(), "shoes for w");
      await box("Black").click();
      await chip("Black").waitFor();
      await settled();
      assert.equal(await field.inputValue(), "shoes for w");
      await field.fill("hats");
      await page.keyboard.press("Enter");
      await page.locator("#count", { hasText: "for hats" }).waitFor();
      await page.goBack();
      // What was typed at a time is one step: the last of it.
      await page.locator("#count", { hasText: "for shoes for w" }).waitFor();
      assert.equal(await field.inputValue(), "shoes for w");
    });

    test("15: all children of a category can be seen", async () => {
      await page.route(SEARCHES, async (route) => {
        const response = await route.fetch();
        const children = Array.from({ length: 20 }, (_, at) => ({
          type: "hierarchical",
          key: `Child ${at}`,
          path: `Top/Child ${at}`,
          id: null,
          docCount: 1,
          link: `category=Top/Child ${at}`,
          selected: at === 18,
          children: [],
        }));
        const top = { ...children[0], key: "Top", path: "Top", selected: true, children };
        const body = JSON.parse(await response.text()) as {
          slices: { facets: { fieldName: string; entries: unknown[] }[] | null }[];
        };
        for (const facet of body.slices.flatMap(({ facets }) => facets ?? [])) {
          if (facet.fieldName === "category") facet.entries = [top];
        }
        await route.fulfill({ response, body: JSON.stringify(body) });
      });
      await open("/?@in=sample");
      const below = page.locator(".facet[data-field=category] .tree .tree > li");
      await below.first().waitFor();
      // The first twelve, and the one that is selected.
      assert.equal(await below.count(), 13);
      await page.locator(".facet[data-field=category]").getByRole("button", { name: "All 20" }).click();
      assert.equal(await below.count(), 20);
    });

    test("15: values that were found stay those that are shown; of sorts the first", async () => {
      await open("/?@in=sample&sort=price,-title");
      assert.equal(await page.getByLabel("Sort").locator("option:checked").innerText(), "Price ↑");
      const brand = page.locator(".facet[data-field=brand]");
      const more = brand.locator(".more");
      const whole = await more.innerText();
      await brand.getByRole("searchbox").fill("e");
      await brand.locator(".more", { hasNotText: whole }).waitFor();
      const found = /^All ([0-9]+)$/.exec(await more.innerText())?.[1];
      await more.click();
      assert.equal(String(await brand.locator("li").count()), found);
    });

    test("15: the focus stays near, and what is folded stays folded", async () => {
      await open("/?@in=sample&q=shoes&color=black,white");
      const summary = page.locator(".facet[data-field=color] > summary");
      await summary.click();
      await page.getByRole("button", { name: "Remove color Black" }).focus();
      await page.keyboard.press("Enter");
      await chip("Black").waitFor({ state: "detached" });
      await settled();
      const focused = "document.activeElement.textContent";
      assert.equal(await page.evaluate(focused), "Remove Color White");
      await page.keyboard.press("Enter");
      await chip("White").waitFor({ state: "detached" });
      await settled();
      assert.equal(await page.evaluate("document.activeElement.id"), "results");
      assert.equal(await page.locator(".facet[data-field=color]").getAttribute("open"), null);
    });

    test("15: the link to the results asks for nothing", async () => {
      await open("/?@in=sample&q=shoes");
      // The last thing that the page asks by itself.
      await page.locator(".badge.variants:visible").first().waitFor();
      const asked: string[] = [];
      page.on("request", (request) => {
        // The browser asks for the icon of the page when it likes.
        if (request.resourceType() === "fetch") asked.push(request.url());
      });
      await page.locator(".skip").focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(/#results/);
      await page.waitForTimeout(200);
      assert.deepEqual(asked, []);
    });

    test("15: a dialog closes by a click beside it, not by a selection that ends there", async () => {
      await open("/?@in=sample&q=shoes");
      await page.locator(".card .why").first().click();
      const sheet = page.getByRole("dialog");
      await sheet.locator(".why-lines li").first().waitFor();
      await sheet.locator("h2").hover();
      await page.mouse.down();
      await page.mouse.move(5, 400);
      await page.mouse.up();
      assert.equal(await sheet.count(), 1);
      await page.mouse.click(5, 400);
      await sheet.waitFor({ state: "detached" });
      await page.context().close();
    });
  });
}
