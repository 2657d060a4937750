/** Calls of the Worker as a client makes them, and with other settings than the test run's own. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import worker from "../../src/worker/index.ts";
import type { Settings, WorkerEnv } from "../../src/worker/settings.ts";
import { ImportSession, type SearchResult } from "../../src/interface/index.ts";
import { withShards } from "../objects/support/index.ts";

export const HOST = "http://localhost";

/** Through the Worker as configured for the tests: local development, everything open. */
export function call(path: string, init?: RequestInit): Promise<Response> {
  return exports.default.fetch(HOST + path, init);
}

/** The same code and bindings under other variables and secrets, as a deployment would have them. */
export async function callWith(settings: Settings, path: string, init?: RequestInit): Promise<Response> {
  const { ENVIRONMENT: _, ...bindings } = env;
  const context = createExecutionContext();
  const response = await worker.fetch(
    new Request(HOST + path, init),
    { ...bindings, LOG: "off", ...settings } as WorkerEnv,
    context,
  );
  // A body that streams is written while it is read: nobody would read it before all that is waited for is done.
  const body = response.body === null ? null : await response.arrayBuffer();
  await waitOnExecutionContext(context);
  return new Response(body, response);
}

export function send(method: string, body: unknown): RequestInit {
  return {
    method,
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json" },
  };
}

export function basic(user: string, password: string): RequestInit {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return { headers: { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` } };
}

/** Calls as one of the users of a deployment, whose passwords are all `p`; null: nobody. */
export function callAs(
  settings: Settings,
): (user: string | null, path: string, init?: RequestInit) => Promise<Response> {
  return (user, path, init = {}) => {
    const credentials = user === null ? {} : (basic(user, "p").headers as Record<string, string>);
    const headers = { ...(init.headers as Record<string, string>), ...credentials };
    return callWith(settings, path, { ...init, headers });
  };
}

/** The same answer; throws where it is none of success. */
export async function ok(response: Response): Promise<Response> {
  if (response.status >= 300) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

/** The JSON of a success. */
export async function json<T = unknown>(path: string, init?: RequestInit): Promise<T> {
  return (await ok(await call(path, init))).json<T>();
}

/** The session of a full import that begins. */
export async function startImport(indexName: string, locale = "en"): Promise<ImportSession> {
  return ImportSession.parse(await json(`/indexer-api/v1/full/start/${indexName}?locale=${locale}`));
}

/** Of all hits, slice by slice. */
export function idsOf({ slices }: SearchResult): string[] {
  return slices.flatMap(({ hits }) => hits.map(({ document }) => document.id));
}

/** A full import of one bulk. Afterwards the index has these documents and no others, in at least so many shards. */
export async function publish(
  indexName: string,
  documents: readonly unknown[],
  shards = 1,
  locale = "en",
): Promise<void> {
  if (shards > 1) await withShards(indexName, shards);
  const session = await startImport(indexName, locale);
  if (documents.length > 0) {
    const body = send("POST", { session, documents });
    await (await ok(await call("/indexer-api/v1/full/add", body))).text();
  }
  await (await ok(await call("/indexer-api/v1/full/done", send("POST", session)))).text();
}

let counter = 0;
/** Storage is shared by all test files: every test takes names of its own. */
export function freshName(prefix: string): string {
  return `${prefix}-${Date.now().toString(36)}-${counter++}`;
}

/** Reads the error body after checking what holds for every error. */
export async function errorOf(
  response: Response,
): Promise<{ type: string; message: string; code: number; details?: unknown }> {
  const body: Record<string, unknown> = await response.json();
  const { message, code, type, errorId, timestamp } = body;
  const isComplete =
    typeof message === "string" &&
    code === response.status &&
    typeof type === "string" &&
    typeof errorId === "string" &&
    /^[0-9a-f-]{36}$/.test(errorId) &&
    typeof timestamp === "number";
  if (!isComplete) throw new Error(`not the one error shape: ${JSON.stringify(body)}`);
  if (response.headers.get("cache-control") !== "no-store") throw new Error("an error without no-store");
  if (!response.headers.get("content-type")?.startsWith("application/json"))
    throw new Error("an error that is not JSON");
  if (response.headers.get("access-control-allow-origin") !== "*") throw new Error("an error without CORS");
  if (JSON.stringify(body).includes("    at ")) throw new Error(`a stack trace: ${JSON.stringify(body)}`);
  return body as { type: string; message: string; code: number; details?: unknown };
}

/** Such as `400 invalid_body`. */
export async function refusal(response: Response | Promise<Response>): Promise<string> {
  const { code, type } = await errorOf(await response);
  return `${code} ${type}`;
}
