/** What the tests of the objects share: names of their own, imports, routes, reading back. */
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import {
  isStale,
  indexStub,
  sessionStub,
  shardStub,
  ImportWriter,
  Pause,
  updateShards,
  catalogStub,
  searchShards,
  settingsOf,
  tenantTag,
  shardOfId,
  shardsStats,
  type CatalogChange,
  type ExportCall,
  type Route,
  type ShardResult,
  type ShardUpdateAnswer,
  type UpdateCall,
} from "../../../src/objects/index.ts";
import {
  readConfiguration,
  resolveTenantConfig,
  unwrap,
  type AddReport,
  type ImportSession,
  type SearchRequest,
  type SearchResult,
} from "../../../src/interface/index.ts";

/** Storage is shared by all tests of a run: every test has index names of its own. */
export function uniqueName(what: string): string {
  return `${what}-${crypto.randomUUID().slice(0, 8)}`;
}

export interface TestDocument {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly variants?: readonly { readonly id?: string; readonly data: Readonly<Record<string, unknown>> }[];
}

export function document(id: string, title: string, more: Record<string, unknown> = {}): TestDocument {
  return { id, data: { title, ...more } };
}

/** The Worker tries more often (worker/routes.ts). */
const STALE_ATTEMPTS = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function bytesOf(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

export async function start(indexName: string, locale = "en"): Promise<ImportSession> {
  return unwrap(await indexStub(env, indexName).startSession({ indexName, locale }));
}

/** One `add`. */
export async function add(session: ImportSession, documents: readonly unknown[]): Promise<AddReport> {
  const writer = new ImportWriter(env, await settingsOf(env, session), new Pause("add"));
  for (const one of documents) await writer.add(one, bytesOf(one));
  return writer.finish();
}

export async function done(session: ImportSession): Promise<{ readonly generation: number }> {
  return unwrap(await sessionStub(env, session.temporaryIndexName).done(session));
}

/** The type of the error, or "ok". */
export async function outcome(
  call: Promise<{ readonly ok: true } | { readonly ok: false; readonly error: { readonly type: string } }>,
): Promise<string> {
  const answer = await call;
  return answer.ok ? "ok" : answer.error.type;
}

/** What a session answers: "ok", or the type of the error. */
export async function sessionOutcome(session: ImportSession, call: "info" | "done" | "cancel"): Promise<string> {
  return outcome(sessionStub(env, session.temporaryIndexName)[call](session));
}

export async function importAll(indexName: string, documents: readonly unknown[]): Promise<ImportSession> {
  return importBulks(indexName, [documents]);
}

export async function importBulks(indexName: string, bulks: readonly (readonly unknown[])[]): Promise<ImportSession> {
  const session = await start(indexName);
  for (const bulk of bulks) await add(session, bulk);
  await done(session);
  return session;
}

export async function routeOf(indexName: string): Promise<Route> {
  return unwrap(await indexStub(env, indexName).route());
}

export function shardOf(route: Route): string {
  const [shard] = route.shards;
  if (shard === undefined) throw new Error("a route without shards");
  return shard;
}

/** The first shard of the live generation. */
export async function liveShard(indexName: string): Promise<string> {
  return shardOf(await routeOf(indexName));
}

/** Unwraps an answer that must not be STALE. */
export function current<T>(answer: ShardResult<T>): T {
  if (isStale(answer)) throw new Error("STALE");
  return unwrap(answer);
}

export async function configurationVersion(): Promise<number> {
  return (await catalogStub(env).snapshot()).version;
}

/** As the Worker does it: with a fresh route and configuration. Null: no such document. */
export async function read(indexName: string, id: string): Promise<unknown> {
  const route = await routeOf(indexName);
  const answer = await shardStub(env, shardOfId(route, id)).document({
    epoch: route.epoch,
    configurationVersion: await configurationVersion(),
    tenant: indexName,
    id,
  });
  if (!isStale(answer) && !answer.ok && answer.error.type === "document_not_found") return null;
  return (JSON.parse(current(answer)) as { data: unknown }).data;
}

/** All documents of a shard as NDJSON; 409 when stale. */
export async function exportOf(shard: string, epoch: number): Promise<Response> {
  const call: ExportCall = { epoch, filters: {}, withPrivate: false };
  return env.SHARD.getByName(shard).fetch("http://shard/documents", { method: "POST", body: JSON.stringify(call) });
}

/** Title of a document, or null. */
export async function titleOf(indexName: string, id: string): Promise<string | null> {
  const data = await read(indexName, id);
  return data === null ? null : String((data as { title: unknown }).title);
}

export async function countOf(indexName: string): Promise<number> {
  const route = await routeOf(indexName);
  const stats = current(await shardsStats(env, route));
  return stats.reduce((sum, { documents }) => sum + documents, 0);
}

/** Edits the stored configuration, as the admin calls do: other tests' entries stay. */
export async function change(make: (document: Record<string, unknown>) => CatalogChange): Promise<number> {
  for (;;) {
    const snapshot = await catalogStub(env).snapshot();
    const document = structuredClone(snapshot.document ?? {}) as Record<string, unknown>;
    const answer = unwrap(await catalogStub(env).change(make(document), snapshot.version));
    if (!answer.conflict) return answer.version;
  }
}

/** As if SHARDS_MIN had been set for this index: its next generations have so many shards. */
export async function withShards(indexName: string, count: number): Promise<void> {
  await withSettings(env.INDEX.getByName(indexName), { SHARDS_MIN: count });
}

/** A name of its own, the same for it. */
export async function shardedName(what: string, count: number): Promise<string> {
  const name = uniqueName(what);
  await withShards(name, count);
  return name;
}

/** As if the object had been started with these variables. They are forgotten when it is evicted. */
export async function withSettings(
  stub: DurableObjectStub,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  await runInDurableObject(stub, (instance) => {
    const object = instance as unknown as { env: object };
    object.env = { ...object.env, ...settings };
  });
}

type Update =
  | { kind: "put"; documents: readonly unknown[]; replaceExisting?: boolean }
  | { kind: "patch"; documents: readonly unknown[] }
  | { kind: "delete"; ids: readonly string[] };

export function updateCall(epoch: number, update: Update): UpdateCall {
  switch (update.kind) {
    case "put":
      return {
        epoch,
        kind: "put",
        documents: update.documents.map(bytesOf),
        replaceExisting: update.replaceExisting ?? true,
      };
    case "patch":
      return { epoch, kind: "patch", documents: update.documents.map(bytesOf) };
    case "delete":
      return { epoch, kind: "delete", ids: update.ids };
  }
}

/** As the Worker does it: again with a fresh route while STALE. */
export async function apply(indexName: string, update: Update): Promise<ShardUpdateAnswer> {
  const { epoch: _, ...change } = updateCall(0, update);
  for (let attempt = 0; attempt < STALE_ATTEMPTS; attempt++) {
    const answer = await updateShards(env, await routeOf(indexName), change);
    if (!isStale(answer)) return unwrap(answer);
  }
  throw new Error(`STALE ${STALE_ATTEMPTS} times`);
}

/** Makes a session older than it is: what time would do. */
export async function age(session: ImportSession, byMs: number): Promise<void> {
  const { finalIndexName, temporaryIndexName } = session;
  await runInDurableObject(env.INDEX.getByName(finalIndexName), (_, state) => {
    state.storage.sql.exec(
      "UPDATE sessions SET started_at_ms = started_at_ms - ? WHERE name = ?",
      byMs,
      temporaryIndexName,
    );
  });
  await runInDurableObject(env.CATALOG.getByName("catalog"), (_, state) => {
    state.storage.sql.exec(
      "UPDATE sessions SET started_at_ms = started_at_ms - ? WHERE temporary_name = ?",
      byMs,
      temporaryIndexName,
    );
  });
}

/** Keys in R2 under a prefix. */
export async function keys(prefix: string): Promise<string[]> {
  const { objects } = await env.SNAPSHOTS.list({ prefix });
  return objects.map((object) => object.key);
}

export function searchRequest(q: string, more: Partial<SearchRequest> = {}): SearchRequest {
  return { q, sort: [], limit: 100, offset: 0, withFacets: true, filters: [], arranged: null, ...more };
}

/** As the Worker does it; `tookInMillis` is not compared by anyone. */
export async function searchFor(
  indexName: string,
  q: string,
  more: Partial<SearchRequest> = {},
): Promise<SearchResult> {
  const request = searchRequest(q, more);
  let answer = await askedOnce(indexName, request);
  // A shard that lost its memory between two rounds is STALE, and everything is asked again.
  for (let again = 1; isStale(answer) && again < STALE_ATTEMPTS; again++) answer = await askedOnce(indexName, request);
  return JSON.parse(decoder.decode(current(answer).json)) as SearchResult;
}

async function askedOnce(
  indexName: string,
  request: SearchRequest,
): Promise<ShardResult<{ readonly json: Uint8Array }>> {
  const route = await routeOf(indexName);
  if (route.shards.length > 1) {
    const { version, document, indexNames } = await catalogStub(env).snapshot();
    const read = readConfiguration(document);
    const tenant = read.ok ? resolveTenantConfig(read.value, indexName, indexNames) : null;
    if (!read.ok || tenant === null) throw new Error(`no tenant ${indexName}`);
    return searchShards(env, {
      routes: [route],
      configurationVersion: version,
      tenant,
      tenantTag: tenantTag(read.value, tenant),
      request,
    });
  }
  return shardStub(env, shardOf(route)).search({
    epoch: route.epoch,
    configurationVersion: await configurationVersion(),
    tenant: indexName,
    request,
  });
}

/** Id -> title of every live document, by a search. Throws what a client would see as an error. */
export async function contentsOf(indexName: string): Promise<Record<string, string>> {
  const [slice] = (await searchFor(indexName, "")).slices;
  const contents: Record<string, string> = {};
  for (const { document: found } of slice?.hits ?? []) contents[found.id] = String(found.data.title);
  if (slice?.matchCount !== Object.keys(contents).length) {
    throw new Error(`${slice?.matchCount} matches, but other hits: ${JSON.stringify(contents)}`);
  }
  return contents;
}

export async function suggestionsFor(indexName: string, userQuery: string): Promise<string[]> {
  const route = await routeOf(indexName);
  const answer = await shardStub(env, shardOf(route)).suggest({
    epoch: route.epoch,
    configurationVersion: await configurationVersion(),
    tenant: null,
    request: { userQuery, limit: 10, filter: [] },
  });
  return current(answer).suggestions.map(({ phrase }) => phrase);
}
