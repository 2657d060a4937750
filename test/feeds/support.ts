/** Files of shops as feeds, and what becomes of them. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openFeed, type Feed, type FeedContent, type Mapping } from "../../src/feeds/index.ts";

export const FILES = fileURLToPath(new URL("./files/", import.meta.url));

export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export interface ReadFeed {
  readonly feed: Feed;
  readonly documents: readonly ReadDocument[];
  readonly rejected: readonly string[];
  readonly ignored: readonly string[];
  readonly leftOut: number;
}

interface ReadDocument {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly categories?: unknown;
  readonly attributes?: unknown;
  readonly variants?: readonly ReadDocument[];
}

interface ReadOptions {
  readonly given?: Mapping | null;
  readonly chunkBytes?: number;
  readonly content?: FeedContent;
  readonly open?: typeof openFeed;
}

export async function readBytes(
  bytes: Uint8Array,
  { given = null, chunkBytes = 1 << 16, content = "products", open = openFeed }: ReadOptions = {},
): Promise<ReadFeed> {
  const feed = await open(inChunks(bytes, chunkBytes), given);
  const documents: ReadDocument[] = [];
  const rejected: string[] = [];
  const ignored: string[] = [];
  let leftOut = 0;
  const events = {
    onRejected: (line: number, reason: string) => rejected.push(`line ${line}: ${reason}`),
    onIgnored: (line: number, reason: string) => ignored.push(`line ${line}: ${reason}`),
    onLeftOut: () => leftOut++,
    onUnreadable: null,
  };
  for await (const { json } of feed.documents(feed.mapping, events, content)) {
    documents.push(JSON.parse(new TextDecoder().decode(json)) as ReadDocument);
  }
  return { feed, documents, rejected, ignored, leftOut };
}

export async function readFixture(name: string, chunkBytes?: number): Promise<ReadFeed> {
  const bytes = await readFile(FILES + name);
  return await readBytes(bytes, chunkBytes === undefined ? {} : { chunkBytes });
}

export const readText = (content: string, options: ReadOptions = {}): Promise<ReadFeed> =>
  readBytes(text(content), options);

export const text = (content: string): Uint8Array => new TextEncoder().encode(content);
