/**
 * One request -> the JSON of its answer, through the functions a shard calls, parsing included and caches off. The only
 * difference to a shard: the chunks of stored documents lie in memory instead of SQLite.
 */
import { render, sortableFields } from "../src/index-engine/render/index.ts";
import { search } from "../src/index-engine/search.ts";
import { readStored } from "../src/index-engine/stored/index.ts";
import { readInput, type BenchCase } from "./cases.ts";
import type { IndexedSet } from "./index-set.ts";

const decoder = new TextDecoder();

export class Engine {
  readonly #set: Pick<IndexedSet, "plan" | "reader" | "chunks">;
  readonly #sortable: readonly string[];

  constructor(set: Pick<IndexedSet, "plan" | "reader" | "chunks">) {
    this.#set = set;
    this.#sortable = sortableFields(set.reader.segments, set.plan);
  }

  answer({ input, tenant }: Pick<BenchCase, "input" | "tenant">): string {
    const { plan, reader } = this.#set;
    const startMs = performance.now();
    const request = readInput(input);
    const execution = search(reader, request, tenant, plan);
    const sources = execution.hits.map(({ segment, row }): unknown =>
      JSON.parse(decoder.decode(this.#source(segment, row))),
    );
    return JSON.stringify(
      render({
        execution,
        request,
        tenant,
        plan,
        indexName: () => "ocs-1-bench-en",
        sources,
        sortable: this.#sortable,
        tookInMillis: performance.now() - startMs,
      }),
    );
  }

  #source(segment: number, row: number): Uint8Array {
    const { block, chunk, offset } = this.#set.reader.segments[segment].segment.storedRef(row);
    const bytes = this.#set.chunks.get(block)?.at(chunk);
    if (bytes === undefined) throw new Error(`no chunk ${chunk} of stored block ${block}`);
    return readStored(bytes, offset);
  }
}
