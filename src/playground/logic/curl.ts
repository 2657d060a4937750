/** A request as a line for a shell. Credentials are never in it: only the names of two variables. */
import type { ApiRequest } from "./requests.ts";

/** One word of a POSIX shell. Inside single quotes everything means itself but the quote. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function curlCommand(
  origin: string,
  { method, path, body, contentType }: ApiRequest,
  isSignedIn: boolean,
): string {
  const parts = [`curl ${shellQuoted(origin + path)}`];
  if (method !== (body === null ? "GET" : "POST")) parts.push(`--request ${method}`);
  if (isSignedIn) parts.push('--user "$AISLE_USER:$AISLE_PASSWORD"');
  if (contentType !== null) parts.push(`--header ${shellQuoted(`content-type: ${contentType}`)}`);
  // Not --data: it would read a file where the body begins with @.
  if (body !== null) parts.push(`--data-raw ${shellQuoted(body)}`);
  return parts.join(" \\\n  ");
}
