/**
 * The Worker's HTTP surface: mounts the parts, and adds their common behaviour.
 *
 *   request -> log -> CORS, timings -> exposed? -> preflight -> rate limit, origin, caller -> the part's route ->
 *   answer
 *                                                                   '-> 405 with Allow, or 404
 *
 * The handlers of GET answer HEAD (hono drops the body), except if GET opens a session. All errors
 * are converted in errors.ts.
 */
import { Hono } from "hono";
import { matchedRoutes } from "hono/route";
import { ServiceError } from "../interface/index.ts";
import { urgent } from "../objects/index.ts";
import { admin } from "./admin.ts";
import { authorize, isPublic, roleOf } from "./auth.ts";
import { releaseBody } from "./body-memory.ts";
import { Caller } from "./caller.ts";
import { allowAnyOrigin, preflightResponse } from "./cors.ts";
import { configuration } from "./configuration.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { refuseCrossSite } from "./cross-site.ts";
import { docs } from "./docs.ts";
import { errorResponse, methodNotAllowed } from "./errors.ts";
import { START_PATH, fullImport } from "./full-import.ts";
import { countRequest, metrics } from "./metrics.ts";
import { pages } from "./pages.ts";
import { limitAddress, limitUser } from "./rate-limit.ts";
import { search } from "./search.ts";
import { exposes, partOf } from "./settings.ts";
import { suggest } from "./suggest.ts";
import { update } from "./update.ts";

export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.use(async (c, next) => {
    const startMs = performance.now();
    c.set("timings", new Map());
    await next();
    releaseBody(c.req.raw);
    finish(c);
    const route = matchedRoutes(c).findLast(({ method }) => method !== "ALL")?.path ?? null;
    countRequest(c.req.raw.method, route, c.res.status);
    logRequest(c, route, performance.now() - startMs);
  });

  app.use(async (c, next) => {
    const part = partOf(c.req.path);
    if (part !== null && !exposes(c.env, part)) throw notFound(c);
    if (c.req.method === "OPTIONS") {
      const allowed = allowedMethods(app, c.req.path);
      if (allowed.length === 0) throw notFound(c);
      return preflightResponse(allowed, c.req.header("access-control-request-headers") ?? null);
    }
    if (part !== null) {
      const { headers } = c.req.raw;
      await limitAddress(c.env, part, headers);
      refuseCrossSite(part, c.req.raw);
      if (isPublic(c.env, part)) c.set("caller", Caller.everybody);
      else {
        const role = roleOf(part, c.req.raw.method, c.req.path);
        c.set("caller", await authorize(c.env, role, headers.get("authorization")));
        await limitUser(c.env, part, headers);
      }
    }
    const answering = part === "search" || part === "suggest" ? urgent(next) : next();
    return part === "indexer" || c.req.raw.body !== null ? toItsEnd(c, answering) : answering;
  });

  for (const part of [search, suggest, fullImport, update, configuration, admin, metrics, docs, pages])
    app.route("/", part);

  app.notFound((c) => {
    const allowed = allowedMethods(app, c.req.path);
    if (allowed.length === 0) throw notFound(c);
    throw methodNotAllowed(c.req.raw.method, allowed);
  });
  app.onError((error, c) => errorResponse(error, c));
  return app;
}

/**
 * If a client disconnects, the runtime drops its request without running any `finally`, unless something waits for it:
 * the memory that a bulk or another body has claimed, and its turn, would then be taken until they lapse.
 */
function toItsEnd(c: AppContext, answering: Promise<void>): Promise<void> {
  c.executionCtx.waitUntil(answering.catch(() => undefined));
  return answering;
}

function notFound(c: AppContext): ServiceError {
  return new ServiceError("not_found", `There is no path ${c.req.path}.`);
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The router's methods for a path; empty if the path does not exist. */
function allowedMethods(app: Hono<AppEnv>, path: string): string[] {
  const allowed: string[] = [];
  for (const method of METHODS) {
    const [handlers] = app.router.match(method, path);
    // Middleware is registered for all methods and matches every path.
    if (!handlers.some(([[, route]]) => route.method === method)) continue;
    allowed.push(method);
    const opensSession = handlers.some(([[, route]]) => route.path === START_PATH);
    if (method === "GET" && !opensSession) allowed.push("HEAD");
  }
  return allowed.length === 0 ? [] : [...allowed, "OPTIONS"];
}

function finish(c: AppContext): void {
  const headers = c.res.headers;
  allowAnyOrigin(headers);
  headers.set("x-content-type-options", "nosniff");
  const timings = [...c.get("timings")].map(([phase, ms]) => `${phase};dur=${ms.toFixed(1)}`);
  if (timings.length > 0) headers.set("server-timing", timings.join(", "));
}

/** One line per request, without query strings, which contain what people search for. */
function logRequest(c: AppContext, route: string | null, ms: number): void {
  const { status } = c.res;
  const level = c.env.LOG ?? "all";
  if (level === "off" || (level === "errors" && status < 500)) return;
  console.log(
    JSON.stringify({
      event: "request",
      method: c.req.raw.method,
      route,
      path: c.req.path,
      status,
      ms: Math.round(ms * 10) / 10,
      ...c.get("failure"),
    }),
  );
}
