/**
 * What the service may show: every state that some order of the operations explains.
 *
 * Clients work at the same time and the process dies under them, so one expected state does not exist. But each operation is promised to
 * happen at one instant between its sending and its answer, whole; one that was never answered happens before the process died, or not
 * at all. So the model keeps a set of *configurations*: a world and which of the operations under way have already happened in it.
 *
 *   answered(o)   o must have happened by now: in each configuration where it has not, it happens now, perhaps after some others that are
 *                 under way. Where the answer is not the one that was received, the configuration dies.
 *   crash         each operation that is still under way has happened or has not: both configurations live on, and then nothing is under
 *                 way any more. Only two stay: a `done`, which the service may finish after the restart until it is asked for again, and
 *                 a reindex.
 *   none left     no order explains what was seen: something was lost, half done, or mixed up.
 *
 * Reads are operations, too: they hold the configurations against what was seen and thin them out. (This is the just-in-time linearizability
 * check of G. Lowe, "Testing for linearizability", 2017, on a model with crashes.)
 *
 * Operations commute unless `conflict` says otherwise, and only those that do not commute with what has to happen are tried before it.
 *
 * A reindex that a crash has interrupted is taken up by the alarm of its session (src/objects/session/reindex-run.ts), so it may happen
 * later, in this process or in one of the next. It is over for certain
 *
 *   - when the pointer has moved since that crash, whatever moved it: an import, a rollback, a deletion, another reindex. The session has
 *     stored the route it read before the crash, and all its calls carry that route's epoch: the shards answer STALE to them, also when a
 *     rollback makes the same shards live again. Its commit needs a freeze that was made for the generation that is live, and what moves the
 *     pointer voids all freezes; before the next one the session looks whether the live shards are those it follows. So a move *before* the
 *     crash says nothing (the route may have been read after it), and one after it everything, though neither is in order with its sending
 *   - when no session of a reindex is left (`noReindexLeft`): it was ended after its fifth crash, by another one that has followed the
 *     shards since and then failed itself, or it died before its route was stored
 *
 * The name of its generation is in the answer that never came: names.ts.
 */
import { nameIn, Names } from "./names.ts";
import {
  conflict,
  describe,
  describeWorld,
  documentsKey,
  EMPTY_WORLD,
  movesPointer,
  NOT_DONE,
  outcomesOf,
  type Action,
  type Documents,
  type Operation,
  type World,
} from "./world.ts";

interface Configuration {
  readonly world: World;
  /** Numbers of the operations under way that have happened, and of reindexes under way that cannot happen any more. */
  readonly happened: readonly number[];
}

type Event = {
  readonly kind: "sent" | "answered" | "crash" | "noReindexLeft";
  readonly operation: Operation | null;
};

/** More would mean that the model is too slow, not that the service is wrong. */
const MOST_CONFIGURATIONS = 50_000;

export class Impossible extends Error {}

export class History {
  #configurations = merged([{ world: EMPTY_WORLD, happened: [] }]);
  #events: Event[] = [];
  #underWay: Operation[] = [];
  /** Those of them that are reindexes from before a crash. */
  #interrupted: readonly Operation[] = [];
  readonly #names = new Names();
  #operations = 0;
  /** The last events, for the message when nothing explains them. */
  #past: string[] = [];
  /** The most configurations there were at once since the beginning. */
  peak = 1;

