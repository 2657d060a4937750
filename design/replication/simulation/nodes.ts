/**
 * The objects of the simulated world: what is durable, what dies in a crash, and how a turn of an object becomes
 * visible.
 *
 * A turn runs the state machine and gathers what it stores and sends. At its end both happen, or, when it crashes,
 * nothing, or only the storing (the object dies before the message leaves). That is the platform's output gate.
 *
 * After a restart the old incarnation sometimes runs on for a while (a machine that is cut off, and some replicas with
 * it: they reach only the old one, or both by turns). It gets no new calls from clients. Its storage is another's: a
 * turn in which it stores something is its last, and nothing of it gets out. Reads that a cut-off primary answers are
 * dropped: that at most one incarnation of it answers is what the platform promises.
 */
import type {
  Entry,
  Holder,
  Primary,
  PrimaryRecord,
  ReadAnswer,
  Replica,
  Timing,
  ToPrimary,
  ToReplica,
  ClockBound,
} from "../protocol/index.ts";
import { Clock, type Network, type Random, type Timeline } from "./world.ts";

/** The protocol under test, or a mutant of it. */
export interface Protocol {
  readonly Primary: typeof Primary;
  readonly Replica: typeof Replica;
  readonly timing: Timing;
}

/**
 * What the protocol needs of its surroundings, taken away. gate: messages leave before what was stored in the same
 * turn is durable; checkpoint: manifests contain what is not committed.
 */
export type Flaw = "gate" | "checkpoint";

export interface World {
  readonly protocol: Protocol;
  readonly bound: ClockBound;
  readonly flaw: Flaw | null;
  readonly timeline: Timeline;
  readonly random: Random;
  readonly network: Network;
  /** Times that something worth trying happened. */
  readonly seen: Map<string, number>;
  /** The catalog's version. */
  configurationVersion: number;
  isQuiet: boolean;
}

export function count(world: World, what: string): void {
  world.seen.set(what, (world.seen.get(what) ?? 0) + 1);
}

/**
 * Writes of keys. Contents are the last write of each key, so applying a run twice or from the middle changes nothing.
 */
export type Payload = readonly (readonly [key: number, id: number])[];

const KEYS = 5;
const EMPTY: readonly number[] = new Array<number>(KEYS).fill(0);

function applied(contents: readonly number[], payload: Payload): readonly number[] {
  const next = [...contents];
  for (const [key, id] of payload) next[key] = id;
  return next;
}

/** What survives: SQLite and R2 of one generation. The twin of the log is every update in order. */
interface Durable {
  readonly record: PrimaryRecord;
  readonly entries: readonly Entry<Payload>[];
  /** The log holds what came after; the manifest in R2 what came before. */
  readonly base: number;
  readonly history: readonly { readonly id: number; readonly contents: readonly number[] }[];
}

/** One incarnation: its machine, and what the turn under way has gathered. */
interface Life<M> {
  readonly number: number;
  readonly clock: Clock;
  machine: M | null;
  outbox: (() => void)[];
  isAlive: boolean;
  wakeMs: number;
}

function begin<M>(world: World, number: number): Life<M> {
  const clock = new Clock(world.timeline, world.random, world.bound);
  return { number, clock, machine: null, outbox: [], isAlive: true, wakeMs: Infinity };
}

/** Lets the machine tick when it wants to. */
function wake(
  world: World,
  life: Life<{ dueMs(): number; tick(): void }>,
  turn: (run: () => void) => void,
): void {
  const { machine, clock } = life;
  if (machine === null || !life.isAlive) return;
  const dueMs = machine.dueMs();
  if (dueMs === Infinity) return;
  const leftMs = Math.max(1, (dueMs - clock.nowMs()) / clock.rate);
  const atMs = world.timeline.nowMs + leftMs;
  if (atMs >= life.wakeMs) return;
  life.wakeMs = atMs;
  world.timeline.at(atMs, () => {
    if (life.wakeMs !== atMs) return;
    life.wakeMs = Infinity;
    if (life.isAlive) turn(() => machine.tick());
  });
}

