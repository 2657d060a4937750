/**
 * The crash suite: rounds of work, SIGKILL at a random moment, restart on the same folder, comparison with the model. State and model go
 * on from round to round, so later rounds meet what earlier ones have left behind.
 *
 * A round
 *   1. start; in some rounds the clients begin at once and the process is killed again while it recovers; start again
 *   2. everything is read and held against the model (model.ts): nothing acknowledged is lost, nothing is half there, nothing of an
 *      uncompleted session is seen, all of one generation. Then the answers of a set of queries are compared with those of an index built
 *      fresh from the documents that were read (twin.ts). In some rounds once more after another restart (replay gives the same answers),
 *      and for the generation that is kept (by a rollback there and back).
 *   3. in some rounds reindexes that were interrupted are waited for: their alarm goes on with them, or they end
 *   4. sessions whose `done` was interrupted are completed, others are completed, cancelled or left to be continued; 2 again. In some rounds a
 *      reindex, and 2 again
 *   5. the clients work, until the kill: some time after the work began, or after one of them has sent a certain kind of request
 *
 * With several shards a client's read is of one of them, another one in each round: while an update of several shards is being carried out,
 * a search may see one part and not yet another (joint-update.ts), and what is read of one shard alone must still be of one moment. After
 * a restart everything is read, so there an update is whole or absent.
 *
 * The plan of a round follows from the seed. What is under way when the process dies does not.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as elapse } from "node:timers/promises";
import { shardIndexOf, shardRanges } from "../../src/objects/partition.ts";
import {
  differences,
  errorTypeOf,
  isGivenUp,
  nameOf,
  reindexed,
  rolledBackTo,
  sightOf,
  successOf,
} from "./answers.ts";
import { IDS, indexEntry, patch, product, QUERIES, tenantEntry } from "./catalogue.ts";
import { Configurations } from "./configuration.ts";
import { History } from "./model.ts";
import { aliasOf, nameIn } from "./names.ts";
import { Random } from "./random.ts";
import { bundleWorker } from "../../scripts/local-worker.ts";
import { Service, type Answer } from "./service.ts";
import { comparable, Twin, wholeOf } from "./twin.ts";
import {
  canonical,
  NOT_DONE,
  type Action,
  type Operation,
  type Product,
  type Sight,
} from "./world.ts";

const INDEX = "shop";
const VIEW = "view";
const LOCALE = "en";
const TENANTS = [INDEX, VIEW] as const;
const ADMIN_PATH = `/admin-api/v1/indexes/${INDEX}`;

/** Everything soon, so that checkpoints and collection get between the operations. */
const VARIABLES = { GARBAGE_GRACE_S: "3", CHECKPOINT_AFTER_S: "0.3" };

const UPDATERS = 3;
const IMPORTERS = 2;
const LONGEST_WORK_MS = 900;
/** Worth a line in the log. */
const SLOW_MS = 3_000;
/** How often the index may change under the verifier: once per interrupted `done` or reindex. */
const ATTEMPTS = 5;
/** An interrupted reindex is taken up 5 seconds after it was last, and takes less than one. */
const REINDEX_DEADLINE_MS = 20_000;

/** What a kill waits for. */
const TRIGGERS = [
  "begin",
  "put",
  "patch",
  "delete",
  "add",
  "done",
  "rollback",
  "reindex",
  "deleteIndex",
  "configuration",
] as const;
type Trigger = (typeof TRIGGERS)[number];

/** `afterMs` after the `left`-th request of this kind was sent. */
interface KillPlan {
  readonly kind: Trigger;
  left: number;
  readonly afterMs: number;
}

/** A session the clients know of. */
interface KnownSession {
  readonly name: string;
  /** `done` was sent and never answered. */
  interrupted: boolean;
}

interface Reindexes {
  sent: number;
  /** 200. The others: there was no index. */
  answered: number;
  /** 503: it did not happen. */
  givenUp: number;
  /** Never answered. */
  interrupted: number;
  /** Those of them whose generation was seen live: committed before the kill, or taken up later. */
  seen: number;
  /** How often an alarm has taken one up. */
  resumed: number;
}