  sent(client: string, action: Action): Operation {
    const operation = { number: ++this.#operations, client, action, answer: null, open: true };
    this.#events.push({ kind: "sent", operation });
    return operation;
  }

  /** `answer` null: it did not say whether it happened; NOT_DONE: it said that it did not. */
  answered(operation: Operation, answer: string | null): void {
    operation.answer = answer;
    operation.open = answer === null;
    this.#events.push({ kind: "answered", operation });
  }

  /** The process was killed, and all clients have noticed. */
  crash(): void {
    this.#events.push({ kind: "crash", operation: null });
  }

  /** The service says that no reindex is under way: none will happen any more, of those whose answer was lost. */
  noReindexLeft(): void {
    this.#events.push({ kind: "noReindexLeft", operation: null });
  }

  /** Goes through what has happened since. Every operation must have ended, or the process crashed. Throws Impossible. */
  settle(): void {
    const events = this.#events;
    this.#events = [];
    const answered = new Set<Operation>();
    for (const { kind, operation } of events) {
      if (kind === "answered" && operation !== null) answered.add(operation);
    }
    // A reader may have seen a name before the answer that told it.
    for (const { action, answer } of answered) {
      const name = action.kind === "start" || action.kind === "reindex" ? nameIn(answer) : null;
      if (name !== null) this.#names.told(name);
    }
    for (const { kind, operation } of events) {
      if (operation === null) {
        if (kind === "crash") this.#crash();
        else this.#endReindexes();
        continue;
      }
      const { action, answer } = operation;
      // No part of the history: a world in which it has happened would be wrong.
      if (answer === NOT_DONE) {
        if (kind === "answered") this.#note(`${describe(operation)} -> ${answer}`);
        continue;
      }
      // Unanswered, these have no effect that anybody could notice.
      if (!answered.has(operation) && (action.kind === "read" || action.kind === "start")) continue;
      if (kind === "sent") this.#underWay.push(operation);
      else this.#answered(operation);
    }
    this.#names.settled();
  }

  /** Every world that is possible now. After `settle`. */
  worlds(): World[] {
    return [...this.#configurations.values()].map((one) => one.world);
  }

  get operations(): number {
    return this.#operations;
  }

  /** Whether a reindex whose answer was lost may still happen. After `settle`. */
  get mayReindex(): boolean {
    return this.#interrupted.length > 0;
  }

  /** Of reindexes that were never answered and whose generation was seen live: the aliases that may have stood for this name. */
  aliasesOf(name: string): readonly string[] {
    return this.#names.aliasesOf(name);
  }

  /** How many such generations were seen. */
  get seenReindexes(): number {
    return this.#names.seen;
  }

  /** These sessions will not be spoken of again. */
  forget(sessions: readonly string[]): void {
    this.#settled(
      this.#underWay.filter(
        ({ action }) => action.kind === "done" && sessions.includes(action.session),
      ),
    );
    this.#replace(
      [...this.#configurations.values()].map(({ world, happened }) => {
        const left = new Map([...world.sessions].filter(([name]) => !sessions.includes(name)));
        return { world: { ...world, sessions: left }, happened };
      }),
    );
  }

  #answered(operation: Operation): void {
    this.#note(`${describe(operation)} -> ${operation.answer ?? "?"}`);
    const before = [...this.#configurations.values()];
    const next: Configuration[] = [];
    const left: Configuration[] = [];
    for (const one of before) {
      if (one.happened.includes(operation.number)) next.push(without(one, operation.number));
      else left.push(one);
    }
    // All at once: much of what they can become is the same.
    if (operation.open) {
      // It may have happened or not; but if, then by now.
      for (const one of this.#reachable(left, this.#underWay)) {
        next.push(without(one, operation.number));
      }
    } else {
      const others = this.#conflicting(operation).filter((other) => other !== operation);
      for (const one of this.#reachable(left, others)) {
        for (const after of this.#steps(one, operation))
          next.push(without(after, operation.number));
      }
    }
    this.#underWay = this.#underWay.filter((other) => other !== operation);
    if (next.length === 0) throw new Impossible(this.#explain(operation, before));
    this.#replace(next);
    this.#dropOver();
  }

  #crash(): void {
    this.#note("CRASH");
    // Groups that commute with each other one after the other, so that their possibilities do not multiply.
    const left = new Set(this.#underWay);
    for (const operation of left) {
      const group = this.#conflicting(operation);
      for (const one of group) left.delete(one);
      this.#replace(this.#reachable([...this.#configurations.values()], group));
      this.#settled(
        group.filter(({ action }) => action.kind !== "done" && action.kind !== "reindex"),
      );
    }
    this.#interrupted = this.#underWay.filter(({ action }) => action.kind === "reindex");
    this.#dropOver();
  }

  #endReindexes(): void {
    const [first] = this.#interrupted;
    if (first === undefined) return;
    this.#note("no reindex left");
    // They conflict with each other, so all are in one group.
    const group = this.#conflicting(first);
    this.#replace(this.#reachable([...this.#configurations.values()], group));
    this.#settled(this.#interrupted);
    this.#interrupted = [];
  }

  /** Interrupted reindexes that are over, whatever has happened. */
  #dropOver(): void {
    const over = this.#interrupted.filter(({ number }) =>
      [...this.#configurations.values()].every(({ happened }) => happened.includes(number)),
    );
    if (over.length === 0) return;
    this.#interrupted = this.#interrupted.filter((operation) => !over.includes(operation));
    this.#settled(over);
  }

  /** Whether these have happened is no question any more. */
  #settled(operations: readonly Operation[]): void {
    this.#underWay = this.#underWay.filter((operation) => !operations.includes(operation));
    const pending = new Set(this.#underWay.map((operation) => operation.number));
    this.#replace(
      [...this.#configurations.values()].map(({ world, happened }) => ({
        world,
        happened: happened.filter((number) => pending.has(number)),
      })),
    );
  }

  /** Everything under way that does not commute with `operation`, or with something that does not, and so on. */
  #conflicting(operation: Operation): Operation[] {
    const found = new Set<Operation>([operation]);
    for (const one of found) {
      for (const other of this.#underWay) {
        if (!found.has(other) && conflict(one, other)) found.add(other);
      }
    }
    return [...found];
  }

  /** What `configurations` can become when any of `operations` happen in any order, none of them included. */
  #reachable(
    configurations: readonly Configuration[],
    operations: readonly Operation[],
  ): Configuration[] {
    const found = new Map(configurations.map((one) => [keyOf(one), one]));
    for (const one of found.values()) {
      for (const operation of operations) {
        if (one.happened.includes(operation.number)) continue;
        for (const after of this.#steps(one, operation)) {
          const key = keyOf(after);
          if (!found.has(key)) found.set(key, after);
        }
      }
    }
    return [...found.values()];
  }

  /** None: it could not have given the answer it gave. */
  #steps({ world, happened }: Configuration, operation: Operation): Configuration[] {
    const { answer } = operation;
    return outcomesOf(world, operation, this.#names)
      .filter(({ answers }) => answer === null || answers.includes(answer))
      .map((outcome) => {
        const ended = movesPointer(operation, world, outcome.world) ? this.#interrupted : [];
        const numbers = [...happened, operation.number, ...ended.map(({ number }) => number)];
        return {
          world: outcome.world,
          happened: [...new Set(numbers)].sort((a, b) => a - b),
        };
      });
  }

  #replace(configurations: readonly Configuration[]): void {
    this.#configurations = merged(configurations);
    this.peak = Math.max(this.peak, this.#configurations.size);
    if (this.#configurations.size > MOST_CONFIGURATIONS) {
      throw new Error(`${this.#configurations.size} configurations: too many for the model`);
    }
  }

  #note(line: string): void {
    this.#past.push(line);
    if (this.#past.length > 60) this.#past.shift();
  }

  #explain(operation: Operation, before: readonly Configuration[]): string {
    const worlds = before.slice(0, 3).map((one) => `  ${describeWorld(one.world)}`);
    return [
      `nothing explains ${describe(operation)} -> ${operation.answer ?? "?"}`,
      `under way: ${this.#underWay.map(describe).join("; ")}`,
      `possible before (${before.length}):`,
      ...worlds,
      "last events:",
      ...this.#past.map((line) => `  ${line}`),
    ].join("\n");
  }
}

