/**
 * The Durable Objects and their public interface.
 *
 *   IndexObject          one per index name    pointer, epoch, session states, running number        index/
 *   ImportSessionObject  one per session       segments of the session, merging, publishing steps    session/
 *   ShardObject          one per shard         reader, write-ahead log, cache                        shard/
 *   CatalogObject        one                   configuration, rules, names of indexes                catalog-object.ts
 *   ImportWriter         in the Worker         documents of one `add` -> segments in R2              import-writer.ts
 *   updateShards         in the Worker         documents of one update -> their shards               sharded/
 *   searchShards         in the Worker         one search over all shards of its indexes             sharded/
 *
 * Read protocol/index.ts first. The files in this folder itself are shared by several objects: names and bytes in R2
 * and SQLite, calls and their results.
 */
export { answerChecksum, withoutTook } from "./cached-answers.ts";
export * from "./protocol/index.ts";
export { catalogStub, indexStub, sessionStub, shardDocuments, shardStub, type ObjectsEnv } from "./stubs.ts";
export { CatalogObject } from "./catalog-object.ts";
export { ImportSessionObject } from "./session/import-session-object.ts";
export { settingsOf } from "./import-settings.ts";
export { ImportWriter, reported } from "./import-writer.ts";
export { IndexObject } from "./index/index-object.ts";
export { Pause, paused, type Steps, urgent, workStretches } from "./pause.ts";
export { shardOfId } from "./partition.ts";
export { idsOf, searchShards, shardsStats, suggestFromShards, updateShards } from "./sharded/index.ts";
export { ShardObject } from "./shard/shard-object.ts";
export { tenantTag } from "./tenant-tag.ts";
export { isInterruption, isOverload } from "./calls.ts";
export { Claims } from "./claims.ts";
export { Line } from "./line.ts";
export { Turns } from "./turns.ts";
