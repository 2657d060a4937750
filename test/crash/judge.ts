/**
 * The judge of the crash suite: can what the clients were told be explained? It enumerates every state of the service
 * (world.ts) that some order of the clients' operations leads to. An operation takes effect at a moment between its
 * sending and its answer. One that was never answered takes effect then or not at all; both states are kept. An answer
 * removes the states in which it is wrong. If none is left, the service is wrong.
 *
 * A kill ends what was under way, except for two kinds that the next process may continue:
 *   - `done`, until its session is over
 *   - a reindex, until another generation is live, or the service says that no reindex is left
 *
 * n operations under way give up to 2^n states, so there are few clients, and everything is read after a kill.
 */
import {
  after,
  describe,
  describeWorld,
  EMPTY_WORLD,
  generationNamed,
  keyOf,
  movesPointer,
  NOT_DONE,
  type Action,
  type Operation,
  type World,
} from "./world.ts";

interface State {
  readonly world: World;
  /** Sent, and not yet carried out here. */
  readonly pending: readonly Operation[];
}

type Event =
  | { readonly kind: "sent" | "answered"; readonly operation: Operation }
  | { readonly kind: "crash" | "noReindexLeft" };

/** More would mean that the clients do too much at once, not that the service is wrong. */
const MOST_STATES = 20_000;
const EVENTS_SHOWN = 60;

export class Impossible extends Error {}

export class Judge {
  #states: readonly State[] = [{ world: EMPTY_WORLD, pending: [] }];
  #events: Event[] = [];
  /** Reindexes sent before the last kill. */
  #interrupted = new Set<Operation>();
  /** Names of generations that an answer or a read has shown. */
  readonly #knownNames = new Set<string>();
  #operations = 0;
  readonly #past: string[] = [];

