/**
 * When to try again, and after how long. Every call of an import may be repeated:
 *   start   an orphan session costs nothing and is removed by a later import
 *   add     a bulk that was applied without us hearing of it is applied again; of two versions of an id the later wins,
 *           and they are equal
 *   done    a repeated done joins the publishing under way, or finds the session completed
 *   cancel  a repeated cancel finds the session cancelled
 */
import { setTimeout as timer } from "node:timers/promises";

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** Upper bound of the first pause; doubled for each further one. */
  readonly baseMs: number;
  /** Upper bound of every pause that the service did not ask for. */
  readonly capMs: number;
  /** A service that asks for a longer pause than this is taken to be down. */
  readonly patienceMs: number;
}

/** Time and chance, replaceable so that a test neither waits nor throws dice. */
export interface Timing {
  nowMs(): number;
  /** Between 0 and 1. */
  random(): number;
  /** Rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemTiming: Timing = {
  nowMs: () => performance.now(),
  random: Math.random,
  wait: async (ms, signal) => {
    await timer(ms, undefined, { signal });
  },
};

/** About a minute of trying: longer than a deploy or the restart of an object takes. */
export const PATIENT: RetryPolicy = {
  attempts: 9,
  baseMs: 250,
  capMs: 15_000,
  patienceMs: 120_000,
};
/** For the first call, where a wrong address should be told soon, and for cancel, where a person waits to leave. */
export const BRIEF: RetryPolicy = { attempts: 4, baseMs: 250, capMs: 1_000, patienceMs: 10_000 };

/**
 * The pause before attempt `attempt + 1` (attempts count from 1), in ms; null: give up.
 *
 * Half of the exponential bound is fixed, half is chance, so that senders that failed together do not come back
 * together. What Retry-After asks for is a lower bound, with the same jitter on top.
 */
export function pauseMs(
  policy: RetryPolicy,
  attempt: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  if (attempt >= policy.attempts) return null;
  if (retryAfterMs !== null && retryAfterMs > policy.patienceMs) return null;
  const bound = Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1));
  const jittered = bound / 2 + (random * bound) / 2;
  if (retryAfterMs === null) return jittered;
  return Math.max(jittered, retryAfterMs + (random * policy.baseMs) / 2);
}

/** `Retry-After` as ms from now: seconds or an HTTP date (RFC 9110, 10.2.3); null when absent or unreadable. */
export function retryAfterMs(header: string | null, dateNowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - dateNowMs);
}

/**
 * Statuses that say "not now": too many requests, unavailable, and what stands between us and the service (408, 502,
 * 504, 520-527 and 530 of Cloudflare's edge). 500 is a defect: it would happen again.
 */
export function isTemporary(status: number): boolean {
  return (
    status === 408 ||
    status === 429 ||
    status === 502 ||
    status === 503 ||
    status === 504 ||
    (status >= 520 && status <= 527) ||
    status === 530
  );
}
