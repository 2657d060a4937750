/** Results of RPC methods: expected failures as data. */
import { ServiceError, type ErrorType, type Result } from "../interface/index.ts";

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(
  type: ErrorType,
  message: string,
  details?: unknown,
): { ok: false; error: ReturnType<ServiceError["toWire"]> } {
  return { ok: false, error: new ServiceError(type, message, { details }).toWire() };
}

/** Runs a method body; a ServiceError becomes its answer, everything else stays an exception. */
export async function answering<T>(body: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof ServiceError) return { ok: false, error: error.toWire() };
    throw error;
  }
}
