/**
 * `/indexer-api/v1/update`: DELETE, PATCH, PUT of single documents in a live index.
 */
import { ServiceError, languageOfLocale, unwrap, type UpdateReport } from "../interface/index.ts";
import {
  DISMISSED_FOR,
  idsOf,
  indexStub,
  updateShards,
  Turns,
  Pause,
  paused,
  type Dismissal,
  type ShardUpdateAnswer,
  type UpdateChange,
} from "../objects/index.ts";
import { rawQuery } from "./address.ts";
import { optionalBody, timed } from "./answers.ts";
import { bodyBytes } from "./body.ts";
import { newPart, type AppContext } from "./context.ts";
import { parseBoolean, parseDeleteIds } from "./parameters.ts";
import { newIndexName, nameParameter } from "./paths.ts";
import { Directory } from "./routes.ts";
import { splitDocuments } from "./update-reader.ts";

export const update = newPart();

/**
 * Creating an index keeps the thread busy for tens of milliseconds. Two hundred at once would make all searches wait
 * for seconds.
 */
const creating = new Turns({
  atOnce: "newIndexesAtOnce",
  waiting: "newIndexesWaiting",
  tooMany: "Too many indexes are being created; send it again.",
});

const PATH = "/indexer-api/v1/update/:indexName";

update.put(PATH, async (c) => {
  const indexName = newIndexName(nameParameter(c, 3));
  const replaceExisting = parseBoolean("replaceExisting", c.req.query("replaceExisting"), true);
  const withReasons = parseBoolean("report", c.req.query("report"), false);
  const documents = await sentDocuments(c);
  const directory = new Directory(c.env);
  const change: UpdateChange = { kind: "put", documents, replaceExisting, withReasons };
  try {
    return await answered(c, change, await apply(c, directory, indexName, change));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== "index_not_found") throw error;
  }
  const langCode = requiredLanguage(c.req.query("langCode") ?? "");
  const ensured = await timed(c, "route", () =>
    creating.run(() => indexStub(c.env, indexName).ensureIndex({ indexName, langCode })),
  );
  directory.remember(unwrap(ensured));
  return answered(c, change, await apply(c, directory, indexName, change));
});

update.patch(PATH, async (c) => {
  const indexName = nameParameter(c, 3);
  const withReasons = parseBoolean("report", c.req.query("report"), false);
  const documents = await sentDocuments(c);
  const change: UpdateChange = { kind: "patch", documents, withReasons };
  return answered(c, change, await apply(c, new Directory(c.env), indexName, change));
});

update.delete(PATH, async (c) => {
  const indexName = nameParameter(c, 3);
  const ids = parseDeleteIds(rawQuery(c.req.url));
  const directory = new Directory(c.env);
  if (ids.size === 0) {
    // Nothing to delete, but a missing index is still an error.
    await directory.freshRoute(indexName);
    return optionalBody(c, {});
  }
  const answer = await remove(c, directory, indexName, ids);
  const deleted = Object.values(answer).includes("DELETED");
  // The contract's 304 must not hide a deletion, so it means that none of the ids existed.
  return deleted
    ? optionalBody(c, answer)
    : new Response(null, { status: 304, headers: { "cache-control": "no-store" } });
});

async function answered(c: AppContext, change: UpdateChange, answer: ShardUpdateAnswer): Promise<Response> {
  const isReported = change.kind !== "delete" && change.withReasons === true;
  return optionalBody(c, isReported ? await reportOf(change, answer) : answer);
}

async function reportOf(change: UpdateChange, answer: ShardUpdateAnswer): Promise<UpdateReport> {
  // Not objects, because an id may be "__proto__".
  const results = new Map<string, UpdateReport["results"][string]>();
  const reasons = new Map<string, string>();
  let indexed = 0;
  for (const [id, result] of Object.entries(answer)) {
    if (isReasoned(result)) reasons.set(id, result.slice(DISMISSED_FOR.length));
    if (result === "CREATED" || result === "UPDATED") indexed++;
    results.set(id, isReasoned(result) ? "DISMISSED" : result);
  }
  const positions = new Map<string, number>();
  for (const [position, id] of (await paused(idsOf(change), new Pause("update"))).entries()) {
    const key = id !== null && results.has(id) ? id : "";
    if (reasons.has(key)) positions.set(key, position);
  }
  const rejected = [...reasons].map(([id, reason]) => ({
    position: positions.get(id) ?? 0,
    id: id === "" ? null : id,
    reason,
  }));
  return { indexed, rejected: rejected.sort((a, b) => a.position - b.position), results: Object.fromEntries(results) };
}

function isReasoned(result: ShardUpdateAnswer[string]): result is Dismissal {
  return result.startsWith(DISMISSED_FOR);
}

/** In steps, because a body may have 16 MB. */
async function sentDocuments(c: AppContext): Promise<readonly Uint8Array[]> {
  const bytes = await bodyBytes(c.req.raw, "updateBodyBytes");
  return paused(splitDocuments(bytes), new Pause("update"));
}

/**
 * `x%2Cy` deletes the id `x,y` or, if that does not exist, the id `x%2Cy`; the answer names the
 * deleted id.
 */
async function remove(
  c: AppContext,
  directory: Directory,
  indexName: string,
  ids: ReadonlyMap<string, string>,
): Promise<ShardUpdateAnswer> {
  const first = await apply(c, directory, indexName, { kind: "delete", ids: [...ids.keys()] });
  const answer = new Map(Object.entries(first));
  const missing = [...ids].filter(([id, written]) => written !== id && answer.get(id) !== "DELETED");
  if (missing.length === 0) return first;
  const literal = missing.map(([, written]) => written);
  const second = await apply(c, directory, indexName, { kind: "delete", ids: literal });
  const deleted = new Set(literal.filter((id) => Object.hasOwn(second, id) && second[id] === "DELETED"));
  for (const [id, written] of missing) {
    if (!deleted.has(written)) continue;
    answer.delete(id);
    answer.set(written, "DELETED");
  }
  return Object.fromEntries(answer);
}

async function apply(
  c: AppContext,
  directory: Directory,
  indexName: string,
  change: UpdateChange,
): Promise<ShardUpdateAnswer> {
  return directory.forIndex(
    indexName,
    ({ route }) => timed(c, "route", () => updateShards(c.env, route, change)),
    isRepeatable(change),
  );
}

/**
 * Whether repeating a possibly executed change gives a correct answer. A deletion would answer
 * that nothing existed, and a PUT that keeps existing documents would refuse its own document.
 */
function isRepeatable(change: UpdateChange): boolean {
  switch (change.kind) {
    case "put":
      return change.replaceExisting;
    case "patch":
      return true;
    case "delete":
      return false;
  }
}

/** PUT creates a missing index and then needs its language. */
function requiredLanguage(langCode: string): string {
  if (langCode.trim() !== "" && languageOfLocale(langCode) !== null) return langCode;
  const message =
    langCode.trim() === ""
      ? "The index does not exist yet: langCode is required to create it, for example langCode=en."
      : `${JSON.stringify(langCode)} is not a language code; send for example langCode=en.`;
  throw new ServiceError("invalid_locale", message, {
    details: {
      problems: [
        {
          path: "langCode",
          message: langCode.trim() === "" ? "is missing" : "is not a language code",
        },
      ],
    },
  });
}
