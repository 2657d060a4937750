/**
 * `/admin-api/v1`: configuration, rules, indexes, sessions (docs/configuration.md). Role admin for everything.
 */
import { checkIndexConfig } from "../index-engine/index.ts";
import { parseRules } from "../index-engine/query/rules/index.ts";
import {
  ENTRY_KINDS,
  ServiceError,
  configurationEntry,
  hasFilters,
  layered,
  pathInEntry,
  privateFieldProblems,
  readConfiguration,
  readSuggestQueries,
  readSuggestQueriesCsv,
  resolveIndexConfig,
  resolveTenantConfig,
  rulesNames,
  sentProblems,
  suggestProblems,
  unwrap,
  withConfigurationEntry,
  withoutIgnoredKeys,
  type ConfigurationDocument,
  type EntryKind,
  type Problem,
  type TenantConfig,
  type SuggestQueries,
} from "../interface/index.ts";
import {
  catalogStub,
  indexStub,
  shardDocuments,
  type CatalogChange,
  type CatalogSnapshot,
  type ExportCall,
  type Route,
} from "../objects/index.ts";
import { notStored } from "./answers.ts";
import { bodyJson, bodyText } from "./body.ts";
import type { Caller } from "./caller.ts";
import { configurationBody } from "./configuration-body.ts";
import { newPart, type AppContext } from "./context.ts";
import { indexFigures, indexesFigures, openSessions } from "./figures.ts";
import { nameParameter } from "./paths.ts";
import { problemError } from "./problems.ts";
import { Directory, storedConfiguration } from "./routes.ts";

export const admin = newPart();

const BASE = "/admin-api/v1";
/**
 * After a concurrent change the edit is repeated on the new state, up to this many times.
 */
const EDIT_ATTEMPTS = 5;

// ---- configuration -----------------------------------------------------------------------------------------------------------

admin.get(`${BASE}/config`, async (c) => {
  c.get("caller").requireAllNames();
  const { document } = await new Directory(c.env).freshSnapshot();
  return notStored(document ?? {});
});

admin.put(`${BASE}/config`, async (c) => {
  c.get("caller").requireAllNames();
  const body = await configurationBody(c.req.raw);
  const { document, warnings } = withoutIgnoredKeys(layered(body.documents, null));
  checkDocument(document, null);
  return edit(c, () => ({ kind: "document", document }), [...body.warnings, ...warnings]);
});

admin.delete(`${BASE}/config`, async (c) => {
  c.get("caller").requireAllNames();
  return edit(c, (snapshot) => {
    if (snapshot.document === null) throw configurationNotFound("configuration");
    return { kind: "document", document: null };
  });
});

for (const kind of ENTRY_KINDS) {
  const path = `${BASE}/config/${kind}/:name`;

  admin.get(path, async (c) => {
    const name = nameParameter(c, 4);
    const snapshot = await new Directory(c.env).freshSnapshot();
    const entry = configurationEntry(snapshot.document, kind, name);
    if (entry === undefined) throw configurationNotFound(`entry ${kind}/${name}`);
    return notStored(entry);
  });

  admin.put(path, async (c) => {
    const name = nameParameter(c, 4);
    const { documents, warnings } = await configurationBody(c.req.raw);
    const entry = layered(documents, kind);
    return edit(
      c,
      (snapshot) => {
        if (kind === "tenant") requireFiltersOf(snapshot, name, c.get("caller"));
        const document = withConfigurationEntry(snapshot.document, kind, name, entry);
        checkDocument(document, { kind, name });
        if (kind === "tenant") requireNamesOf(document, name, c.get("caller"));
        return { kind: "document", document };
      },
      warnings,
    );
  });

  admin.delete(path, async (c) => {
    const name = nameParameter(c, 4);
    return edit(c, (snapshot) => {
      if (configurationEntry(snapshot.document, kind, name) === undefined) {
        throw configurationNotFound(`entry ${kind}/${name}`);
      }
      if (kind === "tenant") requireFiltersOf(snapshot, name, c.get("caller"));
      return {
        kind: "document",
        document: withConfigurationEntry(snapshot.document, kind, name, undefined),
      };
    });
  });
}

