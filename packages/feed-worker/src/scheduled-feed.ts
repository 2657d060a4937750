/** Fetches one feed and imports it, as a full import or as an update of the live index. */
import { openFeed, type Feed, type FeedContent, type FeedEvents, type Mapping } from "../../../src/feeds/index.ts";
import { AisleError, type AisleClient, type Product, type UpdateResult } from "../../client/src/index.ts";

/** One entry of the variable FEEDS. */
export interface ScheduledFeed {
  readonly url: string;
  readonly index: string;
  readonly locale: string;
  /** `import` replaces the index, `update` changes what the feed has (PATCH), `put` replaces whole products. */
  readonly mode?: "import" | "update" | "put";
  /** One of `crons`; default: every run. */
  readonly cron?: string;
  /** The content of a mapping file; by default columns are guessed. */
  readonly mapping?: Mapping;
}

/** The feed's validators (ETag, Last-Modified), sent with the next request. */
export interface FeedVersion {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface FeedOutcome {
  /** False: the feed is unchanged. */
  readonly changed: boolean;
  readonly documents: number;
  readonly rejected: number;
  readonly version: FeedVersion;
}

/** As in the command line importer. */
const MOST_REJECTED_SHARE = 0.05;
const BULK_BYTES = { put: 1_000_000, update: 200_000 } as const;
/** A dismissed document is invalid; PATCH does not find documents that the index lacks. */
const REFUSED: ReadonlySet<UpdateResult> = new Set(["NOT_FOUND", "DISMISSED"]);

export async function runFeed(
  feed: ScheduledFeed,
  client: AisleClient,
  known: FeedVersion | null,
): Promise<FeedOutcome> {
  const headers = new Headers({ accept: "*/*" });
  if (known?.etag != null) headers.set("if-none-match", known.etag);
  if (known?.lastModified != null) headers.set("if-modified-since", known.lastModified);
  const response = await fetch(feed.url, { headers });
  if (response.status === 304 && known !== null) {
    return { changed: false, documents: 0, rejected: 0, version: known };
  }
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`${feed.url} answered with status ${response.status}`);
  }
  const version = {
    etag: response.headers.get("etag"),
    lastModified: response.headers.get("last-modified"),
  };
  const reading = { documents: 0, rejected: 0 };
  const opened = await openFeed(unpacked(response.body), feed.mapping ?? null);
  try {
    const documents = documentsOf(opened, feed.mode === "update" ? "changes" : "products", reading);
    if (feed.mode === undefined || feed.mode === "import") {
      const outcome = await client.import(feed.index, documents, {
        locale: feed.locale,
        maxRejectedShare: MOST_REJECTED_SHARE,
      });
      return {
        changed: true,
        documents: outcome.indexed,
        rejected: reading.rejected + outcome.rejected,
        version,
      };
    }
    for await (const bulk of bulksOf(documents, BULK_BYTES[feed.mode])) {
      const answer =
        feed.mode === "put"
          ? await client.put(feed.index, bulk, { langCode: feed.locale })
          : await patched(client, feed.index, bulk);
      const refused = Object.values(answer).filter((result) => REFUSED.has(result)).length;
      reading.documents -= refused;
      reading.rejected += refused;
    }
    checkShare(reading, "unknown or dismissed");
    return { changed: true, ...reading, version };
  } finally {
    await opened.close();
  }
}

/** In halves, if the documents of the patches are more than one request may write. */
async function patched(
  client: AisleClient,
  index: string,
  bulk: readonly Product[],
): Promise<Readonly<Record<string, UpdateResult>>> {
  try {
    return await client.patch(index, bulk);
  } catch (error) {
    if (!(error instanceof AisleError) || error.type !== "body_too_large" || bulk.length === 1) throw error;
    const half = bulk.length >>> 1;
    const first = await patched(client, index, bulk.slice(0, half));
    return { ...first, ...(await patched(client, index, bulk.slice(half))) };
  }
}

/** @throws at the end if too much was rejected, which cancels the import */
async function* documentsOf(
  feed: Feed,
  content: FeedContent,
  reading: { documents: number; rejected: number },
): AsyncGenerator<Product> {
  let firstReason = "";
  const events: FeedEvents = {
    onRejected: (line, reason) => {
      reading.rejected++;
      if (firstReason === "") firstReason = `line ${line}: ${reason}`;
    },
    onIgnored: () => undefined,
    onLeftOut: () => undefined,
    onUnreadable: null,
  };
  const decoder = new TextDecoder();
  for await (const { json } of feed.documents(feed.mapping, events, content)) {
    reading.documents++;
    yield JSON.parse(decoder.decode(json)) as Product;
  }
  if (reading.documents === 0) throw new Error("the feed has no products");
  checkShare(reading, firstReason);
}

function checkShare(
  { documents, rejected }: { readonly documents: number; readonly rejected: number },
  reason: string,
): void {
  if (rejected <= (documents + rejected) * MOST_REJECTED_SHARE) return;
  throw new Error(`${rejected} of ${documents + rejected} products were rejected; ${reason}`);
}

async function* bulksOf(documents: AsyncIterable<Product>, bulkBytes: number): AsyncGenerator<Product[]> {
  let bulk: Product[] = [];
  let bytes = 0;
  for await (const document of documents) {
    bulk.push(document);
    bytes += JSON.stringify(document).length;
    if (bytes < bulkBytes) continue;
    yield bulk;
    bulk = [];
    bytes = 0;
  }
  if (bulk.length > 0) yield bulk;
}

/** Gzip starts with these two bytes. */
async function* unpacked(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array> {
  const [head, whole] = body.tee();
  const reader = head.getReader();
  let first = new Uint8Array(0);
  while (first.length < 2) {
    const { done, value } = await reader.read();
    if (done) break;
    first = new Uint8Array([...first, ...value.subarray(0, 2)]);
  }
  void reader.cancel();
  const isPacked = first[0] === 0x1f && first[1] === 0x8b;
  yield* isPacked ? whole.pipeThrough(new DecompressionStream("gzip")) : whole;
}
