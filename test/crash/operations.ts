/**
 * Sends the requests of the clients and the verifier. Whatever may change the service goes into the history with its
 * answer (judge.ts). Also keeps what the clients know: open sessions, configurations, and the configurations each
 * generation may have been built with.
 */
import { setTimeout as elapse } from "node:timers/promises";
import { errorTypeOf, isGivenUp, nameOf, reindexed, rolledBackTo, successOf } from "./answers.ts";
import { Configurations } from "./configuration.ts";
import { Judge } from "./judge.ts";
import type { Process } from "./process.ts";
import type { Answer } from "./service.ts";
import type { Totals } from "./totals.ts";
import { canonical } from "./product.ts";
import { generationNamed, NOT_DONE, type Action } from "./world.ts";

export const INDEX = "shop";
export const VIEW = "view";
export const LOCALE = "en";
export const ADMIN_PATH = `/admin-api/v1/indexes/${INDEX}`;

/** Worth a line in the log. */
const SLOW_MS = 3_000;
/** An interrupted reindex is taken up after 5 seconds, and after each further interruption twice as late. */
const REINDEX_DEADLINE_MS = 60_000;

/** A session the clients know of. */
export interface KnownSession {
  readonly name: string;
  /** `done` was sent and never answered. */
  interrupted: boolean;
  /** So was a bulk. */
  isOpen: boolean;
}

interface Parts {
  readonly process: Process;
  readonly totals: Totals;
  /** Of each generation. */
  readonly shards: number;
  readonly say: (line: string) => void;
}

export class Operations {
  readonly history = new Judge();
  readonly configurations = new Configurations();
  /** Open ones that no client works on. */
  sessions: KnownSession[] = [];
  readonly #parts: Parts;
  /** Generation -> configurations it may have been built with. */
  readonly #builtWith = new Map<string, readonly unknown[]>();
  /** The same for reindexes whose answer was lost, by canonical text: nobody knows their generations. */
  readonly #reindexedWith = new Map<string, unknown>();
  readonly #seenNames = new Set<string>();
  #finished: string[] = [];
  #stamps = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Different in each document and configuration that is ever sent. */
  stamp(): string {
    return `v${++this.#stamps}`;
  }

  // ---- generations

  #noteName(name: string): void {
    if (this.#seenNames.has(name)) throw new Error(`${name} was given out twice`);
    this.#seenNames.add(name);
  }

  /** Configurations this generation may have been built with. */
  candidatesOf(name: string): readonly unknown[] {
    return this.#builtWith.get(name) ?? [...this.#reindexedWith.values()];
  }

  /** Its answers have shown that it was built with one of these. */
  wasBuiltWith(name: string, configurations: readonly unknown[]): void {
    this.#builtWith.set(name, configurations);
  }

  // ---- sessions

  async startSession(client: string): Promise<KnownSession | undefined> {
    const candidates = this.configurations.startSent();
    const path = `/indexer-api/v1/full/start/${INDEX}?locale=${LOCALE}`;
    const name = await this.perform(client, { kind: "start" }, "GET", path, undefined, nameOf);
    const builtWith = this.configurations.startEnded(candidates);
    if (name === null) return undefined;
    this.#noteName(name);
    this.#builtWith.set(name, builtWith);
    return { name, interrupted: false, isOpen: false };
  }

  /** Null: the session is over. */
  async finish(session: KnownSession, kind: "done" | "cancel", client: string): Promise<KnownSession | null> {
    const { name } = session;
    const answer = await this.perform(
      client,
      { kind, session: name },
      "POST",
      `/indexer-api/v1/full/${kind}`,
      handleOf(name),
    );
    if (answer !== null) {
      this.sessions = this.sessions.filter((other) => other !== session);
      this.isOver(name);
      return null;
    }
    if (kind === "done") session.interrupted = true;
    return session;
  }

  /** Nobody will speak of this session again. */
  isOver(name: string): void {
    this.#finished.push(name);
  }

  // ---- what an administrator does

  async rollBack(client: string): Promise<void> {
    const path = `${ADMIN_PATH}/rollback`;
    await this.perform(client, { kind: "rollback" }, "POST", path, undefined, rolledBackTo);
  }

  async reindex(client: string): Promise<void> {
    const { totals, shards } = this.#parts;
    totals.reindexes++;
    const candidates = this.configurations.startSent();
    const path = `${ADMIN_PATH}/reindex`;
    const read = (text: string): string => reindexed(text, shards);
    const answer = await this.perform(client, { kind: "reindex" }, "POST", path, undefined, read);
    const builtWith = this.configurations.startEnded(candidates);
    const name = generationNamed(answer);
    if (name !== null) {
      this.#noteName(name);
      this.#builtWith.set(name, builtWith);
    } else if (answer === null) {
      for (const document of builtWith) this.#reindexedWith.set(canonical(document), document);
    }
  }

