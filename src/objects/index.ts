/**
 * The objects: who owns which state, what is durable when, what happens on restart. Others use what is listed here.
 *
 *   IndexObject          one per index name    pointer, epoch, session states, running number        index/
 *   ImportSessionObject  one per session       segments of the session, merging, publishing steps    session/
 *   ShardObject          one per shard         reader, write-ahead log, cache                        shard/
 *   CatalogObject        one                   configuration, rules, names of indexes                catalog-object.ts
 *   ImportWriter         in the Worker         documents of one `add` -> segments in R2              import-writer.ts
 *   ShardedUpdate        in the Worker         documents of one update -> their shards               sharded/
 *   searchShards         in the Worker         one search over all shards of its indexes             sharded/
 *
 * Read protocol/index.ts first. What lies in this folder itself is what several of them use: names and bytes in R2 and
 * SQLite, a shard in memory and its log, calls and their results.
 */
export * from "./protocol/index.ts";
export {
  catalogStub,
  indexStub,
  sessionStub,
  shardDocuments,
  shardStub,
  type ObjectsEnv,
} from "./stubs.ts";
export { CatalogObject } from "./catalog-object.ts";
export { ImportSessionObject } from "./session/index.ts";
export { ImportWriter, reported } from "./import-writer.ts";
export { IndexObject } from "./index/index.ts";
export { Pause, urgent, workStretches } from "./pause.ts";
export { shardOfId } from "./partition.ts";
export { searchShards, shardsStats, suggestFromShards, ShardedUpdate } from "./sharded/index.ts";
export { ShardObject } from "./shard/index.ts";
