/** What a shard has in memory, made of the store: reader, field plan, log; and the sources of its documents. */
export { type LoadedEntry, LoadedShard, liveInputs } from "./loaded-shard.ts";
export { SourceReader } from "./sources.ts";
