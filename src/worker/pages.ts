/**
 * The pages for people and their files: static assets, served by the Worker itself
 * (`run_worker_first` in wrangler.toml), so that paths and headers are defined in one place and other requests do not
 * query the assets.
 *
 * File names do not change between deployments, and browsers revalidate them each time (by ETag), so that a
 * page never gets a script of another version.
 */
import { ServiceError } from "../interface/index.ts";
import { newPart, type AppContext } from "./context.ts";
import { pathParameter } from "./paths.ts";

export const pages = newPart();

/**
 * Only our own scripts and styles, nothing inline, no frames; and no text that becomes markup, enforced by browsers
 * that support the last two directives.
 */
const SHARED_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Product pictures may be on any host. */
const PLAYGROUND_POLICY = `${SHARED_POLICY}; img-src 'self' https: http: data:`;
const DOCS_POLICY = `${SHARED_POLICY}; img-src 'self'`;

pages.get("/", (c) => asset(c, "index.html"));
pages.get("/shop", (c) => asset(c, "shop.html"));
pages.get("/playground/:file", (c) => asset(c, pathParameter(c, 1)));

async function asset(c: AppContext, file: string): Promise<Response> {
  const url = new URL(`/playground/${encodeURIComponent(file)}`, c.req.url);
  const tag = c.req.header("if-none-match");
  const found = await c.env.ASSETS.fetch(url, {
    headers: tag === undefined ? {} : { "if-none-match": tag },
  });
  if (found.status !== 200 && found.status !== 304) {
    throw new ServiceError("not_found", `There is no path ${c.req.path}.`);
  }
  const headers = pageHeaders(PLAYGROUND_POLICY);
  for (const name of ["content-type", "etag"]) {
    const value = found.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  headers.set("cache-control", "no-cache");
  return new Response(found.body, { status: found.status, headers });
}

/** The reference page of the exposed parts. */
export function docsResponse(html: string): Response {
  const headers = pageHeaders(DOCS_POLICY);
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("cache-control", "no-cache");
  return new Response(html, { headers });
}

/** No Referer, because page URLs contain queries. */
function pageHeaders(policy: string): Headers {
  return new Headers({
    "content-security-policy": policy,
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
  });
}