admin.get(`${BASE}/config/rules/:name`, async (c) => {
  const name = nameParameter(c, 4);
  const text = await storedRules(c, name);
  if (text === undefined) throw configurationNotFound(`rules text ${name}`);
  return new Response(text, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
});

admin.put(`${BASE}/config/rules/:name`, async (c) => {
  const name = nameParameter(c, 4);
  const text = await bodyText(c.req.raw, "configurationBytes");
  checkRules(text);
  return edit(c, () => ({ kind: "rules", name, text }));
});

admin.delete(`${BASE}/config/rules/:name`, async (c) => {
  const name = nameParameter(c, 4);
  return edit(c, async () => {
    if ((await storedRules(c, name)) === undefined)
      throw configurationNotFound(`rules text ${name}`);
    return { kind: "rules", name, text: null };
  });
});

async function storedRules(c: AppContext, name: string): Promise<string | undefined> {
  const { rules } = await catalogStub(c.env).texts({ rules: [name], suggestQueries: [] });
  return rules.get(name);
}

async function storedQueriesOf(c: AppContext, name: string): Promise<string | undefined> {
  const asked = { rules: [], suggestQueries: [name] };
  return (await catalogStub(c.env).texts(asked)).suggestQueries.get(name);
}

const QUERIES = `${BASE}/config/suggest/:name/queries`;

admin.get(QUERIES, async (c) => {
  const name = nameParameter(c, 4);
  const text = await storedQueriesOf(c, name);
  if (text === undefined) throw configurationNotFound(`list of queries for ${name}`);
  return notStored(JSON.parse(text));
});

admin.put(QUERIES, async (c) => {
  const name = nameParameter(c, 4);
  const text = JSON.stringify(await sentQueries(c.req.raw));
  return edit(c, () => ({ kind: "suggestQueries", name, text }));
});

admin.delete(QUERIES, async (c) => {
  const name = nameParameter(c, 4);
  const stored = await storedQueriesOf(c, name);
  if (stored === undefined) throw configurationNotFound(`list of queries for ${name}`);
  return edit(c, () => ({ kind: "suggestQueries", name, text: null }));
});

/** JSON, or CSV by Content-Type. Throws 400 invalid_configuration with all problems. */
async function sentQueries(request: Request): Promise<SuggestQueries> {
  const isCsv = /^\s*text\/csv\s*(;|$)/i.test(request.headers.get("content-type") ?? "");
  const read = isCsv
    ? readSuggestQueriesCsv(await bodyText(request, "configurationBytes"))
    : readSuggestQueries(await bodyJson(request, "configurationBytes"));
  if (read.ok) return read.value;
  throw problemError("invalid_configuration", read.problems);
}

/** Throws 400 invalid_rules with all problems. */
function checkRules(text: string): void {
  const read = parseRules(text);
  if (read.ok) return;
  throw problemError(
    "invalid_rules",
    read.problems.map(({ line, column, message }) => ({
      path: `line ${line}, column ${column}`,
      line,
      column,
      message,
    })),
  );
}

/**
 * Makes a change out of what is there now, until nobody else was faster. Answers `{"version": n}`, and `warnings`
 * where there are any.
 */
async function edit(
  c: AppContext,
  change: (snapshot: CatalogSnapshot) => CatalogChange | Promise<CatalogChange>,
  warnings: readonly Problem[] = [],
): Promise<Response> {
  const directory = new Directory(c.env);
  for (let attempt = 1; attempt <= EDIT_ATTEMPTS; attempt++) {
    const snapshot = await directory.freshSnapshot();
    const changed = await change(snapshot);
    const outcome = unwrap(await catalogStub(c.env).change(changed, snapshot.version));
    if (!outcome.conflict) {
      directory.forgetSnapshot();
      const { version } = outcome;
      return notStored(warnings.length === 0 ? { version } : { version, warnings });
    }
  }
  throw new ServiceError(
    "too_many_requests",
    "The configuration is being changed by others; try again.",
  );
}

/**
 * Throws 400 invalid_configuration. Paths are relative to the sent body: the entry, or the whole document if
 * `entry` is null.
 */
function checkDocument(
  document: unknown,
  entry: { readonly kind: EntryKind; readonly name: string } | null,
): void {
  const within = (path: string): string | null =>
    entry === null ? path : pathInEntry(document, entry.kind, entry.name, path);
  const read = readConfiguration(document);
  // Of what others have sent before, only what cannot be read stands in the way of this entry.
  const meaningless = read.ok
    ? [
        ...sentProblems(document, read.value, entry),
        ...suggestProblems(document).filter(({ path }) => within(path) !== null),
      ]
    : [];
  // Compiling would report an invalid expression again, without its path.
  const problems = !read.ok
    ? read.problems
    : meaningless.length > 0
      ? meaningless
      : uncompilable(read.value).filter(({ path }) => within(path) !== null);
  if (problems.length === 0) return;
  throw problemError(
    "invalid_configuration",
    problems.map(({ path, message }) => ({ path: within(path) ?? path, message })),
  );
}

/** A tenant exposes its indexes and rules, so the caller must have access to them. Throws 403 forbidden. */
function requireNamesOf(raw: unknown, name: string, caller: Caller): void {
  const read = readConfiguration(raw);
  if (!read.ok) throw new Error("a configuration was checked and cannot be read");
  const tenant = resolveTenantConfig(read.value, name, []);
  // Names in the default entry are allowed for every tenant.
  const byDefault = resolveTenantConfig(read.value, "", [""]);
  for (const indexName of tenant?.indexNames ?? []) caller.requireName(indexName);
  const shared = byDefault === null ? [] : everyRulesName(byDefault);
  for (const rules of tenant === null ? [] : everyRulesName(tenant)) {
    if (!shared.includes(rules)) caller.requireName(rules);
  }
}

/** Filters of a tenant are for who may see what they hide. Throws 403 forbidden. */
function requireFiltersOf(snapshot: CatalogSnapshot, name: string, caller: Caller): void {
  const tenant = resolveTenantConfig(storedConfiguration(snapshot), name, []);
  if (tenant === null || !hasFilters(tenant)) return;
  for (const indexName of tenant.indexNames) caller.requireName(indexName);
}

/** Whatever analyzer is chosen now: the default entry may choose another one later. */
function everyRulesName({ pluginSettings }: TenantConfig): string[] {
  const analyzers = ["QuerqyQueryExpander", "AsciifyQuerqyQueryAnalyzer"] as const;
  return analyzers.flatMap((analyzer) => rulesNames({ analyzer, pluginSettings }));
}

/** What shows in the merged configuration only: settings of data processors, names that are private and public. */
function uncompilable(document: ConfigurationDocument): Problem[] {
  const sections: [path: string, indexName: string][] = Object.keys(
    document.ocs?.indexConfig ?? {},
  ).map((name) => [`ocs.index-config.${name}`, name]);
  // No index has an empty name, so this resolves to the default entry.
  if (document.ocs?.defaultIndexConfig !== undefined)
    sections.push(["ocs.default-index-config", ""]);
  return sections.flatMap(([path, indexName]) => {
    const config = resolveIndexConfig(document, indexName);
    const within = (section: string, problems: readonly Problem[]): Problem[] =>
      problems.map((problem) => ({ ...problem, path: `${path}.${section}.${problem.path}` }));
    return [
      ...within("field-configuration", privateFieldProblems(config)),
      ...within("data-processor-configuration", checkIndexConfig(config)),
    ];
  });
}

function configurationNotFound(what: string): ServiceError {
  return new ServiceError("configuration_not_found", `There is no ${what}.`);
}

// ---- indexes -------------------------------------------------------------------------------------------------------------------

admin.get(`${BASE}/indexes`, async (c) => {
  const caller = c.get("caller");
  const figures = await indexesFigures(c.env);
  return notStored(figures.filter(({ name }) => caller.reaches(name)));
});

admin.get(`${BASE}/indexes/:name`, async (c) =>
  notStored(await indexFigures(c.env, nameParameter(c, 3))),
);

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
 * A backup as NDJSON, for `npm run import`. A user limited to names whose tenant of this name has filters must export the
 * tenant instead.
 */
admin.get(`${BASE}/indexes/:name/documents`, async (c) => {
  const name = nameParameter(c, 3);
  const directory = new Directory(c.env);
  const snapshot = await directory.freshSnapshot();
  const tenant = resolveTenantConfig(storedConfiguration(snapshot), name, [name]);
  if (c.get("caller").isLimited && tenant !== null && hasFilters(tenant)) {
    const path = `${BASE}/tenants/${encodeURIComponent(name)}/documents`;
    throw new ServiceError("forbidden", `This user exports the tenant: GET ${path}.`);
  }
  const route = await directory.freshRoute(name);
  return exported(c, [route], { configurationVersion: snapshot.version, tenant: null });
});

/** The visible documents of a tenant, from all its indexes. */
admin.get(`${BASE}/tenants/:name/documents`, async (c) => {
  const name = nameParameter(c, 3);
  const directory = new Directory(c.env);
  const snapshot = await directory.freshSnapshot();
  const tenant = resolveTenantConfig(storedConfiguration(snapshot), name, snapshot.indexNames);
  if (tenant === null)
    throw new ServiceError("index_not_found", `There is no tenant ${JSON.stringify(name)}.`);
  const routes: Route[] = [];
  for (const indexName of new Set(tenant.indexNames))
    routes.push(await directory.freshRoute(indexName));
  return exported(c, routes, { configurationVersion: snapshot.version, tenant: name });
});

/** Shard by shard. Aborts if an index is replaced meanwhile. Only contains private fields for the role admin. */
async function exported(
  c: AppContext,
  routes: readonly Route[],
  call: Pick<ExportCall, "configurationVersion" | "tenant">,
): Promise<Response> {
  const withPrivate = c.get("caller").holds("admin");
  const of = ({ shard, epoch }: { shard: string; epoch: number }) =>
    shardDocuments(c.env, shard, { ...call, epoch, withPrivate });
  const [first, ...others] = routes.flatMap(({ shards, epoch }) =>
    shards.map((shard) => ({ shard, epoch })),
  );
  if (first === undefined) throw new Error("a live index has no shard");
  const opening = await of(first);
  if (opening === null) throw new ServiceError("index_unavailable", "The index is being replaced.");
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writing = async (): Promise<void> => {
    try {
      await opening.pipeTo(writable, { preventClose: true });
      for (const shard of others) {
        const documents = await of(shard);
        if (documents === null) throw new Error("the index was replaced during an export");
        await documents.pipeTo(writable, { preventClose: true });
      }
      await writable.close();
    } catch (error) {
      // The aborted connection tells the client that the stream is incomplete.
      await writable.abort(error).catch(() => undefined);
    }
  };
  c.executionCtx.waitUntil(writing());
  return new Response(readable, {
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
  });
}

admin.get(`${BASE}/sessions`, async (c) => {
  const caller = c.get("caller");
  const sessions = await openSessions(c.env);
  return notStored(sessions.filter(({ indexName }) => caller.reaches(indexName)));
});
