/**
 * The judge of the crash suite: whether what the clients were told can be explained. It keeps every state (world.ts)
 * that some order of their operations leads to. An operation happens between its sending and its answer; one that was
 * never answered happens then or not at all, and the state goes on both ways. An answer leaves the states in which it
 * is right; when none is left, nothing explains it.
 *
 * A kill ends what was under way, it has happened or not, with two exceptions that the service may go on with in its
 * next process:
 *   - `done`, until its session is over
 *   - a reindex, until the pointer has moved to another generation, or no session of a reindex is left (it was ended
 *     after its fifth crash, or died before its route was stored). The name of its generation is in the answer that
 *     never came: names.ts
 *
 * States of n operations under way are up to 2^n, times what is open from before a kill: there are few clients
 * (clients.ts), and everything is read after a kill.
 */
import { nameIn, Names } from "./names.ts";
import {
  after,
  describe,
  describeWorld,
  EMPTY_WORLD,
  keyOf,
  movesPointer,
  NOT_DONE,
  type Action,
  type Operation,
  type World,
} from "./world.ts";

interface Explanation {
  readonly world: World;
  /** Numbers of the operations under way that have happened, and of reindexes that cannot happen any more. */
  readonly happened: ReadonlySet<number>;
}

type Event =
  | { readonly kind: "sent" | "answered"; readonly operation: Operation }
  | { readonly kind: "crash" | "noReindexLeft" };

/** More would mean that the clients do too much at once, not that the service is wrong. */
const MOST_EXPLANATIONS = 20_000;

export class Impossible extends Error {}

export class Judge {
  #explanations: readonly Explanation[] = [{ world: EMPTY_WORLD, happened: new Set() }];
  #events: Event[] = [];
  #underWay: readonly Operation[] = [];
  /** Those of them that are reindexes from before a crash. */
  #interrupted: readonly Operation[] = [];
  readonly #names = new Names();
  #operations = 0;
  /** The last events, for the message when nothing explains them. */
  #past: string[] = [];
  /** The most explanations there were at once since the beginning. */
  peak = 1;

