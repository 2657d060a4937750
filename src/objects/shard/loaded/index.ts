/** What a shard has in memory, made of the store: reader, field plan, log; and the sources of its documents. */
export { type LoadedEntry, LoadedShard, SourceReader, liveInputs } from "./loaded-shard.ts";