export interface Totals {
  rounds: number;
  kills: number;
  operations: number;
  /** Never answered. */
  lost: number;
  /** Answered 429 or 503. */
  refused: number;
  comparisons: number;
  /** Sessions whose `done` was interrupted. */
  interrupted: number;
  reindexes: Reindexes;
  /** The most states of the world the model had to keep at once. */
  peak: number;
  /** Errors the service has logged, by event; with its last message. */
  errors: Record<string, { count: number; last: string }>;
}

export interface RunOptions {
  readonly seed: number;
  readonly rounds: number;
  /** Of each generation. */
  readonly shards: number;
  /** No round begins this long after the start; default: all rounds do. */
  readonly mostMs?: number;
}

export class CrashRun {
  readonly totals: Totals = {
    rounds: 0,
    kills: 0,
    operations: 0,
    lost: 0,
    refused: 0,
    comparisons: 0,
    interrupted: 0,
    reindexes: { sent: 0, answered: 0, givenUp: 0, interrupted: 0, seen: 0, resumed: 0 },
    peak: 0,
    errors: {},
  };
  readonly #random: Random;
  /** Of each generation. */
  readonly #shards: number;
  readonly #folder: string;
  readonly #say: (line: string) => void;
  readonly #history = new History();
  readonly #configurations = new Configurations();
  /** By the name of a generation, or by its alias: configurations it may be built with. */
  readonly #builtWith = new Map<string, readonly unknown[]>();
  readonly #seenNames = new Set<string>();
  #sessions: KnownSession[] = [];
  #finished: string[] = [];
  #stamps = 0;
  #service: Service | null = null;
  #trigger: KillPlan | null = null;
  #killed: Promise<void> | null = null;
  #timers: NodeJS.Timeout[] = [];

  private constructor({ seed, shards }: RunOptions, folder: string, say: (line: string) => void) {
    this.#random = new Random(seed);
    this.#shards = shards;
    this.#folder = folder;
    this.#say = say;
  }

  /** Runs `rounds` rounds; throws at the first thing that no order of operations explains. */
  static async run(
    options: RunOptions,
    say: (line: string) => void = console.log,
  ): Promise<Totals> {
    const { seed, rounds, shards, mostMs = Infinity } = options;
    const startMs = performance.now();
    const folder = await mkdtemp(join(tmpdir(), "aisle-crash-"));
    const run = new CrashRun(options, folder, say);
    let round = 0;
    try {
      await bundleWorker(join(folder, "code"));
      for (round = 1; round <= rounds; round++) {
        if (performance.now() - startMs > mostMs) break;
        await run.#round(round);
      }
      await run.#start();
      await run.#recover("end");
      await run.#kill();
    } catch (error) {
      const log = run.#service?.log.join("\n") ?? "";
      await run.#kill();
      throw new Error(
        `seed ${seed}, shards ${shards}, round ${round}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n` +
          `what the service logged last:\n${log}`,
        { cause: error },
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return run.totals;
  }

  async #round(round: number): Promise<void> {
    const startMs = performance.now();
    const random = this.#random.fork();
    this.totals.rounds++;
    await this.#start();
    let early = "";
    if (random.chance(0.25)) {
      const afterMs = random.between(0, 120);
      early = `, killed ${afterMs} ms after the start`;
      await this.#work(random.fork(), { kind: "begin", left: 1, afterMs });
      await this.#start();
    }
    await this.#recover(`round ${round}`, random.fork());
    const kind = drawnTrigger(random);
    const publishes = kind === "done" || kind === "reindex";
    const rare = kind === "deleteIndex" || kind === "rollback" || kind === "reindex";
    const trigger =
      kind === "begin"
        ? { kind, left: 1, afterMs: random.between(20, 700) }
        : {
            kind,
            left: rare ? 1 : random.between(1, 6),
            afterMs: random.between(0, publishes ? 90 : random.pick([2, 10, 60])),
          };
    const planned = `${trigger.left}. ${kind} + ${trigger.afterMs} ms`;
    await this.#work(random.fork(), trigger);
    const tookMs = Math.round(performance.now() - startMs);
    this.totals.operations = this.#history.operations;
    this.totals.peak = this.#history.peak;
    this.totals.reindexes.seen = this.#history.seenReindexes;
    this.#say(
      `round ${round}: ${tookMs} ms, killed at ${planned}${early}; ${this.totals.operations} operations, ` +
        `${this.totals.lost} lost, ${this.#history.worlds().length} possible`,
    );
  }

