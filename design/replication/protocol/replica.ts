/**
 * Replica: the reading side, as a state machine without clock, network or storage of its own.
 *
 * ## Stored: only a cache
 *
 * Bytes of segments and of log entries, and the position they make up. Entries are applied when they are known to be
 * committed, and never before, so whatever a replica has stored is true for ever: positions are never used twice. It
 * may be lost at any time.
 *
 * ## In memory, of one incarnation
 *
 *   promised   the floor: the highest epoch, position and configuration version it was ever told
 *   committed  the highest position it knows to be committed
 *   position   of the Reader; null: nothing loaded. At most `committed`.
 *   entries    received, not yet committed
 *   lease      for calls with one epoch, until when (own clock)
 *   request    for a lease, one at a time
 *
 * ## Transitions
 *
 *   read      under a lease (not over, the call's epoch):
 *               position at the floor: answered. Nothing above the floor can be committed without our promise,
 *               everything at the floor is: so this is what the primary would answer now.
 *               below it: a write is on its way. The read waits until position reaches the floor *of its arrival*, and
 *               is then answered even if the lease is over and newer writes are on their way: when it came, not more
 *               than that floor was committed, now at least our position is, so in between there was a moment at which
 *               exactly our state was. So under steady writes a read waits for one round at most. After `patienceMs`
 *               it is passed on.
 *             a lease for a higher epoch: stale. Otherwise passed on to the primary, and a lease is requested.
 *   news      floor, commit and entries are taken over; entries up to the commit are applied in order; `confirm`: promise.
 *   grant     answers the request under way, by number (any other is too old to be sure of): as news, with a promise. The lease counts from
 *             when the request was sent. Void when a higher epoch was promised.
 *   refusal   behind: the manifest is loaded from R2, then the next request. Otherwise the next read tries again, a little later.
 *   loaded    the Reader of a manifest, which holds committed entries only.
 *   tick      gives up requests, passes on reads that waited, answers `unavailable` to passed-on reads that nobody answered.
 *
 * Renewal: when less than half of the lease is left at a read, or a read waited in vain. No reads, no renewals, so
 * primary and replica may hibernate, and writes wait for nobody.
 *
 * The clock may stand still between events, as it does in Durable Objects: a read is then judged at the moment its
 * event came in, which is a moment at which it was under way, and the state has not changed since.
 */
import {
  higher,
  NOTHING_PROMISED,
  type Entry,
  type Floor,
  type Holder,
  type News,
  type ReadAnswer,
  type Report,
  type ToPrimary,
  type ToReplica,
} from "./messages.ts";
import type { Timing } from "./timing.ts";

/** Where the machine stands. */
export interface ReplicaHost<P> {
  nowMs(): number;
  send(message: ToPrimary): void;
  /** Makes the entry part of the Reader (and of the cache). */
  apply(entry: Entry<P>): void;
  /** Begins to load the newest manifest from R2; `loaded` or `loadFailed` follows. */
  load(): void;
}

interface Parked {
  readonly position: number;
  readonly epoch: number;
  readonly untilMs: number;
  readonly answer: (answer: ReadAnswer) => void;
}

interface Forwarded {
  readonly untilMs: number;
  readonly answer: (answer: ReadAnswer) => void;
}

export class Replica<P> {
  readonly #host: ReplicaHost<P>;
  readonly #timing: Timing;
  readonly #self: Holder;
  #position: number | null;
  #committed: number;
  #promised: Floor = NOTHING_PROMISED;
  #entries: Entry<P>[] = [];
  #lease: { readonly epoch: number; readonly untilMs: number } | null = null;
  #request: { readonly number: number; readonly sentMs: number } | null = null;
  #requests = 0;
  /** No request before, after a refusal. */
  #askAgainMs = -Infinity;
  #isLoading = false;
  #parked: Parked[] = [];
  readonly #forwarded = new Map<number, Forwarded>();
  #tickets = 0;

  /** `position`: of the cache; null: there is none. `self.incarnation` is new. */
  constructor(host: ReplicaHost<P>, timing: Timing, self: Holder, position: number | null) {
    this.#host = host;
    this.#timing = timing;
    this.#self = self;
    this.#position = position;
    this.#committed = position ?? -1;
  }

  read(epoch: number, answer: (answer: ReadAnswer) => void): void {
    const nowMs = this.#host.nowMs();
    const lease = this.#lease !== null && nowMs < this.#lease.untilMs ? this.#lease : null;
    if (lease === null || lease.epoch < epoch) {
      this.#forward(epoch, answer);
    } else if (lease.epoch > epoch) {
      answer({ kind: "stale" });
    } else {
      const { position } = this.#promised;
      const untilMs = nowMs + this.#timing.patienceMs;
      this.#parked.push({ position, epoch, untilMs, answer });
      this.#answerParked();
    }
    const isYoung = lease !== null && lease.untilMs - nowMs > this.#timing.leaseMs / 2;
    if (!isYoung || lease.epoch < epoch) this.#ask();
  }

