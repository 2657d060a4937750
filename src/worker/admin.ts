/**
 * `/admin-api/v1`: indexes, exports, sessions. Statistics and exports need the role read,
 * everything else for admin. The configuration is in configuration.ts.
 */
import { ServiceError, hasFilters, resolveTenantConfig, unwrap, type TenantConfig } from "../interface/index.ts";
import { indexStub, shardDocuments, type Route } from "../objects/index.ts";
import { notStored } from "./answers.ts";
import { newPart, type AppContext } from "./context.ts";
import { exportStream } from "./export-stream.ts";
import { indexFigures, indexesFigures, openSessions } from "./figures.ts";
import { nameParameter } from "./paths.ts";
import { Directory, storedConfiguration } from "./routes.ts";

export const admin = newPart();

const BASE = "/admin-api/v1";

admin.get(`${BASE}/indexes`, async (c) => notStored(await indexesFigures(c.env, c.get("caller"))));

admin.get(`${BASE}/indexes/:name`, async (c) => notStored(await indexFigures(c.env, nameParameter(c, 3))));

admin.delete(`${BASE}/indexes/:name`, async (c) => {
  const indexName = nameParameter(c, 3);
  unwrap(await indexStub(c.env, indexName).deleteIndex());
  new Directory(c.env).forgetSnapshot();
  return notStored({ deleted: indexName });
});

admin.post(`${BASE}/indexes/:name/rollback`, async (c) =>
  notStored(unwrap(await indexStub(c.env, nameParameter(c, 3)).rollback())),
);

admin.post(`${BASE}/indexes/:name/reindex`, async (c) =>
  notStored(unwrap(await indexStub(c.env, nameParameter(c, 3)).reindex({ atLeast: 1 }))),
);

/**
 * A backup as NDJSON, for `npm run import`. A user limited to names whose tenant of this name has filters must export
 * the tenant instead.
 */
admin.get(`${BASE}/indexes/:name/documents`, async (c) => {
  const name = nameParameter(c, 3);
  const directory = new Directory(c.env);
  const snapshot = await directory.freshSnapshot();
  const tenant = resolveTenantConfig(storedConfiguration(snapshot), name, [name]);
  if (c.get("caller").isLimited && tenant !== null && hasFilters(tenant)) {
    const path = `${BASE}/tenants/${encodeURIComponent(name)}/documents`;
    throw new ServiceError("forbidden", `This user cannot export the index. Export the tenant instead: GET ${path}.`);
  }
  const route = await directory.freshRoute(name);
  return exported(c, [route], {});
});

/** The visible documents of a tenant, from all its indexes. */
admin.get(`${BASE}/tenants/:name/documents`, async (c) => {
  const name = nameParameter(c, 3);
  const directory = new Directory(c.env);
  const snapshot = await directory.freshSnapshot();
  const tenant = resolveTenantConfig(storedConfiguration(snapshot), name, snapshot.indexNames);
  if (tenant === null) throw new ServiceError("index_not_found", `Index ${name} not found`);
  const routes: Route[] = [];
  for (const indexName of new Set(tenant.indexNames)) routes.push(await directory.freshRoute(indexName));
  return exported(c, routes, tenant.filters);
});

/**
 * Shard by shard, with the filters of the beginning. Aborts if an index is replaced meanwhile. Only contains private
 * fields for the role admin.
 */
async function exported(c: AppContext, routes: readonly Route[], filters: TenantConfig["filters"]): Promise<Response> {
  const headers = { "content-type": "application/x-ndjson", "cache-control": "no-store" };
  // Nobody would read the body.
  if (c.req.raw.method === "HEAD") return new Response(null, { headers });
  const withPrivate = c.get("caller").holds("admin");
  const of = ({ shard, epoch }: { shard: string; epoch: number }) =>
    shardDocuments(c.env, shard, { epoch, filters, withPrivate });
  const [first, ...others] = routes.flatMap(({ shards, epoch }) => shards.map((shard) => ({ shard, epoch })));
  if (first === undefined) throw new Error("a live index has no shard");
  const opening = await of(first);
  if (opening === null) throw new ServiceError("index_unavailable", "The index is being replaced.");
  async function* following(): AsyncGenerator<ReadableStream<Uint8Array>, void, void> {
    for (const shard of others) {
      const documents = await of(shard);
      if (documents === null) throw new Error("the index was replaced during the export");
      yield documents;
    }
  }
  return new Response(exportStream(opening, following()), { headers });
}

admin.get(`${BASE}/sessions`, async (c) => notStored(await openSessions(c.env, c.get("caller"))));
