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
 *                 way any more. Only a `done` stays: the service may finish it after the restart, until it is asked for again.
 *   none left     no order explains what was seen: something was lost, half done, or mixed up.
 *
 * Reads are operations, too: they hold the configurations against what was seen and thin them out. (This is the just-in-time linearizability
 * check of G. Lowe, "Testing for linearizability", 2017, on a model with crashes.)
 *
 * Operations commute unless `conflict` says otherwise, and only those that do not commute with what has to happen are tried before it.
 */

export interface Product {
  readonly id: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly [member: string]: unknown;
}

/** Of a generation, by id; what is not there is undefined or missing. */
export type Documents = ReadonlyMap<string, Product>;

export interface Generation {
  readonly name: string;
  readonly documents: Documents;
}

interface Session {
  readonly state: "open" | "completed" | "cancelled" | "removed";
  /** What it would publish, registered bulks, the later one wins an id: one of these. */
  readonly possible: readonly Documents[];
}

/**
 * What nobody can look at, content of sessions and of the kept generation, is a list of possibilities within a world: as worlds of their own
 * they would multiply with everything else that is not known.
 */
export interface World {
  readonly live: Generation | null;
  readonly kept: { readonly name: string; readonly possible: readonly Documents[] } | null;
  readonly sessions: ReadonlyMap<string, Session>;
}

const EMPTY_WORLD: World = { live: null, kept: null, sessions: new Map() };

/** What a reader has seen: name of the generation, and of each document whatever `look` makes of it. */
export interface Sight {
  /** Null: it did not show. */
  readonly name: string | null;
  readonly documents: ReadonlyMap<string, string>;
  /** Looked only for these ids; null: for all. */
  readonly ids?: ReadonlySet<string> | null;
}

export type Action =
  | { readonly kind: "put" | "patch"; readonly documents: readonly Product[] }
  | { readonly kind: "delete"; readonly ids: readonly string[] }
  | { readonly kind: "start" }
  | { readonly kind: "add"; readonly session: string; readonly documents: readonly Product[] }
  | { readonly kind: "done" | "cancel"; readonly session: string }
  | { readonly kind: "rollback" | "deleteIndex" }
  | {
      readonly kind: "read";
      readonly sight: Sight | null;
      readonly look: (product: Product) => string;
    };

export interface Operation {
  readonly number: number;
  readonly client: string;
  /** A read's is completed when its answer is there. */
  action: Action;
  /** Canonical: see `outcomesOf`. Null: not known, or whatever it may be. */
  answer: string | null;
  /** It may have happened or not: no answer came, or one that says "try again". */
  open: boolean;
}

interface Configuration {
  readonly world: World;
  /** Numbers of the operations under way that have happened. */
  readonly happened: readonly number[];
}

type Event = {
  readonly kind: "sent" | "answered" | "crash";
  readonly operation: Operation | null;
};

/** More would mean that the model is too slow, not that the service is wrong. */
const MOST_CONFIGURATIONS = 50_000;

export class Impossible extends Error {}

export class History {
  #configurations = merged([{ world: EMPTY_WORLD, happened: [] }]);
  #events: Event[] = [];
  #underWay: Operation[] = [];
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

  /** `answer` null: it did not say whether it happened. */
  answered(operation: Operation, answer: string | null): void {
    operation.answer = answer;
    operation.open = answer === null;
    this.#events.push({ kind: "answered", operation });
  }

  /** The process was killed, and all clients have noticed. */
  crash(): void {
    this.#events.push({ kind: "crash", operation: null });
  }

  /** Goes through what has happened since. Every operation must have ended, or the process crashed. Throws Impossible. */
  settle(): void {
    const events = this.#events;
    this.#events = [];
    const answered = new Set(
      events.filter(({ kind }) => kind === "answered").map(({ operation }) => operation),
    );
    for (const { kind, operation } of events) {
      const unanswered = operation !== null && !answered.has(operation);
      // These have no effect that anybody could notice.
      if (unanswered && (operation.action.kind === "read" || operation.action.kind === "start")) {
        continue;
      }
      if (operation === null) this.#crash();
      else if (kind === "sent") this.#underWay.push(operation);
      else this.#answered(operation);
    }
  }

