// Runs the bundled Worker in Miniflare with its own storage folder, for benches and for tests that
// kill it.
//
// `wrangler dev` adds a proxy and inspectors, which take several times the service's own time.
// Miniflare also has its own Worker in front, on the same thread, so requests use a socket that
// leads to this Worker directly. workerd is a child of this process and is found in the process
// table by its parent, because there may be other workerds.
import { execFileSync, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare, Response, convertV4MiniflareOptions } from "miniflare";
import { ASSETS } from "./build-pages.ts";

// As in wrangler.ts: prevents network access at start-up.
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
  /** Output folder of `bundleWorker`. */
  readonly code: string;
  /** Main module in `code`; default `index.js`. */
  readonly script?: string;
  /** Binding -> class of each Durable Object; default: the service's own. */
  readonly objects?: Readonly<Record<string, string>>;
  /** Folder of durable data. */
  readonly state: string;
  /** Variables of the Worker in addition to ENVIRONMENT. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Receives every log line of the Worker. */
  readonly onLog: (level: string, message: string) => void;
  /** Port of V8's inspector, for profiles. */
  readonly inspectorPort?: number | undefined;
}

export interface LocalWorker {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Process id of workerd. */
  readonly pid: number;
  /** Ends workerd. After a kill, call this in the same turn, or Miniflare starts another one. */
  dispose(): Promise<void>;
}

/** Bundles the Worker into `outdir`. Rejects if Wrangler cannot bundle it. */
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

/**
 * Starts the Worker on a free port. Only one at a time, because its process is identified as the
 * new one.
 */
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
        Object.entries(objects).map(([binding, className]) => [binding, { className, useSQLite: true }]),
      ),
      r2Buckets: ["SNAPSHOTS"],
      // Not Miniflare's assets, which add another Worker in front.
      serviceBindings: { ASSETS: assetResponse },
      resourcePersistencePath: state,
    }),
  );
  const { origin } = await miniflare.unsafeGetDirectURL(NAME);
  const [pid, ...others] = workerdChildren().filter((child) => !before.has(child));
  if (pid === undefined || others.length > 0) {
    await miniflare.dispose();
    throw new Error("the workerd that was just started cannot be identified");
  }
  return { origin, pid, dispose: () => miniflare.dispose() };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The static assets that `bundleWorker` built. */
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
