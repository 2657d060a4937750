/**
 * The memory of one local process over its requests: does it level off, where, and what is it.
 *
 *   npm run node -- bench/memory.ts [--data icecat] [--requests 24000] [--heap-mb 64] [--port 9377]
 *
 * A catalogue is imported, then requests go on, several at once: searches of all its queries, suggestions, documents,
 * updates of one product and now and then of a hundred, with the checkpoints and compactions that follow. At each line
 *
 *   resident     of the process, as the operating system counts it, and the most there was
 *   heap         of V8: objects in use and garbage, and what V8 has reserved; of the one isolate of Worker and objects
 *   buffers      of typed arrays: segments, documents, bodies, as far as they are not collected
 * The last line is after a collection of garbage: what is left in heap and buffers is kept on purpose. `--heap-mb`: the
 * old generation of V8 may not grow beyond it, as in a deployment; without it V8 collects when it likes to.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadDataset, readDatasetName } from "./datasets.ts";
import { inspected } from "./inspector.ts";
import { Client, importInto, startService, type Ask } from "./service.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "icecat" },
    requests: { type: "string", default: "24000" },
    "heap-mb": { type: "string" },
    port: { type: "string", default: "9377" },
  },
});
const INDEX = "memory";
const CLIENTS = 4;
const LINES = 8;
const port = Number(values.port);
const dataset = loadDataset(readDatasetName(values.data));
if (dataset === null) throw new Error(`no data set ${values.data}`);
const { sources, queries } = dataset;
if (values["heap-mb"] !== undefined) {
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] = `--max-old-space-size=${values["heap-mb"]}`;
}

const service = await startService({ variables: { LOG: "errors" }, inspectorPort: port });
const client = new Client(service.url, CLIENTS);
const update = `/indexer-api/v1/update/${INDEX}?langCode=en`;
const documentAt = (at: number): string => Buffer.from(sources[at % sources.length]).toString();

function requestAt(i: number): Ask {
  const query = encodeURIComponent(queries[i % queries.length]);
  if (i % 1_000 === 999) {
    const some = Array.from({ length: 100 }, (_, of) => documentAt(i * 31 + of));
    return { method: "PUT", path: update, body: `[${some.join(",")}]` };
  }
  switch (i % 10) {
    case 0:
      return { method: "PUT", path: update, body: `[${documentAt(i * 17)}]` };
    case 1:
      return {
        method: "GET",
        path: `/suggest-api/v1/${INDEX}/suggest?userQuery=${query.slice(0, 3)}`,
      };
    default:
      return { method: "GET", path: `/search-api/v1/search/${INDEX}?q=${query}&limit=24` };
  }
}

async function show(label: string, isCollected: boolean): Promise<void> {
  const status = readFileSync(`/proc/${service.pid}/status`, "utf8");
  const resident = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  const heap = await inspected(port, async (send) => {
    if (isCollected) await send("HeapProfiler.collectGarbage");
    return (await send("Runtime.getHeapUsage")) as Readonly<
      Record<"usedSize" | "totalSize" | "backingStorageSize", number>
    >;
  });
  const mb = (bytes: number): string => (bytes / 1e6).toFixed(0).padStart(5);
  console.log(
    `${label.padEnd(22)} resident ${mb(resident("VmRSS"))} MB, most ${mb(resident("VmHWM"))}; ` +
      `heap ${mb(heap.usedSize)} of ${mb(heap.totalSize)}; buffers ${mb(heap.backingStorageSize)}`,
  );
}

await show("started", false);
await importInto(service.url, INDEX, dataset);
await show("imported", false);
const requests = Number(values.requests);
const failures = new Map<number, number>();
let next = 0;
for (let line = 1; line <= LINES; line++) {
  const until = Math.round((requests * line) / LINES);
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < until) {
        const { status } = await client.send(requestAt(next++));
        if (status !== 200) failures.set(status, (failures.get(status) ?? 0) + 1);
      }
    }),
  );
  await show(`${until} requests`, false);
}
await show("garbage collected", true);
if (failures.size > 0) console.log("not answered:", Object.fromEntries(failures));
client.close();
await service.stop();