type PrimaryMachine = Primary<Payload>;

export class PrimaryNode {
  readonly #world: World;
  readonly name: string;
  readonly generation: number;
  durable: Durable;
  #replicas: readonly ReplicaNode[] = [];
  #life: Life<PrimaryMachine> | null = null;
  #zombie: Life<PrimaryMachine> | null = null;
  /** Replicas that are cut off with it. */
  #zombieSide: ReadonlySet<string> = new Set();
  #lives = 0;

  constructor(world: World, generation: number, epoch: number) {
    this.#world = world;
    this.generation = generation;
    this.name = `primary ${generation}`;
    this.durable = {
      record: {
        epoch,
        live: epoch > 0,
        committed: 0,
        holders: [],
        longestHoldMs: 0,
        grants: 0,
      },
      entries: [],
      base: 0,
      history: [{ id: 0, contents: EMPTY }],
    };
  }

  connect(replicas: readonly ReplicaNode[]): void {
    this.#replicas = replicas;
  }

  get isUp(): boolean {
    return this.#life !== null;
  }

  start(): void {
    if (this.#life !== null) return;
    const life = begin<PrimaryMachine>(this.#world, ++this.#lives);
    this.#life = life;
    this.#turn(life, () => {
      const { Primary: Machine, timing } = this.#world.protocol;
      life.machine = new Machine<Payload>(this.#host(life), timing);
    });
  }

  crash(leavesZombie: boolean): void {
    const life = this.#life;
    if (life === null) return;
    this.#life = null;
    this.endZombie();
    if (!leavesZombie) {
      life.isAlive = false;
      return;
    }
    this.#zombie = life;
    const side = this.#replicas.filter(() => this.#world.random.chance(0.5));
    this.#zombieSide = new Set(side.map(({ name }) => name));
  }

  endZombie(): void {
    if (this.#zombie !== null) this.#zombie.isAlive = false;
    this.#zombie = null;
    this.#zombieSide = new Set();
  }

  /** A call of a client or another object; it meets the newest incarnation or nobody. */
  call(run: (machine: PrimaryMachine, reply: (send: () => void) => void) => void): void {
    const life = this.#life;
    if (life !== null) this.#run(life, run);
  }

  /** As `Primary.read`; `shown`: the contents that a client sees. */
  read(epoch: number, answered: (answer: ReadAnswer, shown: string) => void): void {
    this.call((machine, reply) => {
      machine.read(epoch, (answer) => {
        const shown = answer.kind === "state" ? this.contents(answer.at.position) : "";
        reply(() => answered(answer, shown));
      });
    });
  }

  receive(message: ToPrimary): void {
    const zombie = this.#zombie;
    const isWithZombie =
      this.#zombieSide.has(message.from.replica) || this.#world.random.chance(0.3);
    const meets = zombie !== null && message.kind !== "forward" && isWithZombie;
    const life = meets ? zombie : this.#life;
    if (life !== null) this.#run(life, (machine) => machine.receive(message));
  }

  /** Checkpoint: what is committed goes to R2, the log loses some of it. Runs of committed entries become one. */
  maintain(): void {
    const life = this.#life;
    if (life === null || life.machine === null) return;
    const { random } = this.#world;
    const { committed } = life.machine;
    const { entries, base } = this.durable;
    const isSealable = (last: number): boolean =>
      last <= committed || this.#world.flaw === "checkpoint";
    const bases = entries.map(({ last }) => last).filter(isSealable);
    const next = bases.length > 0 && random.chance(0.5) ? bases[random.below(bases.length)] : base;
    const kept = entries.filter(({ last }) => last > next);
    const at = random.below(Math.max(1, kept.length - 1));
    const [first, second] = kept.slice(at, at + 2);
    if (first !== undefined && second !== undefined && second.last <= committed) {
      const payload = [...first.payload, ...second.payload];
      kept.splice(at, 2, { first: first.first, last: second.last, payload });
      count(this.#world, "log rows merged");
    }
    this.durable = { ...this.durable, entries: kept, base: next };
  }

  manifest(): { readonly position: number; readonly contents: readonly number[] } {
    const { base, history } = this.durable;
    return { position: base, contents: history[base].contents };
  }

  contents(position: number): string {
    return this.durable.history[position]?.contents.join(" ") ?? "nothing";
  }

  log(): { readonly id: number; readonly contents: string }[] {
    return this.durable.history.map(({ id, contents }) => ({ id, contents: contents.join(" ") }));
  }

  #run(
    life: Life<PrimaryMachine>,
    run: (machine: PrimaryMachine, reply: (send: () => void) => void) => void,
  ): void {
    this.#turn(life, () => {
      if (life.machine !== null) run(life.machine, (send) => life.outbox.push(send));
    });
  }

