/**
 * The objects: who owns which state, what is durable when, what happens on restart. Others use what is listed here.
 *
 *   IndexObject          one per index name    pointer, epoch, session states, running number        index-object.ts
 *   ImportSessionObject  one per session       segments of the session, merging, publishing steps    import-session-object.ts
 *   ShardObject          one per shard         reader, write-ahead log, cache                        shard-object.ts
 *   CatalogObject        one                   configuration, rules, names of indexes                catalog-object.ts
 *   ImportWriter         in the Worker         documents of one `add` -> segments in R2              import-writer.ts
 *   ShardedUpdate        in the Worker         documents of one update -> their shards               sharded-update.ts
 *   searchShards         in the Worker         one search over all shards of its indexes             sharded-search.ts
 *
 * Read protocol.ts first.
 */
export * from "./protocol.ts";
export {
  catalogStub,
  indexStub,
  sessionStub,
  shardDocuments,
  shardStub,
  type ObjectsEnv,
} from "./stubs.ts";
export { CatalogObject } from "./catalog-object.ts";
export { ImportSessionObject } from "./import-session-object.ts";
export { ImportWriter } from "./import-writer.ts";
export { IndexObject } from "./index-object.ts";
export { Pause, workStretches } from "./pause.ts";
export { shardIndexOf, shardOfId, type PartitionRange, type Sharding } from "./partition.ts";
export {
  searchShards,
  suggestFromShards,
  type ShardedSearchCall,
  type ShardedSuggestCall,
} from "./sharded-search.ts";
export { shardsStats } from "./shards-stats.ts";
export { ShardedUpdate } from "./sharded-update.ts";
export { ShardObject } from "./shard-object.ts";
