/**
 * One memory budget for large work of all objects in an isolate, which share its 128 MB; a `done` wakes many shards at
 * once. Work claims memory before it begins and waits until there is room. The largest work runs when nobody else
 * holds a claim.
 *
 *   opening segments from R2                   their bytes
 *   merging and compacting                     the inputs that are read, and the result
 *
 * Waiting work polls the list of claims instead of awaiting promises of other requests, which may be gone. A claim
 * expires if it was not touched for CLAIM_MS, because its object may have died.
 */
const BUDGET_BYTES = 48_000_000;
const CLAIM_MS = 10_000;
const LOOK_AGAIN_MS = 25;

interface Claim {
  readonly sizeBytes: number;
  touchedMs: number;
}

/** Claims of this isolate. */
const claims = new Set<Claim>();

/** Bytes of all claims. */
export function claimedBytes(): number {
  const lapsedMs = Date.now() - CLAIM_MS;
  let held = 0;
  for (const claim of claims) {
    if (claim.touchedMs < lapsedMs) claims.delete(claim);
    else held += claim.sizeBytes;
  }
  return held;
}

/** Runs `work` when there is room for these bytes. The work must call `touch` regularly. */
export async function withMemory<T>(sizeBytes: number, work: (touch: () => void) => Promise<T>): Promise<T> {
  for (let held = claimedBytes(); held > 0 && held + sizeBytes > BUDGET_BYTES; held = claimedBytes()) {
    await scheduler.wait(LOOK_AGAIN_MS * (0.5 + Math.random()));
  }
  const claim: Claim = { sizeBytes, touchedMs: Date.now() };
  claims.add(claim);
  try {
    return await work(() => {
      claim.touchedMs = Date.now();
    });
  } finally {
    claims.delete(claim);
  }
}
