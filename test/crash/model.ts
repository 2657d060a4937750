/**
 * What the service may show: every state that some order of the operations explains.
 *
 * Clients work at the same time and the process dies under them, so one expected state does not exist. But each
 * operation is promised to happen at one instant between its sending and its answer, whole; one that was never
 * answered happens before the process died, or not at all. So the model keeps a set of *configurations*: a world and
 * which of the operations under way have already happened in it.
 *
 *   answered(o)   o must have happened by now: in each configuration where it has not, it happens now, perhaps after some others that are
 *                 under way. Where the answer is not the one that was received, the configuration dies.
 *   crash         each operation that is still under way has happened or has not: both configurations live on, and then nothing is under
 *                 way any more. Only two stay: a `done`, which the service may finish after the restart until it is asked for again, and
 *                 a reindex.
 *   none left     no order explains what was seen: something was lost, half done, or mixed up.
 *
 * Reads are operations, too: they hold the configurations against what was seen and thin them out. (This is the
 * just-in-time linearizability check of G. Lowe, "Testing for linearizability", 2017, on a model with crashes.)
 *
 * So that they stay few,
 *
 *   - nothing happens before it has to. Operations commute unless `conflict` says otherwise, and before the one that has to happen only those are
 *     tried that do not commute with it, or with one of them that follows: every order is like one of these, up to exchanging neighbours
 *     that commute
 *   - what is possible of documents is no matter of configurations: those that differ in nothing else are one, whose world has the
 *     possibilities of all (contents.ts). That is exact, also for what depends on each other: two generations, live and kept, of one reindex;
 *     only where too much does, more is taken for possible than is, and that is counted. It has to be one all the same: configurations left
 *     apart, each with as many possibilities as are told, double with every operation that is never answered
 *
 * enumeration.ts does neither and must find the same.
 *
 * A reindex that a crash has interrupted is taken up by the alarm of its session (src/objects/session/reindex-run.ts),
 * so it may happen later, in this process or in one of the next. It is over for certain
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
import { Contents, Limit } from "./contents.ts";
import { nameIn, Names } from "./names.ts";
import {
  after,
  conflict,
  describe,
  describeWorld,
  EMPTY_WORLD,
  forgetting,
  movesPointer,
  NOT_DONE,
  stateOf,
  type Action,
  type Operation,
  type World,
} from "./world.ts";

interface Configuration {
  readonly world: World;
  /**
   * Numbers of the operations under way that have happened, and of reindexes under way that cannot happen any more.
   */
  readonly happened: readonly number[];
}

/** A configuration on its way to one in which a certain operation has happened. */
interface Prefix {
  readonly configuration: Configuration;
  /** What has happened on the way and commutes with all that came after it. */
  readonly loose: readonly Operation[];
}

type Event = {
  readonly kind: "sent" | "answered" | "crash" | "noReindexLeft";
  readonly operation: Operation | null;
};

/** More would mean that the model is too slow, not that the service is wrong. */
const MOST_CONFIGURATIONS = 50_000;

export class Impossible extends Error {}

export class History {
  #configurations: readonly Configuration[] = [{ world: EMPTY_WORLD, happened: [] }];
  #events: Event[] = [];
  #underWay: Operation[] = [];
  /** Those of them that are reindexes from before a crash. */
  #interrupted: readonly Operation[] = [];
  readonly #names = new Names();
  readonly #limit = new Limit();
  #operations = 0;
  /** The last events, for the message when nothing explains them. */
  #past: string[] = [];
  /** The most configurations there were at once since the beginning. */
  peak = 1;

  /** How often it had to allow more than what is possible (contents.ts). */
  get approximations(): number {
    return this.#limit.exceeded;
  }

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

