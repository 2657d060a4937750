/**
 * `/admin-api/v1/config`: the configuration, its entries, rules texts and lists of queries
 * (docs/configuration.md). Role admin.
 *
 * Each is an entry (EntryRef) with a text: JSON, or a rules text. A change is computed from one
 * snapshot, and the catalog only accepts it at that version, so preconditions and patches are
 * atomic.
 *
 *   snapshot, text -> If-Match? -> new text, checked -> catalog.change(…, version)      conflict: from the start
 */
import {
  ENTRY_KINDS,
  ServiceError,
  configurationEntryText,
  effectiveEntry,
  entryWarnings,
  isPlainObject,
  layered,
  listTenants,
  mergePatched,
  missingMembers,
  patchedEntry,
  readSuggestQueries,
  readSuggestQueriesCsv,
  resolveTenantConfig,
  rulesNames,
  SUGGEST_QUERIES_SIZE,
  sizeProblem,
  SUGGEST_DEFAULT,
  unwrap,
  withConfigurationEntry,
  withoutBrackets,
  withoutIgnoredKeys,
  type ConfigurationDocument,
  type EntryKind,
  type Problem,
  type SuggestQueries,
  type TenantConfig,
} from "../interface/index.ts";
import { catalogStub, Turns, type CatalogChange, type CatalogSnapshot, type EntryRef } from "../objects/index.ts";
import { notStored } from "./answers.ts";
import { bodyJson, bodyText } from "./body.ts";
import { configurationBody } from "./configuration-body.ts";
import { checkedDocument, checkRules, requireFiltersOf, requireNamesOf } from "./configuration-checks.ts";
import { newPart, type AppContext } from "./context.ts";
import { parseBoolean } from "./parameters.ts";
import { parameterError, problemError } from "./problems.ts";
import { nameParameter, pathParameter } from "./paths.ts";
import { checkPreconditions, contentTag } from "./preconditions.ts";
import { Directory, storedConfiguration } from "./routes.ts";

export const configuration = newPart();

const BASE = "/admin-api/v1/config";
/** After a concurrent change the edit is repeated on the new state, up to this many times. */
const EDIT_ATTEMPTS = 5;
/**
 * Between changes that wait for each other. Searches of a tenant that changes every few milliseconds find no version.
 */
const CROWD_PAUSE_MS = 25;
const OTHERS = "Others are changing the configuration at the same time; try again.";

// ---- stored entries

/** Null: absent. The text of an unconfigured deployment is `{}`. */
async function textOf(c: AppContext, { kind, name }: EntryRef, snapshot: CatalogSnapshot): Promise<string | null> {
  switch (kind) {
    case "document":
      return JSON.stringify(snapshot.document ?? {});
    case "rules":
      return (await catalogStub(c.env).texts({ rules: [name], suggestQueries: [] })).rules.get(name) ?? null;
    case "queries": {
      const asked = { rules: [], suggestQueries: [name] };
      return (await catalogStub(c.env).texts(asked)).suggestQueries.get(name) ?? null;
    }
    case "index":
    case "tenant":
    case "suggest":
      return configurationEntryText(snapshot.document, kind, name);
  }
}

async function answerText(c: AppContext, ref: EntryRef): Promise<Response> {
  const text = await textOf(c, ref, await new Directory(c.env).freshSnapshot());
  if (text === null) throw notFound(ref);
  return textResponse(ref, text, { etag: await contentTag(text) });
}

function textResponse({ kind }: EntryRef, text: string, more: HeadersInit = {}): Response {
  const type = kind === "rules" ? "text/plain; charset=utf-8" : "application/json";
  return new Response(text, {
    headers: { ...more, "content-type": type, "cache-control": "no-store" },
  });
}

const WHAT: Readonly<Record<EntryRef["kind"], string>> = {
  document: "configuration",
  index: "entry index/",
  tenant: "entry tenant/",
  suggest: "entry suggest/",
  rules: "rules text ",
  queries: "list of queries for ",
};

function notFound({ kind, name }: EntryRef): ServiceError {
  return new ServiceError("configuration_not_found", `There is no ${WHAT[kind]}${name}.`);
}

// ---- changes

interface Checked {
  readonly change: CatalogChange;
  readonly warnings: readonly Problem[];
}

/**
 * The validated change of an entry to `value`; undefined removes it. Throws 400
 * invalid_configuration, invalid_rules, 403.
 */