  async #start(): Promise<Service> {
    this.#service = await Service.start({
      code: join(this.#folder, "code"),
      state: join(this.#folder, "state"),
      variables: { ...VARIABLES, SHARDS_MIN: String(this.#shards) },
      onLog: (level, message) => this.#noteLog(level, message),
    });
    return this.#service;
  }

  #noteLog(level: string, message: string): void {
    if (message.includes('"event":"reindex_resumed"')) this.totals.reindexes.resumed++;
    if (level !== "error") return;
    const event = /"event":"(\w+)"/.exec(message)?.[1] ?? "other";
    const count = (this.totals.errors[event]?.count ?? 0) + 1;
    this.totals.errors[event] = { count, last: message.slice(0, 600) };
  }

  async #kill(): Promise<void> {
    // The next process is not to die of a plan for this one.
    this.#trigger = null;
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    if (this.#service === null || this.#service.dead) return;
    this.totals.kills++;
    this.#killed = this.#service.kill();
    await this.#killed;
  }

  // ---- after a restart

  async #recover(when: string, random: Random | null = null): Promise<void> {
    await this.#verify(when);
    if (random?.chance(0.2) === true) {
      const generation = canonical(await this.#state());
      const before = await this.#answers();
      await this.#kill();
      this.#history.crash();
      await this.#start();
      const after = await this.#answers();
      // Unless an interrupted `done` or reindex was taken up meanwhile; the readings that follow settle whether that is right.
      const isSame = generation === canonical(await this.#state());
      if (isSame && canonical(before) !== canonical(after)) {
        throw new Error(
          `${when}: other answers after another restart\n${differences(before, after)}`,
        );
      }
    }
    if (this.#history.mayReindex && random?.chance(0.4) !== false) {
      await this.#waitForReindexes(when);
      await this.#verify(`${when}, reindexes over`);
    }
    const interrupted = this.#sessions.filter((session) => session.interrupted);
    this.totals.interrupted += interrupted.length;
    for (const session of interrupted) await this.#finish(session, "done");
    for (const session of this.#sessions.slice()) {
      const what =
        random === null ? "done" : random.pick(["done", "cancel", "continue", "continue"]);
      if (what !== "continue") await this.#finish(session, what === "done" ? "done" : "cancel");
    }
    await this.#verify(`${when}, sessions completed`);
    if (random?.chance(0.15) === true && this.#generationName() !== null) {
      await this.#rollBack("verifier");
      await this.#verify(`${when}, rolled back`);
      await this.#rollBack("verifier");
      await this.#verify(`${when}, rolled forward`);
    }
    if (random?.chance(0.2) !== false) {
      await this.#reindex("verifier");
      await this.#verify(`${when}, reindexed`);
    }
  }

  /**
   * Until no session of a reindex is left. A session that nobody knows of is one, or an import whose start was not answered: the one refuses to
   * be cancelled while it goes on, the other is cancelled.
   */
  async #waitForReindexes(when: string): Promise<void> {
    const known = new Set(this.#sessions.map((session) => session.name));
    const startMs = performance.now();
    for (;;) {
      const open = JSON.parse(await this.#mustSend("GET", "/admin-api/v1/sessions")) as {
        temporaryIndexName: string;
      }[];
      const left: string[] = [];
      for (const { temporaryIndexName: name } of open) {
        if (known.has(name)) continue;
        const answer = await this.#send("POST", "/indexer-api/v1/full/cancel", handleOf(name));
        if (answer.status >= 400 && errorTypeOf(answer) === "session_busy") left.push(name);
      }
      if (left.length === 0) break;
      if (performance.now() - startMs > REINDEX_DEADLINE_MS) {
        throw new Error(`${when}: ${left.join()} neither goes on nor ends`);
      }
      await elapse(100);
    }
    this.#history.noReindexLeft();
  }

  /** Reads everything, settles the history, compares with a fresh index. */
  async #verify(when: string): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (await this.#verifyOnce(when)) return;
    }
    throw new Error(`${when}: the index goes on changing although nobody changes it`);
  }

  /** False: an interrupted `done` or reindex was taken up meanwhile, so it has to be looked at again. */
  async #verifyOnce(when: string): Promise<boolean> {
    const before = await this.#state();
    const sight = await this.#readEverything();
    this.#history.settle();
    this.#history.forget(this.#finished.splice(0));
    const configuration = JSON.parse(
      await this.#mustSend("GET", "/admin-api/v1/config"),
    ) as unknown;
    this.#configurations.seen(configuration);
    if (sight === null) return true;

    const [world] = this.#history.worlds();
    if (world === undefined || world.live === null) throw new Error(`${when}: nothing is live`);
    const documents = [...world.live.documents.values()];
    const answers = await this.#answers();
    if (canonical(before) !== canonical(await this.#state())) return false;
    const { name } = world.live;
    const candidates = this.#candidatesOf(name);
    if (candidates.length === 0) throw new Error(`${when}: nobody has started ${name}`);
    const wrong: string[] = [];
    const right = candidates.filter((builtWith) => {
      const twin = new Twin({
        indexName: INDEX,
        locale: LOCALE,
        physicalName: name,
        builtWith,
        documents,
      });
      const expected = Object.fromEntries(
        TENANTS.flatMap((tenant) =>
          QUERIES.map((query) => [`${tenant}?${query}`, twin.search(tenant, query, configuration)]),
        ),
      );
      const same = canonical(expected) === canonical(answers);
      if (!same) wrong.push(differences(expected, answers));
      return same;
    });
    this.totals.comparisons += Object.keys(answers).length;
    if (right.length === 0) {
      throw new Error(
        `${when}: a fresh index of the same documents answers otherwise\n${wrong.join("\n")}`,
      );
    }
    this.#builtWith.set(name, right);
    return true;
  }

  /** Configurations that this generation may be built with; none: nobody has asked for it. */
  #candidatesOf(name: string): readonly unknown[] {
    const told = this.#builtWith.get(name);
    if (told !== undefined) return told;
    const all = this.#history
      .aliasesOf(name)
      .flatMap((alias) => [...(this.#builtWith.get(alias) ?? [])]);
    return [...new Map(all.map((document) => [canonical(document), document])).values()];
  }

  /** Tenant and query -> answer, comparable. */
  async #answers(): Promise<Record<string, string>> {
    const answers: Record<string, string> = {};
    for (const tenant of TENANTS) {
      for (const query of QUERIES) {
        const answer = await this.#send("GET", `/search-api/v1/search/${tenant}?${query}`);
        answers[`${tenant}?${query}`] =
          answer.status === 200
            ? comparable(JSON.parse(answer.text) as object)
            : answer.status === 404
              ? "no tenant"
              : `${answer.status} ${answer.text}`;
      }
    }
    return answers;
  }

  /** Every document by its id, as one read of the history. Null: no index. */
  async #readEverything(): Promise<Sight | null> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const action = { kind: "read", sight: null, look: wholeOf } as const;
      const operation = this.#history.sent("verifier", action);
      const before = await this.#state();
      const documents = new Map<string, string>();
      await Promise.all(
        IDS.map(async (id) => {
          const answer = await this.#send("GET", `/search-api/v1/doc/${INDEX}/${id}`);
          if (answer.status === 200) documents.set(id, canonical(JSON.parse(answer.text)));
          else if (answer.status !== 404) throw new Error(`document ${id}: ${answer.text}`);
        }),
      );
      const after = await this.#state();
      if (canonical(before) !== canonical(after)) {
        // An interrupted `done` or reindex was taken up meanwhile: look again.
        this.#history.answered(operation, null);
        continue;
      }
      const sight = before === null ? null : { name: before.name, documents };
      if (before === null && documents.size > 0) throw new Error("documents without an index");
      if (before !== null && before.documents !== documents.size) {
        throw new Error(`${before.documents} documents counted, ${documents.size} found by id`);
      }
      operation.action = { ...action, sight };
      this.#history.answered(operation, "seen");
      return sight;
    }
    throw new Error("the index goes on changing although nobody changes it");
  }

  async #state(): Promise<{ name: string; epoch: number; documents: number } | null> {
    const answer = await this.#send("GET", ADMIN_PATH);
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw new Error(`state of the index: ${answer.text}`);
    const { generation, documents } = JSON.parse(answer.text) as {
      generation: { physicalName: string; epoch: number };
      documents: number;
    };
    return { name: generation.physicalName, epoch: generation.epoch, documents };
  }

  #generationName(): string | null {
    return this.#history.worlds()[0]?.live?.name ?? null;
  }

  // ---- the clients

  async #work(random: Random, trigger: KillPlan): Promise<void> {
    this.#trigger = trigger;
    const stop = setTimeout(() => void this.#kill(), LONGEST_WORK_MS);
    this.#timers.push(stop);
    this.#sent("begin");
    const clients = [
      ...Array.from({ length: UPDATERS }, (_, i) => this.#updater(random.fork(), i)),
      ...Array.from({ length: IMPORTERS }, (_, i) => this.#importer(random.fork(), `importer${i}`)),
      this.#reader(random.fork()),
      this.#administrator(random.fork()),
    ];
    const ended = await Promise.allSettled(clients);
    await this.#kill();
    await this.#killed;
    this.#history.crash();
    const failed = ended.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    this.#history.settle();
  }

  /** Counts down to the kill. */
  #sent(kind: Trigger): void {
    const trigger = this.#trigger;
    if (trigger === null || trigger.kind !== kind || --trigger.left !== 0) return;
    if (trigger.afterMs === 0) void this.#kill();
    else this.#timers.push(setTimeout(() => void this.#kill(), trigger.afterMs));
  }

  get #alive(): boolean {
    return this.#service !== null && !this.#service.dead;
  }

  /** Changes ids that nobody else updates, one request at a time. */
  async #updater(random: Random, number: number): Promise<void> {
    const own = IDS.filter((_, i) => i % UPDATERS === number);
    const client = `updater${number}`;
    while (this.#alive) {
      const ids = random.some(own, random.between(1, 5));
      const path = `/indexer-api/v1/update/${INDEX}`;
      if (random.chance(0.25)) {
        const query = ids.map((id) => `id[]=${id}`).join("&");
        await this.#perform(client, { kind: "delete", ids }, "DELETE", `${path}?${query}`);
      } else {
        const kind = random.chance(0.5) ? "put" : "patch";
        const make = kind === "put" ? product : patch;
        const documents = ids.map((id) => make(random, id, this.#stamp()));
        await this.#perform(client, { kind, documents }, kind.toUpperCase(), path, documents);
      }
      await elapse(random.between(0, 6));
    }
  }

  async #importer(random: Random, client: string): Promise<void> {
    while (this.#alive) {
      const left = this.#sessions.findIndex((session) => !session.interrupted);
      const session =
        left >= 0 && random.chance(0.5)
          ? this.#sessions.splice(left, 1)[0]
          : await this.#startSession(client);
      if (session === undefined) return;
      const held = await this.#import(random, client, session);
      if (held !== null) this.#sessions.push(held);
      await elapse(random.between(0, 80));
    }
  }

  /** Null: the session is over. */
  async #import(
    random: Random,
    client: string,
    session: KnownSession,
  ): Promise<KnownSession | null> {
    for (let wave = random.between(0, 4); wave > 0; wave--) {
      const bulks = Array.from({ length: random.between(1, 3) }, (_, i) => {
        const ids = random.some(IDS, random.between(1, 8));
        const documents = ids.map((id) => product(random, id, this.#stamp()));
        const body = { session: handleOf(session.name), documents };
        const action = { kind: "add", session: session.name, documents } as const;
        return this.#perform(`${client}.${i}`, action, "POST", "/indexer-api/v1/full/add", body);
      });
      const answers = await Promise.all(bulks);
      if (answers.includes("session_unknown")) {
        this.#finished.push(session.name);
        return null;
      }
      if (!this.#alive) return session;
    }
    const end = random.next();
    // Left for later, or for another round.
    if (end < 0.1) return session;
    return await this.#finish(session, end < 0.25 ? "cancel" : "done", client);
  }

  async #startSession(client: string): Promise<KnownSession | undefined> {
    const candidates = this.#configurations.startSent();
    const path = `/indexer-api/v1/full/start/${INDEX}?locale=${LOCALE}`;
    const name = await this.#perform(client, { kind: "start" }, "GET", path, undefined, nameOf);
    const builtWith = this.#configurations.startEnded(candidates);
    if (name === null) return undefined;
    this.#noteName(name);
    this.#builtWith.set(name, builtWith);
    return { name, interrupted: false };
  }

  #noteName(name: string): void {
    if (this.#seenNames.has(name)) throw new Error(`${name} was given out twice`);
    this.#seenNames.add(name);
  }

  /** Null: the session is over. */
  async #finish(
    session: KnownSession,
    kind: "done" | "cancel",
    client = "verifier",
  ): Promise<KnownSession | null> {
    const { name } = session;
    const answer = await this.#perform(
      client,
      { kind, session: name },
      "POST",
      `/indexer-api/v1/full/${kind}`,
      handleOf(name),
    );
    if (answer !== null) {
      this.#sessions = this.#sessions.filter((other) => other !== session);
      this.#finished.push(name);
      return null;
    }
    if (kind === "done") session.interrupted = true;
    return session;
  }

  /** One generation at a time, and nothing but what was written to it. */
  async #reader(random: Random): Promise<void> {
    const ids = this.#idsOfOneShard(random);
    while (this.#alive) {
      const action = {
        kind: "read",
        sight: null,
        look: (one: Product): string => String(one.data["stamp"]),
      } as const;
      const operation = this.#history.sent("reader", action);
      const path = `/search-api/v1/search/${INDEX}?limit=1000&withFacets=false&sort=price`;
      const answer = await this.#service?.send("GET", path);
      if (answer === null || answer === undefined) {
        this.totals.lost++;
        return;
      }
      if (answer.status !== 200 && answer.status !== 404) {
        throw new Error(`a search was answered ${answer.status}: ${answer.text}`);
      }
      operation.action = {
        ...action,
        sight: answer.status === 404 ? null : sightOf(answer.text, ids),
      };
      this.#history.answered(operation, "seen");
      await elapse(random.between(0, 10));
    }
  }

  /** Null: all, there is only one. */
  #idsOfOneShard(random: Random): ReadonlySet<string> | null {
    if (this.#shards === 1) return null;
    const partitions = shardRanges(this.#shards);
    const sharding = { shards: partitions.map((_, i) => String(i)), partitions };
    const shard = shardIndexOf(sharding, random.pick(IDS));
    return new Set(IDS.filter((id) => shardIndexOf(sharding, id) === shard));
  }

  async #administrator(random: Random): Promise<void> {
    const client = "administrator";
    while (this.#alive) {
      const draw = random.next();
      // Work is short: the kill after a reindex has to come to one.
      if (draw < 0.2 || (this.#trigger?.kind === "reindex" && draw < 0.6)) {
        await this.#reindex(client);
      } else if (draw < 0.4) {
        await this.#rollBack(client);
      } else if (draw < 0.45) {
        await this.#perform(client, { kind: "deleteIndex" }, "DELETE", ADMIN_PATH);
      } else if (draw < 0.72) {
        await this.#configure("tenant", VIEW, tenantEntry(random, INDEX, this.#stamp()));
      } else {
        await this.#configure("index", INDEX, indexEntry(random));
      }
      await elapse(random.between(0, 60));
    }
  }

  async #rollBack(client: string): Promise<void> {
    const path = `${ADMIN_PATH}/rollback`;
    await this.#perform(client, { kind: "rollback" }, "POST", path, undefined, rolledBackTo);
  }

  async #reindex(client: string): Promise<void> {
    const { reindexes } = this.totals;
    const alias = aliasOf(++reindexes.sent);
    const candidates = this.#configurations.startSent();
    const answer = await this.#perform(
      client,
      { kind: "reindex", alias },
      "POST",
      `${ADMIN_PATH}/reindex`,
      undefined,
      (text) => reindexed(text, this.#shards),
    );
    const builtWith = this.#configurations.startEnded(candidates);
    if (answer === NOT_DONE) {
      reindexes.givenUp++;
      return;
    }
    const name = nameIn(answer);
    if (name === null) {
      if (answer === null && !this.#alive) reindexes.interrupted++;
      this.#builtWith.set(alias, builtWith);
      return;
    }
    reindexes.answered++;
    this.#noteName(name);
    this.#builtWith.set(name, builtWith);
  }

  async #configure(kind: "tenant" | "index", name: string, entry: unknown): Promise<void> {
    const now = this.#configurations.sent(kind, name, entry);
    const path = `/admin-api/v1/config/${kind}/${name}`;
    this.#sent("configuration");
    const answer = await (entry === null
      ? this.#service?.send("DELETE", path)
      : this.#service?.send("PUT", path, entry));
    if (answer === null || answer === undefined) {
      this.totals.lost++;
    } else if (answer.status === 200 || (entry === null && answer.status === 404)) {
      this.#configurations.answered(now);
    } else {
      throw new Error(`a configuration was answered ${answer.status}: ${answer.text}`);
    }
  }

  // ---- sending

  /**
   * Sends an operation and notes what came of it. Null: lost, or refused for now; NOT_DONE: refused, and it says that nothing happened. `read` makes the canonical answer out of a body of
   * success.
   */
  async #perform(
    client: string,
    action: Action,
    method: string,
    path: string,
    body?: unknown,
    read: (text: string, action: Action) => string = successOf,
  ): Promise<string | null> {
    const service = this.#service;
    if (service === null) throw new Error("no service");
    const operation: Operation = this.#history.sent(client, action);
    const startMs = performance.now();
    const answering = service.send(method, path, body);
    const trigger = TRIGGERS.find((kind) => kind === action.kind);
    if (trigger !== undefined) this.#sent(trigger);
    const answer = await answering;
    const tookMs = Math.round(performance.now() - startMs);
    if (tookMs > SLOW_MS) this.#say(`  slow: ${client} ${action.kind} took ${tookMs} ms`);
    if (answer === null) {
      this.totals.lost++;
      return null;
    }
    if (answer.status === 503 || answer.status === 429) {
      this.totals.refused++;
      this.#say(`  refused: ${client} ${action.kind}: ${answer.text}`);
      const outcome = action.kind === "reindex" && isGivenUp(answer) ? NOT_DONE : null;
      this.#history.answered(operation, outcome);
      return outcome;
    }
    if (answer.status >= 500) {
      throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
    }
    const outcome =
      answer.status === 304
        ? "304"
        : answer.status < 300
          ? read(answer.text, action)
          : errorTypeOf(answer);
    this.#history.answered(operation, outcome);
    return outcome;
  }

  /** Of the verifier, while nobody kills. */
  async #send(method: string, path: string, body?: unknown): Promise<Answer> {
    const startMs = performance.now();
    const answer = await this.#service?.send(method, path, body);
    const tookMs = Math.round(performance.now() - startMs);
    if (tookMs > SLOW_MS) this.#say(`  slow: ${method} ${path} took ${tookMs} ms`);
    if (answer === null || answer === undefined) throw new Error(`${method} ${path}: no answer`);
    return answer;
  }

  async #mustSend(method: string, path: string): Promise<string> {
    const { status, text } = await this.#send(method, path);
    if (status !== 200) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
    return text;
  }

  #stamp(): string {
    return `v${++this.#stamps}`;
  }
}

/** The moments of publishing are the most delicate, and short. */
function drawnTrigger(random: Random): Trigger {
  const draw = random.next();
  if (draw < 0.3) return "begin";
  if (draw < 0.5) return "done";
  if (draw < 0.65) return "reindex";
  return random.pick(TRIGGERS);
}

function handleOf(name: string): object {
  return { finalIndexName: INDEX, temporaryIndexName: name };
}
