/** What a shard has in SQLite: state, log, copies of segments and stored blocks. Read store.ts first. */
export { ChunkCache } from "./chunk-cache.ts";
export { DamagedCopyError } from "./segment-cache.ts";
export { type ShardState, ShardStore, updateBlock } from "./store.ts";
export type { LogEntry } from "./update-log.ts";
