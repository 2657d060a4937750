/**
 * The model of model.ts again, slow and obvious, to compare it with: one set of states, each with documents of its
 * own; after every event every operation under way happens in every order. Nothing is put off, left out because it
 * commutes, or kept as a list. For a handful of operations.
 *
 * A document is its stamp.
 */
import { nameIn, Names } from "./names.ts";
import { canonical, NOT_DONE, type Action } from "./world.ts";

type Stamps = Readonly<Record<string, string>>;

interface Generation {
  readonly name: string;
  readonly documents: Stamps;
}

export interface State {
  readonly live: Generation | null;
  readonly kept: Generation | null;
  readonly sessions: Readonly<
    Record<string, { readonly state: string; readonly documents: Stamps }>
  >;
}

export const EMPTY: State = { live: null, kept: null, sessions: {} };

export interface Sent {
  readonly number: number;
  readonly action: Action;
  /** The last one: it is known when the events are gone through. */
  answer: string | null;
}

export type Step =
  | { readonly kind: "sent"; readonly operation: Sent }
  | { readonly kind: "answered"; readonly operation: Sent }
  | { readonly kind: "crash" }
  | { readonly kind: "noReindexLeft" };

/** What becomes of a state, and the answers that are right. `name`: of the generation that a reindex makes. */
export function applied(
  state: State,
  action: Action,
  name: string,
): { readonly state: State; readonly answers: readonly string[] } {
  const { live, kept, sessions } = state;
  const same = (...answers: string[]): { state: State; answers: string[] } => ({ state, answers });
  const withSession = (own: string, to: string, documents: Stamps): State["sessions"] => ({
    ...sessions,
    [own]: { state: to, documents },
  });
  switch (action.kind) {
    case "start":
      return { state: { ...state, sessions: withSession(name, "open", {}) }, answers: [name] };
    case "put":
    case "patch":
    case "delete": {
      if (live === null) return same(action.kind === "put" ? "invalid_locale" : "index_not_found");
      const documents = { ...live.documents };
      const results: Record<string, string> = {};
      const changes =
        action.kind === "delete"
          ? action.ids.map((id) => ({ id, stamp: "" }))
          : action.documents.map(({ id, data }) => ({ id, stamp: String(data["stamp"]) }));
      for (const { id, stamp } of changes) {
        const isThere = id in documents;
        if (action.kind === "delete") {
          delete documents[id];
          results[id] = isThere ? "DELETED" : "NOT_FOUND";
        } else if (isThere || action.kind === "put") {
          documents[id] = stamp;
          results[id] = isThere ? "UPDATED" : "CREATED";
        } else {
          results[id] = "NOT_FOUND";
        }
      }
      const isNone = action.kind === "delete" && !Object.values(results).includes("DELETED");
      return {
        state: { ...state, live: { ...live, documents } },
        answers: [isNone ? "304" : canonical(results)],
      };
    }
    case "add": {
      const session = sessions[action.session];
      const count = String(action.documents.length);
      if (session === undefined || session.state === "removed") {
        return same("session_unknown", count);
      }
      if (session.state !== "open") return same(`session_${session.state}`);
      const documents = { ...session.documents };
      for (const { id, data } of action.documents) documents[id] = String(data["stamp"]);
      const after = withSession(action.session, "open", documents);
      return { state: { ...state, sessions: after }, answers: [count] };
    }
    case "done":
    case "cancel": {
      const session = sessions[action.session];
      if (session === undefined || session.state === "removed") return same("session_unknown");
      if (session.state !== "open") {
        const isTwice = action.kind === "done" && session.state === "completed";
        return same(`session_${session.state}`, ...(isTwice ? ["ok"] : []));
      }
      const after = withSession(
        action.session,
        action.kind === "done" ? "completed" : "cancelled",
        {},
      );
      if (action.kind === "cancel")
        return { state: { ...state, sessions: after }, answers: ["ok"] };
      const { documents } = session;
      return {
        state: { live: { name: action.session, documents }, kept: live, sessions: after },
        answers: ["ok"],
      };
    }
    case "rollback":
      if (live === null) return same("index_not_found");
      if (kept === null) return same("generation_not_found");
      return { state: { ...state, live: kept, kept: live }, answers: [kept.name] };
    case "reindex":
      if (live === null) return same("index_not_found");
      return {
        state: { ...state, live: { ...live, name }, kept: live },
        answers: [`${name} ${Object.keys(live.documents).length}`],
      };
    case "deleteIndex": {
      if (live === null) return same("index_not_found");
      const after = Object.fromEntries(
        Object.entries(sessions).map(([own, session]) => [
          own,
          session.state === "open" ? { state: "removed", documents: {} } : session,
        ]),
      );
      return { state: { live: null, kept: null, sessions: after }, answers: ["ok"] };
    }
    case "read": {
      const { sight } = action;
      if (live === null || sight === null) return same(...(live === sight ? ["seen"] : []));
      const seen = canonical(Object.fromEntries(sight.documents));
      const isSeen = seen === canonical(live.documents) && sight.name !== kept?.name;
      return same(...(isSeen && (sight.name ?? live.name) === live.name ? ["seen"] : []));
    }
  }
}

