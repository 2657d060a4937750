// Accessibility, 19 of run.ts: axe-core with all its rules on every state of every page, at three sizes, light and
// dark.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, describe, test } from "node:test";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { loadSample } from "./sample.ts";
import type { Stage } from "./stage.ts";

const AXE = await readFile(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const SIZES = {
  desktop: { width: 1280, height: 900 },
  tablet: { width: 800, height: 1100 },
  phone: { width: 390, height: 844 },
} as const;
type Size = keyof typeof SIZES;

interface State {
  readonly name: string;
  readonly address: string;
  /** Leads to the state; returns when it stands. */
  readonly enter: (page: Page, size: Size) => Promise<void>;
}

const card = (page: Page): Promise<void> => page.locator(".card").first().waitFor();
const product = (page: Page): Promise<void> => page.locator(".product").first().waitFor();
const dialog = (page: Page): Promise<void> => page.getByRole("dialog").waitFor();
const openPlaygroundFilters = async (page: Page): Promise<void> => {
  await page.locator("#filters-summary").click();
};
const feed = (name: string, text: string): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(text),
});
async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole("button", { name: "Import" }).click();
  await page.locator("input[type=file]").setInputFiles(feed(name, text));
}
/** Answers of searches never come. */
async function withoutAnswers(page: Page): Promise<void> {
  await page.route("**/search-api/v1/search/**", () => new Promise<void>(() => undefined));
}

const STATES: readonly State[] = [
  { name: "playground", address: "/?@in=sample", enter: card },
  {
    name: "playground: hits with filters, marks and timings",
    address: "/?@in=sample&q=runing+shoes&color=black,white&price=50,200",
    enter: async (page) => {
      await card(page);
      await page.locator("#timing-summary").click();
    },
  },
  {
    name: "playground: filters open",
    address: "/?@in=sample&q=shoes&color=black",
    enter: async (page, size) => {
      await card(page);
      if (size !== "desktop") await openPlaygroundFilters(page);
      await page.locator(".facet").first().waitFor();
    },
  },
  {
    name: "playground: suggestions",
    address: "/?@in=sample",
    enter: async (page) => {
      await card(page);
      await page.getByRole("combobox", { name: "Search" }).pressSequentially("run");
      await page.locator("#suggestions [role=option]").first().waitFor();
      await page.keyboard.press("ArrowDown");
    },
  },
  {
    name: "playground: nothing found",
    address: "/?@in=sample&q=zzyx+jeans&color=nocolor",
    enter: (page) => page.getByRole("button", { name: "Without filters" }).waitFor(),
  },
  {
    name: "playground: an error",
    address: "/?@in=nobody-has-this",
    enter: (page) => page.getByRole("alert").waitFor(),
  },
  {
    name: "playground: loading",
    address: "/?@in=sample&q=jeans",
    enter: async (page) => {
      await card(page);
      await withoutAnswers(page);
      await page.getByLabel("Hits per page").selectOption("24");
      await page.locator("#results[aria-busy=true]").waitFor();
    },
  },
  {
    name: "playground: why",
    address: "/?@in=sample&q=jeans",
    enter: async (page) => {
      await page.locator(".why").first().click();
      await page.locator(".contributions li").first().waitFor();
    },
  },
  {
    name: "playground: request and answer",
    address: "/?@in=sample&q=jeans",
    enter: async (page) => {
      await card(page);
      await page.getByRole("button", { name: "JSON", exact: true }).click();
      await dialog(page);
    },
  },
  {
    name: "playground: comparison",
    address: "/?@in=sample&q=jeans&@vs=sample&@with=limit%3D6",
    enter: (page) => page.locator(".rank").first().waitFor(),
  },
  {
    name: "playground: product sets",
    address: "/?@in=sample&q=socks",
    enter: async (page) => {
      await card(page);
      await page.getByRole("button", { name: "Arrange" }).click();
      await dialog(page);
    },
  },
  {
    name: "playground: sign in",
    address: "/?@in=sample",
    enter: async (page) => {
      await card(page);
      await page.getByRole("button", { name: "Sign in" }).click();
      await dialog(page);
    },
  },
  {
    name: "playground: choosing a file",
    address: "/?@in=sample",
    enter: async (page) => {
      await card(page);
      await page.getByRole("button", { name: "Import" }).click();
      await dialog(page);
    },
  },
  {
    name: "playground: columns of a file",
    address: "/?@in=sample",
    enter: async (page) => {
      await choose(page, "Lamps.csv", "sku;name;price;image\n1;Lamp;12,99 €;/a.jpg\n2;;8,50 €;/b.jpg\n");
      await page.getByText("1 of 2 products have no title").waitFor();
    },
  },
  {
    name: "playground: a file that is none",
    address: "/?@in=sample",
    enter: async (page) => {
      await choose(page, "book.csv", "PK\u0003\u0004 xl/workbook.xml");
      await page.getByRole("dialog").getByRole("alert").waitFor();
    },
  },
  { name: "shop", address: "/shop", enter: product },
  {
    name: "shop: filtered, while typing",
    address: "/shop?refinementList[brand][0]=Velocita",
    enter: async (page) => {
      await page.locator(".ais-CurrentRefinements-item").first().waitFor();
      await page.getByRole("searchbox").first().pressSequentially("run");
      await page.locator("#suggestions button").first().waitFor();
    },
  },
  {
    name: "shop: filters open",
    address: "/shop?q=shoes",
    enter: async (page, size) => {
      await product(page);
      if (size === "desktop") return;
      await page.getByRole("button", { name: "Filters" }).click();
      await page.getByRole("dialog", { name: "Filters" }).waitFor();
    },
  },
  {
    name: "shop: nothing found",
    address: "/shop?q=zzyx+qwxv",
    enter: (page) => page.getByRole("button", { name: "All products" }).waitFor(),
  },
  {
    name: "shop: an error",
    address: "/shop?index=nobody-has-this",
    enter: (page) => page.getByRole("heading", { name: "Which shop?" }).waitFor(),
  },
  { name: "reference", address: "/docs", enter: (page) => page.locator(".try-fold").first().waitFor() },
  {
    name: "reference: an operation tried",
    address: "/docs",
    enter: async (page) => {
      const search = page.locator("#search");
      for (const fold of await search.locator(".example summary").all()) await fold.click();
      await search.getByText("Try it").click();
      await search.getByRole("button", { name: "Send GET" }).click();
      await search.locator(".status").waitFor();
    },
  },
];

