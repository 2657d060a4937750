/** A state of the service as its clients could know it, and what each operation makes of it. How many such states are possible: model.ts. */
import { nameIn, type Names } from "./names.ts";

export interface Product {
  readonly id: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly [member: string]: unknown;
}

/** Of a generation, by id; what is not there is undefined or missing. */
export type Documents = ReadonlyMap<string, Product>;

export interface Generation {
  /** An alias when nobody knows it (names.ts). */
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

export const EMPTY_WORLD: World = { live: null, kept: null, sessions: new Map() };

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
  /** The alias is for its generation, in case that no answer names it. */
  | { readonly kind: "reindex"; readonly alias: string }
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

/** The answer of an operation that says that it has not happened and will not. */
export const NOT_DONE = "not done";

// ---- operations on a world

/** Whether the order of two operations can matter. */
export function conflict(one: Operation, other: Operation): boolean {
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
  return kind === "done" || kind === "rollback" || kind === "deleteIndex" || kind === "reindex";
}

/** Whether another generation is live, or none, after this operation. */
export function movesPointer({ action }: Operation, before: World, after: World): boolean {
  return isMove(action) && before.live?.name !== after.live?.name;
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

interface Outcome {
  readonly world: World;
  readonly answers: readonly string[];
}

/**
 * What becomes of the world, and every answer that would be right: of an update the map id -> result as JSON, the error type of a failure,
 * `ok`, and what else identifies the outcome: of a reindex the generation's name and how many documents it has.
 */
export function outcomesOf(world: World, { action, answer }: Operation, names: Names): Outcome[] {
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
      const name =
        answer !== null && answer !== live.name && names.fits(kept.name, answer)
          ? answer
          : kept.name;
      return kept.possible.map((documents) => ({
        world: { ...world, live: { name, documents }, kept: keep(live) },
        answers: [name],
      }));
    }
    case "reindex": {
      const { live } = world;
      if (live === null) return [{ world, answers: ["index_not_found"] }];
      // Of an answer that is an error: it is not right here.
      const name = nameIn(answer) ?? action.alias;
      return [
        {
          world: { ...world, live: { ...live, name }, kept: keep(live) },
          answers: [`${name} ${live.documents.size}`],
        },
      ];
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
      return [seen(world, action, names)];
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

function seen(
  world: World,
  { sight, look }: Extract<Action, { readonly kind: "read" }>,
  names: Names,
): Outcome {
  const { live } = world;
  if (live === null || sight === null) return { world, answers: live === sight ? ["seen"] : [] };
  if (!areSeen(live.documents, sight, look)) return { world, answers: [] };
  const name = sight.name ?? live.name;
  if (name === world.kept?.name || !names.fits(live.name, name)) return { world, answers: [] };
  return { world: { ...world, live: { ...live, name } }, answers: ["seen"] };
}

function areSeen(documents: Documents, sight: Sight, look: (product: Product) => string): boolean {
  let count = 0;
  for (const [id, product] of documents) {
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

export function documentsKey(documents: Documents): string {
  let key = generationKeys.get(documents);
  if (key === undefined) generationKeys.set(documents, (key = keyOfDocuments(documents)));
  return key;
}

export function describe({ number, client, action }: Operation): string {
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
      case "reindex":
        return `(${action.alias})`;
      case "start":
      case "rollback":
      case "deleteIndex":
        return "";
    }
  };
  return `#${number} ${client} ${action.kind} ${details()}`;
}

export function describeWorld({ live, kept, sessions }: World): string {
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
