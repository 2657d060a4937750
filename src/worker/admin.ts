/**
 * `/admin-api/v1`: configuration, rules, indexes, sessions (docs/configuration.md). Role admin for everything.
 */
import { checkIndexConfig } from "../index-engine/index.ts";
import { parseRules } from "../index-engine/query/rules/index.ts";
import {
  ENTRY_KINDS,
  ServiceError,
  configurationEntry,
  layered,
  pathInEntry,
  readConfiguration,
  readSuggestQueries,
  readSuggestQueriesCsv,
  resolveIndexConfig,
  sentProblems,
  suggestProblems,
  unwrap,
  withConfigurationEntry,
  withoutIgnoredKeys,
  type ConfigurationDocument,
  type EntryKind,
  type Problem,
  type SuggestQueries,
} from "../interface/index.ts";
import {
  catalogStub,
  indexStub,
  shardDocuments,
  type CatalogChange,
  type CatalogSnapshot,
} from "../objects/index.ts";
import { notStored } from "./answers.ts";
import { bodyJson, bodyText } from "./body.ts";
import { configurationBody } from "./configuration-body.ts";
import { newPart, type AppContext } from "./context.ts";
import { indexFigures, indexesFigures, openSessions } from "./figures.ts";
import { pathParameter } from "./paths.ts";
import { problemError } from "./problems.ts";
import { Directory } from "./routes.ts";

export const admin = newPart();

const BASE = "/admin-api/v1";
/**
 * Somebody else's change in between is met with another look at what there is; more often than this is no coincidence.
 */
const EDIT_ATTEMPTS = 5;

// ---- configuration -----------------------------------------------------------------------------------------------------------

admin.get(`${BASE}/config`, async (c) => {
  const { document } = await new Directory(c.env).freshSnapshot();
  return notStored(document ?? {});
});

admin.put(`${BASE}/config`, async (c) => {
  const body = await configurationBody(c.req.raw);
  const { document, warnings } = withoutIgnoredKeys(layered(body.documents, null));
  checkDocument(document, null);
  return edit(c, () => ({ kind: "document", document }), [...body.warnings, ...warnings]);
});

admin.delete(`${BASE}/config`, async (c) =>
  edit(c, (snapshot) => {
    if (snapshot.document === null) throw configurationNotFound("configuration");
    return { kind: "document", document: null };
  }),
);

for (const kind of ENTRY_KINDS) {
  const path = `${BASE}/config/${kind}/:name`;

  admin.get(path, async (c) => {
    const name = pathParameter(c, 4);
    const snapshot = await new Directory(c.env).freshSnapshot();
    const entry = configurationEntry(snapshot.document, kind, name);
    if (entry === undefined) throw configurationNotFound(`entry ${kind}/${name}`);
    return notStored(entry);
  });

  admin.put(path, async (c) => {
    const name = pathParameter(c, 4);
    const { documents, warnings } = await configurationBody(c.req.raw);
    const entry = layered(documents, kind);
    return edit(
      c,
      (snapshot) => {
        const document = withConfigurationEntry(snapshot.document, kind, name, entry);
        checkDocument(document, { kind, name });
        return { kind: "document", document };
      },
      warnings,
    );
  });

  admin.delete(path, async (c) => {
    const name = pathParameter(c, 4);
    return edit(c, (snapshot) => {
      if (configurationEntry(snapshot.document, kind, name) === undefined) {
        throw configurationNotFound(`entry ${kind}/${name}`);
      }
      return {
        kind: "document",
        document: withConfigurationEntry(snapshot.document, kind, name, undefined),
      };
    });
  });
}

