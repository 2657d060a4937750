// Runs Wrangler with the environment every command of this repository wants:
//
//   node scripts/wrangler.ts dev --port 9999
//
// A launcher rather than `VAR=x wrangler …` in package.json, because that syntax does not exist on Windows, and rather than
// a .env file, because Wrangler reads `.env` only where there is no `.dev.vars`.
//
// Values already set in the environment win.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const defaults: Record<string, string> = {
  // Without it, start-up tries to download a sample of `request.cf` and warns when there is no network.
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  // The local trace collector and the local explorer; together they triple the latency of `wrangler dev`.
  X_LOCAL_OBSERVABILITY: "false",
  X_LOCAL_EXPLORER: "false",
};

const bin = fileURLToPath(new URL("../node_modules/wrangler/bin/wrangler.js", import.meta.url));
const child = spawn(process.execPath, [bin, ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...defaults, ...process.env },
});

// Ctrl-C reaches the whole process group, so Wrangler has heard of it already; this process only has to outlive it.
// Anything else (kill <pid>, a supervisor, a closed terminal) arrives here alone and is passed on.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (signal === "SIGINT" && process.stdin.isTTY) return;
    // Wrangler's own entry script passes on SIGTERM and SIGINT, not SIGHUP.
    child.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
  });
}

child.on("error", (error) => {
  console.error(`Cannot start Wrangler: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
});
