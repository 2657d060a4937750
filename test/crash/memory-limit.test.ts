// Large work in a process that may not take more memory than a deployment has. Enforced, not measured: beyond the
// limit of V8's heap the process ends, beyond that of the operating system its allocations fail.
//
//   heap      64 MB for objects that stay (V8's old generation). In a deployment 128 MB hold these and all buffers
//   process   what it had when it was started, and 320 MB: buffers, what V8 reserves besides, SQLite's pages, and the R2 of this
//             machine, which lies in the same process and keeps what is being put there
//
// 1. an import by four clients in large bulks with the merges beside it, `done`, compaction, updates with their
//    checkpoint, and a reindex: all within the limit, and each answers what it should; so does an index of four shards
// 2. there is a limit: with less room the same import is not carried out
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as elapse } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleWorker } from "../../scripts/local-worker.ts";
import { Service, type Answer } from "./service.ts";

const HEAP_MB = 64;
const PROCESS_BYTES = 320_000_000;

const PRODUCTS = 12_000;
const PER_BULK = 1_500;
const CLIENTS = 4;
const WORDS = Array.from({ length: 4_000 }, (_, i) => `word${(i * 7_919) % 65_521}`);

/** 2 KB, with a dozen attributes. */
function product(i: number, title: string): object {
  const word = (at: number): string => WORDS[(i * 31 + at * 17) % WORDS.length] ?? "";
  return {
    id: `p${i}`,
    data: {
      title: `${title} ${word(1)} ${word(2)}`,
      description: Array.from({ length: 150 }, (_, at) => word(at + 3)).join(" "),
      price: i % 1_000,
      brand: word(i % 50),
    },
    categories: [[{ name: `c${i % 12}` }, { name: `c${i % 144}` }]],
    attributes: Array.from({ length: 12 }, (_, at) => ({ name: `attribute ${(i + at) % 300}`, value: word(at) })),
  };
}

function range(from: number, count: number, title: string): object[] {
  return Array.from({ length: count }, (_, i) => product(from + i, title));
}

function limitData(pid: number, bytes: number): void {
  execFileSync("prlimit", [`--pid=${pid}`, `--data=${bytes}`]);
}

function dataBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmData:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
}

function isLinux(): boolean {
  try {
    execFileSync("prlimit", ["--version"]);
    return process.platform === "linux";
  } catch {
    return false;
  }
}

describe.skipIf(!isLinux())("under a limit of memory", () => {
  let folder = "";
  let flags: string | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "aisle-memory-"));
    await bundleWorker(join(folder, "code"));
    flags = process.env["MINIFLARE_WORKERD_V8_FLAGS"];
    process.env["MINIFLARE_WORKERD_V8_FLAGS"] = `--max-old-space-size=${HEAP_MB}`;
  }, 120_000);

  afterAll(async () => {
    if (flags === undefined) delete process.env["MINIFLARE_WORKERD_V8_FLAGS"];
    else process.env["MINIFLARE_WORKERD_V8_FLAGS"] = flags;
    await rm(folder, { recursive: true, force: true });
  });

  async function started(name: string, roomBytes: number, shards: number): Promise<Limited> {
    const events: string[] = [];
    const service = await Service.start({
      code: join(folder, "code"),
      state: join(folder, name),
      variables: { COMPACT_AFTER_S: "0.5", CHECKPOINT_AFTER_S: "0.5", SHARDS_MIN: String(shards) },
      onLog: (_, message) => {
        const event = /"event":"(\w+)"/.exec(message)?.[1];
        if (event !== undefined) events.push(event);
      },
    });
    limitData(service.pid, dataBytes(service.pid) + roomBytes);
    return new Limited(service, events);
  }

  test.for([1, 4])("1: everything large is carried out, shards: %i", async (shards) => {
    const limited = await started(`shards-${shards}`, PROCESS_BYTES, shards);
    try {
      await limited.importAll("imported");
      expect(await limited.count("imported")).toBe(PRODUCTS);
      const updates = 6_000;
      for (let from = 0; from < updates; from += 1_000) {
        expect((await limited.put(range(from, 1_000, "updated"))).status).toBe(200);
      }
      expect(await limited.count("updated")).toBe(updates);
      await limited.saw("compacted");
      expect(await limited.reindex()).toBe(200);
      expect(await limited.count("updated")).toBe(updates);
      expect(await limited.count("imported")).toBe(PRODUCTS - updates);
    } finally {
      await limited.service.kill();
    }
  });

  test("2: and with less room it is not", async () => {
    const limited = await started("less", 24_000_000, 1);
    try {
      await expect(limited.importAll("imported")).rejects.toThrow();
    } finally {
      await limited.service.kill();
    }
  });
});

class Limited {
  readonly service: Service;
  readonly #events: string[];

  constructor(service: Service, events: string[]) {
    this.service = service;
    this.#events = events;
  }

  async importAll(title: string): Promise<void> {
    const session: unknown = JSON.parse((await this.#send("GET", "/indexer-api/v1/full/start/shop?locale=en")).text);
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < PRODUCTS) {
        const from = next;
        next += PER_BULK;
        const documents = range(from, PER_BULK, title);
        await this.#insist("POST", "/indexer-api/v1/full/add", { session, documents });
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await this.#insist("POST", "/indexer-api/v1/full/done", session);
  }

  put(documents: readonly object[]): Promise<Answer> {
    return this.#send("PUT", "/indexer-api/v1/update/shop?langCode=en", documents);
  }

  async reindex(): Promise<number> {
    return (await this.#send("POST", "/admin-api/v1/indexes/shop/reindex")).status;
  }

  async count(word: string): Promise<number> {
    const { text } = await this.#send("GET", `/search-api/v1/search/shop?q=${word}&limit=12`);
    return (JSON.parse(text) as { slices: { matchCount: number }[] }).slices[0]?.matchCount ?? 0;
  }

  /** Waits until the service has logged it once more. */
  async saw(event: string): Promise<void> {
    const deadlineMs = Date.now() + 60_000;
    while (!this.#events.includes(event)) {
      if (Date.now() > deadlineMs || this.service.dead) throw new Error(`no ${event}`);
      await elapse(50);
    }
    this.#events.length = 0;
  }

  async #insist(method: string, path: string, body: unknown): Promise<void> {
    const { status, text } = await this.#send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
  }

  async #send(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.service.send(method, path, body);
    if (answer === null) throw new Error(`${method} ${path}: the process is gone`);
    return answer;
  }
}
