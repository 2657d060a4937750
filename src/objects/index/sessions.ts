/**
 * The import sessions of an index. This object decides their states; ImportSessionObject holds their data and follows.
 *
 *   (none) -> open            start. The catalog's hint is stored first, then n = n + 1 and the row together. A crash in
 *                             between leaves a hint, but never an unknown session; the next session may have its number.
 *                             What the catalog refuses stores nothing. `start` is a GET and may be replayed; each
 *                             replay opens another session, at no cost.
 *   open -> publishing        beginPublishing, from the session's `done`. From now on `add` and `cancel` are refused.
 *   publishing -> completed   commit (decisions.ts), in one transaction with the pointer.
 *   publishing -> open        publishingFailed: a step failed; the session accepts documents again and `done` may be repeated.
 *   open -> cancelled         end. Not from publishing, because the commit may be in progress.
 *   open -> removed           removeAbandoned: a `start` of any index found it older than IMPORT_ABANDONED_AFTER_S;
 *                             or the index was deleted.
 *   publishing -> removed     the index was deleted; its commit is refused.
 *   publishing -> cancelled   the session was created by a PUT (`onlyIfMissing`) and another generation went live first.
 *   completed, cancelled, removed: final.
 *
 * Clients may have LIMITS.openSessions of an index open, and LIMITS.allOpenSessions of all of them. Sessions of the
 * service itself (a PUT that makes an index, a reindex) are not counted: there is one of each at a time.
 */
import { readConfiguration, resolveIndexConfig } from "../../interface/configuration-resolve.ts";
import { languageOfLocale, LIMITS, ServiceError, type ImportSession, type Result } from "../../interface/index.ts";
import { forAll, repeated } from "../calls.ts";
import type { Decisions } from "./decisions.ts";
import type { IndexStore } from "./store.ts";
import { temporaryName } from "../names.ts";
import type { SessionOptions, SessionState } from "../protocol/index.ts";
import { fail, ok } from "../results.ts";
import { catalogStub, indexStub, sessionStub, type ObjectsEnv } from "../stubs.ts";

/** Options of a new session. */
type StartOptions = Pick<SessionOptions, "onlyIfMissing" | "leastShards" | "reindex">;

interface Parts {
  readonly env: ObjectsEnv;
  readonly store: IndexStore;
  readonly decisions: Decisions;
  /** Delivers the notices of a decision before it is answered. Throws if one could not be delivered. */
  readonly fence: () => Promise<void>;
  /** Called when a session can no longer go live. */
  readonly over: (name: string) => void;
  /** The current setting for every generation. */
  readonly leastShards: () => number;
  /** Current age at which a session counts as abandoned. */
  readonly abandonedAfterMs: () => number;
}