function keyOf(configuration: Configuration): string {
  const { kept, sessions } = configuration.world;
  const all = (possible: readonly Documents[]): string =>
    possible.map(documentsKey).sort().join("/");
  const contents = [...sessions].map(([name, { possible }]) => `${name}:${all(possible)}`).sort();
  return [visibleKeyOf(configuration), kept === null ? "" : all(kept.possible), ...contents].join(
    "|",
  );
}

/** Without what is a list of possibilities. */
function visibleKeyOf({ world: { live, kept, sessions }, happened }: Configuration): string {
  const states = [...sessions].map(([name, { state }]) => `${name}:${state}`).sort();
  const seen = live === null ? "-" : `${live.name}:${documentsKey(live.documents)}`;
  return [happened.join(), seen, kept?.name ?? "-", ...states].join("|");
}

/** By key; those that differ in possibilities only are one. */
function merged(configurations: readonly Configuration[]): Map<string, Configuration> {
  const found = new Map<string, Configuration>();
  for (const one of configurations) {
    const key = visibleKeyOf(one);
    const same = found.get(key);
    found.set(key, same === undefined ? one : union(same, one));
  }
  return found;
}

function union({ world: a, happened }: Configuration, { world: b }: Configuration): Configuration {
  const sessions = new Map(
    [...a.sessions].map(([name, session]) => [
      name,
      { ...session, possible: either(session.possible, b.sessions.get(name)?.possible ?? []) },
    ]),
  );
  const kept =
    a.kept === null
      ? null
      : { ...a.kept, possible: either(a.kept.possible, b.kept?.possible ?? []) };
  return { world: { live: a.live, kept, sessions }, happened };
}

function either(a: readonly Documents[], b: readonly Documents[]): readonly Documents[] {
  return [...new Map([...a, ...b].map((one) => [documentsKey(one), one])).values()];
}

function without({ world, happened }: Configuration, number: number): Configuration {
  return { world, happened: happened.filter((other) => other !== number) };
}
