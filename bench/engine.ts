/**
 * Answers one request as JSON with the functions of a shard, including parsing and without caches.
 * The only difference to a shard: chunks of stored documents are in memory instead of SQLite.
 */
import { render, sortableFields } from "../src/index-engine/answer/render/index.ts";
import { search } from "../src/index-engine/search.ts";
import { readStored } from "../src/index-engine/segment/stored/index.ts";
import { suggest } from "../src/index-engine/answer/suggest/index.ts";
import { resolveSuggestConfig } from "../src/interface/index.ts";
import { parseSuggestParameters } from "../src/worker/parameters.ts";
import { readInput, type BenchCase } from "./cases.ts";
import type { IndexedSet } from "./index-set.ts";

export const PHASES = ["parse", "search", "sources", "render"] as const;
export type Phase = (typeof PHASES)[number];
export type PhaseTimes = Record<Phase, number>;

export class Engine {
  readonly #set: Pick<IndexedSet, "plan" | "reader" | "chunks">;
  readonly #suggestConfig = resolveSuggestConfig({}, "bench");

  constructor(set: Pick<IndexedSet, "plan" | "reader" | "chunks">) {
    this.#set = set;
  }

  /** If `phases` is given, the time of each phase is added to it, in ms. */
  answer({ input, tenant }: Pick<BenchCase, "input" | "tenant">, phases?: PhaseTimes): Uint8Array {
    const { plan, reader } = this.#set;
    const startMs = performance.now();
    let lastMs = startMs;
    const end = (phase: Phase): void => {
      if (phases === undefined) return;
      const nowMs = performance.now();
      phases[phase] += nowMs - lastMs;
      lastMs = nowMs;
    };
    const request = readInput(input);
    end("parse");
    const execution = search(reader, request, tenant, plan);
    end("search");
    const sources = execution.hits.map(({ segment, row }) => this.#source(segment, row));
    end("sources");
    const json = render({
      execution,
      request,
      tenant,
      plan,
      indexName: () => "ocs-1-bench-en",
      sources,
      sortable: sortableFields(reader.segments, plan),
      tookInMillis: performance.now() - startMs,
    });
    end("render");
    return json;
  }

  /** `query`: the query string of a suggest request. */
  suggest(query: string): string {
    const { plan, reader } = this.#set;
    const request = parseSuggestParameters(query);
    return JSON.stringify(suggest(reader, plan, this.#suggestConfig, request));
  }

  #source(segment: number, row: number): Uint8Array {
    const { block, chunk, offset } = this.#set.reader.segments[segment].segment.storedRef(row);
    const bytes = this.#set.chunks.get(block)?.at(chunk);
    if (bytes === undefined) throw new Error(`no chunk ${chunk} of stored block ${block}`);
    return readStored(bytes, offset);
  }
}
