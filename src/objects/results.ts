/** Results of RPC methods: expected failures as data. */
import { ServiceError, type ErrorType, type Result } from "../interface/index.ts";
import { isStale, STALE, type ShardResult, type Stale } from "./protocol/index.ts";

/** The failing half of every Result. */
export type Failure = Extract<Result<never>, { readonly ok: false }>;

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(type: ErrorType, message: string, details?: unknown): Failure {
  return { ok: false, error: new ServiceError(type, message, { details }).toWire() };
}

/**
 * Copies an RPC answer that is passed on by RPC. The original would keep the passing object in memory as long as its
 * caller lives.
 */
export function detached<T>(answer: Result<T>): Result<T>;
export function detached<T>(answer: ShardResult<T>): ShardResult<T>;
export function detached<T>(answer: ShardResult<T>): Result<T> | Stale {
  if (isStale(answer)) return STALE;
  return answer.ok ? ok(answer.value) : { ok: false, error: answer.error };
}

/** Runs a method body. A ServiceError becomes the answer; other exceptions are thrown. */
export async function answering<T extends object>(body: () => Promise<T>): Promise<T | Failure> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof ServiceError) return { ok: false, error: error.toWire() };
    throw error;
  }
}
