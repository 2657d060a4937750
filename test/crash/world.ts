/**
 * A state of the service as its clients could know it, and what each operation makes of it. How many such states are
 * possible: model.ts.
 */
import { Contents, type Limit } from "./contents.ts";
import { slotOf } from "./factors.ts";
import { nameIn, type Names } from "./names.ts";
import { canonical, type Product } from "./product.ts";

export { canonical, type Product };

type SessionState = "open" | "completed" | "cancelled" | "removed";

/**
 * Names and states are those of this world; of the documents it may be open what they are: as worlds of their own all
 * possibilities would multiply.
 */
export interface World {
  /** Name of the generation; an alias when nobody knows it (names.ts). */
  readonly live: string | null;
  readonly kept: string | null;
  readonly sessions: ReadonlyMap<string, SessionState>;
  /** In the places `LIVE`, `KEPT`, and under the name of each session that is open: what it would publish. */
  readonly documents: Contents;
}

export const LIVE = "live";
const KEPT = "kept";

export const EMPTY_WORLD: World = {
  live: null,
  kept: null,
  sessions: new Map(),
  documents: Contents.NONE,
};

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
    // What is added to a session that is removed at the same time is never seen; only the answer can tell which was
    // first.
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
  return isMove(action) && before.live !== after.live;
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

/**
 * What becomes of the world; null: there it could not have given its answer. Answers are, of an update the map id ->
 * result as JSON, the error type of a failure, `ok`, and what else identifies the outcome: of a reindex the
 * generation's name and how many documents it has.
 */
export function after(
  world: World,
  { action, answer }: Operation,
  names: Names,
  limit: Limit,
): World | null {
  const { live, kept, documents } = world;
  /** It changes nothing, and any of these answers is right. */
  const unchanged = (...answers: string[]): World | null =>
    answer === null || answers.includes(answer) ? world : null;
  const isOk = answer === null || answer === "ok";
  switch (action.kind) {
    case "put":
    case "patch":
    case "delete": {
      // PUT without langCode says what is missing.
      if (live === null)
        return unchanged(action.kind === "put" ? "invalid_locale" : "index_not_found");
      const next = updated(documents, action, answer);
      return next === null ? null : { ...world, documents: next };
    }
    case "start":
      // Its answer names it. Without an answer nobody will ever use it.
      return answer === null ? world : withState(world, answer, "open");
    case "add": {
      const { documents: bulk, session } = action;
      const state = stateOf(world, session);
      const count = String(bulk.length);
      // The session hears of the index's deletion a moment after it; what it takes in between is never seen.
      if (state === "removed") return unchanged("session_unknown", count);
      if (state !== "open") return unchanged(`session_${state}`);
      if (answer !== null && answer !== count) return null;
      return { ...world, documents: written(documents, session, bulk) };
    }
    case "done": {
      const { session } = action;
      const state = stateOf(world, session);
      // A `done` that was sent again; the first one's answer may have been on its way.
      if (state === "completed") return unchanged("ok", "session_completed");
      if (state === "cancelled") return unchanged("session_cancelled");
      if (state === "removed") return unchanged("session_unknown");
      if (!isOk) return null;
      const moved = documents.moved((place) =>
        place === session ? [LIVE] : place === LIVE ? [KEPT] : place === KEPT ? [] : [place],
      );
      const { sessions } = withState(world, session, "completed");
      return { live: session, kept: live, sessions, documents: moved };
    }
    case "cancel": {
      const { session } = action;
      const state = stateOf(world, session);
      if (state === "removed") return unchanged("session_unknown");
      if (state !== "open") return unchanged(`session_${state}`);
      return isOk ? withState(world, session, "cancelled") : null;
    }
    case "rollback": {
      if (live === null) return unchanged("index_not_found");
      if (kept === null) return unchanged("generation_not_found");
      const name = answer ?? kept;
      if (name === live || !names.fits(kept, name)) return null;
      const moved = documents.moved((place) =>
        place === KEPT ? [LIVE] : place === LIVE ? [KEPT] : [place],
      );
      return { ...world, live: name, kept: live, documents: moved };
    }
    case "reindex": {
      if (live === null) return unchanged("index_not_found");
      const name = answer === null ? action.alias : nameIn(answer);
      // An error is not right here.
      if (name === null) return null;
      const counted =
        answer === null
          ? documents
          : documents.ofSize(LIVE, Number(answer.slice(name.length + 1)), limit);
      if (counted === null) return null;
      const moved = counted.moved((place) =>
        place === LIVE ? [LIVE, KEPT] : place === KEPT ? [] : [place],
      );
      return { ...world, live: name, kept: live, documents: moved };
    }
    case "deleteIndex": {
      if (live === null) return unchanged("index_not_found");
      if (!isOk) return null;
      const sessions = new Map<string, SessionState>(
        [...world.sessions].map(([name, state]) => [name, state === "open" ? "removed" : state]),
      );
      return { live: null, kept: null, sessions, documents: Contents.NONE };
    }
    case "read":
      return seen(world, action, names);
  }
}

