/**
 * Converts everything thrown to the error format (docs/behaviour.md 2.3). Unexpected errors are logged with their
 * errorId, but never shown.
 */
import { ServiceError } from "../interface/index.ts";
import { isInterruption, isOverload } from "../objects/index.ts";
import type { AppContext } from "./context.ts";
import { isHelpedByChallenge } from "./cross-site.ts";

export function errorResponse(error: unknown, c: AppContext): Response {
  const errorId = crypto.randomUUID();
  const known = error instanceof ServiceError ? error : platformError(error);
  if (known.type === "internal_error") {
    console.error(
      JSON.stringify({
        event: "internal_error",
        errorId,
        method: c.req.method,
        path: c.req.path,
        message: error instanceof Error ? error.message : String(error),
        stack: error instanceof Error ? error.stack : undefined,
      }),
    );
  }
  c.set("failure", { type: known.type, errorId });
  const response = Response.json(known.body(errorId, Date.now()), { status: known.status });
  response.headers.set("cache-control", "no-store");
  if (known.retryAfterS !== null)
    response.headers.set("retry-after", String(Math.max(1, Math.ceil(known.retryAfterS))));
  if (known.type === "unauthorized" && isHelpedByChallenge(c.req.raw.headers))
    response.headers.set("www-authenticate", 'Basic realm="search"');
  if (known.type === "method_not_allowed") response.headers.set("allow", allowOf(known));
  return response;
}

export function methodNotAllowed(method: string, allowed: readonly string[]): ServiceError {
  return new ServiceError("method_not_allowed", `${method} is not supported by this path.`, {
    details: { allow: allowed },
  });
}

function allowOf(error: ServiceError): string {
  const details = error.details as { readonly allow: readonly string[] };
  return details.allow.join(", ");
}

function platformError(error: unknown): ServiceError {
  if (isOverload(error)) {
    return new ServiceError("too_many_requests", "The index is overloaded; try again later.", {
      retryAfterS: 2,
    });
  }
  if (isInterruption(error)) {
    return new ServiceError("index_unavailable", "The index was interrupted; try again.");
  }
  return new ServiceError("internal_error", "An unexpected error occurred.");
}
