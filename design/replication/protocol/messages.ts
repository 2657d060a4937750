/**
 * What primary and replicas of one shard say to each other. Plain data; any of it may be lost, late, doubled or out of
 * order, and nothing here needs an answer to be correct, only to make progress. Wired to objects, a message pair
 * becomes one RPC call.
 *
 * Positions are those of the shard's log: the number of an update, growing by one, never used twice in the life of a
 * generation.
 */

/** One life of a replica's memory. A lease belongs to an incarnation, so whoever comes after a restart has none. */
export interface Holder {
  readonly replica: string;
  /** Random, never used twice. */
  readonly incarnation: string;
}

/**
 * A holder that promised a floor answers nothing older by itself, until its incarnation ends: no older state, no older
 * configuration, and under no lease of an older epoch. Floors only rise.
 */
export interface Floor {
  readonly epoch: number;
  readonly position: number;
  readonly configurationVersion: number;
}

/** Updates first..last of the log as one piece. Taking it again, or from the middle, leads to the same state. */
export interface Entry<P> {
  readonly first: number;
  readonly last: number;
  readonly payload: P;
}

/** In everything a primary says to a holder. */
export interface News<P> {
  readonly incarnation: string;
  /** The end of the log, the newest epoch and configuration the primary has heard of. */
  readonly floor: Floor;
  /** Up to here everything is visible at the primary. */
  readonly committed: number;
  /** What the replica lacks up to the floor, as far as the primary knows. */
  readonly entries: readonly Entry<P>[];
}

export type ToReplica<P> =
  /** The floor rises (`confirm`), or only the commit is news. */
  | ({ readonly kind: "news"; readonly confirm: boolean } & News<P>)
  /** A lease for calls with the floor's epoch, `leaseMs` long from the moment `request` was sent. */
  | ({
      readonly kind: "grant";
      readonly request: number;
      readonly leaseMs: number;
    } & News<P>)
  /**
   * No lease. retired: not the live generation; starting: the primary has just begun; arrears: an older floor is not
   * promised yet; behind: the log no longer reaches back to the replica's position, so it loads the manifest.
   */
  | {
      readonly kind: "refusal";
      readonly incarnation: string;
      readonly request: number;
      readonly reason: "retired" | "starting" | "arrears" | "behind";
    }
  /** To a read that was passed on. */
  | {
      readonly kind: "answer";
      readonly incarnation: string;
      readonly ticket: number;
      readonly answer: ReadAnswer;
    };

export type ToPrimary =
  /** Asks for a lease. Counts as a promise, too. */
  | ({ readonly kind: "request"; readonly request: number } & Report)
  /** The answer to news that want one, and to a grant. */
  | ({ readonly kind: "promise" } & Report)
  /** A read the replica may not or cannot answer. */
  | {
      readonly kind: "forward";
      readonly from: Holder;
      readonly ticket: number;
      readonly epoch: number;
    };

/** How a replica stands. */
export interface Report {
  readonly from: Holder;
  readonly promised: Floor;
  /** It has the log up to here, without a gap. */
  readonly received: number;
}

/**
 * What a read may be answered from, and whose Reader it is. `stale`: another epoch is live; `unavailable`: try again.
 */
export type ReadAnswer =
  | { readonly kind: "state"; readonly by: "primary" | "replica"; readonly at: Floor }
  | { readonly kind: "stale" }
  | { readonly kind: "unavailable" };

/** The higher of both in each member. */
export function higher(a: Floor, b: Floor): Floor {
  return {
    epoch: Math.max(a.epoch, b.epoch),
    position: Math.max(a.position, b.position),
    configurationVersion: Math.max(a.configurationVersion, b.configurationVersion),
  };
}

export function reaches(a: Floor, b: Floor): boolean {
  return a.epoch >= b.epoch && a.position >= b.position && a.configurationVersion >= b.configurationVersion;
}

/** Below every floor that was ever asked for. */
export const NOTHING_PROMISED: Floor = { epoch: -1, position: -1, configurationVersion: -1 };
