// A page that remembers what it should not have said: errors of its console, exceptions, violations of its policy.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

export interface WatchedPage {
  readonly page: Page;
  /** What went wrong so far. */
  readonly complaints: readonly string[];
}

/** Reported by the browser, also where the page catches what comes of it. */
const REPORT_VIOLATIONS = `addEventListener("securitypolicyviolation", (event) => {
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI);
});`;

export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    baseURL: origin,
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  await context.addInitScript(REPORT_VIOLATIONS);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const { origin: asked, protocol } = new URL(request.url());
    if (asked !== origin && protocol !== "data:") complaints.push(`asked elsewhere: ${request.url()}`);
  });
  return { page, complaints };
}
