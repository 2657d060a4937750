/**
 * Requests over all shards of indexes, sent by the Worker: searches, updates, figures; and the fan-out of calls.
 */
export { callShard, callShards } from "./calls.ts";
export { searchShards, suggestFromShards } from "./search.ts";
export { shardsStats } from "./stats.ts";
export { updateShards } from "./update.ts";
export { idsOf } from "./update-parts.ts";
