/**
 * Primary: the writing side of replication, as a state machine without clock, network or storage of its own.
 *
 * ## What it guarantees
 *
 * Reads of one generation are linearizable wherever they are answered; once a change of epoch or configuration was
 * answered, nobody answers under an older one. One rule does all of it:
 *
 *   RULE  A floor (epoch, log position, configuration version) takes effect when every incarnation that may hold a lease has promised
 *         it, or its lease has run out for sure.
 *
 * ## Stored (PrimaryRecord; in the turn of the change, so messages leave only when it is durable)
 *
 *   epoch, live   as in shard-object.ts
 *   committed     position up to which writes are visible and acknowledged: stored in the turn that makes them so
 *   holders       whoever may hold a lease: stored before the grant leaves, removed after it is over for sure
 *   longestHoldMs the longest hold ever reckoned with: the next version of the code may have another length
 *   grants        counts grants, so that each one writes, even when nothing else changes: an incarnation that lost its storage to a
 *                 newer one fails at it, and cannot prolong a lease that the newer one is waiting out.
 *
 * ## In memory
 *
 *   leases        holder -> until when (own clock), promised floor, what it has received, what it owes
 *   configuration the version heard of, and whether it was read since the start and the last standing
 *
 * ## Transitions
 *
 *   start     Every stored holder counts as holding a full lease from now, with nothing promised. Reads are answered at once, at `committed`;
 *             what the log has beyond it waits for the holders like any other write. Without holders it is committed
 *             at once.
 *   append    Live at the call's epoch only. The entry is durable in the log, the floor rises. It is not visible yet: the Reader of
 *             `committed` goes on serving (Readers are immutable).
 *   floor     rises: every holder that owes nothing is sent news; others get theirs when they have promised the last one. So one
 *             message at a time is under way to a holder, and writes that come meanwhile share the next (group commit).
 *   promise   Noted for exactly the incarnation that sends it: a successor's promise says nothing about a predecessor that still runs.
 *   commit    committed = the lowest promised position, without leases the end of the log. Writes up to it are acknowledged, reads see it,
 *             holders get news of it: all of this leaves when the new `committed` is durable.
 *   request   A promise, too. Refused when retired, when the configuration is not known yet, when the log does not reach back far enough, and
 *             in arrears: otherwise a holder that we hear but that does not hear us could hold up writes for ever.
 *             Else holder and grant are stored, the lease counts from now, the grant has everything the replica lacks.
 *   standing  Epoch and live are stored; the floor's epoch rises. Answered when all have promised it. A holder that promised the epoch of a
 *             retired primary cannot hold a lease: it is dropped at once. The configuration counts as unknown until it
 *             was read again: a kept generation slept through the changes of its absence.
 *   heardOf   A push of the catalog: the floor's configuration rises. Answered when all have promised it.
 *   read configuration   Begun at the start and after a new standing. Only the read that was begun last counts: an older one may have
 *             read before a change of which nobody told us.
 *   read      Not live, or another epoch: stale (shard-object.ts asks the index first when a call knows a higher one). Waits for
 *             the configuration, then answers at `committed`.
 *   tick      Drops leases that are over; sends again what was not promised.
 */
import {
  higher,
  NOTHING_PROMISED,
  reaches,
  type Entry,
  type Floor,
  type Holder,
  type ReadAnswer,
  type Report,
  type ToPrimary,
  type ToReplica,
} from "./messages.ts";
import type { Timing } from "./timing.ts";

export interface PrimaryRecord {
  readonly epoch: number;
  readonly live: boolean;
  readonly committed: number;
  readonly holders: readonly Holder[];
  readonly longestHoldMs: number;
  readonly grants: number;
}

/**
 * Where the machine stands. Synchronous; what a turn stores and sends happens together or not at all (output gate).
 */
export interface PrimaryHost<P> {
  nowMs(): number;
  record(): PrimaryRecord;
  store(record: PrimaryRecord): void;
  send(to: Holder, message: ToReplica<P>): void;
  /** Position of the last update. */
  logEnd(): number;
  /** Answers the entry's position, logEnd + 1. */
  append(payload: P): number;
  /** Begins to read the catalog's version; `configurationRead` with this number follows. */
  readConfiguration(number: number): void;
  /** Entries that lead from `position` to the end; null: the log begins later. */
  entriesAfter(position: number): readonly Entry<P>[] | null;
}

interface Lease {
  readonly holder: Holder;
  /** By our clock; until then it may answer. */
  untilMs: number;
  promised: Floor;
  received: number;
  /** A floor it was asked to promise, when it began to owe that, and when it was last asked. Null: it owes nothing. */
  debt: { readonly floor: Floor; readonly sinceMs: number; askedMs: number } | null;
}

