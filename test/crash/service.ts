/**
 * The built Worker under Miniflare on a folder of its own, and the one thing no other test does to it: SIGKILL.
 *
 * Miniflare runs workerd as a child of this process. `kill` finds that child in the process table by its parent (never by name alone:
 * other tests on this machine have a workerd, too) and disposes of Miniflare in the same turn, because it would start another one.
 */
import { execFileSync, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare, convertV4MiniflareOptions } from "miniflare";

const root = fileURLToPath(new URL("../..", import.meta.url));

const OBJECTS = {
  INDEX: "IndexObject",
  SHARD: "ShardObject",
  SESSION: "ImportSessionObject",
  CATALOG: "CatalogObject",
};

/** What nobody answers within this time is an error of the service: leases end after 10 seconds. */
const ANSWER_DEADLINE_MS = 20_000;

const LOG_LINES_KEPT = 30;

process.env["CLOUDFLARE_CF_FETCH_ENABLED"] ??= "false";
process.env["WRANGLER_SEND_METRICS"] ??= "false";

/** The Worker as a deployment would get it. */
export async function bundle(outdir: string): Promise<void> {
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

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface ServiceOptions {
  /** Where `bundle` has put the Worker. */
  readonly code: string;
  /** Where everything durable is. */
  readonly state: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Hears every error the service logs. */
  readonly onError?: (message: string) => void;
}

export class Service {
  readonly #miniflare: Miniflare;
  readonly #origin: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  readonly #pid: number;
  readonly #log: string[];
  #dead = false;

  private constructor(miniflare: Miniflare, origin: URL, pid: number, log: string[]) {
    this.#miniflare = miniflare;
    this.#origin = origin;
    this.#pid = pid;
    this.#log = log;
  }

  static async start({ code, state, variables, onError }: ServiceOptions): Promise<Service> {
    const config = await readFile(join(root, "wrangler.toml"), "utf8");
    const compatibilityDate = /^compatibility_date = "(.*)"/m.exec(config)?.[1];
    if (compatibilityDate === undefined) throw new Error("wrangler.toml: no compatibility_date");
    const before = new Set(childrenNamed("workerd"));
    const log: string[] = [];
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({
        host: "127.0.0.1",
        port: 0,
        handleStructuredLogs: ({ level, message }) => {
          if (level !== "error" && level !== "warn") return;
          log.push(message);
          if (log.length > LOG_LINES_KEPT) log.shift();
          if (level === "error") onError?.(message);
        },
        modules: true,
        rootPath: code,
        modulesRoot: code,
        scriptPath: "index.js",
        compatibilityDate,
        bindings: { ENVIRONMENT: "development", ...variables },
        durableObjects: Object.fromEntries(
          Object.entries(OBJECTS).map(([binding, className]) => [
            binding,
            { className, useSQLite: true },
          ]),
        ),
        r2Buckets: ["SNAPSHOTS"],
        resourcePersistencePath: state,
      }),
    );
    const { origin } = await miniflare.ready;
    const [pid, ...others] = childrenNamed("workerd").filter((child) => !before.has(child));
    if (pid === undefined || others.length > 0) {
      await miniflare.dispose();
      throw new Error("the workerd that was just started cannot be told from others");
    }
    return new Service(miniflare, new URL(origin), pid, log);
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Warnings and errors the service has logged last. */
  get log(): readonly string[] {
    return this.#log;
  }

  /** SIGKILL, at once. Requests under way end as lost; await the promise before anybody else may use the folder. */
  async kill(): Promise<void> {
    if (this.#dead) return;
    this.#dead = true;
    process.kill(this.#pid, "SIGKILL");
    await this.#miniflare.dispose();
  }

  /** Null: the connection broke before the answer was whole, so what became of the request is unknown. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    contentType = "application/json",
  ): Promise<Answer | null> {
    return await new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": contentType };
      const outgoing = httpRequest(
        new URL(path, this.#origin),
        { method, agent: this.#agent, headers },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => {
            if (!response.complete) return;
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
          });
          response.on("error", () => lost(new Error("the answer broke off")));
          response.on("close", () => lost(new Error("the answer broke off")));
        },
      );
      outgoing.setTimeout(ANSWER_DEADLINE_MS, () => {
        reject(new Error(`${method} ${path}: no answer within ${ANSWER_DEADLINE_MS} ms`));
        outgoing.destroy();
      });
      // After `resolve` these change nothing.
      const lost = (error: Error): void => {
        if (this.#dead) resolve(null);
        else reject(new Error(`${method} ${path}: connection lost (${error.message})`));
      };
      outgoing.on("error", lost);
      outgoing.end(
        body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
      );
    });
  }
}

/** Ids of this process's children that run a program of this name. */
function childrenNamed(name: string): number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" });
  return table
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((row) => row !== null)
    .filter(([, , parent, command]) => Number(parent) === process.pid && command.includes(name))
    .map(([, pid]) => Number(pid));
}
