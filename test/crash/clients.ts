/**
 * The clients of a round: two update, one imports, one reads all the time, one administers. They work at the same
 * time until the process is dead, and each waits for an answer before it sends again (an importer: for those of its
 * parallel bulks).
 *
 * With several shards the reader reads one of them, another one in each round: while an update of several shards is
 * being carried out, a search may see one part and not yet another (joint-update.ts), and what is read of one shard
 * alone must still be of one moment.
 */
import { setTimeout as elapse } from "node:timers/promises";
import { shardIndexOf, shardRanges } from "../../src/objects/partition.ts";
import { sightOf } from "./answers.ts";
import { IDS, indexEntry, patch, product, tenantEntry } from "./catalogue.ts";
import { ADMIN_PATH, handleOf, INDEX, VIEW, type KnownSession, type Operations } from "./operations.ts";
import type { Process } from "./process.ts";
import type { Random } from "./random.ts";
import type { Totals } from "./totals.ts";
import type { Product } from "./product.ts";

const UPDATERS = 2;

interface Parts {
  readonly process: Process;
  readonly operations: Operations;
  readonly totals: Totals;
  /** Of each generation. */
  readonly shards: number;
}

export class Clients {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What became of each client, when the process is dead. */
  async work(random: Random): Promise<readonly PromiseSettledResult<void>[]> {
    return await Promise.allSettled([
      ...Array.from({ length: UPDATERS }, (_, i) => this.#updater(random.fork(), i)),
      this.#importer(random.fork(), "importer"),
      this.#reader(random.fork()),
      this.#administrator(random.fork()),
    ]);
  }

  get #alive(): boolean {
    return this.#parts.process.alive;
  }

  /** Changes ids that nobody else updates, one request at a time. */
  async #updater(random: Random, number: number): Promise<void> {
    const { operations } = this.#parts;
    const own = IDS.filter((_, i) => i % UPDATERS === number);
    const client = `updater${number}`;
    while (this.#alive) {
      const ids = random.some(own, random.between(1, 5));
      const path = `/indexer-api/v1/update/${INDEX}`;
      if (random.chance(0.25)) {
        const query = ids.map((id) => `id[]=${id}`).join("&");
        await operations.perform(client, { kind: "delete", ids }, "DELETE", `${path}?${query}`);
      } else {
        const kind = random.chance(0.5) ? "put" : "patch";
        const make = kind === "put" ? product : patch;
        const documents = ids.map((id) => make(random, id, operations.stamp()));
        await operations.perform(client, { kind, documents }, kind.toUpperCase(), path, documents);
      }
      await elapse(random.between(0, 6));
    }
  }

  async #importer(random: Random, client: string): Promise<void> {
    const { operations } = this.#parts;
    while (this.#alive) {
      const { sessions } = operations;
      const left = sessions.findIndex((session) => !session.interrupted && !session.isOpen);
      const session =
        left >= 0 && random.chance(0.5) ? sessions.splice(left, 1)[0] : await operations.startSession(client);
      if (session === undefined) return;
      const held = await this.#import(random, client, session);
      if (held !== null) operations.sessions.push(held);
      await elapse(random.between(0, 80));
    }
  }

  /** Null: the session is over. */
  async #import(random: Random, client: string, session: KnownSession): Promise<KnownSession | null> {
    const { operations } = this.#parts;
    for (let wave = random.between(0, 4); wave > 0; wave--) {
      const bulks = Array.from({ length: random.between(1, 2) }, (_, i) => {
        const ids = random.some(IDS, random.between(1, 8));
        const documents = ids.map((id) => product(random, id, operations.stamp()));
        const body = { session: handleOf(session.name), documents };
        const action = { kind: "add", session: session.name, documents } as const;
        const path = "/indexer-api/v1/full/add";
        return operations.perform(`${client}.${i}`, action, "POST", path, body);
      });
      const answers = await Promise.all(bulks);
      if (answers.includes("session_unknown")) {
        operations.isOver(session.name);
        return null;
      }
      if (answers.includes(null)) session.isOpen = true;
      if (!this.#alive) return session;
    }
    const end = random.next();
    // Left for later, or for another round.
    if (end < 0.1) return session;
    return await operations.finish(session, end < 0.25 ? "cancel" : "done", client);
  }

  /** One generation at a time, and nothing but what was written to it. */
  async #reader(random: Random): Promise<void> {
    const { process, operations, totals } = this.#parts;
    const { history } = operations;
    const ids = this.#idsOfOneShard(random);
    while (this.#alive) {
      const action = { kind: "read", sight: null, look: (one: Product): string => String(one.data["stamp"]) } as const;
      const operation = history.sent("reader", action);
      const path = `/search-api/v1/search/${INDEX}?limit=1000&withFacets=false&sort=price`;
      const answer = await process.service?.send("GET", path);
      if (answer === null || answer === undefined) {
        totals.lost++;
        return;
      }
      if (answer.status !== 200 && answer.status !== 404) {
        throw new Error(`a search was answered ${answer.status}: ${answer.text}`);
      }
      operation.action = { ...action, sight: answer.status === 404 ? null : sightOf(answer.text, ids) };
      history.answered(operation, "seen");
      await elapse(random.between(0, 10));
    }
  }

  /** Null: all, there is only one. */
  #idsOfOneShard(random: Random): ReadonlySet<string> | null {
    const { shards: count } = this.#parts;
    if (count === 1) return null;
    const partitions = shardRanges(count);
    const sharding = { shards: partitions.map((_, i) => String(i)), partitions };
    const shard = shardIndexOf(sharding, random.pick(IDS));
    return new Set(IDS.filter((id) => shardIndexOf(sharding, id) === shard));
  }

  async #administrator(random: Random): Promise<void> {
    const { process, operations } = this.#parts;
    const client = "administrator";
    while (this.#alive) {
      const draw = random.next();
      // Work is short: the kill after a reindex has to come to one.
      if (draw < 0.2 || (process.waitsFor("reindex") && draw < 0.6)) {
        await operations.reindex(client);
      } else if (draw < 0.4) {
        await operations.rollBack(client);
      } else if (draw < 0.45) {
        await operations.perform(client, { kind: "deleteIndex" }, "DELETE", ADMIN_PATH);
      } else if (draw < 0.72) {
        await operations.configure("tenant", VIEW, tenantEntry(random, INDEX, operations.stamp()));
      } else {
        await operations.configure("index", INDEX, indexEntry(random));
      }
      await elapse(random.between(0, 60));
    }
  }
}
