/**
 * If-Match and If-None-Match of changes (RFC 9110 13.1): an entry is only changed if it is still as
 * the client has read it.
 *
 * An ETag is a digest of the content, independent of the calls that produced it.
 */
import { ServiceError } from "../interface/index.ts";

const TAG_BYTES = 16;

/** Strong. */
export async function contentTag(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const bytes = [...new Uint8Array(digest, 0, TAG_BYTES)];
  return `"${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
}

/**
 * Throws 412 precondition_failed.
 *
 * @param text the stored text; null: absent
 * @param isPresent whether `*` matches
 */
export async function checkPreconditions(headers: Headers, text: string | null, isPresent: boolean): Promise<void> {
  const wanted = headers.get("if-match");
  const unwanted = headers.get("if-none-match");
  if (wanted === null && unwanted === null) return;
  const etag = text === null ? null : await contentTag(text);
  const isWanted = wanted === null || names(wanted, etag, isPresent);
  if (isWanted && (unwanted === null || !names(unwanted, etag, isPresent))) return;
  throw new ServiceError(
    "precondition_failed",
    etag === null ? "It does not exist." : `Its ETag is now ${etag}: read it again and send this ETag as If-Match.`,
    { details: { etag } },
  );
}

/** Weak tags never match: ours are strong. */
function names(header: string, etag: string | null, isPresent: boolean): boolean {
  return header
    .split(",")
    .map((tag) => tag.trim())
    .some((tag) => (tag === "*" ? isPresent : tag === etag));
}
