/**
 * Typed stubs, created for every call, because a stub is unusable after its object failed
 * (ARCHITECTURE.md "The platform"). The only place that gets objects, because their location is part
 * of their ids (placement.ts).
 *
 * All casts are in this file. The platform's stub types turn every answer that contains `unknown` (a document, error
 * details) into `never`. Each class implements the interface that its stub is cast to, so the compiler still checks
 * both ends.
 */
import { indexOfSession, indexOfShard } from "./names.ts";
import { hintFor, placed } from "./placement.ts";
import type { CatalogApi, ExportCall, IndexApi, SessionApi, ShardApi } from "./protocol/index.ts";

/** The bindings that the objects use. */
export type ObjectsEnv = Pick<Env, "INDEX" | "SHARD" | "SESSION" | "CATALOG" | "SNAPSHOTS">;

const CATALOG_NAME = "catalog";

export function indexStub(env: ObjectsEnv, indexName: string): IndexApi {
  return stub(env, "INDEX", indexName, indexName) as unknown as IndexApi;
}

/** `shard`: a name from a Route. */
export function shardStub(env: ObjectsEnv, shard: string): ShardApi {
  return stub(env, "SHARD", shard, indexOfShard(shard)) as unknown as ShardApi;
}

/** `POST /documents` of a shard: NDJSON as a stream; null when stale. */
export async function shardDocuments(
  env: ObjectsEnv,
  shard: string,
  call: ExportCall,
): Promise<ReadableStream<Uint8Array> | null> {
  const sent = { method: "POST", body: JSON.stringify(call) };
  const response = await stub(env, "SHARD", shard, indexOfShard(shard)).fetch("https://shard/documents", sent);
  return response.status === 200 ? response.body : null;
}

export function sessionStub(env: ObjectsEnv, temporaryIndexName: string): SessionApi {
  const indexName = indexOfSession(temporaryIndexName);
  return stub(env, "SESSION", temporaryIndexName, indexName) as unknown as SessionApi;
}

export function catalogStub(env: ObjectsEnv): CatalogApi {
  return stub(env, "CATALOG", CATALOG_NAME, null) as unknown as CatalogApi;
}

type Binding = "INDEX" | "SHARD" | "SESSION" | "CATALOG";

/** @param indexName of the index whose object it is */
function stub(env: ObjectsEnv, binding: Binding, name: string, indexName: string | null): DurableObjectStub {
  const namespace = env[binding] as unknown as DurableObjectNamespace;
  return placed(env, namespace).getByName(name, hintFor(env, indexName));
}
