import { existsSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { buildPages } from "./scripts/build-pages.ts";
import { buildClient } from "./scripts/openapi-client.ts";
import { TestOrder } from "./scripts/test-order.ts";
import { testOutput } from "./scripts/test-output.ts";

// Same reason as in scripts/wrangler.ts: the tests must not look for a network.
process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= "false";
process.env.WRANGLER_SEND_METRICS ??= "false";
// It would say that there are .dev.vars.
process.env.WRANGLER_LOG ??= "warn";

/** Linux keeps these files in memory. */
const MEMORY_FOLDER = "/dev/shm";
/** A run writes half a gigabyte. */
const STORAGE_BYTES = 2e9;

function hasMemoryForStorage(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize > STORAGE_BYTES && process.availableMemory() > 3 * STORAGE_BYTES;
}

export default defineConfig(async ({ mode }) => {
  // Here and not in a script of package.json, so that a single file can be run on a fresh clone, too.
  await Promise.all([buildPages(), buildClient()]);

  const long = mode === "long" || process.env.AISLE_LONG === "1";
  process.env.AISLE_LONG = long ? "1" : "";

  // A short run does not wait for the disk, where workerd would keep its objects and R2.
  if (!long && hasMemoryForStorage()) process.env.TMPDIR = MEMORY_FOLDER;

  // One seed for all property tests of a run. `npm test` has a fixed one: it judges a change by the cases that judged the one before it.
  // New cases are what `npm run test:long` and AISLE_SEED=random look for.
  const asked = process.env.AISLE_SEED ?? (long ? "random" : "20261122");
  const seed = asked === "random" ? Math.floor(Math.random() * 2 ** 31) : Number(asked);
  if (!Number.isInteger(seed)) throw new Error("AISLE_SEED must be an integer or `random`");
  if (asked === "random") {
    console.error(`Property tests: seed ${seed} (AISLE_SEED=${seed} repeats this run)`);
  }
  process.env.AISLE_SEED = String(seed);

  // Read by test/support/property.ts, the same way in Node and in workerd.
  const setupFiles = ["./test/support/setup.ts"];
  const shared = { setupFiles, provide: { long, seed } };
  // Against hanging, not against slowness: machines differ.
  const testTimeout = long ? 600_000 : 180_000;

  // Every core has a file to run. Vitest alone would leave one free, which of two is half of them. The same number for all projects, as
  // Vitest asks of projects that are run by one pool; more than four workerds gain nothing.
  const maxWorkers = Math.min(4, availableParallelism());

  return {
    test: {
      // What a test logs is printed when it fails; figures of a long run always. So is what nobody expects: scripts/test-output.ts.
      silent: long ? false : ("passed-only" as const),
      // Tests that take longer are named; there are few.
      slowTestThreshold: 5_000,
      sequence: { sequencer: TestOrder },
      projects: [
        {
          // Everything that runs in Node. Fast: keep it so.
          plugins: [testOutput()],
          test: {
            ...shared,
            name: "engine",
            include: ["test/{engine,interface,cli,feeds,playground,tools}/**/*.test.ts"],
            environment: "node",
            // Loading the engine anew for each file would take as long as the tests.
            isolate: false,
            maxWorkers,
            testTimeout,
          },
        },
        {
          // Inside workerd, with the bindings of wrangler.toml and the variables of .dev.vars.
          //
          // One workerd per core and not per file (isolate: false), because starting one per file costs more
          // than the tests themselves. The price: storage is shared by files and tests, so
          // every test takes index names of its own.
          plugins: [
            testOutput(),
            cloudflareTest({
              wrangler: { configPath: "./wrangler.toml" },
              miniflare: {
                bindings: {
                  TEST: "1",
                  LOG: "errors",
                  // Compaction comes when a test calls for it.
                  COMPACT_AFTER_S: "86400",
                  // So that also small segments are kept in many parts.
                  SMALL_SECTION_BYTES: "64",
                  // So that a reindex of a few documents has several bulks, too.
                  REINDEX_BULK_BYTES: "1",
                  // test/objects/soak.test.ts
                  SOAK_HOURS: process.env.AISLE_SOAK_HOURS ?? "4",
                  SOAK_PRODUCTS: process.env.AISLE_SOAK_PRODUCTS ?? "1000",
                },
              },
            }),
          ],
          test: {
            ...shared,
            name: "worker",
            setupFiles: [...setupFiles, "./test/objects/support/setup.ts"],
            include: ["test/{worker,objects}/**/*.test.ts"],
            // Straight to workerd's own output (scripts/test-output.ts). Taken by Vitest, what an object logs after the last
            // test of a file waits to be sent for ever, and the file to end.
            disableConsoleIntercept: true,
            isolate: false,
            maxWorkers,
            testTimeout,
          },
        },
        {
          // Starts Miniflare from Node, kills it, starts it again. Only in `npm run test:long`.
          plugins: [testOutput()],
          test: {
            ...shared,
            name: "crash",
            include: ["test/crash/**/*.test.ts"],
            environment: "node",
            testTimeout: 600_000,
            fileParallelism: false,
          },
        },
      ],
    },
  };
});
