/**
 * Reads a chosen file as a feed. The feed readers are a separate script that is loaded for the
 * first import.
 */
import type { Feed, FeedEvents, FeedModule, Mapping } from "../../feeds/index.ts";
import { FileError, type DocumentText } from "../logic/documents.ts";
import { fileBytes } from "./file-bytes.ts";

const ADDRESS = "/playground/feeds.js";

/** Maximum number of kept problems; the rest is only counted. */
const MAX_COMPLAINTS = 20;

export async function openFile(file: File, onRead: (readBytes: number) => void): Promise<Feed> {
  // Loaded at run time, so the compiler must not resolve it.
  const address: string = ADDRESS;
  const readers = (await import(address)) as FeedModule;
  try {
    return await readers.openFeed(fileBytes(file, onRead), null);
  } catch (error) {
    throw explained(error);
  }
}

/** Products that the reader has refused so far. */
export interface Refused {
  count: number;
  readonly complaints: string[];
}

export async function* documentsOf(
  feed: Feed,
  mapping: Mapping | null,
  refused: Refused,
): AsyncGenerator<DocumentText> {
  const complain = (line: number, reason: string): void => {
    if (refused.complaints.length < MAX_COMPLAINTS) {
      refused.complaints.push(`line ${line}: ${reason}`);
    }
  };
  const events: FeedEvents = {
    onRejected: (line, reason) => {
      refused.count++;
      complain(line, reason);
    },
    onIgnored: complain,
    onLeftOut: () => {},
    onUnreadable: null,
  };
  const decoder = new TextDecoder();
  try {
    for await (const { json, line } of feed.documents(mapping, events)) {
      yield { json: decoder.decode(json), line };
    }
  } catch (error) {
    throw explained(error);
  }
}

/** The separate script has its own error class, so errors are recognised by name. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== "FeedError") return error;
  return new FileError(error.message);
}
