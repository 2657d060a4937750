/**
 * The RPC protocol between the Worker and the objects, and between objects.
 *
 * Rules. Everything is plain data (structured clone). Expected failures are answers (`Result`), never exceptions,
 * because only the message of an exception is transmitted. Exceptions are defects or come from the platform (broken
 * stub, overload). For minutes after a deploy, Worker and objects may run different versions of this code: members are
 * only added, never renamed, and new members are optional for readers. Stored data has its own versions (manifest.ts).
 *
 * Each object implements its `...Api` interface (catalog.ts, index-object.ts, session.ts, shard.ts with
 * search-rounds.ts); callers get typed stubs from stubs.ts.
 *
 * How the Worker answers a request (I6):
 *
 *   snapshot = catalog.snapshot()      cached in the isolate     tenant -> index names, configuration version
 *   route    = index.route()           cached in the isolate     index name -> epoch, shards
 *   answer   = shard.search({epoch, configurationVersion, ...})
 *   {stale: true} -> drop both caches and all partial results, repeat; after 10 rounds 503 index_unavailable
 *
 * A cached 404 must be refreshed once. Updates use the same loop; a STALE update was not applied. An update that failed
 * with an exception may have been applied; PUT, DELETE and PATCH (with the same values) can be repeated.
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