  #turn(life: Life<PrimaryMachine>, run: () => void): void {
    const world = this.#world;
    const before = this.durable;
    life.outbox = [];
    run();
    const { outbox } = life;
    life.outbox = [];
    const hasStored = this.durable !== before;
    if (life === this.#zombie) {
      if (hasStored) {
        this.durable = before;
        this.endZombie();
        count(world, "cut-off primary lost its storage");
        return;
      }
    } else if (!world.isQuiet && hasStored && world.random.chance(0.004)) {
      // Dies at the end of this very turn, with or without its storing done.
      const isStored = world.random.chance(0.5);
      if (!isStored) this.durable = before;
      this.crash(false);
      count(world, "primary crashed within a turn");
      if (world.flaw !== "gate" || isStored) return;
    }
    for (const send of outbox) send();
    wake(world, life, (tick) => this.#turn(life, tick));
  }

  #host(life: Life<PrimaryMachine>): ConstructorParameters<typeof Primary<Payload>>[0] {
    const world = this.#world;
    return {
      nowMs: () => life.clock.nowMs(),
      record: () => this.durable.record,
      store: (record) => {
        this.durable = { ...this.durable, record };
      },
      send: (to, message) => life.outbox.push(() => this.#deliver(life, to, message)),
      logEnd: () => this.durable.history.length - 1,
      append: (payload) => {
        const { history, entries } = this.durable;
        const position = history.length;
        const contents = applied(history[position - 1].contents, payload);
        this.durable = {
          ...this.durable,
          history: [...history, { id: payload[0][1], contents }],
          entries: [...entries, { first: position, last: position, payload }],
        };
        return position;
      },
      entriesAfter: (position) => {
        const { base, entries } = this.durable;
        return position < base ? null : entries.filter(({ last }) => last > position);
      },
      readConfiguration: (number) => {
        // The catalog is another object: read somewhere between now and the answer. The primary repeats it, so it
        // arrives.
        life.outbox.push(() => {
          world.timeline.after(world.random.between(1, 30), () => {
            const version = world.configurationVersion;
            const isSlow = !world.isQuiet && world.random.chance(0.3);
            world.timeline.after(world.random.between(1, isSlow ? 900 : 60), () => {
              if (life.isAlive) this.#run(life, (m) => m.configurationRead(number, version));
            });
          });
        });
      },
    };
  }

