/**
 * Opens a segment and runs the first queries in a new thread: an isolate without compiled code,
 * like that of an object that wakes up. Modules are loaded before the measurement, as in a Worker.
 */
import { parentPort, workerData } from "node:worker_threads";
import { compileFieldPlan } from "../src/index-engine/documents/index.ts";
import { Reader } from "../src/index-engine/index/reader.ts";
import { openSegment } from "../src/index-engine/segment/index.ts";
import { BUILT_IN_INDEX_CONFIG } from "../src/interface/index.ts";
import { Engine } from "./engine.ts";
import type { BenchCase } from "./cases.ts";

export interface ColdStartInput {
  readonly locale: string;
  readonly bytes: Uint8Array;
  readonly chunks: ReadonlyMap<string, readonly Uint8Array[]>;
  readonly cases: readonly Pick<BenchCase, "input" | "tenant">[];
}

export interface ColdStartTimes {
  /** Copying the bytes, as a shard does from SQLite. */
  readonly copyMs: number;
  /** Views, reader, field plan. */
  readonly openMs: number;
  readonly queriesMs: readonly number[];
}

const { locale, bytes, chunks, cases } = workerData as ColdStartInput;
const startMs = performance.now();
const copy = new Uint8Array(bytes);
const copiedMs = performance.now();
const reader = Reader.of([openSegment(copy)]);
const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, locale);
const engine = new Engine({ plan, reader, chunks });
const openedMs = performance.now();
const queriesMs: number[] = [];
let characters = 0;
for (const one of cases) {
  const beforeMs = performance.now();
  characters += engine.answer(one).length;
  queriesMs.push(performance.now() - beforeMs);
}
if (characters === 0) throw new Error("answers are never empty");
parentPort?.postMessage({
  copyMs: copiedMs - startMs,
  openMs: openedMs - copiedMs,
  queriesMs,
} satisfies ColdStartTimes);