async function checked(c: AppContext, ref: EntryRef, snapshot: CatalogSnapshot, value: unknown): Promise<Checked> {
  const { kind, name } = ref;
  if (kind !== "index" && kind !== "tenant" && kind !== "suggest") {
    return { change: changeOf({ kind, name }, snapshot, value), warnings: [] };
  }
  const caller = c.get("caller");
  if (kind === "tenant") requireFiltersOf(snapshot, name, caller);
  const document = withConfigurationEntry(snapshot.document, kind, name, value);
  const read = value === undefined ? null : checkedDocument(document, { kind, name });
  if (kind === "tenant" && read !== null) requireNamesOf(read, name, caller);
  const concerns = indexesWithEntry(kind, withoutBrackets(name), [storedConfiguration(snapshot), read]);
  const change: CatalogChange = { kind: "document", document, entry: { kind, name }, concerns };
  if (read === null) return { change, warnings: [] };
  const live = snapshot.indexNames.filter((indexName) => caller.reaches(indexName));
  const warnings = entryWarnings(document, read, { kind, name }, live);
  return { change, warnings: kind === "tenant" ? [...warnings, ...(await missingRules(c, read, name))] : warnings };
}

/** Rules texts that a tenant's entry names and that do not exist. Its searches have no rules then. */
async function missingRules(c: AppContext, document: ConfigurationDocument, name: string): Promise<Problem[]> {
  const tenant = resolveTenantConfig(document, name, []);
  const isNamed = document.ocs?.tenantConfig?.[name]?.pluginConfiguration !== undefined;
  const rules = tenant === null || !isNamed ? [] : rulesNames(tenant);
  if (rules.length === 0) return [];
  const texts = await catalogStub(c.env).texts({ rules, suggestQueries: [] });
  return rules
    .filter((one) => !texts.rules.has(one))
    .map((one) => ({
      path: "plugin-configuration",
      message: `there is no rules text "${one}", which common_rules_url names; it is ignored until PUT ${BASE}/rules/${encodeURIComponent(one)}`,
    }));
}

function changeOf(
  { kind, name }: { readonly kind: Exclude<EntryRef["kind"], EntryKind>; readonly name: string },
  snapshot: CatalogSnapshot,
  value: unknown,
): CatalogChange {
  switch (kind) {
    case "document":
      if (value !== undefined) checkedDocument(value, null);
      return { kind, document: value ?? null };
    case "rules":
      if (value === undefined) return { kind, name, text: null, concerns: indexesWithRules(snapshot, name) };
      if (typeof value !== "string") throw new TypeError("rules are a text");
      checkRules(value);
      return { kind, name, text: value, concerns: indexesWithRules(snapshot, name) };
    case "queries": {
      const concerns = [name];
      if (value === undefined) return { kind: "suggestQueries", name, text: null, concerns };
      const read = readSuggestQueries(value);
      if (!read.ok) throw problemError("invalid_configuration", read.problems);
      return { kind: "suggestQueries", name, text: JSON.stringify(read.value), concerns };
    }
  }
}

/**
 * The indexes that an entry concerns, before and after its change; null: any index. For a tenant also the index of its
 * name, which may be searched under that name.
 */
function indexesWithEntry(
  kind: EntryKind,
  name: string,
  configurations: readonly (ConfigurationDocument | null)[],
): readonly string[] | null {
  if (kind === "suggest" && name === SUGGEST_DEFAULT) return null;
  if (kind !== "tenant") return [name];
  const indexNames = configurations.flatMap((configuration) =>
    configuration === null ? [] : (resolveTenantConfig(configuration, name, [])?.indexNames ?? []),
  );
  return [name, ...indexNames];
}

/** The indexes of the tenants that have this rules text; null: of any index, because the default entry has it. */
function indexesWithRules(snapshot: CatalogSnapshot, rules: string): readonly string[] | null {
  const configuration = storedConfiguration(snapshot);
  const hasRules = (tenant: TenantConfig | null): boolean => tenant !== null && rulesNames(tenant).includes(rules);
  if (hasRules(resolveTenantConfig(configuration, "", [""]))) return null;
  const names = new Set<string>();
  for (const name of listTenants(configuration, [])) {
    const tenant = resolveTenantConfig(configuration, name, []);
    if (hasRules(tenant)) for (const indexName of tenant?.indexNames ?? []) names.add(indexName);
  }
  return [...names];
}

/** A change reads the whole configuration several times. A hundred at once would also repeat one another's work. */
const editing = new Turns({
  atOnce: "configurationChangesAtOnce",
  waiting: "configurationChangesWaiting",
  tooMany: OTHERS,
});

type Make = (text: string | null, snapshot: CatalogSnapshot) => Edit;

interface Edit {
  /** Undefined: removed. */
  readonly value: unknown;
  readonly warnings?: readonly Problem[];
}

/**
 * Computes a change from the current text (null if absent) and retries after concurrent changes.
 * Answers `{"version": n}`, and `warnings` if there are any. Throws 412.
 */
function edit(c: AppContext, ref: EntryRef, make: Make): Promise<Response> {
  return editing.run(async () => {
    const response = await editNow(c, ref, make);
    if (editing.isAwaited) await scheduler.wait(CROWD_PAUSE_MS);
    return response;
  });
}

