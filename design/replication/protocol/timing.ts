/**
 * How long things last, and the one place where clocks are compared.
 *
 * Only differences of one clock within one incarnation are used: wall clocks of two machines may disagree by hours.
 * What is assumed is a bound on how wrong such a difference can be. If t ms passed really, a node measures x with
 *
 *   t * (1 - drift) - step  <=  x  <=  t * (1 + drift) + step
 *
 * (drift: the clock runs fast or slow; step: it was set in between). A replica counts its lease from before it sent
 * the request, the primary from after the request arrived, so the replica began first. The replica stops when it
 * measures `leaseMs`, that is after at most (leaseMs + step) / (1 - drift). The primary may take the lease for over
 * when at least that much has passed:
 *
 *   (x - step) / (1 + drift) >= (leaseMs + step) / (1 - drift)    <=>    x >= holdMs
 *   holdMs = (leaseMs + step) * (1 + drift) / (1 - drift) + step
 *
 * A new incarnation of the primary counts from its own start: whatever was granted was granted before.
 */
export interface Timing {
  /** How long a replica answers by itself after one grant. */
  readonly leaseMs: number;
  /** How long the primary reckons with a lease. At least what `holdMs` says. */
  readonly holdMs: number;
  /** A holder that has owed a promise for so long gets no new lease until it promises. */
  readonly arrearsMs: number;
  /** News that want an answer, and recalls, are sent again after so long. */
  readonly resendMs: number;
  /** A request for a lease, or a read that was passed on, is given up after so long. */
  readonly requestMs: number;
  /** A read waits for a commit for so long, then it is passed on. */
  readonly patienceMs: number;
}

/** The bound on clocks: a fraction, and ms. */
export interface ClockBound {
  readonly drift: number;
  readonly stepMs: number;
}

/** NTP slews at most 0.05 %; 1 % and a quarter of a second are generous. */
export const CLOCK_BOUND: ClockBound = { drift: 0.01, stepMs: 250 };

export const DEFAULT_TIMING: Timing = {
  leaseMs: 3_000,
  holdMs: holdMs(3_000, CLOCK_BOUND),
  arrearsMs: 1_000,
  resendMs: 300,
  requestMs: 1_000,
  patienceMs: 300,
};

export function holdMs(leaseMs: number, { drift, stepMs }: ClockBound): number {
  return Math.ceil(((leaseMs + stepMs) * (1 + drift)) / (1 - drift) + stepMs);
}
