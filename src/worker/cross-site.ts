/**
 * Changes that a page of another site makes a browser send (docs/security.md "Other sites").
 *
 * A browser adds the credentials it remembers to forms, links and simple requests of any page, and sends them without
 * asking. What it asks about first (a preflight: PUT, PATCH, DELETE, or JSON) it sends
 * without remembered credentials, as our answers allow any origin. So of the requests that come from elsewhere only
 * those may change something.
 *
 *   Sec-Fetch-Site    same-origin, none: our own pages, or what a person typed; anything else: elsewhere
 *   Origin            where the former is missing (older browsers, plain http): elsewhere unless it is our host
 *   neither           no browser
 */
import { ServiceError } from "../interface/index.ts";
import type { Part } from "./settings.ts";

const ASKED_METHODS: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);
const UNASKED_MODES: ReadonlySet<string> = new Set(["navigate", "no-cors", "websocket"]);

/** Throws 403 forbidden where a request changes something, comes from another site and was not asked about. */
export function refuseCrossSite(part: Part, request: Request): void {
  if (!isChange(part, request.method) || !isFromElsewhere(request) || wasAskedAbout(request))
    return;
  throw new ServiceError(
    "forbidden",
    "Pages of other sites may change something only by requests that browsers ask about first: " +
      "send Content-Type: application/json.",
  );
}

/** The indexer part has a GET that opens a session. */
function isChange(part: Part, method: string): boolean {
  return part === "indexer" || (part === "admin" && method !== "GET" && method !== "HEAD");
}

function isFromElsewhere({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = headers.get("origin");
  if (origin === null) return false;
  return !URL.canParse(origin) || new URL(origin).host !== new URL(url).host;
}

function wasAskedAbout({ method, headers }: Request): boolean {
  if (UNASKED_MODES.has(headers.get("sec-fetch-mode") ?? "")) return false;
  if (ASKED_METHODS.has(method)) return true;
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase() === "application/json";
}

/**
 * Whether a 401 helps whoever called by asking for a password: a person who opened the address, and clients that send
 * credentials only when asked. A script in a page would have the browser put its own dialog over the page.
 */
export function isHelpedByChallenge(headers: Headers): boolean {
  const mode = headers.get("sec-fetch-mode");
  if (mode !== null) return mode === "navigate";
  return headers.get("origin") === null && headers.get("x-requested-with") === null;
}
