// Runs Wrangler with the environment every command of this repository wants:
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
    // The `node` of [build] in wrangler.toml is this one, also where npm has not put it first.
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
  },
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

// npm runs a script in a shell, and that shell passes no signal on. So who stops `npm run dev` by its pid stops npm,
// perhaps the shell, and a server nobody knows of would keep the port. Hence: no npm, no server.
if (process.env.npm_lifecycle_event !== undefined) {
  const shell = process.ppid;
  const npm = parentOf(shell);
  setInterval(() => {
    if (process.ppid !== shell || (npm !== undefined && !isAlive(npm))) child.kill("SIGTERM");
  }, 250).unref();
}

/** Parent of a process; undefined where the system has no `ps` (Windows, where the shell ends with npm anyway). */
function parentOf(pid: number): number | undefined {
  try {
    // The name in parentheses may hold anything; what follows it is the state, then the parent.
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
