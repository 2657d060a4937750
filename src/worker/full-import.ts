/** `/indexer-api/v1/full`: start, add, done, cancel. */
import { parseDocument } from "../index-engine/documents/index.ts";
import { ImportSession, ServiceError, languageOfLocale, unwrap, type AddReport } from "../interface/index.ts";
import { ImportWriter, indexStub, reported, sessionStub, settingsOf, Pause } from "../objects/index.ts";
import { notStored, optionalBody, timed } from "./answers.ts";
import { bodyChunks, bodyJson, RECEIVED_SHARE } from "./body.ts";
import { BulkReader } from "./bulk-reader.ts";
import type { Caller } from "./caller.ts";
import { newPart, type AppContext } from "./context.ts";
import { methodNotAllowed } from "./errors.ts";
import { newIndexName, nameParameter } from "./paths.ts";
import { BulkMemory } from "./import-memory.ts";
import { parseBoolean } from "./parameters.ts";
import { problemError, problemsOf } from "./problems.ts";
import type { WorkerEnv } from "./settings.ts";

export const fullImport = newPart();

/** The only GET that makes changes; it has no HEAD. */
export const START_PATH = "/indexer-api/v1/full/start/:indexName";

fullImport.get(START_PATH, async (c) => {
  // HEAD is answered by the handlers of GET.
  if (c.req.raw.method === "HEAD") throw methodNotAllowed("HEAD", ["GET", "OPTIONS"]);
  const indexName = newIndexName(nameParameter(c, 4));
  const locale = c.req.query("locale") ?? "";
  if (locale.trim() === "") {
    throw new ServiceError("invalid_locale", "The parameter locale is missing, for example locale=en.", {
      details: { problems: [{ path: "locale", message: "is missing" }] },
    });
  }
  if (languageOfLocale(locale) === null) {
    throw new ServiceError(
      "invalid_locale",
      `The locale ${JSON.stringify(locale)} is invalid; use for example en or en_US.`,
      { details: { problems: [{ path: "locale", message: "cannot be read" }] } },
    );
  }
  const call = { indexName, locale };
  return notStored(unwrap(await timed(c, "route", () => indexStub(c.env, indexName).startSession(call))));
});

fullImport.post("/indexer-api/v1/full/add", async (c) => {
  const reported = parseBoolean("report", c.req.query("report"), false);
  const report = await addBulk(c.env, c.req.raw, c.get("caller"));
  return notStored(reported ? report : report.indexed);
});

fullImport.post("/indexer-api/v1/full/done", async (c) => {
  const session = await readSession(c);
  unwrap(await timed(c, "route", () => sessionStub(c.env, session.temporaryIndexName).done(session)));
  return optionalBody(c, true);
});

fullImport.post("/indexer-api/v1/full/cancel", async (c) => {
  const session = await readSession(c);
  unwrap(await timed(c, "route", () => sessionStub(c.env, session.temporaryIndexName).cancel(session)));
  return new Response(null, { status: 202, headers: { "cache-control": "no-store" } });
});

async function readSession(c: AppContext): Promise<ImportSession> {
  const parsed = ImportSession.safeParse(await bodyJson(c.req.raw, "sessionBodyBytes"));
  if (!parsed.success) throw problemError("invalid_body", problemsOf(parsed.error));
  // The session checks whether its two names belong together.
  c.get("caller").requireName(parsed.data.finalIndexName);
  return parsed.data;
}

/**
 * One bulk: body -> documents, one at a time -> segments in R2 -> one registration. It is only acknowledged if
 * everything succeeds.
 *
 * The whole body is read before the session takes the bulk, so a body that becomes invalid JSON at its
 * last byte leaves only unreferenced objects behind.
 */
async function addBulk(env: WorkerEnv, request: Request, caller: Caller): Promise<AddReport> {
  let memory: BulkMemory | null = null;
  try {
    // Inside the loop over the body, so that the rest of the body is read if there is no memory.
    return await readBulk(env, request, caller, async () => (memory ??= await BulkMemory.reserve()));
  } finally {
    (memory as BulkMemory | null)?.release();
  }
}

/** Reports held bytes to `memory` from the first chunk; may have to wait there, and may fail with 429. */
async function readBulk(
  env: WorkerEnv,
  request: Request,
  caller: Caller,
  memory: () => Promise<BulkMemory>,
): Promise<AddReport> {
  const reader = new BulkReader();
  const pause = new Pause("add");
  let writer: ImportWriter | null = null;
  /** Position in the body of each written document. */
  const positions: number[] = [];
  const rejected: AddReport["rejected"] = [];

  for await (const chunk of pause.over(bodyChunks(request, "importBodyBytes"))) {
    const bulk = await memory();
    const hasWaited = await bulk.hold(chunk.length + reader.heldBytes + (writer?.heldBytes ?? 0));
    // The first chunk may have waited for room, too.
    if (hasWaited || writer === null) pause.skip();
    for (const item of reader.push(chunk)) {
      switch (item.kind) {
        case "session": {
          caller.requireName(item.session.finalIndexName);
          const settings = await settingsOf(env, item.session);
          pause.skip();
          writer = new ImportWriter(env, settings, pause);
          break;
        }
        case "rejected":
          reported(rejected, { position: item.position, id: null, reason: item.reason });
          break;
        case "document": {
          if (writer === null) throw new Error("a document came before its session");
          const document = readDocument(item.bytes);
          if (document.ok) {
            positions.push(item.position);
            await writer.add(document.value, item.bytes);
          } else {
            reported(rejected, { position: item.position, id: null, reason: document.reason });
          }
          if (pause.isDue(item.bytes.length)) {
            await bulk.hold(chunk.length + reader.heldBytes + writer.heldBytes);
            await pause.take();
          }
          break;
        }
      }
    }
    // A chunk may be white space: documents alone do not bound the work.
    await pause.after(chunk.length * RECEIVED_SHARE);
    bulk.awaitsClient(reader.heldBytes + (writer?.heldBytes ?? 0));
  }
  reader.end();
  await (await memory()).hold(reader.heldBytes + (writer?.heldBytes ?? 0));
  if (writer === null) throw new Error("a bulk without a session passed the reader");

  const report = await writer.finish();
  const sent = (position: number): number => positions[position] ?? position;
  return {
    indexed: report.indexed,
    rejected: [...rejected, ...report.rejected.map((entry) => ({ ...entry, position: sent(entry.position) }))].sort(
      (a, b) => a.position - b.position,
    ),
    ignored: report.ignored.map((entry) => ({ ...entry, position: sent(entry.position) })),
  };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readDocument(
  bytes: Uint8Array,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string } {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { ok: false, reason: "is not UTF-8" };
  }
  // The reader has already checked that it is JSON.
  return { ok: true, value: parseDocument(text) };
}
