// A Worker on storage of its own, and a browser before it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { bundleWorker, startWorker, type LocalWorker } from "../../scripts/local-worker.ts";
import { startChromium } from "./chromium.ts";
import { openPage, type WatchedPage } from "./watched-page.ts";

interface Running {
  readonly folder: string;
  readonly browser: Browser;
  readonly worker: LocalWorker;
}

export class Stage {
  readonly #chromium: string;
  #running: Running | null = null;

  constructor(chromium: string) {
    this.#chromium = chromium;
  }

  async open(): Promise<void> {
    const folder = await mkdtemp(path.join(tmpdir(), "aisle-browser-"));
    await bundleWorker(path.join(folder, "code"));
    const worker = await start(folder, "open", {});
    this.#running = { folder, worker, browser: await startChromium(this.#chromium) };
  }

  async close(): Promise<void> {
    if (this.#running === null) return;
    const { folder, browser, worker } = this.#running;
    await browser.close();
    await worker.dispose();
    await rm(folder, { recursive: true });
  }

  /** Another deployment in the place of this one. */
  async restart(name: string, variables: Readonly<Record<string, string>>): Promise<void> {
    const { folder, browser, worker } = this.#now;
    await worker.dispose();
    this.#running = { folder, browser, worker: await start(folder, name, variables) };
  }

  get origin(): string {
    return this.#now.worker.origin;
  }

  openPage(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    return openPage(this.#now.browser, this.origin, options);
  }

  get #now(): Running {
    if (this.#running === null) throw new Error("the stage is not open");
    return this.#running;
  }
}

function start(folder: string, name: string, variables: Readonly<Record<string, string>>): Promise<LocalWorker> {
  return startWorker({
    code: path.join(folder, "code"),
    state: path.join(folder, name),
    variables: { LOG: "errors", ...variables },
    onLog: (level, message) => {
      if (level === "error") console.error(message);
    },
  });
}
