/**
 * One request over all shards of its indexes: searches, updates, figures, as the Worker sends them; and how calls fan
 * out.
 */
export { callShard, callShards } from "./calls.ts";
export { searchShards, suggestFromShards } from "./search.ts";
export { shardsStats } from "./stats.ts";
export { ShardedUpdate } from "./update.ts";
export { idsOf } from "./update-ids.ts";
