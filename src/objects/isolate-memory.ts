/**
 * One memory budget for large work of all objects in an isolate, which share its 128 MB; a `done` wakes many shards at
 * once. Work claims memory before it begins and waits until there is room. The largest work runs when nobody else
 * holds a claim.
 *
 *   opening segments from R2                   their bytes
 *   merging and compacting                     the inputs that are read, and the result
 *
 * Waiting work polls the claims instead of awaiting promises of other requests, which may be gone.
 */
import { Claims } from "./claims.ts";

const BUDGET_BYTES = 48_000_000;
const CLAIM_MS = 10_000;
const LOOK_AGAIN_MS = 25;

/** Bytes. */
const claims = new Claims(CLAIM_MS);

export function claimedBytes(): number {
  return claims.size;
}

/** Runs `work` when there is room for these bytes. The work must call `touch` regularly. */
export async function withMemory<T>(sizeBytes: number, work: (touch: () => void) => Promise<T>): Promise<T> {
  for (let held = claims.size; held > 0 && held + sizeBytes > BUDGET_BYTES; held = claims.size) {
    await scheduler.wait(LOOK_AGAIN_MS * (0.5 + Math.random()));
  }
  const claim = claims.begin(sizeBytes);
  try {
    return await work(() => {
      claim.seenMs = Date.now();
    });
  } finally {
    claims.end(claim);
  }
}
