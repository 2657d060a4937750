/**
 * Refuses changes that pages of other sites make browsers send (docs/security.md "Other sites").
 *
 * A browser adds stored credentials to forms, links and simple requests of any page and sends them without
 * a preflight. Requests with a preflight (PUT, PATCH, DELETE, or JSON) are sent
 * without stored credentials, because our answers allow any origin. So among requests from other sites only
 * those may make changes.
 *
 *   Sec-Fetch-Site    same-origin, none: our own pages, or typed by a person; anything else: another site
 *   Origin            if the former is missing (older browsers, plain http): another site unless it is our host
 *   neither           not a browser
 */
import { ServiceError } from "../interface/index.ts";
import type { Part } from "./settings.ts";

const ASKED_METHODS: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);
const UNASKED_MODES: ReadonlySet<string> = new Set(["navigate", "no-cors", "websocket"]);

/** Throws 403 forbidden for a change from another site without a preflight. */
export function refuseCrossSite(part: Part, request: Request): void {
  if (!isChange(part, request.method) || !isFromElsewhere(request) || wasAskedAbout(request)) return;
  throw new ServiceError(
    "forbidden",
    "Pages of other origins may only change data with requests that need a preflight: " +
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
 * Whether a 401 should ask for a password: for a person who opened the URL, and for clients that send
 * credentials only when asked. For a script in a page the browser would open its own dialog.
 */
export function isHelpedByChallenge(headers: Headers): boolean {
  const mode = headers.get("sec-fetch-mode");
  if (mode !== null) return mode === "navigate";
  return headers.get("origin") === null && headers.get("x-requested-with") === null;
}