export class Sessions {
  readonly #parts: Parts;
  readonly #env: ObjectsEnv;
  readonly #store: IndexStore;
  /** Of clients, without a row so far. */
  readonly #starting = new Set<StartOptions>();
  /** The last number that was given, stored or not. */
  #lastNumber = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#env = parts.env;
    this.#store = parts.store;
  }

  /** Fails with invalid_locale or too_many_requests. */
  async start(indexName: string, locale: string, options: StartOptions): Promise<Result<ImportSession>> {
    if (options.onlyIfMissing || options.reindex === true) return this.#start(indexName, locale, options, Infinity);
    const most = LIMITS.openSessions.value;
    const isFull = (): boolean => this.#openCount + this.#starting.size >= most;
    if (isFull()) await this.#removeOwnAbandoned(Date.now() - this.#parts.abandonedAfterMs());
    if (isFull()) throw tooMany("openSessions");
    this.#starting.add(options);
    try {
      return await this.#start(indexName, locale, options, LIMITS.allOpenSessions.value);
    } finally {
      this.#starting.delete(options);
    }
  }

  get #openCount(): number {
    return this.#store.countSessions(["open", "publishing"]);
  }

  /** @param mostOfAll import sessions of the deployment that may be open before */
  async #start(
    indexName: string,
    locale: string,
    options: StartOptions,
    mostOfAll: number,
  ): Promise<Result<ImportSession>> {
    const { onlyIfMissing } = options;
    const language = languageOfLocale(locale);
    if (language === null) {
      return fail("invalid_locale", `The locale ${JSON.stringify(locale)} is invalid; use for example en or en_US.`);
    }
    const catalog = catalogStub(this.#env);
    const snapshot = await catalog.snapshot();
    const read = readConfiguration(snapshot.document);
    if (!read.ok) throw new Error(`the stored configuration is unreadable: ${JSON.stringify(read.problems)}`);
    const configuration = resolveIndexConfig(read.value, indexName);

    // Hint, number, row: see "(none) -> open" above.
    const generation = Math.max(this.#lastNumber, this.#store.state()?.lastGeneration ?? 0) + 1;
    this.#lastNumber = generation;
    const temporaryIndexName = temporaryName(generation, indexName, language);
    const startedAtMs = Date.now();
    const olderThanMs = startedAtMs - this.#parts.abandonedAfterMs();
    const note = (): ReturnType<typeof catalog.noteSession> =>
      catalog.noteSession({ indexName, temporaryIndexName, startedAtMs }, olderThanMs, mostOfAll);
    let hints = await note();
    if (hints === null) {
      const open = await catalog.sessions();
      const old = open.filter((one) => one.startedAtMs < olderThanMs);
      await this.#removeAbandonedOf(indexName, old, olderThanMs);
      hints = await note();
      if (hints === null) throw tooMany("allOpenSessions");
    }

    this.#starting.delete(options);
    this.#store.transaction(() => {
      const state = this.#store.begin(indexName);
      this.#store.put({ ...state, lastGeneration: Math.max(generation, state.lastGeneration) });
      this.#store.insertSession({
        temporaryIndexName,
        generation,
        locale,
        language,
        state: "open",
        startedAtMs,
        onlyIfMissing,
        shards: [],
        epoch: 0,
      });
    });
    await sessionStub(this.#env, temporaryIndexName).begin(
      {
        finalIndexName: indexName,
        temporaryIndexName,
        generation,
        locale,
        language,
        configuration,
      },
      {
        ...options,
        startedAtMs,
        leastShards: Math.max(this.#parts.leastShards(), options.leastShards ?? 1),
      },
    );
    await this.#removeAbandonedOf(indexName, hints, olderThanMs);
    return ok({ finalIndexName: indexName, temporaryIndexName });
  }

  /** `shards`: those it may open. Returns the resulting state. */
  beginPublishing(name: string, shards: readonly string[]): SessionState {
    const row = this.#store.session(name);
    if (row === null) return "removed";
    if (row.state !== "open" && row.state !== "publishing") return row.state;
    this.#store.transaction(() => {
      const all = new Set([...row.shards, ...shards]);
      this.#store.setSession(name, { state: "publishing", shards: [...all] });
    });
    return "publishing";
  }

  /** Returns the resulting state. */
  publishingFailed(name: string): SessionState {
    const row = this.#store.session(name);
    if (row === null) return "removed";
    if (row.state !== "publishing") return row.state;
    this.#store.setSession(name, { state: "open" });
    return "open";
  }

  /** Ends an open session. Returns the resulting state; null: it never existed. */
  async end(name: string, end: "cancelled" | "removed"): Promise<SessionState | null> {
    const row = this.#store.session(name);
    if (row === null) return null;
    if (row.state === "open") {
      this.#store.transaction(() => this.#parts.decisions.end(row, end));
      this.#parts.over(name);
      await this.#parts.fence();
      return end;
    }
    return row.state;
  }

  /** The same for a session that was started long ago. */
  async removeAbandoned(name: string, olderThanMs: number): Promise<SessionState | null> {
    const row = this.#store.session(name);
    if (row === null) return null;
    if (row.state === "open" && row.startedAtMs < olderThanMs) return this.end(name, "removed");
    return row.state;
  }

  /**
   * Own sessions by their rows (hints may be missing), others through their IndexObject. A failure there must not fail
   * the start.
   */
  async #removeAbandonedOf(
    indexName: string,
    hints: readonly { readonly indexName: string; readonly temporaryIndexName: string }[],
    olderThanMs: number,
  ): Promise<void> {
    await this.#removeOwnAbandoned(olderThanMs);
    const others = hints.filter((hint) => hint.indexName !== indexName);
    await forAll(others, async (hint) => {
      const name = hint.temporaryIndexName;
      const state = await repeated(() => indexStub(this.#env, hint.indexName).removeAbandoned(name, olderThanMs));
      // A session that never existed: only its hint does. Its number may just be given to another start.
      if (state === null) await catalogStub(this.#env).forgetSession(name, olderThanMs);
    }).catch((error: unknown) => {
      console.error(JSON.stringify({ event: "removing_abandoned_failed", reason: String(error) }));
    });
  }

  async #removeOwnAbandoned(olderThanMs: number): Promise<void> {
    for (const row of this.#store.sessions("open")) {
      if (row.startedAtMs < olderThanMs) await this.end(row.temporaryIndexName, "removed");
    }
  }
}

/** Seconds after which a client may ask again: imports take minutes. */
const RETRY_AFTER_S = 60;

function tooMany(limit: "openSessions" | "allOpenSessions"): ServiceError {
  const { value } = LIMITS[limit];
  const whose = limit === "openSessions" ? "of this index" : "of this deployment";
  return new ServiceError(
    "too_many_requests",
    `${value} import sessions ${whose} are open; complete or cancel one first.`,
    { details: { limit, value }, retryAfterS: RETRY_AFTER_S },
  );
}
