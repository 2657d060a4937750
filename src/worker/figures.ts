/**
 * Figures of live indexes and open imports, for `/admin-api/v1/indexes`, `/admin-api/v1/sessions` and
 * `/metrics`.
 *
 * An overview takes calls of every index or import, so few are made at a time in an isolate. One uses what others have
 * begun to read since it came, and reads the rest itself. So no figure is older than the call.
 *
 *   call 1   a b c d e f
 *   call 2       waits  a b      # came while call 1 read b: takes c to f from it
 */
import { getOrInsert } from "../index-engine/base/index.ts";
import { ServiceError, unwrap } from "../interface/index.ts";
import {
  catalogStub,
  indexStub,
  sessionStub,
  shardsStats,
  Turns,
  type IndexStatus,
  type SessionProgress,
  type ShardStats,
} from "../objects/index.ts";
import type { Caller } from "./caller.ts";
import { Directory } from "./routes.ts";
import type { WorkerEnv } from "./settings.ts";

export interface IndexFigures {
  readonly name: string;
  readonly locale: string;
  readonly generation: {
    readonly number: number;
    readonly physicalName: string;
    readonly epoch: number;
  };
  readonly kept: IndexStatus["kept"];
  /** Of the index object; each shard has its own list. */
  readonly givenUp: IndexStatus["givenUp"];
  /** Milliseconds since 1970. */
  readonly lastImport: number;
  readonly documents: number;
  readonly variants: number;
  readonly memoryBytes: number;
  /**
   * Segments and documents in R2, and updates in logs. Without the shards' copies, which are `cache` of
   * each shard.
   */
  readonly storedBytes: number;
  readonly pendingWrites: number;
  readonly shards: readonly ShardStats[];
}

const turns = new Turns({
  atOnce: "overviewsAtOnce",
  waiting: "overviewsWaiting",
  tooMany: "Too many calls ask for figures of all indexes or imports; ask again.",
});

class Overview<T> {
  /** Readings are numbered. */
  #begun = 0;
  readonly #read = new Map<string, { readonly number: number; readonly figures: T }>();

  /** @param read null: gone since it was listed. Throws 429 too_many_requests. */
  async over(list: () => Promise<readonly string[]>, read: (name: string) => Promise<T | null>): Promise<T[]> {
    const before = this.#begun;
    return turns.run(async () => {
      const all: T[] = [];
      // Sequentially: an overview should not use many connections at once.
      for (const name of await list()) {
        const known = this.#read.get(name);
        if (known !== undefined && known.number > before) {
          all.push(known.figures);
          continue;
        }
        const number = ++this.#begun;
        const figures = await read(name);
        if (figures === null) continue;
        this.#read.set(name, { number, figures });
        all.push(figures);
      }
      if (!turns.isAwaited) this.#read.clear();
      return all;
    });
  }
}

interface Overviews {
  readonly indexes: Overview<IndexFigures>;
  readonly sessions: Overview<SessionProgress>;
}

/** Keyed by binding, like those of routes.ts. */
const overviews = new WeakMap<object, Overviews>();

function overviewsOf(env: WorkerEnv): Overviews {
  return getOrInsert(overviews, env.CATALOG, () => ({ indexes: new Overview(), sessions: new Overview() }));
}

/** Figures of live indexes, by name. Each takes calls of all its shards. Throws 429 too_many_requests. */
export async function indexesFigures(env: WorkerEnv, caller: Caller): Promise<IndexFigures[]> {
  return overviewsOf(env).indexes.over(
    async () => (await catalogStub(env).names()).indexNames.filter((name) => caller.reaches(name)),
    async (name) => {
      try {
        return await indexFigures(env, name);
      } catch (error) {
        // Deleted after the list was read.
        if (error instanceof ServiceError && error.type === "index_not_found") return null;
        throw error;
      }
    },
  );
}

/** Throws 404 index_not_found. */
export async function indexFigures(env: WorkerEnv, indexName: string): Promise<IndexFigures> {
  const { route, publishedAtMs, kept, givenUp } = unwrap(await indexStub(env, indexName).status());
  const shards = await new Directory(env).forIndex(indexName, (target) => shardsStats(env, target.route));
  const total = (figure: (shard: ShardStats) => number): number =>
    shards.reduce((sum, shard) => sum + figure(shard), 0);
  return {
    name: indexName,
    locale: route.locale,
    generation: { number: route.generation, physicalName: route.physicalName, epoch: route.epoch },
    kept,
    givenUp,
    lastImport: publishedAtMs,
    documents: total((shard) => shard.documents),
    variants: total((shard) => shard.variants),
    memoryBytes: total((shard) => sumOf(shard.memoryBytes)),
    storedBytes: total(({ storedBytes }) => sumOf(storedBytes) - (storedBytes["cache"] ?? 0)),
    pendingWrites: total((shard) => shard.pendingWrites),
    shards,
  };
}

function sumOf(figures: Readonly<Record<string, number>>): number {
  return Object.values(figures).reduce((sum, figure) => sum + figure, 0);
}

/** Imports that are open or being published. Throws 429 too_many_requests. */
export async function openSessions(env: WorkerEnv, caller: Caller): Promise<SessionProgress[]> {
  return overviewsOf(env).sessions.over(
    async () =>
      (await catalogStub(env).sessions())
        .filter(({ indexName }) => caller.reaches(indexName))
        .map(({ temporaryIndexName }) => temporaryIndexName),
    async (name) => {
      const progress = await sessionStub(env, name).progress();
      return progress?.state === "open" || progress?.state === "publishing" ? progress : null;
    },
  );
}
