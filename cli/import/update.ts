/**
 * A feed as updates of a live index: prices and stocks that change between two full imports. Each bulk is durable and
 * can be found when it is answered; what was sent before a failure stays.
 */
import type { UpdateReport, UpdateResult } from "../../src/interface/index.ts";
import { UPDATE_ENVELOPE, type Bulk } from "./bulks.ts";
import { OutcomeError } from "./failures.ts";
import { Progress, formatCount, formatDuration, formatPart } from "./progress.ts";
import { countsOf, openMapped, type ImportOptions, type ImportSurroundings } from "./run.ts";
import { sendEverything, someOf, type BulkReport } from "./send.ts";
import { IndexingService } from "./service.ts";
import type { Source } from "./source.ts";

export interface UpdateOptions extends Omit<ImportOptions, "locale" | "allowEmpty" | "tenantCheck" | "cacheFolder"> {
  /** PATCH changes what the feed has of existing documents, PUT replaces whole ones and creates them. */
  readonly method: "PATCH" | "PUT";
  /** Of the index, where PUT creates it. */
  readonly locale: string | null;
}

/** Ids per result. */
export type UpdateSummary = ReadonlyMap<UpdateResult, number>;

/**
 * One document may bring a bulk over its size. The service writes 16 MB of patched documents in one request
 * (`patchedBytes`): 50 kB are a thousand short patches, whose documents may have 16 kB each.
 */
const MAX_BULK_BYTES = { PUT: 2_000_000, PATCH: 50_000 } as const;

export async function updateCatalogue(
  source: Source,
  options: UpdateOptions,
  { screen, timing, signal, onMapping }: ImportSurroundings,
): Promise<string> {
  const counts = countsOf(source);
  const progress = new Progress(screen, timing, counts);
  const { url, user, password, indexName } = options;
  const onRetry = (message: string): void => progress.message(message);
  const service = new IndexingService({ url, user, password, timing, onRetry });
  const startedMs = timing.nowMs();
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  const { feed, mapping } = await openMapped(source, options.mapping, progress, stopped, onMapping);
  const results = new Map<UpdateResult, number>();
  const unknown = new Set<string>();
  progress.begin();
  try {
    const send = async (bulk: Bulk, until: AbortSignal): Promise<BulkReport> => {
      const answer = await service.update(options.method, indexName, options.locale, bulk, until);
      for (const [id, result] of Object.entries(answer.results)) {
        if (result === "NOT_FOUND") unknown.add(id);
      }
      return reportOf(answer, bulk, results);
    };
    const sending = {
      feed,
      mapping,
      content: options.method === "PATCH" ? ("changes" as const) : ("products" as const),
      position: source.position,
      envelope: UPDATE_ENVELOPE,
      bulkBytes: Math.min(options.bulkBytes, MAX_BULK_BYTES[options.method]),
      parallel: options.parallel,
      skipBadLines: options.skipBadLines,
      send,
    };
    await sendEverything(sending, counts, progress, stop, signal);
  } finally {
    progress.end();
    await feed.close();
  }
  const list = [...results].map(([result, count]) => `${formatCount(count)} ${WORDS[result]}`);
  const took = formatDuration(timing.nowMs() - startedMs);
  const { rejected, answered } = counts;
  if (rejected * 100 > answered * options.maxRejectedPercent) {
    throw new OutcomeError(
      `${formatPart(rejected, answered, "document")} not taken, more than ` +
        `${options.maxRejectedPercent} % (--max-rejected); the others are live (${list.join(", ")})` +
        (unknown.size === 0 ? "" : `; the index has no product ${someOf(unknown)}`),
    );
  }
  return `${indexName}: ${list.length === 0 ? "nothing to update" : list.join(", ")}, in ${took}.\n`;
}

const WORDS: Readonly<Record<UpdateResult, string>> = {
  CREATED: "created",
  UPDATED: "updated",
  DELETED: "deleted",
  NOT_FOUND: "not found",
  NOOP: "unchanged",
  DISMISSED: "rejected",
};

/** Results are per id; documents whose id is sent twice share one. */
function reportOf(
  answer: Pick<UpdateReport, "results" | "rejected">,
  bulk: Bulk,
  results: Map<UpdateResult, number>,
): BulkReport {
  const rejected: { position: number; id: string | null; reason: string }[] = [];
  const reasons = new Map(answer.rejected.map(({ id, reason }) => [id ?? "", reason]));
  for (const result of Object.values(answer.results)) results.set(result, (results.get(result) ?? 0) + 1);
  for (const [position, id] of bulk.documentIds.entries()) {
    const result = answer.results[id ?? ""];
    if (result === "NOT_FOUND") rejected.push({ position, id, reason: "there is no such product" });
    else if (result === "DISMISSED")
      rejected.push({ position, id, reason: reasons.get(id ?? "") ?? "dismissed by the service" });
  }
  return { indexed: bulk.lines.length - rejected.length, rejected, ignored: [], unexplained: 0 };
}