admin.get(`${BASE}/config/rules/:name`, async (c) => {
  const name = pathParameter(c, 4);
  const { rules } = await new Directory(c.env).freshSnapshot();
  const text = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (text === undefined) throw configurationNotFound(`rules text ${name}`);
  return new Response(text, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
});

admin.put(`${BASE}/config/rules/:name`, async (c) => {
  const name = pathParameter(c, 4);
  const text = await bodyText(c.req.raw, "configurationBytes");
  checkRules(text);
  return edit(c, () => ({ kind: "rules", name, text }));
});

admin.delete(`${BASE}/config/rules/:name`, async (c) => {
  const name = pathParameter(c, 4);
  return edit(c, ({ rules }) => {
    if (!Object.hasOwn(rules, name)) throw configurationNotFound(`rules text ${name}`);
    return { kind: "rules", name, text: null };
  });
});

const QUERIES = `${BASE}/config/suggest/:name/queries`;

admin.get(QUERIES, async (c) => {
  const name = pathParameter(c, 4);
  const { suggestQueries } = await new Directory(c.env).freshSnapshot();
  const text = Object.hasOwn(suggestQueries, name) ? suggestQueries[name] : undefined;
  if (text === undefined) throw configurationNotFound(`list of queries for ${name}`);
  return notStored(JSON.parse(text));
});

admin.put(QUERIES, async (c) => {
  const name = pathParameter(c, 4);
  const text = JSON.stringify(await sentQueries(c.req.raw));
  return edit(c, () => ({ kind: "suggestQueries", name, text }));
});

admin.delete(QUERIES, async (c) => {
  const name = pathParameter(c, 4);
  return edit(c, ({ suggestQueries }) => {
    if (!Object.hasOwn(suggestQueries, name))
      throw configurationNotFound(`list of queries for ${name}`);
    return { kind: "suggestQueries", name, text: null };
  });
});

/** JSON, or CSV where Content-Type says so. Throws 400 invalid_configuration with every place that is wrong. */
async function sentQueries(request: Request): Promise<SuggestQueries> {
  const isCsv = /^\s*text\/csv\s*(;|$)/i.test(request.headers.get("content-type") ?? "");
  const read = isCsv
    ? readSuggestQueriesCsv(await bodyText(request, "configurationBytes"))
    : readSuggestQueries(await bodyJson(request, "configurationBytes"));
  if (read.ok) return read.value;
  throw problemError("invalid_configuration", read.problems);
}

/** Throws 400 invalid_rules with every place that is wrong. */
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
 * Makes a change out of what is there now, until nobody else was faster. Answers `{"version": n}`, and `warnings` where
 * there are any.
 */
async function edit(
  c: AppContext,
  change: (snapshot: CatalogSnapshot) => CatalogChange,
  warnings: readonly Problem[] = [],
): Promise<Response> {
  const directory = new Directory(c.env);
  for (let attempt = 1; attempt <= EDIT_ATTEMPTS; attempt++) {
    const snapshot = await directory.freshSnapshot();
    const outcome = unwrap(await catalogStub(c.env).change(change(snapshot), snapshot.version));
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
 * Throws 400 invalid_configuration. Paths are those of the body sent: of the entry, or of the whole document when
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
  // A broken expression would be found again by compiling, without its place.
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

/** What would only be noticed when the next import starts: settings of data processors. */
function uncompilable(document: ConfigurationDocument): Problem[] {
  const sections: [path: string, indexName: string][] = Object.keys(
    document.ocs?.indexConfig ?? {},
  ).map((name) => [`ocs.index-config.${name}`, name]);
  // No index has the empty name, so this one resolves to the default entry.
  if (document.ocs?.defaultIndexConfig !== undefined)
    sections.push(["ocs.default-index-config", ""]);
  return sections.flatMap(([path, indexName]) =>
    checkIndexConfig(resolveIndexConfig(document, indexName)).map((problem) => ({
      path: `${path}.data-processor-configuration.${problem.path}`,
      message: problem.message,
    })),
  );
}

function configurationNotFound(what: string): ServiceError {
  return new ServiceError("configuration_not_found", `There is no ${what}.`);
}

// ---- indexes -------------------------------------------------------------------------------------------------------------------

admin.get(`${BASE}/indexes`, async (c) => notStored(await indexesFigures(c.env)));

admin.get(`${BASE}/indexes/:name`, async (c) =>
  notStored(await indexFigures(c.env, pathParameter(c, 3))),
);

admin.delete(`${BASE}/indexes/:name`, async (c) => {
  const indexName = pathParameter(c, 3);
  unwrap(await indexStub(c.env, indexName).deleteIndex());
  new Directory(c.env).forgetSnapshot();
  return notStored({ deleted: indexName });
});

admin.post(`${BASE}/indexes/:name/rollback`, async (c) =>
  notStored(unwrap(await indexStub(c.env, pathParameter(c, 3)).rollback())),
);

admin.post(`${BASE}/indexes/:name/reindex`, async (c) =>
  notStored(unwrap(await indexStub(c.env, pathParameter(c, 3)).reindex({ atLeast: 1 }))),
);

/**
 * A backup as NDJSON, shard after shard; `npm run import` takes it. Breaks off when the index is replaced meanwhile.
 */
admin.get(`${BASE}/indexes/:name/documents`, async (c) => {
  const { epoch, shards } = await new Directory(c.env).freshRoute(pathParameter(c, 3));
  const [first, ...others] = shards;
  if (first === undefined) throw new Error("a live index has no shard");
  const opening = await shardDocuments(c.env, first, epoch);
  if (opening === null) throw new ServiceError("index_unavailable", "The index is being replaced.");
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writing = async (): Promise<void> => {
    try {
      await opening.pipeTo(writable, { preventClose: true });
      for (const shard of others) {
        const documents = await shardDocuments(c.env, shard, epoch);
        if (documents === null) throw new Error("the index was replaced during an export");
        await documents.pipeTo(writable, { preventClose: true });
      }
      await writable.close();
    } catch (error) {
      // The client sees the connection break; that is how a stream says that it is not whole.
      await writable.abort(error).catch(() => undefined);
    }
  };
  c.executionCtx.waitUntil(writing());
  return new Response(readable, {
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
  });
});

admin.get(`${BASE}/sessions`, async (c) => notStored(await openSessions(c.env)));