  #deliver(life: Life<PrimaryMachine>, to: Holder, message: ToReplica<Payload>): void {
    const node = this.#replicas.find(({ name }) => name === to.replica);
    if (node === undefined) throw new Error(`a message to ${to.replica}`);
    if (life === this.#zombie && message.kind === "answer") return;
    if (life !== this.#zombie && this.#zombieSide.has(to.replica)) return;
    count(this.#world, message.kind === "refusal" ? `refusal: ${message.reason}` : message.kind);
    this.#world.network.send(this.name, node.name, () => node.receive(message));
  }
}

type ReplicaMachine = Replica<Payload>;

interface ReplicaLife extends Life<ReplicaMachine> {
  contents: readonly number[];
  position: number;
}

export class ReplicaNode {
  readonly #world: World;
  readonly name: string;
  readonly primary: PrimaryNode;
  #life: ReplicaLife | null = null;
  #zombie: ReplicaLife | null = null;
  #lives = 0;
  /** Survives a crash, or not. */
  #cache: { readonly position: number; readonly contents: readonly number[] } | null = null;

  constructor(world: World, name: string, primary: PrimaryNode) {
    this.#world = world;
    this.name = name;
    this.primary = primary;
  }

  start(): void {
    if (this.#life !== null) return;
    const number = ++this.#lives;
    const { position, contents } = this.#cache ?? { position: -1, contents: EMPTY };
    const life: ReplicaLife = { ...begin<ReplicaMachine>(this.#world, number), contents, position };
    const self = { replica: this.name, incarnation: `${this.name}/${number}` };
    const { Replica: Machine, timing } = this.#world.protocol;
    const cached = this.#cache === null ? null : position;
    life.machine = new Machine<Payload>(this.#host(life), timing, self, cached);
    this.#life = life;
  }

  crash(leavesZombie: boolean, losesCache: boolean): void {
    const life = this.#life;
    if (life === null) return;
    this.#cache = losesCache || life.position < 0 ? null : life;
    this.#life = null;
    this.endZombie();
    if (leavesZombie) this.#zombie = life;
    else life.isAlive = false;
  }

  endZombie(): void {
    if (this.#zombie !== null) this.#zombie.isAlive = false;
    this.#zombie = null;
  }

  /** A client's read: by the newest incarnation, or by one that does not know it is dead. */
  read(epoch: number, answered: (answer: ReadAnswer, shown: string) => void): void {
    const zombie = this.#zombie;
    const life = zombie !== null && this.#world.random.chance(0.5) ? zombie : this.#life;
    if (life === null) return;
    if (life === zombie) count(this.#world, "read at a cut-off replica");
    this.#turn(life, () => {
      life.machine?.read(epoch, (answer) => {
        let shown = "";
        if (answer.kind === "state") {
          const { position } = answer.at;
          shown =
            answer.by === "primary" ? this.primary.contents(position) : life.contents.join(" ");
        }
        life.outbox.push(() => answered(answer, shown));
      });
    });
  }

  receive(message: ToReplica<Payload>): void {
    for (const life of [this.#life, this.#zombie]) {
      if (life !== null) this.#turn(life, () => life.machine?.receive(message));
    }
  }

  #turn(life: ReplicaLife, run: () => void): void {
    life.outbox = [];
    run();
    const { outbox } = life;
    life.outbox = [];
    for (const send of outbox) send();
    wake(this.#world, life, (tick) => this.#turn(life, tick));
  }

  #host(life: ReplicaLife): ConstructorParameters<typeof Replica<Payload>>[0] {
    const { timeline, random, network } = this.#world;
    return {
      nowMs: () => life.clock.nowMs(),
      send: (message) =>
        life.outbox.push(() => {
          network.send(this.name, this.primary.name, () => this.primary.receive(message));
        }),
      apply: ({ last, payload }) => {
        life.contents = applied(life.contents, payload);
        life.position = last;
      },
      load: () => {
        count(this.#world, "manifest loaded");
        timeline.after(random.between(5, 80), () => {
          if (!life.isAlive) return;
          if (!this.#world.isQuiet && random.chance(0.2)) {
            this.#turn(life, () => life.machine?.loadFailed());
            return;
          }
          const manifest = this.primary.manifest();
          // Bytes take their time; what was applied meanwhile stays when it is newer.
          timeline.after(random.between(0, 80), () => {
            if (!life.isAlive) return;
            if (manifest.position > life.position) {
              life.contents = manifest.contents;
              life.position = manifest.position;
            }
            this.#turn(life, () => life.machine?.loaded(manifest.position));
          });
        });
      },
    };
  }
}