async function editNow(c: AppContext, ref: EntryRef, make: Make): Promise<Response> {
  const directory = new Directory(c.env);
  const { user } = c.get("caller");
  for (let attempt = 1; attempt <= EDIT_ATTEMPTS; attempt++) {
    const snapshot = await directory.freshSnapshot();
    const text = await textOf(c, ref, snapshot);
    // The document always exists; if it was never configured, it counts as absent.
    const present = ref.kind === "document" && snapshot.document === null ? null : text;
    await checkPreconditions(c.req.raw.headers, text, present !== null);
    const { value, warnings = [] } = make(present, snapshot);
    const { change, warnings: meant } = await checked(c, ref, snapshot, value);
    const outcome = unwrap(await catalogStub(c.env).change({ ...change, user }, snapshot.version));
    if (outcome.conflict) continue;
    directory.forgetSnapshot();
    const { version } = outcome;
    const all = [...warnings, ...meant];
    return changed(ref, change, all.length === 0 ? { version } : { version, warnings: all });
  }
  throw new ServiceError("too_many_requests", OTHERS);
}

/** With the ETag of the stored text. */
async function changed(ref: EntryRef, change: CatalogChange, body: unknown): Promise<Response> {
  const headers = new Headers({ "cache-control": "no-store" });
  const text = changedText(ref, change);
  if (text !== null) headers.set("etag", await contentTag(text));
  return Response.json(body, { headers });
}

function changedText({ kind, name }: EntryRef, change: CatalogChange): string | null {
  if (change.kind !== "document") return change.text;
  if (kind === "document") return JSON.stringify(change.document ?? {});
  if (kind === "rules" || kind === "queries") return null;
  return configurationEntryText(change.document, kind, name);
}

function remove(c: AppContext, ref: EntryRef): Promise<Response> {
  return edit(c, ref, (text) => {
    if (text === null) throw notFound(ref);
    return { value: undefined };
  });
}

// ---- the document and its entries

const DOCUMENT: EntryRef = { kind: "document", name: "" };

function documentOf(c: AppContext): EntryRef {
  c.get("caller").requireAllNames();
  return DOCUMENT;
}

configuration.get(BASE, (c) => answerText(c, documentOf(c)));

configuration.put(BASE, async (c) => {
  const ref = documentOf(c);
  const body = await configurationBody(c.req.raw);
  const { document, warnings } = withoutIgnoredKeys(layered(body.documents, null));
  return edit(c, ref, () => ({ value: document, warnings: [...body.warnings, ...warnings] }));
});

configuration.patch(BASE, (c) => patch(c, documentOf(c), null));

configuration.delete(BASE, (c) => remove(c, documentOf(c)));

for (const kind of ENTRY_KINDS) {
  const path = `${BASE}/${kind}/:name`;
  const refOf = (c: AppContext): EntryRef => ({ kind, name: nameParameter(c, 4) });

  configuration.get(path, async (c) => {
    const ref = refOf(c);
    const isEffective = kind !== "suggest" && parseBoolean("effective", c.req.query("effective"), false);
    if (!isEffective) return answerText(c, ref);
    const document = storedConfiguration(await new Directory(c.env).freshSnapshot());
    return notStored(effectiveEntry(document, kind, ref.name));
  });

  configuration.put(path, async (c) => {
    const ref = refOf(c);
    const { documents, warnings } = await configurationBody(c.req.raw);
    const entry = layered(documents, kind);
    return edit(c, ref, (text) => ({
      value: entry,
      warnings: [...warnings, ...lostMembers(text, entry, kind)],
    }));
  });

  configuration.patch(path, (c) => patch(c, refOf(c), kind));

  configuration.delete(path, (c) => remove(c, refOf(c)));
}

async function patch(c: AppContext, ref: EntryRef, kind: EntryKind | null): Promise<Response> {
  const { documents, warnings } = await configurationBody(c.req.raw);
  const sent = layered(documents, kind);
  requireObject(sent);
  return edit(c, ref, (text) => ({
    value: patchedEntry(text === null ? {} : JSON.parse(text), sent, kind),
    warnings,
  }));
}

function requireObject(sent: unknown): void {
  if (isPlainObject(sent)) return;
  throw problemError("invalid_configuration", [
    {
      path: "",
      message: "must be an object with the members to change, and null for members to remove",
    },
  ]);
}

/** Warns about members that a PUT removes, because the client may have meant PATCH. */
function lostMembers(text: string | null, sent: unknown, kind: EntryKind): Problem[] {
  const stored: unknown = text === null ? null : JSON.parse(text);
  return missingMembers(stored, sent, kind).map((path) => ({
    path,
    message: "is removed, because PUT replaces the whole entry; use PATCH to change a part",
  }));
}

// ---- rules and queries