/** Something that is answered as soon as `isMet`. */
interface Waiting {
  readonly isMet: () => boolean;
  readonly done: () => void;
}

export class Primary<P> {
  readonly #host: PrimaryHost<P>;
  readonly #timing: Timing;
  readonly #leases = new Map<string, Lease>();
  /** The newest heard of. */
  #configurationVersion = 0;
  #isConfigurationKnown = false;
  #configurationReads = 0;
  #waiting: Waiting[] = [];

  constructor(host: PrimaryHost<P>, timing: Timing) {
    this.#host = host;
    this.#timing = timing;
    const { holders, longestHoldMs } = host.record();
    for (const holder of holders) {
      const untilMs = host.nowMs() + Math.max(timing.holdMs, longestHoldMs);
      this.#leases.set(keyOf(holder), newLease(holder, untilMs));
    }
    this.#readConfiguration();
    this.#advance();
  }

  /** Position of the state that reads see. */
  get committed(): number {
    return this.#host.record().committed;
  }

  /** Leases that may be in use. */
  get leases(): number {
    return this.#leases.size;
  }

  /**
   * `done`: the write may be acknowledged. Answers its position; null: not live at this epoch, nothing was written.
   */
  append(epoch: number, payload: P, done: () => void): number | null {
    if (!this.#serves(epoch)) return null;
    const position = this.#host.append(payload);
    this.#waiting.push({ isMet: () => this.committed >= position, done });
    this.#advance();
    return position;
  }

  read(epoch: number, answer: (answer: ReadAnswer) => void): void {
    const done = (): void => {
      if (this.#serves(epoch)) {
        const at = { ...this.#floor(), position: this.committed };
        answer({ kind: "state", by: "primary", at });
      } else {
        answer({ kind: "stale" });
      }
    };
    this.#waiting.push({ isMet: () => !this.#serves(epoch) || this.#isConfigurationKnown, done });
    this.#advance();
  }

  /**
   * As ShardApi.setStanding; older news than ours changes nothing. `done`: nobody answers for a lower epoch any more.
   */
  setStanding(standing: { readonly live: boolean; readonly epoch: number }, done: () => void): void {
    const record = this.#host.record();
    if (standing.epoch > record.epoch) {
      this.#host.store({ ...record, ...standing });
      this.#readConfiguration();
    }
    this.#waiting.push({ isMet: () => this.#allPromised({ epoch: standing.epoch }), done });
    this.#advance();
  }

  /** `done`: nobody answers with an older configuration any more. */
  heardOf(configurationVersion: number, done: () => void): void {
    this.#configurationVersion = Math.max(this.#configurationVersion, configurationVersion);
    this.#waiting.push({ isMet: () => this.#allPromised({ configurationVersion }), done });
    this.#advance();
  }

  configurationRead(number: number, configurationVersion: number): void {
    this.#configurationVersion = Math.max(this.#configurationVersion, configurationVersion);
    if (number === this.#configurationReads) this.#isConfigurationKnown = true;
    this.#advance();
  }

  receive(message: ToPrimary): void {
    switch (message.kind) {
      case "promise":
        this.#note(message);
        break;
      case "request":
        this.#note(message);
        this.#decide(message, message.request);
        break;
      case "forward": {
        const { from, ticket, epoch } = message;
        this.read(epoch, (answer) => {
          this.#host.send(from, { kind: "answer", incarnation: from.incarnation, ticket, answer });
        });
      }
    }
    this.#advance();
  }

  tick(): void {
    this.#advance();
  }

  /** When `tick` has something to do next, by the host's clock; Infinity: never. */
  dueMs(): number {
    let dueMs = Infinity;
    for (const { untilMs, debt } of this.#leases.values()) {
      dueMs = Math.min(dueMs, untilMs, (debt?.askedMs ?? Infinity) + this.#timing.resendMs);
    }
    return dueMs;
  }

  #readConfiguration(): void {
    this.#isConfigurationKnown = false;
    this.#host.readConfiguration(++this.#configurationReads);
  }

  #serves(epoch: number): boolean {
    const record = this.#host.record();
    return record.live && record.epoch === epoch;
  }

  #floor(): Floor {
    return {
      epoch: this.#host.record().epoch,
      position: this.#host.logEnd(),
      configurationVersion: this.#configurationVersion,
    };
  }

  #allPromised(floor: Partial<Floor>): boolean {
    const wanted = { ...NOTHING_PROMISED, ...floor };
    return [...this.#leases.values()].every(({ promised }) => reaches(promised, wanted));
  }

  // ---- leases

  #note(report: Report): void {
    const lease = this.#leases.get(keyOf(report.from));
    if (lease === undefined) return;
    lease.promised = higher(lease.promised, report.promised);
    lease.received = Math.max(lease.received, report.received);
    if (lease.debt !== null && reaches(lease.promised, lease.debt.floor)) lease.debt = null;
  }