  /**
   * Waits until no session of a reindex is left. A session that no client knows belongs to a reindex or to an import
   * whose start was not answered. The first refuses to be cancelled while it goes on, the second is cancelled.
   */
  async waitForReindexes(when: string): Promise<void> {
    const known = new Set(this.sessions.map((session) => session.name));
    const startMs = performance.now();
    for (;;) {
      const open = JSON.parse(await this.mustSend("GET", "/admin-api/v1/sessions")) as { temporaryIndexName: string }[];
      const left: string[] = [];
      for (const { temporaryIndexName: name } of open) {
        if (known.has(name)) continue;
        const answer = await this.send("POST", "/indexer-api/v1/full/cancel", handleOf(name));
        if (answer.status >= 400 && errorTypeOf(answer) === "session_busy") left.push(name);
      }
      if (left.length === 0) break;
      if (performance.now() - startMs > REINDEX_DEADLINE_MS) {
        throw new Error(`${when}: ${left.join()} neither goes on nor ends`);
      }
      await elapse(100);
    }
    this.history.noReindexLeft();
  }

  async configure(kind: "tenant" | "index", name: string, entry: unknown): Promise<void> {
    const { process, totals } = this.#parts;
    const now = this.configurations.sent(kind, name, entry);
    const path = `/admin-api/v1/config/${kind}/${name}`;
    process.sent("configuration");
    const answer = await (entry === null
      ? process.service?.send("DELETE", path)
      : process.service?.send("PUT", path, entry));
    if (answer === null || answer === undefined) {
      totals.lost++;
    } else if (answer.status === 200 || (entry === null && answer.status === 404)) {
      this.configurations.answered(now);
    } else {
      throw new Error(`a configuration was answered ${answer.status}: ${answer.text}`);
    }
  }

  // ---- sending

  /** Judges what was answered so far and forgets the sessions that are over. Only while nothing is under way. */
  settle(): void {
    this.history.settle();
    this.history.forget(this.#finished.splice(0));
    // With thousands of possible states this takes many seconds.
    this.#parts.process.service?.forgetIdleConnections();
  }

  /**
   * Sends an operation and records its answer. Null: lost, or refused for now. NOT_DONE: refused, and not carried out.
   * `read` turns the body of a success into the canonical answer.
   */
  async perform(
    client: string,
    action: Action,
    method: string,
    path: string,
    body?: unknown,
    read: (text: string, action: Action) => string = successOf,
  ): Promise<string | null> {
    const { process, totals, say } = this.#parts;
    const { service } = process;
    if (service === null) throw new Error("no service");
    const operation = this.history.sent(client, action);
    const startMs = performance.now();
    const answering = service.send(method, path, body);
    process.sent(action.kind);
    const answer = await answering;
    const tookMs = Math.round(performance.now() - startMs);
    if (tookMs > SLOW_MS) say(`  slow: ${client} ${action.kind} took ${tookMs} ms`);
    if (answer === null) {
      totals.lost++;
      return null;
    }
    if (answer.status === 503 || answer.status === 429) {
      totals.refused++;
      say(`  refused: ${client} ${action.kind}: ${answer.text}`);
      const outcome = action.kind === "reindex" && isGivenUp(answer) ? NOT_DONE : null;
      this.history.answered(operation, outcome);
      return outcome;
    }
    if (answer.status >= 500) {
      throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
    }
    const outcome =
      answer.status === 304 ? "304" : answer.status < 300 ? read(answer.text, action) : errorTypeOf(answer);
    this.history.answered(operation, outcome);
    return outcome;
  }

  /** Of the verifier, while nobody kills. */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const { process, say } = this.#parts;
    const startMs = performance.now();
    const answer = await process.service?.send(method, path, body);
    const tookMs = Math.round(performance.now() - startMs);
    if (tookMs > SLOW_MS) say(`  slow: ${method} ${path} took ${tookMs} ms`);
    if (answer === null || answer === undefined) throw new Error(`${method} ${path}: no answer`);
    return answer;
  }

  async mustSend(method: string, path: string): Promise<string> {
    const { status, text } = await this.send(method, path);
    if (status !== 200) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
    return text;
  }
}

export function handleOf(name: string): object {
  return { finalIndexName: INDEX, temporaryIndexName: name };
}
