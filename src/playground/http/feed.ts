/** A chosen file as a feed. Its readers are loaded when somebody imports; the build puts them beside the page. */
import type { Feed, FeedEvents, FeedModule, Mapping } from "../../feeds/index.ts";
import { FileError, type DocumentText } from "../logic/documents.ts";
import { fileBytes } from "./file-bytes.ts";

const ADDRESS = "/playground/feeds.js";

/** Complaints that are kept; the rest is counted. */
const MAX_COMPLAINTS = 20;

export async function openFile(file: File, onRead: (readBytes: number) => void): Promise<Feed> {
  // Loaded when it is asked for; the compiler is not to look for it.
  const address: string = ADDRESS;
  const readers = (await import(address)) as FeedModule;
  try {
    return await readers.openFeed(fileBytes(file, onRead), null);
  } catch (error) {
    throw explained(error);
  }
}

/** What the reader of the file has refused so far. */
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

/** The readers are a script of their own with a class of their own: errors are told by name. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== "FeedError") return error;
  return new FileError(error.message);
}
