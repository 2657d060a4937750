/**
 * Memory for large work, of which objects that share an isolate have one budget: 128 MB are the isolate's, and a `done`
 * wakes many shards at once. Work asks before it begins and waits until what others hold leaves room; the largest gets
 * its turn when nobody else holds anything.
 *
 *   reading segments from R2 to open them      their bytes
 *   merging and compacting                     inputs that are read for it, and the result
 *
 * Nobody waits for another's promise (its request may be gone): everybody looks at the list. An object that dies says
 * nothing, so a claim lapses when it was not touched for CLAIM_MS.
 */
const BUDGET_BYTES = 48_000_000;
const CLAIM_MS = 10_000;
const LOOK_AGAIN_MS = 25;

interface Claim {
  readonly sizeBytes: number;
  touchedMs: number;
}

/** Of this isolate, in the order they came. */
const claims = new Set<Claim>();

/** What is held now, by all. */
export function claimedBytes(): number {
  const lapsedMs = Date.now() - CLAIM_MS;
  let held = 0;
  for (const claim of claims) {
    if (claim.touchedMs < lapsedMs) claims.delete(claim);
    else held += claim.sizeBytes;
  }
  return held;
}

/** Runs `work` when there is room for so many bytes; it calls `touch` now and then. */
export async function withMemory<T>(
  sizeBytes: number,
  work: (touch: () => void) => Promise<T>,
): Promise<T> {
  for (
    let held = claimedBytes();
    held > 0 && held + sizeBytes > BUDGET_BYTES;
    held = claimedBytes()
  ) {
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
