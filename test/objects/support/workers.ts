/**
 * Several Workers in one process. A Worker remembers routes and configuration per CATALOG binding
 * (src/worker/routes.ts), so one with a binding object of its own remembers for itself, as an isolate elsewhere would.
 */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../../src/worker/index.ts";
import type { WorkerEnv } from "../../../src/worker/settings.ts";

/** A request to one Worker. Bodies are sent as JSON. */
export type TestWorker = (method: string, path: string, body?: unknown) => Promise<Response>;

export function workers(count: number): TestWorker[] {
  return Array.from({ length: count }, () => {
    const catalog = { getByName: (name: string) => env.CATALOG.getByName(name) };
    const own = { ...env, LOG: "off", CATALOG: catalog } as unknown as WorkerEnv;
    return async (method, path, body) => {
      const init: RequestInit = { method };
      if (body !== undefined) {
        init.body = JSON.stringify(body);
        init.headers = { "content-type": "application/json" };
      }
      const context = createExecutionContext();
      const response = await worker.fetch(new Request(`http://localhost${path}`, init), own, context);
      await waitOnExecutionContext(context);
      return response;
    };
  });
}

/** Id -> data of every document a tenant's search finds, by id. Throws for any other answer than 200. */
export async function searchAll(ask: TestWorker, tenant: string, q = ""): Promise<Record<string, unknown>> {
  const response = await ask("GET", `/search-api/v1/search/${tenant}?q=${q}&limit=100&withFacets=false`);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const result = (await response.json()) as {
    slices: { matchCount: number; hits: { document: { id: string; data: unknown } }[] }[];
  };
  const [slice] = result.slices;
  const entries = (slice?.hits ?? []).map(({ document: { id, data } }) => [id, data] as const);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const matchCount = slice?.matchCount ?? 0;
  if (matchCount !== entries.length) {
    throw new Error(`${matchCount} matches, but ${entries.length} hits`);
  }
  return Object.fromEntries(entries);
}