  receive(message: ToReplica<P>): void {
    if (message.incarnation !== this.#self.incarnation) return;
    switch (message.kind) {
      case "news":
        this.#hear(message);
        if (message.confirm) this.#host.send({ kind: "promise", ...this.#report() });
        return;
      case "grant":
        this.#take(message);
        // Voids the lease again when a higher epoch was promised.
        this.#hear(message);
        this.#host.send({ kind: "promise", ...this.#report() });
        return;
      case "refusal":
        if (this.#request?.number !== message.request) return;
        this.#request = null;
        if (message.reason === "behind") this.#load();
        else this.#askAgainMs = this.#host.nowMs() + this.#timing.resendMs;
        return;
      case "answer": {
        const forwarded = this.#forwarded.get(message.ticket);
        this.#forwarded.delete(message.ticket);
        forwarded?.answer(message.answer);
      }
    }
  }

  /** The Reader is the manifest's now, or a newer one. */
  loaded(position: number): void {
    this.#isLoading = false;
    this.#position = Math.max(this.#position ?? -1, position);
    this.#committed = Math.max(this.#committed, position);
    this.#applyCommitted();
    this.#ask();
  }

  loadFailed(): void {
    this.#isLoading = false;
    this.#askAgainMs = this.#host.nowMs() + this.#timing.requestMs;
  }

  tick(): void {
    const nowMs = this.#host.nowMs();
    if (this.#request !== null && nowMs - this.#request.sentMs >= this.#timing.requestMs) {
      this.#request = null;
    }
    const impatient = this.#parked.filter(({ untilMs }) => nowMs >= untilMs);
    this.#parked = this.#parked.filter(({ untilMs }) => nowMs < untilMs);
    for (const { epoch, answer } of impatient) this.#forward(epoch, answer);
    // The commit they waited for may be lost; a grant brings it.
    if (impatient.length > 0) this.#ask();
    for (const [ticket, { untilMs, answer }] of this.#forwarded) {
      if (nowMs < untilMs) continue;
      this.#forwarded.delete(ticket);
      answer({ kind: "unavailable" });
    }
  }

  /** When `tick` has something to do next, by the host's clock; Infinity: never. */
  dueMs(): number {
    return Math.min(
      this.#request === null ? Infinity : this.#request.sentMs + this.#timing.requestMs,
      ...this.#parked.map(({ untilMs }) => untilMs),
      ...[...this.#forwarded.values()].map(({ untilMs }) => untilMs),
    );
  }

  #forward(epoch: number, answer: (answer: ReadAnswer) => void): void {
    const ticket = ++this.#tickets;
    const untilMs = this.#host.nowMs() + this.#timing.requestMs;
    this.#forwarded.set(ticket, { untilMs, answer });
    this.#host.send({ kind: "forward", from: this.#self, ticket, epoch });
  }

  // ---- the lease

  #ask(): void {
    const nowMs = this.#host.nowMs();
    if (this.#request !== null || this.#isLoading || nowMs < this.#askAgainMs) return;
    if (this.#position === null) return this.#load();
    this.#request = { number: ++this.#requests, sentMs: nowMs };
    this.#host.send({ kind: "request", request: this.#requests, ...this.#report() });
  }

  #take(grant: { readonly request: number; readonly leaseMs: number; readonly floor: Floor }): void {
    if (this.#request?.number !== grant.request) return;
    const untilMs = this.#request.sentMs + grant.leaseMs;
    this.#request = null;
    this.#lease = { epoch: grant.floor.epoch, untilMs };
  }

  #load(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#host.load();
  }

  // ---- the log

  #report(): Report {
    const received = this.#entries.at(-1)?.last ?? this.#position ?? -1;
    return { from: this.#self, promised: this.#promised, received };
  }

  #hear({ floor, committed, entries }: News<P>): void {
    this.#promised = higher(this.#promised, floor);
    if (this.#lease !== null && this.#lease.epoch < this.#promised.epoch) this.#lease = null;
    this.#committed = Math.max(this.#committed, committed);
    for (const entry of entries) {
      const { received } = this.#report();
      if (entry.last <= received) continue;
      // The primary sends what follows the last position it had from us, and that never goes down.
      if (entry.first > received + 1) throw new Error(`update ${entry.first} after ${received}`);
      this.#entries.push(entry);
    }
    this.#applyCommitted();
  }

  #applyCommitted(): void {
    if (this.#position === null) {
      this.#entries = [];
      return;
    }
    let position = this.#position;
    // Entries follow each other, and the first of them what is applied; a manifest may have overtaken some.
    this.#entries = this.#entries.filter((entry) => entry.last > position);
    let applied = 0;
    for (const entry of this.#entries) {
      if (entry.last > this.#committed) break;
      this.#host.apply(entry);
      position = entry.last;
      applied++;
    }
    this.#entries.splice(0, applied);
    this.#position = position;
    this.#answerParked();
  }

  #answerParked(): void {
    const { configurationVersion } = this.#promised;
    const position = this.#position;
    if (position === null) return;
    const ready = this.#parked.filter((read) => position >= read.position);
    this.#parked = this.#parked.filter((read) => position < read.position);
    for (const { epoch, answer } of ready) {
      answer({ kind: "state", by: "replica", at: { epoch, position, configurationVersion } });
    }
  }
}
