// Search while somebody types, 24 of run.ts: fast and slowly, with answers that come in the wrong order.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Locator, Page, Route } from "playwright-core";
import { loadSample } from "./sample.ts";
import type { Stage } from "./stage.ts";

const CALLS = /\/(search|suggest)-api\/v1\//;
const TEXT = "running";

interface Box {
  readonly address: string;
  readonly field: (page: Page) => Locator;
  /** One that the page has when its first answer is shown. */
  readonly ready: string;
  readonly count: string;
  readonly title: string;
  readonly suggestions: string;
}

const BOXES: Readonly<Record<string, Box>> = {
  playground: {
    address: "/?@in=sample",
    field: (page) => page.getByRole("combobox", { name: "Search" }),
    ready: ".card",
    count: "#count",
    title: ".card .title",
    suggestions: "#suggestions .phrase",
  },
  shop: {
    address: "/shop",
    field: (page) => page.getByRole("searchbox").first(),
    ready: ".product",
    count: ".ais-Stats-text",
    title: ".product h2",
    suggestions: "#suggestions button",
  },
};

function textOf(url: string): string {
  const { searchParams } = new URL(url);
  return searchParams.get("q") ?? searchParams.get("userQuery") ?? "";
}

/** What the page sent and has no answer to, newest last. */
class Held {
  readonly #routes: Route[] = [];

  async hold(page: Page): Promise<void> {
    await page.route(CALLS, (route) => void this.#routes.push(route));
  }

  has(text: string, path: string): boolean {
    return this.#routes.some((route) => textOf(route.request().url()) === text && route.request().url().includes(path));
  }

  get texts(): ReadonlySet<string> {
    return new Set(this.#routes.map((route) => textOf(route.request().url())));
  }

  /** Answers, the last request first. */
  async letGo(page: Page): Promise<void> {
    await page.unroute(CALLS);
    for (const route of this.#routes.toReversed()) {
      const response = await route.fetch();
      // The page may have given it up.
      await route.fulfill({ response }).catch(() => undefined);
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }
  }
}

async function shown(page: Page, { count, title, suggestions }: Box): Promise<readonly string[]> {
  const texts = [count, title, suggestions].map((selector) => page.locator(selector).allInnerTexts());
  return (await Promise.all(texts)).flat();
}

export function typingTests(stage: Stage): void {
  describe("typing", () => {
    before(() => loadSample(stage));
    for (const [name, box] of Object.entries(BOXES)) {
      test(`24: ${name}, fast and slowly, the last request's answer stays`, async () => {
        const { page, complaints } = await stage.openPage();
        const open = async (): Promise<Locator> => {
          await page.goto(box.address);
          await page.locator(box.ready).first().waitFor();
          return box.field(page);
        };
        const settled = (): Promise<void> =>
          page
            .locator(box.count)
            .filter({ hasText: new RegExp(`for .?${TEXT}\\b`) })
            .waitFor();

        // What it shows where nothing is late.
        let field = await open();
        await field.fill(TEXT);
        await settled();
        await page.locator(box.suggestions).first().waitFor();
        const expected = await shown(page, box);

        for (const isSlow of [false, true]) {
          field = await open();
          const held = new Held();
          await held.hold(page);
          const until = async (text: string): Promise<void> => {
            while (!held.has(text, "/search/") || !held.has(text, "/suggest")) {
              await page.evaluate("new Promise(requestAnimationFrame)");
            }
          };
          await field.focus();
          for (const [at, letter] of [...TEXT].entries()) {
            await page.keyboard.press(letter);
            // Slowly: the page has asked before the next letter.
            if (isSlow) await until(TEXT.slice(0, at + 1));
          }
          await until(TEXT);
          if (isSlow) assert.equal(held.texts.size, TEXT.length);
          await held.letGo(page);
          await settled();
          assert.equal(await field.inputValue(), TEXT);
          assert.deepEqual(await shown(page, box), expected);
        }
        assert.deepEqual(complaints, []);
        await page.context().close();
      });
    }
  });
}