interface Explanation {
  readonly state: State;
  readonly happened: readonly number[];
}

export class Enumeration {
  #explanations: readonly Explanation[] = [{ state: EMPTY, happened: [] }];
  #underWay: Sent[] = [];
  #interrupted: readonly Sent[] = [];
  readonly #names = new Names();

  /** Whether some order explains these, too. */
  explains(steps: readonly Step[]): boolean {
    const answered = new Set<Sent>();
    for (const step of steps) if (step.kind === "answered") answered.add(step.operation);
    for (const { action, answer } of answered) {
      const isNaming = action.kind === "start" || action.kind === "reindex";
      const name = isNaming ? nameIn(answer) : null;
      if (name !== null) this.#names.told(name);
    }
    for (const step of steps) {
      this.#happen();
      if (step.kind === "crash") {
        this.#end(({ action: { kind } }) => kind !== "done" && kind !== "reindex");
        this.#interrupted = this.#underWay.filter(({ action }) => action.kind === "reindex");
      } else if (step.kind === "noReindexLeft") {
        const interrupted = this.#interrupted;
        this.#interrupted = [];
        this.#end((operation) => interrupted.includes(operation));
      } else if (step.operation.answer === NOT_DONE) {
        continue;
      } else if (step.kind === "sent") {
        const { kind } = step.operation.action;
        const isLost = !answered.has(step.operation);
        if (!isLost || (kind !== "read" && kind !== "start")) this.#underWay.push(step.operation);
      } else {
        const { number, answer } = step.operation;
        if (answer !== null) {
          this.#explanations = this.#explanations.filter(({ happened }) =>
            happened.includes(number),
          );
        }
        this.#end((operation) => operation === step.operation);
      }
      if (this.#explanations.length === 0) return false;
    }
    this.#names.settled();
    return true;
  }

  #end(isOver: (operation: Sent) => boolean): void {
    this.#underWay = this.#underWay.filter((operation) => !isOver(operation));
    const left = new Set(this.#underWay.map(({ number }) => number));
    this.#explanations = this.#explanations.map(({ state, happened }) => ({
      state,
      happened: happened.filter((number) => left.has(number)),
    }));
  }

  #happen(): void {
    const found = new Map(this.#explanations.map((one) => [canonical(one), one]));
    for (const one of found.values()) {
      for (const operation of this.#underWay) {
        if (one.happened.includes(operation.number)) continue;
        for (const state of this.#after(one.state, operation)) {
          const isMoved = state.live?.name !== one.state.live?.name;
          const isMove = operation.action.kind !== "read" && isMoved;
          const numbers = [operation, ...(isMove ? this.#interrupted : [])].map((o) => o.number);
          const happened = [...new Set([...one.happened, ...numbers])].sort((a, b) => a - b);
          const after = { state, happened };
          found.set(canonical(after), found.get(canonical(after)) ?? after);
        }
      }
    }
    this.#explanations = [...found.values()];
  }

  #after(state: State, { action, answer }: Sent): State[] {
    const alias = action.kind === "reindex" ? action.alias : "";
    return this.#named(state, action, answer).flatMap((before) => {
      const after = applied(before, action, nameIn(answer) ?? alias);
      return answer === null || after.answers.includes(answer) ? [after.state] : [];
    });
  }

  /** With the name that the operation's answer shows in the place of an alias. */
  #named(state: State, action: Action, answer: string | null): State[] {
    const { live, kept } = state;
    if (action.kind === "read" && live !== null) {
      const name = action.sight?.name ?? live.name;
      if (name !== live.name && this.#names.fits(live.name, name)) {
        return [{ ...state, live: { ...live, name } }];
      }
    }
    if (action.kind === "rollback" && live !== null && kept !== null && answer !== null) {
      if (answer !== live.name && this.#names.fits(kept.name, answer)) {
        return [{ ...state, kept: { ...kept, name: answer } }];
      }
    }
    return [state];
  }
}
