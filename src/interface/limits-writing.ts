/** Imports and updates: their bodies, and how many run and wait. */
import type { Limit } from "./limit.ts";

export const WRITING_LIMITS = {
  importBufferBytes: {
    value: 33_554_432,
    unit: "bytes",
    protects: "the memory of an import body that sends its session after the documents",
    beyond: "413 body_too_large; send the session first",
  },
  importMemoryBytes: {
    value: 75_497_472,
    unit: "bytes",
    protects:
      "the 128 MB of an isolate: total memory of its bulks, at most four; bulks that wait for their client are not counted",
    beyond: "further bulks wait for room before they are read",
  },
  bulksWaiting: {
    value: 64,
    unit: "count",
    protects: "the memory of an isolate: bulks that wait for room, with their first bytes",
    beyond: "429 too_many_requests with Retry-After; send the bulk again",
  },
  bulkWaitMs: {
    value: 30_000,
    unit: "ms",
    protects: "clients, which give up after some time, and the isolate, which does not see them go",
    beyond: "429 too_many_requests with Retry-After; send the bulk again",
  },
  importBulkMemoryBytes: {
    value: 18_874_368,
    unit: "bytes",
    protects: "the same, per bulk: one segment being built and one being sent, regardless of the body's length",
    beyond: "no visible effect: the body is read as fast as segments are stored",
  },
  importBodyBytes: {
    value: 100_000_000,
    unit: "bytes",
    protects: "the platform's body limit; the body is streamed, never buffered whole",
    beyond: "413 body_too_large",
  },
  uploadStallMs: {
    value: 10_000,
    unit: "ms",
    protects: "memory held by stalled or slow bodies: the time for each 65,536 bytes of a body, or for its rest",
    beyond: "408 request_timeout; nothing was changed",
  },
  importDocuments: {
    value: 300_000,
    unit: "count",
    protects: "the thread: documents of one bulk, valid or not",
    beyond: "413 body_too_large; send several bulks",
  },
  reportEntries: {
    value: 10_000,
    unit: "count",
    protects:
      "the memory of an import or update, and the size of its report (`report=true`): rejected documents and ignored values",
    beyond: "further entries are not listed; a document lists at most 100 ignored values",
  },
  importBlocks: {
    value: 60_000,
    unit: "count",
    protects:
      "the list of stored blocks of a generation, one per bulk or per 8 MB of it; segments number them in 16 bits",
    beyond: "413 index_too_large at add, the session stays open; send larger bulks",
  },
  openSessions: {
    value: 100,
    unit: "count",
    protects: "the object of an index: import sessions that are open or being published",
    beyond:
      "429 too_many_requests with Retry-After; complete or cancel one (those that are older than an hour are removed)",
  },
  allOpenSessions: {
    value: 1_000,
    unit: "count",
    protects: "the catalog, and the list of sessions: the same of all indexes together",
    beyond: "the same",
  },
  sessionBodyBytes: {
    value: 65_536,
    unit: "bytes",
    protects: "the parse of a session's two names (done, cancel)",
    beyond: "413 body_too_large",
  },
  updateDocuments: {
    value: 100_000,
    unit: "count",
    protects: "the thread, and the size of the answer, which names every document",
    beyond: "413 body_too_large; send several updates, or a full import",
  },
  updateBodyBytes: {
    value: 16_777_216,
    unit: "bytes",
    protects: "the write-ahead log: an update is one transaction of one shard",
    beyond: "413 body_too_large; send several updates, or a full import",
  },
  patchedBytes: {
    value: 16_777_216,
    unit: "bytes",
    protects:
      "memory and thread of a shard: documents that the patches of an update write; a further patch of a document counts it again. The first patch of a document does not count if it changes nothing, or only numbers that are not searched",
    beyond: "413 body_too_large; nothing was changed; send several updates, or a full import",
  },
  deleteIds: {
    value: 10_000,
    unit: "count",
    protects: "one update transaction",
    beyond: "400 invalid_parameter",
  },
  pendingUpdateBytes: {
    value: 33_554_432,
    unit: "bytes",
    protects: "the memory of a shard: bodies of updates that are not answered yet",
    beyond: "429 too_many_requests with Retry-After; nothing was changed",
  },
  waitingBodyBytes: {
    value: 33_554_432,
    unit: "bytes",
    protects:
      "the memory of an isolate: bodies of more than 262,144 bytes or gzipped, except bulks, until they are answered",
    beyond: "bodies that arrive slowly, or else the new one: 429 too_many_requests with Retry-After",
  },
  newIndexesAtOnce: {
    value: 2,
    unit: "count",
    protects: "the thread of an isolate: indexes that PUTs are creating, each with three objects",
    beyond: "they wait for their turn",
  },
  newIndexesWaiting: {
    value: 256,
    unit: "count",
    protects: "the same: PUTs that wait to create their index",
    beyond: "429 too_many_requests with Retry-After; nothing was changed",
  },
} as const satisfies Record<string, Limit>;