  /**
   * Goes through what has happened since. Every operation must have ended, or the process crashed. Throws Impossible.
   */
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
    return this.#configurations.map((one) => one.world);
  }

  get operations(): number {
    return this.#operations;
  }

  /** Whether a reindex whose answer was lost may still happen. After `settle`. */
  get mayReindex(): boolean {
    return this.#interrupted.length > 0;
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
    this.#settled(
      this.#underWay.filter(
        ({ action }) => action.kind === "done" && sessions.includes(action.session),
      ),
    );
    this.#replace(
      this.#configurations.map(({ world, happened }) => ({
        world: forgetting(world, sessions),
        happened,
      })),
    );
  }

  #answered(operation: Operation): void {
    this.#note(`${describe(operation)} -> ${operation.answer ?? "?"}`);
    const before = [...this.#configurations];
    this.#happenedByNow(operation);
    if (this.#configurations.length === 0) throw new Impossible(this.#explain(operation, before));
    this.#dropOver();
  }

  #crash(): void {
    this.#note("CRASH");
    for (const operation of this.#underWay.filter((one) => !isFinishedLater(one))) {
      this.#happenedByNow(operation);
    }
    // Not lazily: what moves the pointer after a crash ends the reindexes of before it, and what moved it before does
    // not.
    this.#replace(this.#reachable(this.#configurations, this.#underWay));
    this.#interrupted = this.#underWay.filter(({ action }) => action.kind === "reindex");
    this.#dropOver();
  }

  #endReindexes(): void {
    if (this.#interrupted.length === 0) return;
    this.#note("no reindex left");
    for (const operation of this.#interrupted) this.#happenedByNow(operation);
    this.#interrupted = [];
  }

  /** It happens now, if it has not; where that is open, perhaps never. */
  #happenedByNow(operation: Operation): void {
    const { number, open } = operation;
    const left = this.#configurations.filter(({ happened }) => !happened.includes(number));
    const next = this.#configurations.filter(({ happened }) => happened.includes(number));
    if (open) next.push(...left);
    // All at once: much of what they can become is the same.
    next.push(...this.#madeToHappen(left, operation));
    this.#underWay = this.#underWay.filter((other) => other !== operation);
    this.#replace(next.map((one) => without(one, number)));
  }

  /** Interrupted reindexes that are over, whatever has happened. */
  #dropOver(): void {
    const over = this.#interrupted.filter(({ number }) =>
      this.#configurations.every(({ happened }) => happened.includes(number)),
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
      this.#configurations.map(({ world, happened }) => ({
        world,
        happened: happened.filter((number) => pending.has(number)),
      })),
    );
  }

  /**
   * What `configurations` become by `operation`, now, perhaps after others that are under way: but only after those
   * that have to be before it, because they do not commute with it, or with one of them that came later. What commutes
   * with all that follows may as well come later.
   */
  #madeToHappen(
    configurations: readonly Configuration[],
    operation: Operation,
  ): readonly Configuration[] {
    const others = this.#conflicting(operation).filter((other) => other !== operation);
    /**
     * Whether `one`, which has just happened, can still be of importance for `operation` when no others than `left`
     * follow.
     */
    const leads = (one: Operation, left: readonly Operation[]): boolean => {
      const found = new Set<Operation>([operation]);
      for (const later of found) {
        if (conflict(one, later)) return true;
        for (const other of left) if (conflict(other, later)) found.add(other);
      }
      return false;
    };
    const ended: Configuration[] = [];
    let steps: Prefix[] = configurations.map((configuration) => ({ configuration, loose: [] }));
    while (steps.length > 0) {
      const found: Prefix[] = [];
      for (const { configuration, loose } of steps) {
        if (loose.every((one) => conflict(one, operation))) {
          ended.push(...this.#steps(configuration, operation));
        }
        const left = others.filter(({ number }) => !configuration.happened.includes(number));
        for (const other of left) {
          const still = left.filter((one) => one !== other);
          const now = [...loose.filter((one) => !conflict(one, other)), other];
          if (!now.every((one) => leads(one, still))) continue;
          for (const next of this.#steps(configuration, other)) {
            found.push({ configuration: next, loose: now });
          }
        }
      }
      steps = this.#mergedPrefixes(found);
    }
    return ended;
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
  ): readonly Configuration[] {
    const found: Configuration[] = [];
    for (let last = configurations; last.length > 0;) {
      found.push(...last);
      last = this.#merged(
        last.flatMap((one) =>
          operations
            .filter(({ number }) => !one.happened.includes(number))
            .flatMap((operation) => this.#steps(one, operation)),
        ),
      );
    }
    return found;
  }

  /** None: it could not have given the answer it gave. */
  #steps({ world, happened }: Configuration, operation: Operation): readonly Configuration[] {
    const next = after(world, operation, this.#names, this.#limit);
    if (next === null) return [];
    const ended = movesPointer(operation, world, next) ? this.#interrupted : [];
    const numbers = [operation, ...ended].map(({ number }) => number);
    return [{ world: next, happened: sorted([...happened, ...numbers]) }];
  }

  #replace(configurations: readonly Configuration[]): void {
    this.#configurations = this.#merged(configurations.map((one) => this.#withoutEffect(one)));
    this.peak = Math.max(this.peak, this.#configurations.length);
    if (this.#configurations.length > MOST_CONFIGURATIONS) {
      throw new Error(`${this.#configurations.length} configurations: too many for the model`);
    }
  }

  /**
   * With the unanswered operations on sessions that are over as if they had happened: they change nothing any more,
   * whenever it is.
   */
  #withoutEffect(one: Configuration): Configuration {
    const { world, happened } = one;
    const over = this.#underWay.filter(
      ({ number, action, answer }) =>
        answer === null &&
        "session" in action &&
        stateOf(world, action.session) !== "open" &&
        !happened.includes(number),
    );
    if (over.length === 0) return one;
    return { world, happened: sorted([...happened, ...over.map(({ number }) => number)]) };
  }

  #mergedPrefixes(prefixes: readonly Prefix[]): Prefix[] {
    const keyOf = ({ loose }: Prefix): string => sorted(loose.map(({ number }) => number)).join();
    return [...Map.groupBy(prefixes, keyOf).values()].flatMap((group) => {
      const loose = group[0]?.loose ?? [];
      const configurations = this.#merged(group.map((one) => one.configuration));
      return configurations.map((configuration) => ({ configuration, loose }));
    });
  }

  /** Those that are equal, or differ only in what is possible of documents, are one. */
  #merged(configurations: readonly Configuration[]): readonly Configuration[] {
    return [...Map.groupBy(configurations, visibleKeyOf).values()].flatMap((same) => {
      const [first] = same;
      if (first === undefined || same.length === 1) return same;
      const different = new Map(same.map(({ world: { documents } }) => [documents.key, documents]));
      const documents = Contents.anyOf([...different.values()], this.#limit);
      return [{ ...first, world: { ...first.world, documents } }];
    });
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

/** What a crash leaves under way: the service may go on with it in its next process. */
function isFinishedLater({ action }: Operation): boolean {
  return action.kind === "done" || action.kind === "reindex";
}

function visibleKeyOf({ world: { live, kept, sessions }, happened }: Configuration): string {
  const states = [...sessions].map(([name, state]) => `${name}:${state}`).sort();
  return [happened.join(), live ?? "-", kept ?? "-", ...states].join("|");
}

function without({ world, happened }: Configuration, number: number): Configuration {
  return { world, happened: happened.filter((other) => other !== number) };
}

function sorted(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
