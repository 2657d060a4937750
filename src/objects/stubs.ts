/**
 * Typed stubs, created for every call, because a stub is unusable after its object failed
 * (ARCHITECTURE.md "The platform").
 *
 * All casts are in this file. The platform's stub types turn every answer that contains `unknown` (a document, error
 * details) into `never`. Each class implements the interface that its stub is cast to, so the compiler still checks both
 * ends.
 */
import type { CatalogApi, ExportCall, IndexApi, SessionApi, ShardApi } from "./protocol/index.ts";

/** The bindings that the objects use. */
export type ObjectsEnv = Pick<Env, "INDEX" | "SHARD" | "SESSION" | "CATALOG" | "SNAPSHOTS">;

const CATALOG_NAME = "catalog";

export function indexStub(env: ObjectsEnv, indexName: string): IndexApi {
  return env.INDEX.getByName(indexName) as unknown as IndexApi;
}

/** `shard`: a name from a Route. */
export function shardStub(env: ObjectsEnv, shard: string): ShardApi {
  return env.SHARD.getByName(shard) as unknown as ShardApi;
}

/** `GET /documents` of a shard: NDJSON as a stream; null when stale. */
export async function shardDocuments(
  env: ObjectsEnv,
  shard: string,
  call: ExportCall,
): Promise<ReadableStream<Uint8Array> | null> {
  const address = `https://shard/documents?call=${encodeURIComponent(JSON.stringify(call))}`;
  const response = await env.SHARD.getByName(shard).fetch(address);
  return response.status === 200 ? response.body : null;
}

export function sessionStub(env: ObjectsEnv, temporaryIndexName: string): SessionApi {
  return env.SESSION.getByName(temporaryIndexName) as unknown as SessionApi;
}

export function catalogStub(env: ObjectsEnv): CatalogApi {
  return env.CATALOG.getByName(CATALOG_NAME) as unknown as CatalogApi;
}