  sent(client: string, action: Action): Operation {
    const operation = { number: ++this.#operations, client, action, answer: null };
    this.#events.push({ kind: "sent", operation });
    return operation;
  }

  /** `answer` null: it does not say whether the operation was carried out. NOT_DONE: it was not and will not be. */
  answered(operation: Operation, answer: string | null): void {
    operation.answer = answer;
    this.#events.push({ kind: "answered", operation });
  }

  /** The process was killed, and all clients have noticed. */
  crash(): void {
    this.#events.push({ kind: "crash" });
  }

  /** The service says that no reindex is under way: interrupted ones were carried out or never will be. */
  noReindexLeft(): void {
    this.#events.push({ kind: "noReindexLeft" });
  }

  /** Goes through the events. Every operation must have ended, or the process crashed. Throws Impossible. */
  settle(): void {
    const events = this.#events.splice(0);
    const answered = new Set<Operation>();
    for (const event of events) if (event.kind === "answered") answered.add(event.operation);
    // A reader may see a generation before the answer that names it.
    for (const { action, answer } of answered) {
      const isNaming = action.kind === "start" || action.kind === "reindex";
      const name = isNaming ? generationNamed(answer) : null;
      if (name !== null) this.#knownNames.add(name);
    }
    for (const event of events) this.#apply(event, answered);
    for (const { action } of answered) {
      if (action.kind === "read" && action.sight?.name != null) {
        this.#knownNames.add(action.sight.name);
      }
    }
  }

  /** Every world that is possible now. After `settle`. */
  worlds(): World[] {
    return this.#states.map(({ world }) => world);
  }

  get operations(): number {
    return this.#operations;
  }

  /** Whether an interrupted reindex may still take effect. After `settle`. */
  get mayReindex(): boolean {
    return this.#states.some(({ pending }) => pending.some((one) => this.#interrupted.has(one)));
  }

  /** No client will use these sessions again. */
  forget(sessions: readonly string[]): void {
    const isForgotten = ({ action }: Operation): boolean => "session" in action && sessions.includes(action.session);
    this.#states = distinct(
      this.#states.map(({ world, pending }) => {
        const left = [...world.sessions].filter(([name]) => !sessions.includes(name));
        return {
          world: { ...world, sessions: new Map(left) },
          pending: pending.filter((operation) => !isForgotten(operation)),
        };
      }),
    );
  }

  #apply(event: Event, answered: ReadonlySet<Operation>): void {
    switch (event.kind) {
      case "sent": {
        const { operation } = event;
        const { kind } = operation.action;
        // Unanswered, these have no effect that anybody could notice.
        const isLost = !answered.has(operation) && (kind === "read" || kind === "start");
        if (isLost || operation.answer === NOT_DONE) return;
        this.#states = this.#states.map(({ world, pending }) => ({ world, pending: [...pending, operation] }));
        return;
      }
      case "answered": {
        const { operation } = event;
        this.#note(describe(operation));
        if (operation.answer === NOT_DONE) return;
        const before = this.#states;
        this.#carryOut();
        if (operation.answer !== null) {
          this.#states = this.#states.filter(({ pending }) => !pending.includes(operation));
        }
        if (this.#states.length === 0) throw new Impossible(this.#message(operation, before));
        this.#drop((one) => one === operation);
        return;
      }
      case "crash":
        this.#note("CRASH");
        this.#carryOut();
        this.#drop(({ action: { kind } }) => kind !== "done" && kind !== "reindex");
        this.#interrupted = new Set(
          this.#states.flatMap(({ pending }) => pending.filter(({ action }) => action.kind === "reindex")),
        );
        return;
      case "noReindexLeft":
        this.#note("no reindex left");
        this.#carryOut();
        this.#drop((operation) => this.#interrupted.has(operation));
    }
  }

  /** What was not carried out by now never will be. */
  #drop(isOver: (operation: Operation) => boolean): void {
    this.#states = distinct(
      this.#states.map(({ world, pending }) => ({ world, pending: pending.filter((operation) => !isOver(operation)) })),
    );
  }

  /** Any of the pending operations take effect, in any order. */
  #carryOut(): void {
    const found = new Map(this.#states.map((state) => [keyOfState(state), state]));
    for (const { world, pending } of found.values()) {
      for (const operation of pending) {
        const next = after(world, operation, this.#knownNames);
        if (next === null) continue;
        const hasMoved = movesPointer(operation, world, next);
        const left = pending.filter(
          (one) => one !== operation && !(hasMoved && this.#interrupted.has(one)) && !isWithoutEffect(one, next),
        );
        const state = { world: next, pending: left };
        const key = keyOfState(state);
        if (!found.has(key)) found.set(key, state);
      }
      if (found.size > MOST_STATES) throw new Error(`${found.size} states: too many for the judge`);
    }
    this.#states = [...found.values()];
  }

  #note(line: string): void {
    this.#past.push(line);
    if (this.#past.length > EVENTS_SHOWN) this.#past.shift();
  }

  #message(operation: Operation, before: readonly State[]): string {
    const pending = new Set(before.flatMap((state) => state.pending));
    return [
      `nothing explains ${describe(operation)}`,
      `under way: ${[...pending].map(describe).join("; ")}`,
      `possible before (${before.length}):`,
      ...before.slice(0, 3).map(({ world }) => `  ${describeWorld(world)}`),
      "last events:",
      ...this.#past.map((line) => `  ${line}`),
    ].join("\n");
  }
}

/** Nobody waits for its answer, and its session is over. */
function isWithoutEffect({ action, answer }: Operation, world: World): boolean {
  if (answer !== null || !("session" in action)) return false;
  return world.sessions.get(action.session)?.state !== "open";
}

function distinct(states: readonly State[]): readonly State[] {
  return [...new Map(states.map((state) => [keyOfState(state), state])).values()];
}

function keyOfState({ world, pending }: State): string {
  return `${pending.map(({ number }) => number).join()} ${keyOf(world)}`;
}
