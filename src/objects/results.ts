/** Results of RPC methods: expected failures as data. */
import { ServiceError, type ErrorType, type Result } from "../interface/index.ts";

/** The failing half of every Result. */
export type Failure = Extract<Result<never>, { readonly ok: false }>;

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(type: ErrorType, message: string, details?: unknown): Failure {
  return { ok: false, error: new ServiceError(type, message, { details }).toWire() };
}

/** Runs a method body; a ServiceError becomes its answer, everything else stays an exception. */
export async function answering<T extends object>(body: () => Promise<T>): Promise<T | Failure> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof ServiceError) return { ok: false, error: error.toWire() };
    throw error;
  }
}
