// The autocomplete widget of InstantSearch.js, 23 of run.ts: suggestions and products while typing, by keyboard.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bundled } from "./bundled.ts";
import { loadSample } from "./sample.ts";
import type { Stage } from "./stage.ts";

const HTML = `<!doctype html><title>Autocomplete</title><body><script type="module" src="/autocomplete.js"></script>`;

export function autocompleteTests(stage: Stage): void {
  describe("InstantSearch autocomplete", () => {
    test("23: suggestions and products while typing; one is chosen by keyboard", async () => {
      await loadSample(stage);
      const { page, complaints } = await stage.openPage();
      const script = await bundled("autocomplete-page.ts");
      await page.route("/autocomplete", (route) => route.fulfill({ contentType: "text/html", body: HTML }));
      await page.route("/autocomplete.js", (route) => route.fulfill({ contentType: "text/javascript", body: script }));
      await page.goto("/autocomplete");
      const stats = page.locator(".ais-Stats-text");
      await stats.filter({ hasText: /^2,372 results/ }).waitFor();

      const box = page.getByRole("combobox");
      await box.click();
      // Letter by letter, each drawn before the next: the widget's input loses letters that come faster than it draws.
      for (const letter of "runn") {
        const typed = (await box.inputValue()) + letter;
        const isAnswer = (url: string): boolean => new URL(url).searchParams.get("userQuery") === typed;
        await Promise.all([page.waitForResponse((one) => isAnswer(one.url())), page.keyboard.press(letter)]);
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
      }
      const suggestions = page.locator(".ais-AutocompleteSuggestionsItem");
      // What completes the typed letters is marked.
      await suggestions.locator("mark").getByText("ing Shoes", { exact: true }).waitFor();
      assert.equal(await suggestions.count(), 4);
      assert.equal(await page.locator("[data-product]").count(), 3);

      const [, second = ""] = await suggestions.allInnerTexts();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await stats.filter({ hasText: /^[1-9]\d{0,2} results/ }).waitFor();
      assert.equal(await box.inputValue(), second.trim());
      assert.deepEqual(complaints, []);
    });
  });
}
