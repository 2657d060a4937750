// Histories: random commands against the real service, compared with a plain model after every command.
//  1. documents, states of sessions, the live and the kept generation, outcomes and types of errors are the model's
//  2. an answer never depends on which Worker is asked, what that Worker remembers, or who was evicted or aborted
//     before
//  3. checkpoints and garbage collection change no answer
// Requests go over HTTP to one of three Workers; each remembers routes and configuration of its own, so two of them
// are behind after every change. Time is not part of it: sessions do not age here (session.test.ts).
import fc from "fast-check";
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { indexStub } from "../../src/objects/index.ts";
import type { ImportSession } from "../../src/interface/index.ts";
import { runs, seed } from "../support/property.ts";
import { abort, evict, type Binding } from "./support/faults.ts";
import { importAll, uniqueName } from "./support/index.ts";
import { checkpointShard, collectAged } from "./support/maintenance.ts";
import { searchAll, workers, type TestWorker } from "./support/workers.ts";

/** Titles are one of these. */
const WORDS = ["red", "blue", "green", "shoe", "boot", "hat"];

// ---- the model

type Documents = ReadonlyMap<string, Readonly<Record<string, string>>>;

interface Generation {
  readonly number: number;
  documents: Documents;
}

interface Session {
  readonly handle: ImportSession;
  readonly number: number;
  state: "open" | "completed" | "cancelled" | "removed";
  documents: Documents;
}

class Model {
  /** Each looks for another word. */
  comparisons = 0;
  live: Generation | null = null;
  kept: Generation | null = null;
  lastNumber = 0;
  epoch = 0;
  readonly sessions: Session[] = [];
  /** Whether the tenant `<name>-alias` is configured to be this index. */
  alias = false;
}

interface Real {
  readonly name: string;
  readonly workers: readonly TestWorker[];
}

/** What a command expects of an answer: a status, and the type of the error where it is one. */
interface Expected {
  readonly status: number;
  readonly type?: string | undefined;
}

const OK: Expected = { status: 200 };
const NO_INDEX: Expected = { status: 404, type: "index_not_found" };

async function request(
  worker: TestWorker,
  expected: Expected,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await worker(method, path, body);
  const text = await response.text();
  const answer: unknown = text === "" ? null : JSON.parse(text);
  const type = (answer as { type?: unknown } | null)?.type;
  const isExpected = response.status === expected.status && (expected.type === undefined || type === expected.type);
  if (!isExpected) {
    throw new Error(
      `${method} ${path}: ${response.status} ${String(type)} instead of ${JSON.stringify(expected)}: ${text}`,
    );
  }
  return answer;
}

/** Everything that can be asked, compared with the model. */
async function compare(model: Model, real: Real, worker: TestWorker): Promise<void> {
  const { name } = real;
  if (model.live === null) {
    await request(worker, NO_INDEX, "GET", `/search-api/v1/search/${name}?q=`);
  } else {
    same("documents", await searchAll(worker, name), plain(model.live.documents));
    const word = WORDS[model.comparisons++ % WORDS.length] ?? "";
    const found = [...model.live.documents].filter(([, data]) => Object.values(data).includes(word));
    same(`found by ${word}`, await searchAll(worker, name, word), plain(new Map(found)));
    const status = await indexStub(env, name).status();
    if (!status.ok) throw new Error(status.error.type);
    same("live generation", status.value.route.generation, model.live.number);
    same("kept generation", status.value.kept?.generation ?? null, model.kept?.number ?? null);
    same("epoch", status.value.route.epoch, model.epoch);
  }
  const alias = `/search-api/v1/search/${name}-alias?q=`;
  if (!model.alias || model.live === null) await request(worker, NO_INDEX, "GET", alias);
  else same("through the alias", await searchAll(worker, `${name}-alias`), plain(model.live.documents));
  same(
    "sessions",
    (await indexStub(env, name).sessions()).map((one) => `${one.generation} ${one.state}`),
    model.sessions.map((one) => `${one.number} ${one.state}`).toReversed(),
  );
}

