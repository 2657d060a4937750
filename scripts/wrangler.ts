// Runs Wrangler with the environment that all commands of this repository need:
//
//   node scripts/wrangler.ts dev --port 9999
//
// A launcher rather than `VAR=x wrangler …` in package.json, because that syntax does not exist on Windows, and rather
// than a .env file, because Wrangler reads `.env` only where there is no `.dev.vars`.
//
// Values already set in the environment win.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
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
  env: {
    ...defaults,
    ...process.env,
    // Makes `node` in [build] of wrangler.toml this Node, even without npm's PATH.
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
  },
});

// Ctrl-C reaches the whole process group including Wrangler, so this process only has to outlive
// it. Other signals (kill <pid>, a supervisor, a closed terminal) only reach this process and are
// forwarded.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (signal === "SIGINT" && process.stdin.isTTY) return;
    // Wrangler's entry script forwards SIGTERM and SIGINT, but not SIGHUP.
    child.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
  });
}

// npm runs scripts in a shell that does not forward signals. Killing `npm run dev` by its pid would
// leave a server that keeps the port, so the server ends when its npm ends.
if (process.env.npm_lifecycle_event !== undefined) {
  const shell = process.ppid;
  const npm = parentOf(shell);
  setInterval(() => {
    if (process.ppid !== shell || (npm !== undefined && !isAlive(npm))) child.kill("SIGTERM");
  }, 250).unref();
}

/** Parent of a process; undefined without `ps` (on Windows, where the shell ends with npm). */
function parentOf(pid: number): number | undefined {
  try {
    // The name in parentheses may contain anything; after it come the state and the parent.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    const { stdout } = spawnSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" });
    return Number(stdout) || undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

child.on("error", (error) => {
  console.error(`Cannot start Wrangler: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
});