  sent(client: string, action: Action): Operation {
    const operation = { number: ++this.#operations, client, action, answer: null };
    this.#events.push({ kind: "sent", operation });
    return operation;
  }

  /** `answer` null: it did not say whether it happened; NOT_DONE: it said that it did not. */
  answered(operation: Operation, answer: string | null): void {
    operation.answer = answer;
    this.#events.push({ kind: "answered", operation });
  }

  /** The process was killed, and all clients have noticed. */
  crash(): void {
    this.#events.push({ kind: "crash" });
  }

  /** The service says that no reindex is under way: none will happen any more, of those whose answer was lost. */
  noReindexLeft(): void {
    this.#events.push({ kind: "noReindexLeft" });
  }

  /**
   * Goes through what has happened since. Every operation must have ended, or the process crashed. Throws Impossible.
   */
  settle(): void {
    const events = this.#events.splice(0);
    const answered = new Set<Operation>();
    for (const event of events) if (event.kind === "answered") answered.add(event.operation);
    // A reader may have seen a name before the answer that told it.
    for (const { action, answer } of answered) {
      const name = action.kind === "start" || action.kind === "reindex" ? nameIn(answer) : null;
      if (name !== null) this.#names.told(name);
    }
    for (const event of events) {
      switch (event.kind) {
        case "sent": {
          const { operation } = event;
          const { kind } = operation.action;
          // Unanswered, these have no effect that anybody could notice.
          const isLost = !answered.has(operation) && (kind === "read" || kind === "start");
          if (!isLost && operation.answer !== NOT_DONE) {
            this.#underWay = [...this.#underWay, operation];
          }
          break;
        }
        case "answered":
          this.#note(describe(event.operation));
          if (event.operation.answer !== NOT_DONE) this.#answered(event.operation);
          break;
        case "crash":
          this.#note("CRASH");
          this.#happen();
          this.#end(({ action: { kind } }) => kind !== "done" && kind !== "reindex");
          this.#interrupted = this.#underWay.filter(({ action }) => action.kind === "reindex");
          break;
        case "noReindexLeft": {
          this.#note("no reindex left");
          this.#happen();
          const interrupted = this.#interrupted;
          this.#interrupted = [];
          this.#end((operation) => interrupted.includes(operation));
          break;
        }
      }
    }
    this.#names.settled();
  }

  /** Every world that is possible now. After `settle`. */
  worlds(): World[] {
    return this.#explanations.map(({ world }) => world);
  }

  get operations(): number {
    return this.#operations;
  }

  /** Whether a reindex whose answer was lost may still happen. After `settle`. */
  get mayReindex(): boolean {
    return this.#interrupted.some((operation) => this.#underWay.includes(operation));
  }

  /**
   * Of reindexes that were never answered and whose generation was seen live: the aliases that may have stood for this
   * name.
   */
  aliasesOf(name: string): readonly string[] {
    return this.#names.aliasesOf(name);
  }

  /** How many such generations were seen. */
  get seenReindexes(): number {
    return this.#names.seen;
  }

  /** These sessions will not be spoken of again. */
  forget(sessions: readonly string[]): void {
    this.#explanations = this.#explanations.map(({ world, happened }) => {
      const left = [...world.sessions].filter(([name]) => !sessions.includes(name));
      return { world: { ...world, sessions: new Map(left) }, happened };
    });
    this.#end(({ action }) => "session" in action && sessions.includes(action.session));
  }

  #answered(operation: Operation): void {
    const before = this.#explanations;
    this.#happen();
    // What is not under way any more has happened in all of them.
    if (operation.answer !== null && this.#underWay.includes(operation)) {
      this.#explanations = this.#explanations.filter(({ happened }) =>
        happened.has(operation.number),
      );
    }
    if (this.#explanations.length === 0) throw new Impossible(this.#message(operation, before));
    this.#end((other) => other === operation);
  }

  /** These have happened by now, or never will. */
  #end(isOver: (operation: Operation) => boolean): void {
    const left = this.#underWay.filter((operation) => !isOver(operation));
    // Also those that make no difference in any state.
    this.#underWay = left.filter(({ number }) =>
      this.#explanations.some(({ happened }) => !happened.has(number)),
    );
    const numbers = new Set(this.#underWay.map(({ number }) => number));
    this.#explanations = distinct(
      this.#explanations.map(({ world, happened }) => ({
        world,
        happened: happened.intersection(numbers),
      })),
    );
  }

  /** Everything under way happens, or some of it, or nothing, in every order. */
  #happen(): void {
    const found = new Map(this.#explanations.map((one) => [keyOfExplanation(one), one]));
    for (const { world, happened } of found.values()) {
      for (const operation of this.#underWay) {
        if (happened.has(operation.number)) continue;
        const next = after(world, operation, this.#names);
        if (next === null) continue;
        const ended = movesPointer(operation, world, next) ? this.#interrupted : [];
        const numbers = [operation, ...ended].map(({ number }) => number);
        const explanation = this.#withoutEffect(next, happened.union(new Set(numbers)));
        const key = keyOfExplanation(explanation);
        if (!found.has(key)) found.set(key, explanation);
      }
      if (found.size > MOST_EXPLANATIONS) {
        throw new Error(`${found.size} explanations: too many for the judge`);
      }
    }
    this.#explanations = [...found.values()];
    this.peak = Math.max(this.peak, found.size);
  }

  /** Unanswered operations on sessions that are over change nothing, whenever it is: as if they had happened. */
  #withoutEffect(world: World, happened: ReadonlySet<number>): Explanation {
    const over = this.#underWay.filter(
      ({ action, answer }) =>
        answer === null &&
        "session" in action &&
        world.sessions.get(action.session)?.state !== "open",
    );
    return { world, happened: happened.union(new Set(over.map(({ number }) => number))) };
  }

  #note(line: string): void {
    this.#past.push(line);
    if (this.#past.length > 60) this.#past.shift();
  }

  #message(operation: Operation, before: readonly Explanation[]): string {
    return [
      `nothing explains ${describe(operation)}`,
      `under way: ${this.#underWay.map(describe).join("; ")}`,
      `possible before (${before.length}):`,
      ...before.slice(0, 3).map(({ world }) => `  ${describeWorld(world)}`),
      "last events:",
      ...this.#past.map((line) => `  ${line}`),
    ].join("\n");
  }
}

function distinct(explanations: readonly Explanation[]): readonly Explanation[] {
  return [...new Map(explanations.map((one) => [keyOfExplanation(one), one])).values()];
}

function keyOfExplanation({ world, happened }: Explanation): string {
  return `${[...happened].sort((a, b) => a - b).join()} ${keyOf(world)}`;
}
