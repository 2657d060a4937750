/**
 * The service as benches meet it: the built Worker under Miniflare with a storage folder of its own, and a client of
 * it.
 *
 * workerd runs Worker and objects on one thread and shares the machine with the bench itself: what is measured is a
 * floor.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request as httpRequest, type RequestOptions } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importCatalogue, systemTiming, type Source } from "../cli/index.ts";
import { bundleWorker, startWorker } from "../scripts/local-worker.ts";
import type { Dataset } from "./datasets.ts";

export interface Service {
  readonly url: string;
  /** Of workerd. */
  readonly pid: number;
  /** Where everything durable is. */
  readonly folder: string;
  stop(): Promise<void>;
}

export interface Ask {
  readonly method: "GET" | "PATCH" | "POST" | "PUT";
  readonly path: string;
  readonly body?: string | Uint8Array;
}

export interface ServiceOptions {
  /** Variables of the Worker besides ENVIRONMENT. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Gets every line that the Worker logs; errors are shown in any case. */
  readonly onLog?: (line: string) => void;
  /** A folder of an earlier service, with its storage and its bundle; it stays when this one stops. */
  readonly folder?: string;
  /** The new folder stays, too. */
  readonly keep?: boolean;
  /** Opens V8's inspector there, for profiles. */
  readonly inspectorPort?: number;
}

const MAX_ERRORS_SHOWN = 5;
let errorsShown = 0;

/** The Worker as `npm run deploy` would send it, under Miniflare with its storage in a folder of its own. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "aisle-bench-")));
  const code = join(folder, "dist");
  if (!existsSync(code)) await bundleWorker(code);
  const worker = await startWorker({
    code,
    state: join(folder, "state"),
    variables: options.variables,
    inspectorPort: options.inspectorPort,
    // The Worker logs every request. That is part of its work, but not for this terminal.
    onLog: (level, message) => {
      if (level === "error" && errorsShown++ < MAX_ERRORS_SHOWN) console.error(message);
      options.onLog?.(message);
    },
  });
  return {
    url: worker.origin,
    pid: worker.pid,
    folder,
    stop: async () => {
      await worker.dispose();
      if (options.folder === undefined && options.keep !== true) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What of a data set is imported. */
type Catalogue = Omit<Dataset, "name" | "queries"> & { readonly name: string };

export async function importInto(
  url: string,
  indexName: string,
  dataset: Catalogue,
  { parallel = 2, bulkBytes = 2_000_000 }: { parallel?: number; bulkBytes?: number } = {},
): Promise<void> {
  const newline = Buffer.from("\n");
  const position = { readBytes: 0, totalBytes: dataset.sourceBytes };
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const source of dataset.sources) {
      position.readBytes += source.length + 1;
      yield Buffer.concat([source, newline]);
    }
  }
  const source: Source = { name: dataset.name, bytes: bytes(), position };
  const summary = await importCatalogue(
    source,
    {
      url,
      user: process.env["AISLE_USER"] ?? null,
      password: process.env["AISLE_PASSWORD"] ?? null,
      indexName,
      locale: dataset.locale,
      bulkBytes,
      parallel,
      mapping: null,
      maxRejectedPercent: 5,
      cacheFolder: null,
      skipBadLines: false,
      allowEmpty: false,
      tenantCheck: true,
    },
    { screen: process.stderr, timing: systemTiming, signal: new AbortController().signal },
  );
  const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1);
  console.log(
    `${dataset.name}: ${summary.counts.indexed} documents added in ${seconds(summary.addedMs)} s ` +
      `(${Math.round((summary.counts.indexed / summary.addedMs) * 1_000)} docs/s), done in ` +
      `${seconds(summary.doneMs)} s, searchable ${seconds(summary.searchableMs)} s after start`,
  );
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export const JSON_BODY = { "content-type": "application/json" };

/** One request, with its path as it is; the answer is read to its end. */
export function exchange(options: RequestOptions, body?: string | Uint8Array): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(options, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      response.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** One keep-alive connection pool. */
export class Client {
  readonly #agent: Agent;
  readonly #base: URL;
  readonly #authorization: string | null;

  constructor(url: string, connections: number) {
    this.#base = new URL(url);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    const user = process.env["AISLE_USER"];
    this.#authorization =
      user === undefined
        ? null
        : `Basic ${Buffer.from(`${user}:${process.env["AISLE_PASSWORD"] ?? ""}`).toString("base64")}`;
  }

  send({ method, path, body }: Ask): Promise<Answer> {
    const { hostname, port, pathname, search } = new URL(path, this.#base);
    const authorization = this.#authorization === null ? {} : { authorization: this.#authorization };
    const headers = { ...authorization, ...(body === undefined ? {} : JSON_BODY) };
    return exchange({ hostname, port, path: pathname + search, method, agent: this.#agent, headers }, body);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Of /proc: hundredths of a second. */
const TICKS_PER_SECOND = 100;

/**
 * CPU seconds that the services this process has started have used so far, which the load of the machine does not
 * lengthen; NaN where /proc does not tell.
 */
export function serviceCpuSeconds(): number {
  let ticks = 0;
  let found = false;
  let entries: string[] = [];
  try {
    entries = readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name));
  } catch {
    return Number.NaN;
  }
  for (const pid of entries) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name, in parentheses, may hold anything.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(fields[1]) !== process.pid || !stat.includes("(workerd)")) continue;
      found = true;
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended.
    }
  }
  return found ? ticks / TICKS_PER_SECOND : Number.NaN;
}