  /** Every world that is possible now. After `settle`. */
  worlds(): World[] {
    return [...this.#configurations.values()].map((one) => one.world);
  }

  get operations(): number {
    return this.#operations;
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
    const before = this.#configurations;
    const next: Configuration[] = [];
    const relevant = operation.open ? this.#underWay : this.#conflicting(operation);
    for (const configuration of before.values()) {
      if (configuration.happened.includes(operation.number)) {
        next.push(without(configuration, operation.number));
        continue;
      }
      const others = relevant.filter((other) => other !== operation);
      if (operation.open) {
        // It may have happened or not; but if, then by now.
        for (const one of reachable([configuration], [...others, operation])) {
          next.push(without(one, operation.number));
        }
        continue;
      }
      for (const one of reachable([configuration], others)) {
        for (const after of steps(one, operation)) next.push(without(after, operation.number));
      }
    }
    this.#underWay = this.#underWay.filter((other) => other !== operation);
    if (next.length === 0) throw new Impossible(this.#explain(operation, [...before.values()]));
    this.#replace(next);
  }

  #crash(): void {
    this.#note("CRASH");
    // Groups that commute with each other one after the other, so that their possibilities do not multiply.
    const left = new Set(this.#underWay);
    for (const operation of left) {
      const group = this.#conflicting(operation);
      for (const one of group) left.delete(one);
      this.#replace(reachable([...this.#configurations.values()], group));
      this.#settled(group.filter(({ action }) => action.kind !== "done"));
    }
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

// ---- operations on a world

/** Whether the order of two operations can matter. */
function conflict(one: Operation, other: Operation): boolean {
  const a = one.action;
  const b = other.action;
  if (a.kind === "add" || b.kind === "add") {
    // What is added to a session that is removed at the same time is never seen; only the answer can tell which was first.
    if (a.kind === "deleteIndex") return other.answer === "session_unknown";
    if (b.kind === "deleteIndex") return one.answer === "session_unknown";
  }
  if (a.kind === "deleteIndex" || b.kind === "deleteIndex") return true;
  if ("session" in a && "session" in b && a.session === b.session) {
    return a.kind !== "add" || b.kind !== "add" || overlap(idsOf(a), idsOf(b));
  }
  if (isAside(a) || isAside(b)) return false;
  if (isMove(a) || isMove(b)) return true;
  if (a.kind === "read" || b.kind === "read") return a.kind !== b.kind;
  return overlap(idsOf(a), idsOf(b));
}

/** Changes which generation is live. */
function isMove({ kind }: Action): boolean {
  return kind === "done" || kind === "rollback" || kind === "deleteIndex";
}

/** Touches nothing that a search could see. */
function isAside({ kind }: Action): boolean {
  return kind === "start" || kind === "add" || kind === "cancel";
}

function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.some((id) => b.includes(id));
}

function idsOf(action: Action): readonly string[] {
  if ("documents" in action) return action.documents.map((document) => document.id);
  return action.kind === "delete" ? action.ids : [];
}

/** What `configurations` can become when any of `operations` happen in any order, none of them included. */
function reachable(
  configurations: readonly Configuration[],
  operations: readonly Operation[],
): Configuration[] {
  const found = new Map(configurations.map((one) => [keyOf(one), one]));
  for (const one of found.values()) {
    for (const operation of operations) {
      if (one.happened.includes(operation.number)) continue;
      for (const after of steps(one, operation)) {
        const key = keyOf(after);
        if (!found.has(key)) found.set(key, after);
      }
    }
  }
  return [...found.values()];
}

/** None: it could not have given the answer it gave. */
function steps({ world, happened }: Configuration, operation: Operation): Configuration[] {
  const { answer } = operation;
  return outcomesOf(world, operation)
    .filter(({ answers }) => answer === null || answers.includes(answer))
    .map((outcome) => ({
      world: outcome.world,
      happened: [...happened, operation.number].sort((a, b) => a - b),
    }));
}

interface Outcome {
  readonly world: World;
  readonly answers: readonly string[];
}

/**
 * What becomes of the world, and every answer that would be right: of an update the map id -> result as JSON, the error type of a failure,
 * `ok`, and what else identifies the outcome.
 */
function outcomesOf(world: World, { action, answer }: Operation): Outcome[] {
  switch (action.kind) {
    case "put":
    case "patch":
    case "delete":
      return [updated(world, action)];
    case "start":
      // Its answer names it. Without an answer nobody will ever use it.
      if (answer === null) return [{ world, answers: [] }];
      return [
        {
          world: withSession(world, answer, { state: "open", possible: [new Map()] }),
          answers: [answer],
        },
      ];
    case "add":
      return [added(world, action.session, action.documents)];
    case "done":
      return completed(world, action.session);
    case "cancel": {
      const session = sessionOf(world, action.session);
      if (session.state === "removed") return [{ world, answers: ["session_unknown"] }];
      if (session.state !== "open") return [{ world, answers: [`session_${session.state}`] }];
      const ended = withSession(world, action.session, over("cancelled"));
      return [{ world: ended, answers: ["ok"] }];
    }
    case "rollback": {
      const { live, kept } = world;
      if (live === null) return [{ world, answers: ["index_not_found"] }];
      if (kept === null) return [{ world, answers: ["generation_not_found"] }];
      return kept.possible.map((documents) => ({
        world: { ...world, live: { name: kept.name, documents }, kept: keep(live) },
        answers: [kept.name],
      }));
    }
    case "deleteIndex": {
      if (world.live === null) return [{ world, answers: ["index_not_found"] }];
      const sessions = new Map(
        [...world.sessions].map(([name, session]) => [
          name,
          session.state === "open" ? over("removed") : session,
        ]),
      );
      return [{ world: { live: null, kept: null, sessions }, answers: ["ok"] }];
    }
    case "read":
      return [{ world, answers: isSight(world, action.sight, action.look) ? ["seen"] : [] }];
  }
}

function updated(
  world: World,
  action: Extract<Action, { readonly kind: "put" | "patch" | "delete" }>,
): Outcome {
  if (world.live === null) {
    // PUT without langCode says what is missing.
    return { world, answers: [action.kind === "put" ? "invalid_locale" : "index_not_found"] };
  }
  const documents = new Map(world.live.documents);
  const results: Record<string, string> = {};
  if (action.kind === "delete") {
    for (const id of action.ids) results[id] = documents.delete(id) ? "DELETED" : "NOT_FOUND";
    // Nothing deleted is answered with 304.
    const none = !Object.values(results).includes("DELETED");
    const answers = [none ? "304" : canonical(results)];
    return { world: { ...world, live: { ...world.live, documents } }, answers };
  }
  for (const document of action.documents) {
    const { id } = document;
    const there = documents.get(id);
    if (action.kind === "put") {
      results[id] = there === undefined ? "CREATED" : "UPDATED";
      documents.set(id, document);
    } else if (there === undefined) {
      results[id] = "NOT_FOUND";
    } else {
      results[id] = "UPDATED";
      documents.set(id, { ...there, data: { ...there.data, ...document.data } });
    }
  }
  return {
    world: { ...world, live: { ...world.live, documents } },
    answers: [canonical(results)],
  };
}

function added(world: World, name: string, bulk: readonly Product[]): Outcome {
  const session = sessionOf(world, name);
  switch (session.state) {
    case "open": {
      const possible = session.possible.map((before) => {
        const documents = new Map(before);
        for (const document of bulk) documents.set(document.id, document);
        return documents;
      });
      return {
        world: withSession(world, name, { ...session, possible }),
        answers: [String(bulk.length)],
      };
    }
    case "removed":
      // The session hears of the index's deletion a moment after it; what it takes in between is never seen.
      return { world, answers: ["session_unknown", String(bulk.length)] };
    case "completed":
    case "cancelled":
      return { world, answers: [`session_${session.state}`] };
  }
}

function completed(world: World, name: string): Outcome[] {
  const session = sessionOf(world, name);
  switch (session.state) {
    case "open": {
      const after = withSession(world, name, over("completed"));
      const kept = world.live === null ? null : keep(world.live);
      return session.possible.map((documents) => ({
        world: { ...after, live: { name, documents }, kept },
        answers: ["ok"],
      }));
    }
    case "completed":
      // A `done` that was sent again; the first one's answer may have been on its way.
      return [{ world, answers: ["ok", "session_completed"] }];
    case "cancelled":
      return [{ world, answers: ["session_cancelled"] }];
    case "removed":
      return [{ world, answers: ["session_unknown"] }];
  }
}

function over(state: "completed" | "cancelled" | "removed"): Session {
  return { state, possible: [] };
}

function keep({ name, documents }: Generation): World["kept"] {
  return { name, possible: [documents] };
}

function sessionOf(world: World, name: string): Session {
  return world.sessions.get(name) ?? over("removed");
}

function withSession(world: World, name: string, session: Session): World {
  return { ...world, sessions: new Map(world.sessions).set(name, session) };
}

function isSight(
  { live }: World,
  sight: Sight | null,
  look: (product: Product) => string,
): boolean {
  if (live === null || sight === null) return live === sight;
  if (sight.name !== null && live.name !== sight.name) return false;
  let count = 0;
  for (const [id, product] of live.documents) {
    if (sight.ids?.has(id) === false) continue;
    if (sight.documents.get(id) !== look(product)) return false;
    count++;
  }
  return count === sight.documents.size;
}

// ---- keys and texts

/** JSON with the members of objects in the order of their names. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

const numbers = new WeakMap<Product, number>();
const numbersByText = new Map<string, number>();

/** The same for equal products. */
function numberOf(product: Product): number {
  let number = numbers.get(product);
  if (number === undefined) {
    const text = canonical(product);
    number = numbersByText.get(text) ?? numbersByText.size;
    numbersByText.set(text, number);
    numbers.set(product, number);
  }
  return number;
}

function keyOfDocuments(documents: Documents): string {
  return [...documents]
    .map(([id, product]) => `${id}=${numberOf(product)}`)
    .sort()
    .join();
}

const generationKeys = new WeakMap<Documents, string>();

function documentsKey(documents: Documents): string {
  let key = generationKeys.get(documents);
  if (key === undefined) generationKeys.set(documents, (key = keyOfDocuments(documents)));
  return key;
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

function describe({ number, client, action }: Operation): string {
  const details = (): string => {
    switch (action.kind) {
      case "put":
      case "patch":
      case "add":
        return `${"session" in action ? `${action.session} ` : ""}${action.documents
          .map(({ id, data }) => `${id}:${data["stamp"] ?? ""}`)
          .join(" ")}`;
      case "delete":
        return action.ids.join(" ");
      case "done":
      case "cancel":
        return action.session;
      case "read":
        return action.sight === null
          ? "nothing"
          : `${action.sight.name ?? "?"} ${[...action.sight.documents]
              .map(([id, seen]) => `${id}:${seen.length > 20 ? `(${seen.length})` : seen}`)
              .join(" ")}`;
      case "start":
      case "rollback":
      case "deleteIndex":
        return "";
    }
  };
  return `#${number} ${client} ${action.kind} ${details()}`;
}

function describeWorld({ live, kept, sessions }: World): string {
  const list = (documents: Documents): string =>
    [...documents.values()]
      .map(({ id, data }) => `${id}:${data["stamp"] ?? ""}`)
      .sort()
      .join(" ");
  const states = [...sessions].map(([name, { state }]) => `${name} ${state}`).join(", ");
  const seen = live === null ? "none" : `${live.name} {${list(live.documents)}}`;
  const hidden = kept === null ? "none" : `${kept.name} {${kept.possible.map(list).join(" | ")}}`;
  return `live ${seen}; kept ${hidden}; sessions ${states}`;
}
