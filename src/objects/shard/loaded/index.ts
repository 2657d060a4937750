/** A shard in memory, built from the store: reader, field plan, log; and the sources of its documents. */
export { type LoadedEntry, LoadedShard, liveInputs } from "./loaded-shard.ts";
export { SourceReader } from "./sources.ts";
