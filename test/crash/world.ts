/** A state of the service as its clients could know it, and what each operation makes of it. */
import { canonical, numberOf, type Product } from "./product.ts";

type SessionState = "open" | "completed" | "cancelled" | "removed";
type Documents = ReadonlyMap<string, Product>;

interface Generation {
  /** Null: made by a reindex whose answer was lost, and not yet seen. */
  readonly name: string | null;
  readonly documents: Documents;
}

interface Session {
  readonly state: SessionState;
  /** What it would publish; empty when it is over. */
  readonly documents: Documents;
}

export interface World {
  readonly live: Generation | null;
  readonly kept: Generation | null;
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
  | { readonly kind: "rollback" | "deleteIndex" | "reindex" }
  | { readonly kind: "read"; readonly sight: Sight | null; readonly look: (product: Product) => string };

export interface Operation {
  readonly number: number;
  readonly client: string;
  /** A read's is completed when its answer is there. */
  action: Action;
  /** Canonical: see `after`. Null: not known, or whatever it may be. */
  answer: string | null;
}

/** The answer of an operation that was not carried out and will not be. */
export const NOT_DONE = "not done";

const NAME = /^ocs-\d+-/;

/** The generation that the answer of a `start` or a reindex names; null: none. */
export function generationNamed(answer: string | null): string | null {
  return answer !== null && NAME.test(answer) ? (answer.split(" ")[0] ?? null) : null;
}

/**
 * The world after the operation; null: in this world its answer would have been another one. Answers are, for an update
 * the map id -> result as JSON, for a failure its error type, for a reindex the generation's name and its number of
 * documents, otherwise `ok`. `knownNames`: a generation without a name has none of these.
 */
export function after(world: World, { action, answer }: Operation, knownNames: ReadonlySet<string>): World | null {
  const { live, kept } = world;
  const fits = (own: string | null, name: string | null): boolean =>
    own === name || (own === null && name !== null && NAME.test(name) && !knownNames.has(name));
  const isOneOf = (...answers: string[]): boolean => answer === null || answers.includes(answer);
  /** It changes nothing, and any of these answers is right. */
  const unchanged = (...answers: string[]): World | null => (isOneOf(...answers) ? world : null);
  switch (action.kind) {
    case "put":
    case "patch":
    case "delete": {
      // PUT without langCode says what is missing.
      if (live === null) return unchanged(action.kind === "put" ? "invalid_locale" : "index_not_found");
      const { documents, results } = updated(live.documents, action);
      return isOneOf(results) ? { ...world, live: { ...live, documents } } : null;
    }
    case "start":
      // Its answer names it. Without an answer nobody will ever use it.
      return answer === null ? world : withSession(world, answer, "open");
    case "add": {
      const { documents, session: name } = action;
      const session = world.sessions.get(name);
      const count = String(documents.length);
      // The session hears of the index's deletion a moment after it; what it takes in between is never seen.
      if (session === undefined || session.state === "removed") {
        return unchanged("session_unknown", count);
      }
      if (session.state !== "open") return unchanged(`session_${session.state}`);
      if (!isOneOf(count)) return null;
      const all = new Map(session.documents);
      for (const document of documents) all.set(document.id, document);
      return withSession(world, name, "open", all);
    }
    case "done":
    case "cancel": {
      const { session: name } = action;
      const session = world.sessions.get(name);
      if (session === undefined || session.state === "removed") return unchanged("session_unknown");
      if (session.state !== "open") {
        // A `done` that was sent again; the first one's answer may have been on its way.
        const isTwice = action.kind === "done" && session.state === "completed";
        return unchanged(`session_${session.state}`, ...(isTwice ? ["ok"] : []));
      }
      if (!isOneOf("ok")) return null;
      if (action.kind === "cancel") return withSession(world, name, "cancelled");
      const { sessions } = withSession(world, name, "completed");
      return { live: { name, documents: session.documents }, kept: live, sessions };
    }
    case "rollback": {
      if (live === null) return unchanged("index_not_found");
      if (kept === null) return unchanged("generation_not_found");
      const name = answer ?? kept.name;
      if ((name !== null && name === live.name) || !fits(kept.name, name)) return null;
      return { ...world, live: { ...kept, name }, kept: live };
    }
    case "reindex": {
      if (live === null) return unchanged("index_not_found");
      const name = generationNamed(answer);
      if (!isOneOf(`${name} ${live.documents.size}`)) return null;
      return { ...world, live: { ...live, name }, kept: live };
    }
    case "deleteIndex": {
      if (live === null) return unchanged("index_not_found");
      if (!isOneOf("ok")) return null;
      const removed = { state: "removed", documents: new Map() } as const;
      const sessions = [...world.sessions].map(
        ([name, session]) => [name, session.state === "open" ? removed : session] as const,
      );
      return { live: null, kept: null, sessions: new Map(sessions) };
    }
    case "read": {
      const { sight, look } = action;
      if (live === null || sight === null) return live === sight ? world : null;
      const name = sight.name ?? live.name;
      if ((name !== null && name === kept?.name) || !fits(live.name, name)) return null;
      const asked = [...live.documents].filter(([id]) => sight.ids?.has(id) !== false);
      const isSeen =
        asked.length === sight.documents.size &&
        asked.every(([id, product]) => sight.documents.get(id) === look(product));
      return isSeen ? { ...world, live: { ...live, name } } : null;
    }
  }
}

/** The documents after an update, and what it answers. */
function updated(
  before: Documents,
  action: Extract<Action, { readonly kind: "put" | "patch" | "delete" }>,
): { readonly documents: Documents; readonly results: string } {
  const documents = new Map(before);
  const results: Record<string, string> = {};
  if (action.kind === "delete") {
    for (const id of action.ids) results[id] = documents.delete(id) ? "DELETED" : "NOT_FOUND";
    // Nothing deleted is answered with 304.
    const isNone = !Object.values(results).includes("DELETED");
    return { documents, results: isNone ? "304" : canonical(results) };
  }
  for (const document of action.documents) {
    const { id, data } = document;
    const there = documents.get(id);
    if (action.kind === "put") documents.set(id, document);
    else if (there !== undefined) documents.set(id, { ...there, data: { ...there.data, ...data } });
    const absent = action.kind === "put" ? "CREATED" : "NOT_FOUND";
    results[id] = there === undefined ? absent : "UPDATED";
  }
  return { documents, results: canonical(results) };
}

function withSession(world: World, name: string, state: SessionState, documents: Documents = new Map()): World {
  return { ...world, sessions: new Map(world.sessions).set(name, { state, documents }) };
}

const MOVING: ReadonlySet<Action["kind"]> = new Set(["done", "rollback", "reindex", "deleteIndex"]);

/** Whether it made another generation live, or none. */
export function movesPointer({ action }: Operation, before: World, next: World): boolean {
  return MOVING.has(action.kind) && before.live !== next.live;
}

const keys = new WeakMap<Documents, string>();

function keyOfDocuments(documents: Documents): string {
  let key = keys.get(documents);
  if (key === undefined) {
    const parts = [...documents].map(([id, product]) => `${id}:${numberOf(product)}`);
    keys.set(documents, (key = parts.sort().join()));
  }
  return key;
}

/** The same for equal worlds. */
export function keyOf({ live, kept, sessions }: World): string {
  const generation = (one: Generation | null): string =>
    one === null ? "-" : `${one.name} ${keyOfDocuments(one.documents)}`;
  const states = [...sessions].map(([name, { state, documents }]) => `${name} ${state} ${keyOfDocuments(documents)}`);
  return [generation(live), generation(kept), ...states.sort()].join("|");
}

// ---- texts

export function describe({ number, client, action, answer }: Operation): string {
  const stamps = (documents: readonly Product[]): string =>
    documents.map(({ id, data }) => `${id}:${data["stamp"] ?? ""}`).join(" ");
  const details = [
    "session" in action ? action.session : "",
    "documents" in action ? stamps(action.documents) : "",
    action.kind === "delete" ? action.ids.join(" ") : "",
    action.kind === "read" ? describeSight(action.sight) : "",
  ].filter((text) => text !== "");
  return `#${number} ${client} ${action.kind} ${details.join(" ")} -> ${answer ?? "?"}`;
}

function describeSight(sight: Sight | null): string {
  if (sight === null) return "nothing";
  const seen = [...sight.documents].map(([id, look]) => `${id}:${look.slice(0, 20)}`);
  return `${sight.name ?? "?"} ${seen.join(" ")}`;
}

export function describeWorld({ live, kept, sessions }: World): string {
  const text = (documents: Documents): string =>
    [...documents].map(([id, { data }]) => `${id}:${data["stamp"] ?? ""}`).join(" ");
  const generation = (one: Generation | null): string => (one === null ? "none" : `${one.name} ${text(one.documents)}`);
  const states = [...sessions].map(([name, { state, documents }]) => `${name} ${state} ${text(documents)}`);
  return `live ${generation(live)}; kept ${generation(kept)}; sessions ${states.join(", ")}`;
}
