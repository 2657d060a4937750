import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

// Same reason as in scripts/wrangler.ts: the tests must not look for a network.
process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= "false";
process.env.WRANGLER_SEND_METRICS ??= "false";

const long = process.env.AISLE_LONG === "1";
const testTimeout = long ? 300_000 : 30_000;

export default defineConfig({
  test: {
    projects: [
      {
        // Everything that needs no workerd. Fast: keep it so.
        test: {
          name: "engine",
          include: ["test/{engine,interface,cli,tools}/**/*.test.ts"],
          environment: "node",
          testTimeout,
          provide: { long },
        },
      },
      {
        // Inside workerd, with the bindings of wrangler.toml and the variables of .dev.vars.
        //
        // One workerd for all files (isolate: false), because starting one per file costs more than the tests themselves.
        // The price: storage is shared by all files and tests, so every test takes index names of its own.
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: { bindings: { TEST: "1" } },
          }),
        ],
        test: {
          name: "worker",
          include: ["test/{worker,objects}/**/*.test.ts"],
          isolate: false,
          maxWorkers: 1,
          testTimeout,
          provide: { long },
        },
      },
      {
        // Starts Miniflare from Node, kills it, starts it again. Only in `npm run test:long`.
        test: {
          name: "crash",
          include: ["test/crash/**/*.test.ts"],
          environment: "node",
          testTimeout: 300_000,
          fileParallelism: false,
          provide: { long },
        },
      },
    ],
  },
});
