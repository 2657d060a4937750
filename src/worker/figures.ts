/**
 * Figures of live indexes and open imports, for `/admin-api/v1/indexes`, `/admin-api/v1/sessions` and
 * `/metrics`.
 */
import { ServiceError, unwrap } from "../interface/index.ts";
import {
  catalogStub,
  indexStub,
  sessionStub,
  shardsStats,
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

/** Figures of live indexes, by name. Each takes calls of all its shards. */
export async function indexesFigures(env: WorkerEnv, caller: Caller): Promise<IndexFigures[]> {
  const { indexNames } = await catalogStub(env).names();
  const indexes: IndexFigures[] = [];
  // Sequentially: an overview should not use many connections at once.
  for (const indexName of indexNames) {
    if (!caller.reaches(indexName)) continue;
    try {
      indexes.push(await indexFigures(env, indexName));
    } catch (error) {
      // Deleted after the list was read.
      if (!(error instanceof ServiceError && error.type === "index_not_found")) throw error;
    }
  }
  return indexes;
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

/** Imports that are open or being published. */
export async function openSessions(env: WorkerEnv, caller: Caller): Promise<SessionProgress[]> {
  const sessions: SessionProgress[] = [];
  for (const { temporaryIndexName, indexName } of await catalogStub(env).sessions()) {
    if (!caller.reaches(indexName)) continue;
    const progress = await sessionStub(env, temporaryIndexName).progress();
    if (progress !== null && (progress.state === "open" || progress.state === "publishing")) sessions.push(progress);
  }
  return sessions;
}
