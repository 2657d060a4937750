// The Worker as a deployment would get it, under Miniflare on a storage folder of its own: for benches, and for tests
// that kill it.
//
// `wrangler dev` would put a proxy and inspectors in between, which cost several times the service's own time;
// Miniflare has a Worker of its own in front of ours, on the same thread, so requests go to a socket that leads to
// ours directly. Miniflare runs workerd as a child of this process; it is found in the process table by its parent,
// because others on this machine may have a workerd, too.
import { execFileSync, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare, Response, convertV4MiniflareOptions } from "miniflare";
import { ASSETS } from "./build-pages.ts";

// Same reason as in wrangler.ts: nothing here must look for a network.
process.env["CLOUDFLARE_CF_FETCH_ENABLED"] ??= "false";
process.env["WRANGLER_SEND_METRICS"] ??= "false";

const root = fileURLToPath(new URL("..", import.meta.url));

const NAME = "aisle";
const OBJECTS = {
  INDEX: "IndexObject",
  SHARD: "ShardObject",
  SESSION: "ImportSessionObject",
  CATALOG: "CatalogObject",
};

export interface LocalWorkerOptions {
  /** Where `bundleWorker` has put the Worker. */
  readonly code: string;
  /** Its main module in `code`; `index.js` where none is named. */
  readonly script?: string;
  /** Binding -> class of each Durable Object, ours where none are named. */
  readonly objects?: Readonly<Record<string, string>>;
  /** Where everything durable is. */
  readonly state: string;
  /** Variables of the Worker besides ENVIRONMENT. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Gets every line that the Worker logs. */
  readonly onLog: (level: string, message: string) => void;
  /** Opens V8's inspector there, for profiles. */
  readonly inspectorPort?: number | undefined;
}

export interface LocalWorker {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Of workerd. */
  readonly pid: number;
  /** Ends workerd. When it was killed this must be called in the same turn, or Miniflare starts another one. */
  dispose(): Promise<void>;
}

/** Writes the Worker to `outdir`. Rejects where Wrangler cannot bundle it. */
export async function bundleWorker(outdir: string): Promise<void> {
  const wrangler = join(root, "scripts", "wrangler.ts");
  const child = spawn(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", outdir], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`the Worker could not be bundled (exit code ${String(code)})`);
}

/** Starts it on a free port. One at a time: its process is the one that was not there before. */
export async function startWorker(options: LocalWorkerOptions): Promise<LocalWorker> {
  const { code, script = "index.js", objects = OBJECTS } = options;
  const { state, variables, onLog, inspectorPort } = options;
  const config = await readFile(join(root, "wrangler.toml"), "utf8");
  const compatibilityDate = /^compatibility_date = "(.*)"/m.exec(config)?.[1];
  if (compatibilityDate === undefined) throw new Error("wrangler.toml has no compatibility_date");
  const before = new Set(workerdChildren());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      ...(inspectorPort === undefined ? {} : { inspectorPort }),
      handleStructuredLogs: ({ level, message }) => onLog(level, message),
      name: NAME,
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      modules: true,
      rootPath: code,
      modulesRoot: code,
      scriptPath: script,
      compatibilityDate,
      bindings: { ENVIRONMENT: "development", ...variables },
      durableObjects: Object.fromEntries(
        Object.entries(objects).map(([binding, className]) => [
          binding,
          { className, useSQLite: true },
        ]),
      ),
      r2Buckets: ["SNAPSHOTS"],
      // Not as assets of Miniflare's: those put a Worker of their own in front of ours.
      serviceBindings: { ASSETS: assetResponse },
      resourcePersistencePath: state,
    }),
  );
  const { origin } = await miniflare.unsafeGetDirectURL(NAME);
  const [pid, ...others] = workerdChildren().filter((child) => !before.has(child));
  if (pid === undefined || others.length > 0) {
    await miniflare.dispose();
    throw new Error("the workerd that was just started cannot be told from others");
  }
  return { origin, pid, dispose: () => miniflare.dispose() };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The files that `bundleWorker` has had built. */
async function assetResponse(request: { readonly url: string }): Promise<Response> {
  const file = basename(new URL(request.url).pathname);
  const contents = await readFile(join(ASSETS, "playground", file)).catch(() => null);
  if (contents === null) return new Response(null, { status: 404 });
  const type = CONTENT_TYPES[extname(file)] ?? "application/octet-stream";
  return new Response(contents, { headers: { "content-type": type } });
}

/** Ids of this process's children that run workerd. */
function workerdChildren(): number[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, name]) => Number(parent) === process.pid && name?.includes("workerd"))
    .map(([pid]) => Number(pid));
}