/** Null: this answer is not right. */
function updated(
  before: Contents,
  action: Extract<Action, { readonly kind: "put" | "patch" | "delete" }>,
  answer: string | null,
): Contents | null {
  const ids = idsOf(action);
  const slots = ids.map((id) => slotOf(LIVE, id));
  let documents = before;
  if (answer !== null) {
    const wasThere = thereBefore(action.kind, ids, answer);
    const left =
      wasThere === null
        ? null
        : before.where(slots, (id, document) => wasThere.has(id) === (document !== undefined));
    if (left === null) return null;
    documents = left;
  }
  switch (action.kind) {
    case "delete":
      return documents.with(slots, () => undefined);
    case "put":
      return written(documents, LIVE, action.documents);
    case "patch": {
      const patches = new Map(action.documents.map((patch) => [patch.id, patch]));
      return documents.with(slots, (id, there) =>
        there === undefined
          ? undefined
          : { ...there, data: { ...there.data, ...patches.get(id)?.data } },
      );
    }
  }
}

/** What each of an update's documents is answered: when it was there, and when it was not. */
const RESULTS = {
  put: ["UPDATED", "CREATED"],
  patch: ["UPDATED", "NOT_FOUND"],
  delete: ["DELETED", "NOT_FOUND"],
} as const;

/** Which of these documents an update has found, by its answer. Null: it is none. */
function thereBefore(
  kind: "put" | "patch" | "delete",
  ids: readonly string[],
  answer: string,
): ReadonlySet<string> | null {
  // Nothing deleted is answered with 304.
  if (answer === "304") return kind === "delete" ? new Set() : null;
  if (!answer.startsWith("{")) return null;
  const results = new Map(Object.entries(JSON.parse(answer) as Record<string, unknown>));
  const [there, absent] = RESULTS[kind];
  const found = new Set(ids.filter((id) => results.get(id) === there));
  const isComplete =
    results.size === new Set(ids).size &&
    ids.every((id) => results.get(id) === there || results.get(id) === absent);
  return isComplete && (kind !== "delete" || found.size > 0) ? found : null;
}

function written(documents: Contents, place: string, bulk: readonly Product[]): Contents {
  const byId = new Map(bulk.map((document) => [document.id, document]));
  const slots = [...byId.keys()].map((id) => slotOf(place, id));
  return documents.with(slots, (id) => byId.get(id));
}

export function stateOf(world: World, session: string): SessionState {
  return world.sessions.get(session) ?? "removed";
}

/** What was added to a session that is over is gone. */
function withState(world: World, session: string, state: SessionState): World {
  return {
    ...world,
    sessions: new Map(world.sessions).set(session, state),
    documents: world.documents.moved((place) => (place === session ? [] : [place])),
  };
}

/** Without sessions that nobody will speak of again. */
export function forgetting(world: World, sessions: readonly string[]): World {
  return {
    ...world,
    sessions: new Map([...world.sessions].filter(([name]) => !sessions.includes(name))),
    documents: world.documents.moved((place) => (sessions.includes(place) ? [] : [place])),
  };
}

function seen(
  world: World,
  { sight, look }: Extract<Action, { readonly kind: "read" }>,
  names: Names,
): World | null {
  const { live, kept } = world;
  if (live === null || sight === null) return live === sight ? world : null;
  const { ids, documents: found } = sight;
  const name = sight.name ?? live;
  if (name === kept || !names.fits(live, name)) return null;
  const asked = [...(ids ?? []), ...found.keys()].map((id) => slotOf(LIVE, id));
  // What was looked for everywhere and not found is not there.
  if (ids === undefined || ids === null) asked.push(...world.documents.slotsOf(LIVE));
  const documents = world.documents.where(
    asked,
    (id, product) => found.get(id) === (product === undefined ? undefined : look(product)),
  );
  return documents === null ? null : { ...world, live: name, documents };
}

// ---- texts

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

export function describeWorld({ live, kept, sessions, documents }: World): string {
  const states = [...sessions].map(([name, state]) => `${name} ${state}`).join(", ");
  return `live ${live ?? "none"}; kept ${kept ?? "none"}; sessions ${states}; documents ${documents.describe()}`;
}