  #decide(report: Report, request: number): void {
    const { from, promised, received } = report;
    const { incarnation } = from;
    const { holdMs, leaseMs, arrearsMs } = this.#timing;
    const refuse = (reason: "retired" | "starting" | "arrears" | "behind"): void => {
      this.#host.send(from, { kind: "refusal", incarnation, request, reason });
    };
    const record = this.#host.record();
    const nowMs = this.#host.nowMs();
    const key = keyOf(from);
    const held = this.#leases.get(key);
    const debt = held?.debt ?? null;
    if (!record.live) return refuse("retired");
    if (!this.#isConfigurationKnown) return refuse("starting");
    if (debt !== null && nowMs - debt.sinceMs >= arrearsMs) return refuse("arrears");
    const entries = this.#host.entriesAfter(received);
    if (entries === null) return refuse("behind");

    this.#host.store({
      ...record,
      holders: [...record.holders.filter((holder) => keyOf(holder) !== key), from],
      longestHoldMs: Math.max(record.longestHoldMs, holdMs),
      grants: record.grants + 1,
    });
    const lease = held ?? { ...newLease(from, nowMs), promised, received };
    lease.untilMs = Math.max(lease.untilMs, nowMs + holdMs);
    const floor = this.#floor();
    // The grant asks for the promise, too.
    if (!reaches(lease.promised, floor)) {
      lease.debt = { floor, sinceMs: debt?.sinceMs ?? nowMs, askedMs: nowMs };
    }
    this.#leases.set(key, lease);
    const committed = this.committed;
    this.#host.send(from, {
      kind: "grant",
      incarnation,
      request,
      leaseMs,
      floor,
      committed,
      entries,
    });
  }

  /** Everything that follows from a change of whatever kind. */
  #advance(): void {
    this.#dropFinished();
    const promised = [...this.#leases.values()].map((lease) => lease.promised.position);
    const committed = Math.min(this.#host.logEnd(), ...promised);
    const hasGrown = committed > this.committed;
    if (hasGrown) this.#host.store({ ...this.#host.record(), committed });
    for (const lease of this.#leases.values()) this.#inform(lease, hasGrown);
    const met = this.#waiting.filter(({ isMet }) => isMet());
    this.#waiting = this.#waiting.filter((one) => !met.includes(one));
    for (const { done } of met) done();
  }

  #dropFinished(): void {
    const nowMs = this.#host.nowMs();
    const record = this.#host.record();
    let hasDropped = false;
    for (const [key, { untilMs, promised }] of this.#leases) {
      if (nowMs < untilMs && (record.live || promised.epoch < record.epoch)) continue;
      this.#leases.delete(key);
      hasDropped = true;
    }
    if (!hasDropped) return;
    const holders = [...this.#leases.values()].map(({ holder }) => holder);
    this.#host.store({ ...record, holders });
  }

  /** Asks for the promise of the floor unless one is awaited, or says that the commit moved. */
  #inform(lease: Lease, hasCommitted: boolean): void {
    const nowMs = this.#host.nowMs();
    const floor = this.#floor();
    if (lease.debt === null && !reaches(lease.promised, floor)) {
      lease.debt = { floor, sinceMs: nowMs, askedMs: -Infinity };
    }
    const { debt, holder, received } = lease;
    const { incarnation } = holder;
    const committed = this.committed;
    const confirm = debt !== null && nowMs - debt.askedMs >= this.#timing.resendMs;
    if (confirm) {
      debt.askedMs = nowMs;
      // Where the log does not reach back, the replica learns it when it asks for its next lease.
      const entries = this.#host.entriesAfter(received) ?? [];
      this.#host.send(holder, { kind: "news", incarnation, confirm, floor, committed, entries });
    } else if (hasCommitted) {
      const entries: Entry<P>[] = [];
      this.#host.send(holder, { kind: "news", incarnation, confirm, floor, committed, entries });
    }
  }
}

function newLease(holder: Holder, untilMs: number): Lease {
  return { holder, untilMs, promised: NOTHING_PROMISED, received: -1, debt: null };
}

function keyOf({ replica, incarnation }: Holder): string {
  return `${replica}#${incarnation}`;
}
