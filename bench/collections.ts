/**
 * Separates the service's own long stretches of work (objects/pause.ts) from V8's garbage
 * collections.
 *
 * V8 reports each collection at its end (--trace-gc): its isolate, milliseconds since the isolate's
 * start, and the pause. The Worker reports each long stretch with its end. Both write to workerd's
 * stdout; a wrapper around workerd copies it and adds the arrival time of each line. The line with
 * the smallest delay determines the isolate's start time:
 *
 *   came at   line                                                   isolate began
 *   1000.4    [7:0xa0:0] 300 ms: GC: {"pause":1.2, ... "gc":"s"      <= 700.4
 *   1502.1    [7:0xa0:0] 801 ms: GC: {"pause":17.0, ... "gc":"mc"    <= 701.1      so 700.4, and this one lasted from 1484.4 to 1501.4
 *   1503.0    {"event":"long_stretch","work":"add","tookMs":22,"endedMs":1502}     1480 to 1502, with this collection in it
 *
 * The thread does one thing at a time. Miniflare's isolates also collect, but never within a
 * stretch of the service.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Milliseconds since 1970. */
export interface Span {
  readonly startedMs: number;
  readonly endedMs: number;
}

export interface LongStretch extends Span {
  /** Its kind as in /metrics: `add`, `merge`, ... */
  readonly work: string;
  /** V8's pauses within it, in order. */
  readonly collections: readonly Span[];
}

export interface Collections {
  /**
   * The isolate with the most collections, which is the Worker's: full collections, and the longest
   * pause.
   */
  readonly majorCount: number;
  readonly longestMs: number;
  readonly stretches: readonly LongStretch[];
}

const STDBUF = "/usr/bin/stdbuf";

/** The path of workerd, as Miniflare finds it. */
function workerdPath(): string {
  const found: unknown = createRequire(import.meta.url)("workerd");
  if (typeof found === "object" && found !== null && "default" in found) {
    if (typeof found.default === "string") return found.default;
  }
  throw new Error("the package workerd does not say where its program is");
}

/**
 * Makes later starts of workerd log to a file of this folder; the returned function reads it. Null
 * except on Linux with stdbuf (coreutils).
 */
export function traceCollections(folder: string): (() => Collections) | null {
  if (process.platform !== "linux" || !existsSync(STDBUF)) return null;
  const file = join(folder, "workerd.log");
  const wrapper = join(folder, "workerd");
  const stamp = fileURLToPath(new URL("stamp-lines.ts", import.meta.url));
  // `exec`, so that the process is workerd; stdbuf, because V8 prints through C's buffers.
  writeFileSync(
    wrapper,
    `#!/bin/bash\nexec ${STDBUF} -oL '${workerdPath()}' "$@" 1> >(exec '${process.execPath}' '${stamp}' '${file}')\n`,
  );
  chmodSync(wrapper, 0o755);
  writeFileSync(file, "");
  process.env["MINIFLARE_WORKERD_PATH"] = wrapper;
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] = "--trace-gc --trace-gc-nvp";
  return () => collectionsOf(readFileSync(file, "utf8").split("\n"));
}

interface Collection {
  readonly cameMs: number;
  readonly sinceMs: number;
  readonly pauseMs: number;
  readonly isMajor: boolean;
}

/** Parses the lines with their times. */
export function collectionsOf(lines: readonly string[]): Collections {
  const byIsolate = new Map<string, Collection[]>();
  const told: { readonly work: string; readonly tookMs: number; readonly endedMs: number }[] = [];
  for (const line of lines) {
    const collection = /^([\d.]+) \[\d+:(0x[0-9a-f]+):\d+\]\s+(\d+) ms: GC: \{"pause":([\d.]+),.*?"gc":"(\w+)"/.exec(
      line,
    );
    if (collection !== null) {
      const [, cameMs, isolate = "", sinceMs, pauseMs, kind] = collection;
      const known = byIsolate.get(isolate) ?? [];
      byIsolate.set(isolate, known);
      known.push({
        cameMs: Number(cameMs),
        sinceMs: Number(sinceMs),
        pauseMs: Number(pauseMs),
        isMajor: kind === "mc",
      });
      continue;
    }
    const stretch =
      /\\?"event\\?":\\?"long_stretch\\?",\\?"work\\?":\\?"(\w+)\\?",\\?"tookMs\\?":([\d.]+),\\?"endedMs\\?":([\d.]+)/.exec(
        line,
      );
    if (stretch === null) continue;
    const [, work = "", tookMs, endedMs] = stretch;
    told.push({ work, tookMs: Number(tookMs), endedMs: Number(endedMs) });
  }
  const ours = [...byIsolate.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  const beganMs = Math.min(...ours.map(({ cameMs, sinceMs }) => cameMs - sinceMs));
  const major = ours.filter(({ isMajor }) => isMajor);
  return {
    majorCount: major.length,
    longestMs: Math.max(0, ...major.map(({ pauseMs }) => pauseMs)),
    stretches: told.map(({ work, tookMs, endedMs }) => {
      const startedMs = endedMs - tookMs;
      const collections = ours
        .map(({ sinceMs, pauseMs }) => ({
          startedMs: Math.max(startedMs, beganMs + sinceMs - pauseMs),
          endedMs: Math.min(endedMs, beganMs + sinceMs),
        }))
        .filter((pause) => pause.startedMs < pause.endedMs);
      return { work, startedMs, endedMs, collections };
    }),
  };
}
