/**
 * `GET /metrics`: figures in the text format of Prometheus (0.0.4), for the role admin.
 *
 * Figures of indexes and sessions cover the whole deployment and are read at every scrape. Requests are counted
 * by each isolate separately since its start, and a scrape reaches one of many isolates: the label `isolate`
 * distinguishes their counters. Sum `rate(...)` over it; counts between an isolate's last scrape and its end are lost.
 * The platform's own analytics are complete.
 */
import { workStretches } from "../objects/index.ts";
import { newPart } from "./context.ts";
import { indexesFigures, openSessions, type IndexFigures } from "./figures.ts";
import { importMemory } from "./import-memory.ts";

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

interface Metric {
  readonly name: string;
  readonly type: "gauge" | "counter";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** "method status route" -> requests. Bounded, because unknown paths share one route. */
const requests = new Map<string, number>();
const METHODS: ReadonlySet<string> = new Set("GET HEAD POST PUT PATCH DELETE OPTIONS".split(" "));
/** Set at the first request, because random values are not available earlier. */
let isolate: string | null = null;

/** `route`: the matched pattern, or null. */
export function countRequest(method: string, route: string | null, status: number): void {
  const key = `${METHODS.has(method) ? method : "other"} ${status} ${route ?? "none"}`;
  requests.set(key, (requests.get(key) ?? 0) + 1);
}

export const metrics = newPart();

metrics.get("/metrics", async (c) => {
  const caller = c.get("caller");
  caller.requireAllNames();
  const indexes = await indexesFigures(c.env, caller);
  const sessions = await openSessions(c.env, caller);
  const gauge = (name: string, help: string, value: (of: IndexFigures) => number): Metric => ({
    name: `aisle_index_${name}`,
    type: "gauge",
    help,
    samples: indexes.map((index): Sample => [{ index: index.name }, value(index)]),
  });
  const text = exposition([
    gauge("documents", "Products of the live generation.", (index) => index.documents),
    gauge("variants", "Variants of the live generation.", (index) => index.variants),
    gauge("memory_bytes", "Index bytes held in memory.", (index) => index.memoryBytes),
    gauge("stored_bytes", "Durable bytes, without copies.", (index) => index.storedBytes),
    gauge("shards", "Shards of the live generation.", (index) => index.shards.length),
    gauge("pending_writes", "Updates that are only in a log, not yet in R2.", (index) => index.pendingWrites),
    gauge(
      "last_import_timestamp_seconds",
      "Time at which the live generation was published.",
      (index) => index.lastImport / 1000,
    ),
    {
      name: "aisle_import_sessions",
      type: "gauge",
      help: "Imports under way.",
      samples: ["open", "publishing"].map((state) => [
        { state },
        sessions.filter((session) => session.state === state).length,
      ]),
    },
    {
      name: "aisle_work_longest_seconds",
      type: "gauge",
      help: "Longest task of one isolate without a pause; 0 if the clock stands still meanwhile.",
      samples: stretchSamples(({ longestMs }) => longestMs / 1000),
    },
    {
      name: "aisle_work_long_total",
      type: "counter",
      help: "Tasks of one isolate that ran for more than 20 ms without a pause.",
      samples: stretchSamples(({ long }) => long),
    },
    {
      name: "aisle_import_memory_peak_bytes",
      type: "gauge",
      help: "Peak memory of all bulks of one isolate.",
      samples: [[{ isolate: isolateId() }, importMemory().peakBytes]],
    },
    {
      name: "aisle_http_requests_total",
      type: "counter",
      help: "Requests answered by one isolate since its start.",
      samples: requestSamples(),
    },
  ]);
  return new Response(text, {
    headers: {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "cache-control": "no-store",
    },
  });
});

function isolateId(): string {
  return (isolate ??= crypto.randomUUID());
}

function stretchSamples(value: (stretch: { readonly longestMs: number; readonly long: number }) => number): Sample[] {
  const id = isolateId();
  return Array.from(workStretches(), ([work, stretch]) => [{ work, isolate: id }, value(stretch)]);
}

function requestSamples(): Sample[] {
  const id = isolateId();
  return [...requests].map(([key, count]) => {
    const [method = "", status = ""] = key.split(" ", 2);
    const route = key.slice(method.length + status.length + 2);
    return [{ method, route, status, isolate: id }, count];
  });
}

function exposition(all: readonly Metric[]): string {
  return all
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(([labels, value]) => `${name}{${written(labels)}} ${value}`),
      "",
    ])
    .join("\n");
}

function written(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}="${value.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`)
    .join(",");
}