/** Dark pages have other colours and nothing else. */
const LOOKS: readonly {
  readonly size: Size;
  readonly colorScheme: "light" | "dark";
  /** Null: all of them. */
  readonly rules: readonly string[] | null;
}[] = [
  { size: "desktop", colorScheme: "light", rules: null },
  { size: "tablet", colorScheme: "light", rules: null },
  { size: "phone", colorScheme: "light", rules: null },
  { size: "phone", colorScheme: "dark", rules: ["color-contrast"] },
];

async function findings(page: Page, rules: readonly string[] | null): Promise<string[]> {
  // As the browser's debugger evaluates it, which the policy of the page does not concern.
  await page.evaluate(AXE);
  // Whatever fades in stands.
  await page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined)))");
  const { violations } = (await page.evaluate(
    `axe.run(${rules === null ? "" : JSON.stringify({ runOnly: rules })})`,
  )) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary ?? ""}`),
  );
}

export function accessibilityTests(stage: Stage): void {
  describe("accessibility", () => {
    before(() => loadSample(stage));
    for (const { size, colorScheme, rules } of LOOKS) {
      test(`19: ${size}, ${colorScheme}`, async (context) => {
        for (const { name, address, enter } of STATES) {
          await context.test(name, async () => {
            const { page } = await stage.openPage({ viewport: SIZES[size], colorScheme });
            try {
              await page.goto(address);
              await enter(page, size);
              assert.deepEqual(await findings(page, rules), []);
            } finally {
              await page.context().close();
            }
          });
        }
      });
    }
  });
}
