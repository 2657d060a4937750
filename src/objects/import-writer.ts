/**
 * `add`, as it runs in the Worker: documents of one request -> segments and stored blocks in R2 -> one registration.
 *
 *   const writer = new ImportWriter(env, info);
 *   for each document of the body: await writer.add(document, source);
 *   const report = await writer.finish();        // only now may a count be answered
 *
 * A segment closes at LIMITS.segmentCloseBytes or segmentCloseDocuments; its put runs while the next one is built, one at a time,
 * so that memory holds at most one segment being built and one being sent. Objects in R2 without a registration are orphans of
 * `imports/<session>/`: nobody reads them, garbage collection takes them. So a failure at any point acknowledges nothing.
 */
import type { AddReport } from "../interface/index.ts";
import type { SessionInfo } from "./protocol.ts";
import type { ObjectsEnv } from "./stubs.ts";

export class ImportWriter {
  constructor(_env: ObjectsEnv, _info: SessionInfo) {}

  /** Takes one parsed document and the UTF-8 JSON it was parsed from (not kept after the call returns, so it may be a view). */
  async add(_document: unknown, _source: Uint8Array): Promise<void> {}

  /** Writes what is left and registers. Throws ServiceError storage_unavailable (nothing acknowledged) or a session error. */
  async finish(): Promise<AddReport> {
    throw new Error("being written");
  }
}
