/** A request as a shell command. It contains names of two variables instead of credentials. */
import type { ApiRequest } from "./requests.ts";

/** One word of a POSIX shell. Within single quotes every character except the quote is literal. */
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
  // Not --data, which reads a file if the body begins with @.
  if (body !== null) parts.push(`--data-raw ${shellQuoted(body)}`);
  return parts.join(" \\\n  ");
}
