/**
 * All errors of the service, in one table.
 *
 * The JSON body (docs/behaviour.md 2.3), the HTTP status and the documentation derive from it.
 * Adding a row is the only way to add an error. `type` is stable and snake_case; clients may switch on it.
 */
import * as z from "zod";

export const ERRORS = {
  bad_request: {
    status: 400,
    doc: "The request cannot be parsed: invalid JSON or an invalid URL.",
  },
  invalid_parameter: {
    status: 400,
    doc: "A query or path parameter has an invalid value; details name it.",
  },
  invalid_body: {
    status: 400,
    doc: "The body is JSON, but does not have the expected structure; details list the paths.",
  },
  invalid_configuration: {
    status: 400,
    doc: "A configuration document is invalid; details list the paths.",
  },
  invalid_rules: {
    status: 400,
    doc: "A rules text has mistakes; details list line, column and the expected syntax.",
  },
  invalid_index_name: {
    status: 400,
    doc: "An index name must match [a-z0-9_-]+ (at most 200 characters).",
  },
  invalid_locale: { status: 400, doc: "A locale or langCode is missing, empty or invalid." },
  session_unknown: {
    status: 400,
    doc: "No import session has this temporaryIndexName (never started, or removed).",
  },
  session_completed: {
    status: 400,
    doc: "The import session is completed; details name its generation.",
  },
  session_cancelled: { status: 400, doc: "The import session was cancelled." },
  session_mismatch: {
    status: 400,
    doc: "finalIndexName and temporaryIndexName do not belong together.",
  },
  session_busy: {
    status: 400,
    doc: "The session is being published and accepts no more documents.",
  },
  too_few_documents: {
    status: 400,
    doc: "The import has fewer documents than the index's minimum-document-count; the session stays open.",
  },
  search_too_expensive: {
    status: 400,
    doc: "The search or suggestion needs more work than searchSteps allows; send fewer words, clauses or product sets.",
  },
  answer_too_large: {
    status: 400,
    doc: "The answer is larger than answerBytes; the message names a `limit` that fits, if any does.",
  },
  unauthorized: { status: 401, doc: "Credentials are missing or wrong." },
  forbidden: { status: 403, doc: "The user lacks the role for this call." },
  not_found: { status: 404, doc: "No such route." },
  index_not_found: { status: 404, doc: "No live index or tenant of this name." },
  document_not_found: { status: 404, doc: "No document with this id." },
  configuration_not_found: { status: 404, doc: "No configuration entry of this name." },
  generation_not_found: { status: 404, doc: "There is no earlier generation to roll back to." },
  method_not_allowed: {
    status: 405,
    doc: "The path does not support this method; Allow lists the supported ones.",
  },
  precondition_failed: {
    status: 412,
    doc: "The entry does not match If-Match or If-None-Match, because it was changed meanwhile; details have its ETag.",
  },
  request_timeout: {
    status: 408,
    doc: "The body arrives more slowly than uploadStallMs allows; nothing was changed.",
  },
  body_too_large: {
    status: 413,
    doc: "The body or one of its parts exceeds a limit; details name the limit.",
  },
  index_too_large: {
    status: 413,
    doc: "The index would need more than 64 shards, or the import has too many bulks; an open session stays open. Details have the sizes.",
  },
  too_many_requests: {
    status: 429,
    doc: "Too many requests; wait for the seconds in Retry-After.",
  },
  index_unavailable: {
    status: 503,
    doc: "The index is temporarily unavailable; retry after the seconds in Retry-After.",
  },
  index_full_resharding: {
    status: 503,
    doc: "The index is being split into more shards; retry writes that add data later.",
  },
  storage_unavailable: {
    status: 503,
    doc: "Durable storage did not answer; nothing was changed. Retry.",
  },
  misconfigured: {
    status: 503,
    doc: "A setting of the service (AUTH_USERS, JURISDICTION, LOCATION_HINT) is invalid; the service's logs have the reason.",
  },
  internal_error: {
    status: 500,
    doc: "An unexpected error in the service. The logs contain its errorId.",
  },
} as const satisfies Record<string, { status: number; doc: string }>;

export type ErrorType = keyof typeof ERRORS;

/** A problem at one place of the input; `path` is dotted, e.g. `documents[3].data.price`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export const ErrorBody = z
  .object({
    message: z.string(),
    code: z.number().int(),
    type: z.string(),
    errorId: z.string(),
    timestamp: z.number().int(),
    details: z.unknown().optional(),
  })
  .meta({ id: "Error", description: "The body of every error." });
export type ErrorBody = z.infer<typeof ErrorBody>;

/**
 * The only exception of the service that becomes an answer; may be thrown anywhere.
 *
 * It is sent over Durable Object RPC as data (`toWire`/`fromWire`), because an exception thrown over RPC keeps only
 * its message.
 */
export class ServiceError extends Error {
  readonly type: ErrorType;
  readonly details: unknown;
  /** Seconds for the Retry-After header; null if a retry does not help. */
  readonly retryAfterS: number | null;

  constructor(type: ErrorType, message: string, options: { details?: unknown; retryAfterS?: number } = {}) {
    super(message);
    this.name = "ServiceError";
    this.type = type;
    this.details = options.details;
    const status: number = ERRORS[type].status;
    this.retryAfterS = options.retryAfterS ?? (status === 503 || status === 429 ? 1 : null);
  }

  get status(): number {
    return ERRORS[this.type].status;
  }

  body(errorId: string, timestampMs: number): ErrorBody {
    const body: ErrorBody = {
      message: this.message,
      code: this.status,
      type: this.type,
      errorId,
      timestamp: timestampMs,
    };
    if (this.details !== undefined) body.details = this.details;
    return body;
  }

  toWire(): WireError {
    const wire: WireError = { type: this.type, message: this.message };
    if (this.details !== undefined) wire.details = this.details;
    if (this.retryAfterS !== null) wire.retryAfterS = this.retryAfterS;
    return wire;
  }

  static fromWire(wire: WireError): ServiceError {
    const options: { details?: unknown; retryAfterS?: number } = {};
    if (wire.details !== undefined) options.details = wire.details;
    if (wire.retryAfterS !== undefined) options.retryAfterS = wire.retryAfterS;
    return new ServiceError(wire.type, wire.message, options);
  }
}

export interface WireError {
  type: ErrorType;
  message: string;
  details?: unknown;
  retryAfterS?: number;
}

/** Result of an RPC method: a value, or an expected failure as data. Unexpected failures are exceptions. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: WireError };

export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw ServiceError.fromWire(result.error);
}