function plain(documents: Documents): Record<string, unknown> {
  return Object.fromEntries([...documents].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function same(what: string, actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}

// ---- the commands

type Command = fc.AsyncCommand<Model, Real>;

/** A command is what it does, and a Worker that is asked; then another Worker is asked what it sees. */
function command(
  what: string,
  by: number,
  run: (model: Model, real: Real, worker: TestWorker) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = () => true,
): Command {
  const pick = ({ workers: all }: Real, n: number): TestWorker => all[n % all.length] as TestWorker;
  return {
    check,
    run: async (model, real) => {
      await run(model, real, pick(real, by));
      await compare(model, real, pick(real, by + 1));
    },
    toString: () => `${what} [${by}]`,
  };
}

const IDS = ["a", "b", "c", "d", "e"];
const id = fc.constantFrom(...IDS);
const word = fc.constantFrom(...WORDS);
const by = fc.nat(2);
interface Sent {
  readonly id: string;
  readonly data: Record<string, string>;
}
const bulk: fc.Arbitrary<Sent[]> = fc.array(fc.record({ id, data: fc.record({ title: word }) }), {
  minLength: 1,
  maxLength: 4,
});

/** Sessions are chosen by position, the latest first; the choice holds for whatever sessions there are then. */
const choice = fc.nat(2);

function chosen(model: Readonly<Model>, n: number): Session | undefined {
  return model.sessions.at(-1 - n);
}

function changed(documents: Documents, changes: Iterable<readonly [string, Record<string, string> | null]>): Documents {
  const result = new Map(documents);
  for (const [key, data] of changes) {
    if (data === null) result.delete(key);
    else result.set(key, data);
  }
  return result;
}

function refusal(session: Session): Expected {
  const types = {
    open: undefined,
    completed: "session_completed",
    cancelled: "session_cancelled",
    removed: "session_unknown",
  };
  return { status: 400, type: types[session.state] };
}

function publish(model: Model, { number, documents }: Generation): void {
  model.kept = model.live;
  model.live = { number, documents };
  model.epoch++;
}

const start = by.map((n) =>
  command("start", n, async (model, { name }, worker) => {
    const answer = await request(worker, OK, "GET", `/indexer-api/v1/full/start/${name}?locale=en`);
    same("handle", answer, opened(model, name, "open").handle);
  }),
);

/** The next session. */
function opened(model: Model, name: string, state: Session["state"]): Session {
  const number = ++model.lastNumber;
  const handle = { finalIndexName: name, temporaryIndexName: `ocs-${number}-${name}-en` };
  const session: Session = { handle, number, state, documents: new Map() };
  model.sessions.push(session);
  return session;
}

/** A call of the session, which is refused unless that is open. */
function ofSession(
  call: "add" | "done" | "cancel",
  [n, which]: readonly [number, number],
  documents: readonly Sent[],
  then: (model: Model, session: Session, answer: unknown) => void,
): Command {
  return command(
    `${call} ${JSON.stringify(documents)} ${which}`,
    n,
    async (model, _, worker) => {
      const session = chosen(model, which) as Session;
      const isOpen = session.state === "open";
      const { handle } = session;
      const body = call === "add" ? { session: handle, documents } : handle;
      const expected = isOpen ? { status: call === "cancel" ? 202 : 200 } : refusal(session);
      const answer = await request(worker, expected, "POST", `/indexer-api/v1/full/${call}`, body);
      if (isOpen) then(model, session, answer);
    },
    (model) => chosen(model, which) !== undefined,
  );
}

const add = fc.tuple(by, choice, bulk).map(([n, which, documents]) =>
  ofSession("add", [n, which], documents, (_, session, answer) => {
    same("count", answer, documents.length);
    const changes = documents.map((one) => [one.id, one.data] as const);
    session.documents = changed(session.documents, changes);
  }),
);

const done = fc.tuple(by, choice).map((one) =>
  ofSession("done", one, [], (model, session) => {
    session.state = "completed";
    publish(model, session);
  }),
);

const cancel = fc.tuple(by, choice).map((one) =>
  ofSession("cancel", one, [], (_, session) => {
    session.state = "cancelled";
  }),
);

const put = fc.tuple(by, bulk, fc.boolean()).map(([n, documents, replace]) =>
  command(`put ${JSON.stringify(documents)}${replace ? "" : " if missing"}`, n, async (model, { name }, worker) => {
    const path = `/indexer-api/v1/update/${name}?langCode=en&replaceExisting=${replace}`;
    const answer = await request(worker, OK, "PUT", path, documents);
    if (model.live === null) {
      // An empty generation, published by a session like any other.
      publish(model, opened(model, name, "completed"));
    }
    const live = model.live as Generation | null;
    if (live === null) throw new Error("published above");
    const expected: Record<string, string> = {};
    for (const one of documents) {
      const there = live.documents.has(one.id);
      // An id sent twice reports what became of it as a whole.
      expected[one.id] ??= there ? (replace ? "UPDATED" : "DISMISSED") : "CREATED";
      if (replace || !there) live.documents = changed(live.documents, [[one.id, one.data]]);
    }
    same("outcome", sorted(answer), sorted(expected));
  }),
);

const patch = fc.tuple(by, id, word, fc.constantFrom("title", "color")).map(([n, key, value, field]) =>
  command(`patch ${key} ${field}=${value}`, n, async (model, { name }, worker) => {
    const { live } = model;
    const expected = live === null ? NO_INDEX : OK;
    const [path, body] = [`/indexer-api/v1/update/${name}`, { id: key, data: { [field]: value } }];
    const answer = await request(worker, expected, "PATCH", path, body);
    if (live === null) return;
    const before = live.documents.get(key);
    const outcome = before === undefined ? "NOT_FOUND" : before[field] === value ? "NOOP" : "UPDATED";
    same("outcome", answer, { [key]: outcome });
    if (before !== undefined) live.documents = changed(live.documents, [[key, { ...before, [field]: value }]]);
  }),
);

const remove = fc.tuple(by, fc.uniqueArray(id, { minLength: 1, maxLength: 3 })).map(([n, keys]) =>
  command(`delete ${keys.join()}`, n, async (model, { name }, worker) => {
    const { live } = model;
    const some = live !== null && keys.some((key) => live.documents.has(key));
    const expected = live === null ? NO_INDEX : { status: some ? 200 : 304 };
    const query = keys.map((key) => `id=${key}`).join("&");
    const path = `/indexer-api/v1/update/${name}?${query}`;
    const answer = await request(worker, expected, "DELETE", path);
    if (live === null || !some) return;
    const outcomes = keys.map((key) => [key, live.documents.has(key) ? "DELETED" : "NOT_FOUND"] as const);
    same("outcome", sorted(answer), sorted(Object.fromEntries(outcomes)));
    live.documents = changed(
      live.documents,
      keys.map((key) => [key, null] as const),
    );
  }),
);

const rollback = by.map((n) =>
  command("rollback", n, async (model, { name }, worker) => {
    const { live, kept } = model;
    const expected =
      live === null ? NO_INDEX : kept === null ? { status: 404, type: "generation_not_found" } : { status: 200 };
    await request(worker, expected, "POST", `/admin-api/v1/indexes/${name}/rollback`);
    if (live !== null && kept !== null) publish(model, kept);
  }),
);

const deleteIndex = by.map((n) =>
  command("delete index", n, async (model, { name }, worker) => {
    const expected = model.live === null ? NO_INDEX : OK;
    await request(worker, expected, "DELETE", `/admin-api/v1/indexes/${name}`);
    if (model.live === null) return;
    model.live = null;
    model.kept = null;
    model.epoch++;
    for (const session of model.sessions) if (session.state === "open") session.state = "removed";
  }),
);

const configure = fc.tuple(by, fc.boolean()).map(([n, on]) =>
  command(`alias ${on ? "on" : "off"}`, n, async (model, { name }, worker) => {
    const path = `/admin-api/v1/config/tenant/${name}-alias`;
    if (on) await request(worker, OK, "PUT", path, { "index-name": name });
    else {
      const expected = model.alias ? { status: 200 } : { status: 404, type: "configuration_not_found" };
      await request(worker, expected, "DELETE", path);
    }
    model.alias = on;
  }),
);

/** Objects whose end changes nothing, by number. */
function objectOf(model: Readonly<Model>, name: string, n: number): readonly [Binding, string] {
  const number = model.live?.number ?? 1;
  const objects: (readonly [Binding, string])[] = [
    ["INDEX", name],
    ["SHARD", `${name}/${number}/0`],
    ["SHARD", `${name}/${model.kept?.number ?? number}/0`],
    ["SESSION", model.sessions.at(-1)?.handle.temporaryIndexName ?? `ocs-1-${name}-en`],
    ["CATALOG", "catalog"],
  ];
  return objects[n % objects.length] ?? ["INDEX", name];
}

const end = fc.tuple(by, fc.nat(4), fc.boolean()).map(([n, which, kindly]) =>
  command(`${kindly ? "evict" : "abort"} ${which}`, n, async (model, { name }) => {
    const [binding, object] = objectOf(model, name, which);
    await (kindly ? evict : abort)(binding, object);
  }),
);

const maintain = fc.tuple(by, fc.constantFrom("checkpoint", "collect")).map(([n, what]) =>
  command(what, n, async (model, { name }) => {
    if (what === "checkpoint") {
      for (const generation of [model.live, model.kept]) {
        if (generation !== null) await checkpointShard(`${name}/${generation.number}/0`);
      }
    } else {
      await collectAged(name);
    }
  }),
);

function sorted(answer: unknown): unknown {
  return Object.entries(answer as Record<string, unknown>).sort(([a], [b]) => (a < b ? -1 : 1));
}

type Commands = readonly fc.Arbitrary<Command>[];

/** Runs histories of these commands; each on an index of its own. */
async function histories(
  commands: Commands,
  maxCommands: number,
  count: number,
  first: (model: Model, real: Real) => Promise<void>,
): Promise<void> {
  const all = workers(3);
  let indexes = 0;
  const base = uniqueName("history");
  await fc.assert(
    fc.asyncProperty(fc.commands([...commands], { maxCommands, size: "max" }), async (history) => {
      const model = new Model();
      const real = { name: `${base}-${indexes++}`, workers: all };
      await first(model, real);
      await fc.asyncModelRun(() => ({ model, real }), history);
    }),
    // A smaller counterexample would need the same history on a fresh index each time: the seed and the path repeat
    // it.
    { seed, numRuns: runs(count, Math.ceil(count / 2)), endOnFailure: true },
  );
}

describe("histories read as the model says", () => {
  test("of sessions, generations and configuration", async () => {
    const ofSessions = [start, start, add, add, add, done, done, cancel];
    const others = [put, patch, remove, rollback, deleteIndex, configure, end, end, maintain];
    await histories([...ofSessions, ...others], 30, 10, async () => undefined);
  });

  test("of the log of a shard", async () => {
    const commands = [put, put, put, patch, patch, remove, end, maintain];
    await histories(commands, 60, 4, async (model, { name }) => {
      // Some of the documents come from an import.
      const documents = [
        { id: "a", data: { title: "red" } },
        { id: "b", data: { title: "shoe" } },
      ];
      await importAll(name, documents);
      const session = opened(model, name, "completed");
      session.documents = new Map(documents.map(({ id: key, data }) => [key, data]));
      publish(model, session);
    });
  });
});
