/**
 * The process of the service, one after the other on the same folder: started, and killed by a plan or at once. The
 * plan of a kill follows from the seed; what is under way when it comes does not.
 */
import { join } from "node:path";
import type { Random } from "./random.ts";
import { Service } from "./service.ts";
import type { Totals } from "./totals.ts";

/** Everything soon, so that checkpoints and collection get between the operations. */
const VARIABLES = { GARBAGE_GRACE_S: "3", CHECKPOINT_AFTER_S: "0.3" };

const LONGEST_WORK_MS = 900;

/** What a kill waits for. */
const TRIGGERS = [
  "begin",
  "put",
  "patch",
  "delete",
  "add",
  "done",
  "rollback",
  "reindex",
  "deleteIndex",
  "configuration",
] as const;
type Trigger = (typeof TRIGGERS)[number];

/** `afterMs` after the `left`-th request of this kind was sent. */
export interface KillPlan {
  readonly kind: Trigger;
  readonly left: number;
  readonly afterMs: number;
}

export interface ProcessOptions {
  /** Holds the bundled Worker in `code`; everything durable goes to `state`. */
  readonly folder: string;
  /** Of each generation. */
  readonly shards: number;
}

export class Process {
  readonly #options: ProcessOptions;
  readonly #totals: Totals;
  #service: Service | null = null;
  #plan: KillPlan | null = null;
  /** Requests the plan still waits for. */
  #left = 0;
  #killed: Promise<void> | null = null;
  #timers: NodeJS.Timeout[] = [];

  constructor(options: ProcessOptions, totals: Totals) {
    this.#options = options;
    this.#totals = totals;
  }

  /** The one that was started last; null: none was. It may be dead. */
  get service(): Service | null {
    return this.#service;
  }

  get alive(): boolean {
    return this.#service !== null && !this.#service.dead;
  }

  async start(): Promise<void> {
    const { folder, shards } = this.#options;
    this.#service = await Service.start({
      code: join(folder, "code"),
      state: join(folder, "state"),
      variables: { ...VARIABLES, SHARDS_MIN: String(shards) },
    });
  }

  async kill(): Promise<void> {
    // The next process is not to die of a plan for this one.
    this.#plan = null;
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    if (this.#service === null || this.#service.dead) return;
    this.#totals.kills++;
    this.#killed = this.#service.kill();
    await this.#killed;
  }

  /** When it was killed, by whomever, and is gone. */
  async gone(): Promise<void> {
    await this.kill();
    await this.#killed;
  }

  /** From now on it lives as long as the plan says, 900 ms at most. */
  killBy(plan: KillPlan): void {
    this.#plan = plan;
    this.#left = plan.left;
    this.#timers.push(setTimeout(() => void this.kill(), LONGEST_WORK_MS));
    this.sent("begin");
  }

  /** Whether the kill waits for requests of this kind. */
  waitsFor(kind: Trigger): boolean {
    return this.#plan?.kind === kind;
  }

  /** A request of this kind is on its way: counts down to the kill. */
  sent(kind: string): void {
    const plan = this.#plan;
    if (plan === null || plan.kind !== kind || --this.#left !== 0) return;
    if (plan.afterMs === 0) void this.kill();
    else this.#timers.push(setTimeout(() => void this.kill(), plan.afterMs));
  }
}

/** The moments of publishing are the most delicate, and short. */
export function drawnKillPlan(random: Random): KillPlan {
  const kind = drawnTrigger(random);
  if (kind === "begin") return { kind, left: 1, afterMs: random.between(20, 700) };
  const publishes = kind === "done" || kind === "reindex";
  const rare = kind === "deleteIndex" || kind === "rollback" || kind === "reindex";
  return {
    kind,
    left: rare ? 1 : random.between(1, 6),
    afterMs: random.between(0, publishes ? 90 : random.pick([2, 10, 60])),
  };
}

function drawnTrigger(random: Random): Trigger {
  const draw = random.next();
  if (draw < 0.3) return "begin";
  if (draw < 0.5) return "done";
  if (draw < 0.65) return "reindex";
  return random.pick(TRIGGERS);
}