const RULES = `${BASE}/rules/:name`;
const rulesOf = (c: AppContext): EntryRef => ({ kind: "rules", name: nameParameter(c, 4) });

configuration.get(RULES, (c) => answerText(c, rulesOf(c)));

configuration.put(RULES, async (c) => {
  const ref = rulesOf(c);
  const text = await bodyText(c.req.raw, "configurationBytes");
  return edit(c, ref, () => ({ value: text }));
});

configuration.delete(RULES, (c) => remove(c, rulesOf(c)));

const QUERIES = `${BASE}/suggest/:name/queries`;
const queriesOf = (c: AppContext): EntryRef => ({ kind: "queries", name: nameParameter(c, 4) });

configuration.get(QUERIES, (c) => answerText(c, queriesOf(c)));

configuration.put(QUERIES, async (c) => {
  const ref = queriesOf(c);
  const queries = await sentQueries(c.req.raw);
  return edit(c, ref, () => ({ value: queries }));
});

configuration.patch(QUERIES, async (c) => {
  const ref = queriesOf(c);
  const sent = await bodyJson(c.req.raw, "configurationBytes");
  requireObject(sent);
  checkQueriesSize(sent);
  return edit(c, ref, (text) => ({
    value: mergePatched(text === null ? {} : JSON.parse(text), sent),
  }));
});

configuration.delete(QUERIES, (c) => remove(c, queriesOf(c)));

/** Checked before anything else. Throws 400 invalid_configuration. */
function checkQueriesSize(sent: unknown): void {
  const problem = sizeProblem(sent, SUGGEST_QUERIES_SIZE);
  if (problem !== null) throw problemError("invalid_configuration", [{ path: "", message: problem }]);
}

/** JSON, or CSV by Content-Type. Throws 400 invalid_configuration with all problems. */
async function sentQueries(request: Request): Promise<SuggestQueries> {
  const isCsv = /^\s*text\/csv\s*(;|$)/i.test(request.headers.get("content-type") ?? "");
  const readJson = async (): Promise<ReturnType<typeof readSuggestQueries>> => {
    const sent = await bodyJson(request, "configurationBytes");
    checkQueriesSize(sent);
    return readSuggestQueries(sent);
  };
  const read = isCsv ? readSuggestQueriesCsv(await bodyText(request, "configurationBytes")) : await readJson();
  if (read.ok) return read.value;
  throw problemError("invalid_configuration", read.problems);
}

// ---- the history

const HISTORY = `${BASE}/history`;

configuration.get(HISTORY, async (c) => {
  const ref = c.req.query("entry") === undefined ? null : historicEntry(c);
  if (ref === null) c.get("caller").requireAllNames();
  const versions = await catalogStub(c.env).history(ref);
  const body = versions.map(({ isRemoved, ...version }) => ({ ...version, removed: isRemoved }));
  return notStored(body);
});

configuration.get(`${HISTORY}/:version`, async (c) => {
  const ref = historicEntry(c);
  const text = await historicText(c, ref);
  if (text === null) throw notFound(ref);
  return textResponse(ref, text);
});

configuration.post(`${HISTORY}/:version/restore`, async (c) => {
  const ref = historicEntry(c);
  const historic = await historicText(c, ref);
  const value: unknown = historic === null ? undefined : ref.kind === "rules" ? historic : JSON.parse(historic);
  return edit(c, ref, (text) => {
    if (text === null && historic === null) throw notFound(ref);
    return { value };
  });
});

/** Null: absent in this version. Throws 404 if the history has no such version. */
async function historicText(c: AppContext, ref: EntryRef): Promise<string | null> {
  const version = Number(pathParameter(c, 4));
  const text = Number.isSafeInteger(version) ? await catalogStub(c.env).historicText(ref, version) : undefined;
  if (text !== undefined) return text;
  throw new ServiceError(
    "configuration_not_found",
    `The history of the ${WHAT[ref.kind]}${ref.name} has no version ${pathParameter(c, 4)}.`,
  );
}

const NAMED_KINDS = [...ENTRY_KINDS, "rules", "queries"] as const;

/** The parameter `entry`. Throws 400 invalid_parameter; 403 if the caller has no access. */
function historicEntry(c: AppContext): EntryRef {
  const entry = c.req.query("entry") ?? "";
  if (entry === DOCUMENT.kind) return documentOf(c);
  const slash = entry.indexOf("/");
  const kind = NAMED_KINDS.find((one) => entry.startsWith(`${one}/`));
  const name = entry.slice(slash + 1);
  if (kind === undefined || name === "") {
    const forms = ["document", ...NAMED_KINDS.map((one) => `${one}/<name>`)].join(", ");
    throw parameterError("entry", `must be one of ${forms}`);
  }
  c.get("caller").requireName(name);
  return { kind, name };
}
