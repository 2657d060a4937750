/** Helpers for answers with validators, timings or preferences. */
import { answerBody } from "./answer-memory.ts";
import type { AppContext } from "./context.ts";
import type { Target } from "./routes.ts";

/**
 * Measures a phase in wall time. The platform's clock only advances during I/O: it measures calls, not
 * computation.
 */
export async function timed<T>(c: AppContext, phase: string, work: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  try {
    return await work();
  } finally {
    addTiming(c, phase, performance.now() - startMs);
  }
}

export function addTiming(c: AppContext, phase: string, durationMs: number): void {
  const timings = c.get("timings");
  timings.set(phase, (timings.get(phase) ?? 0) + durationMs);
}

/**
 * Identifies an answer: by the state it was made from, which is epochs (the generation of each index), log positions
 * (the updates of each shard) and configuration version; by the query, so that an ETag never matches another URL; and
 * by the answer itself, because another release may answer otherwise. Weak, because tookInMillis is left out.
 *
 * @param checksum of the answer without tookInMillis
 */
export function entityTag(
  { routes, configurationVersion }: Target,
  logPositions: readonly number[],
  query: string,
  checksum: number,
): string {
  const epochs = routes.map(({ epoch }) => epoch).join("-");
  return `W/"${epochs}.${logPositions.join("-")}.${configurationVersion}.${hex(fingerprint(query))}.${hex(checksum)}"`;
}

/** FNV-1a over UTF-16 units, 0..2^32-1; not secure. */
export function fingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** 8 digits. */
function hex(hash: number): string {
  return hash.toString(16).padStart(8, "0");
}

/**
 * A JSON answer that may be cached but must be revalidated before each use (searches see every write): 304
 * if the client has it.
 * @param json bytes are UTF-8
 * @param etag null: cannot be revalidated, so it must not be cached
 */
export function revalidated(c: AppContext, json: string | Uint8Array<ArrayBuffer>, etag: string | null): Response {
  if (etag === null) return jsonResponse(c, json, { "cache-control": "no-store" });
  const headers = { etag, "cache-control": "no-cache" };
  if (matches(c.req.header("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return jsonResponse(c, json, headers);
}

/** JSON that must not be cached, as bytes. */
export function notStoredJson(c: AppContext, json: Uint8Array<ArrayBuffer>): Response {
  return jsonResponse(c, json, { "cache-control": "no-store" });
}

function jsonResponse(c: AppContext, json: string | Uint8Array<ArrayBuffer>, more: Record<string, string>): Response {
  const headers = { ...more, "content-type": "application/json" };
  // Nobody reads the body of HEAD.
  if (typeof json === "string" || c.req.raw.method === "HEAD") return new Response(json, { headers });
  return new Response(answerBody(json), { headers });
}

/** RFC 9110 13.1.2: a list of tags, compared weakly, or `*`. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = etag.replace(/^W\//, "");
  return header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === opaque);
}

/**
 * The answer of an operation whose answer is empty in the contract: with a body, or without one for `Prefer:
 * return=minimal` (RFC 7240).
 */
export function optionalBody(c: AppContext, value: unknown): Response {
  const prefers = (c.req.header("prefer") ?? "")
    .toLowerCase()
    .split(/[,;]/)
    .map((preference) => preference.trim());
  if (prefers.includes("return=minimal")) {
    return new Response(null, {
      headers: { "cache-control": "no-store", "preference-applied": "return=minimal" },
    });
  }
  return notStored(value);
}

/** JSON that must not be cached. */
export function notStored(value: unknown): Response {
  return Response.json(value, { headers: { "cache-control": "no-store" } });
}
