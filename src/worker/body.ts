/** Request bodies: JSON whatever Content-Type says, never more than the limit, decoded strictly. */
import { LIMITS, ServiceError } from "../interface/index.ts";

/** Limits that bound a body. */
export type BodyLimit =
  | "importBodyBytes"
  | "updateBodyBytes"
  | "searchBodyBytes"
  | "configurationBytes";

export function bodyTooLarge(limit: BodyLimit | "importBufferBytes"): ServiceError {
  const { value, beyond } = LIMITS[limit];
  return new ServiceError("body_too_large", `The body is larger than ${value} bytes (${beyond}).`, {
    details: { limit, value },
  });
}

/** The chunks of a body; throws 413 once more than the limit has come, or at once when Content-Length says so. */
export async function* bodyChunks(request: Request, limit: BodyLimit): AsyncGenerator<Uint8Array> {
  const maxBytes = LIMITS[limit].value;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw bodyTooLarge(limit);
  if (request.body === null) return;
  let seenBytes = 0;
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    seenBytes += chunk.length;
    if (seenBytes > maxBytes) throw bodyTooLarge(limit);
    yield chunk;
  }
}

export async function bodyBytes(request: Request, limit: BodyLimit): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of bodyChunks(request, limit)) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
  }
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const bytes = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** UTF-8 without its byte order mark; 400 when it is none. */
export async function bodyText(request: Request, limit: BodyLimit): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(
      await bodyBytes(request, limit),
    );
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError("bad_request", "The body is not UTF-8.");
  }
}

export async function bodyJson(request: Request, limit: BodyLimit): Promise<unknown> {
  const text = await bodyText(request, limit);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason =
      text.trim() === "" ? "it is empty" : error instanceof Error ? error.message : String(error);
    throw new ServiceError("bad_request", `The body is not JSON: ${reason}.`);
  }
}
