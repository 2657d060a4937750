// First paint, 21 of run.ts: as on a phone on 4G (1.6 Mbit/s, 150 ms, a processor four times slower), nothing cached.
// The platform compresses what it serves to about a third; this Worker does not, so its line is three times as fast.
// How large the scripts may get is held where they are built (scripts/build-pages.ts).
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { loadSample } from "./sample.ts";
import type { Stage } from "./stage.ts";

/** What web.dev calls good. */
const MOST_FIRST_PAINT_MS = 1_800;
/** Others may have the core for a while; the best counts. */
const ATTEMPTS = 3;

/** Run in the page: the times of the first paint and of the first element there is one of. */
const timesOf = (selector: string): string => `new Promise((resolve) => {
  const look = () => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    if (paint === undefined || document.querySelector(${JSON.stringify(selector)}) === null) {
      requestAnimationFrame(look);
    } else resolve([paint.startTime, performance.now()]);
  };
  look();
})`;

async function paintsOf(stage: Stage, address: string, selector: string): Promise<readonly [number, number]> {
  const { page } = await stage.openPage({ viewport: { width: 390, height: 844 } });
  try {
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 150,
      downloadThroughput: (3 * 1_600_000) / 8,
      uploadThroughput: 750_000 / 8,
    });
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.goto(address, { waitUntil: "commit" });
    return (await page.evaluate(timesOf(selector))) as [number, number];
  } finally {
    await page.context().close();
  }
}

export function paintTests(stage: Stage): void {
  describe("first paint", () => {
    before(() => loadSample(stage));
    for (const [address, selector, mostMs] of [
      ["/?@in=sample&q=shoes", ".card", 2_500],
      // InstantSearch, what there is to filter by, and the search come one after the other.
      ["/shop?q=shoes", ".product", 4_000],
      ["/docs", ".operation", 2_500],
    ] as const) {
      test(`21: ${address}`, async (context) => {
        let [first, products] = [Infinity, Infinity];
        for (let at = 0; at < ATTEMPTS; at++) {
          const paints = await paintsOf(stage, address, selector);
          first = Math.min(first, paints[0]);
          products = Math.min(products, paints[1]);
          if (first <= MOST_FIRST_PAINT_MS && products <= mostMs) break;
        }
        context.diagnostic(`first paint ${first.toFixed(0)} ms, ${selector} ${products.toFixed(0)} ms`);
        assert.ok(first <= MOST_FIRST_PAINT_MS, `first paint after ${first} ms`);
        assert.ok(products <= mostMs, `${selector} after ${products} ms`);
      });
    }
  });
}
