/**
 * What crosses RPC: between the Worker and the objects, and between the objects.
 *
 * Rules. Everything is plain data (structured clone). Expected failures are answers (`Result`), never exceptions,
 * because an exception keeps only its message on the way; what is thrown is a defect or the platform (broken stub,
 * overload). Worker and objects may run different versions of this code for minutes after a deploy: members are only
 * added, never renamed, and a new member is optional for the reader. What is *stored* has its own versions
 * (manifest.ts).
 *
 * Each object implements its `...Api` interface (catalog.ts, index-object.ts, session.ts, shard.ts with
 * search-rounds.ts); callers get typed stubs from stubs.ts.
 *
 * How the Worker answers a request (I6):
 *
 *   snapshot = catalog.snapshot()      cached in the isolate     tenant -> index names, configuration version
 *   route    = index.route()           cached in the isolate     index name -> epoch, shards
 *   answer   = shard.search({epoch, configurationVersion, ...})
 *   {stale: true} -> drop both caches and everything partial, again; after 3 rounds 503 index_unavailable
 *
 * A 404 may be decided from a cache only after refreshing it once. Update calls take the same loop; a STALE update was
 * not applied. An update that died by an exception may have been applied: PUT and DELETE can be sent again, PATCH too
 * (same values).
 */
export * from "./catalog.ts";
export * from "./following.ts";
export * from "./index-object.ts";
export * from "./search-rounds.ts";
export * from "./session.ts";
export * from "./shard-call.ts";
export * from "./shard.ts";
export * from "./stored-objects.ts";
export * from "./updates.ts";
