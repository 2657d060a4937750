/**
 * ImportSessionObject: a full import from `start` to `done`, and the reindex that fills one by itself. Read
 * import-session-object.ts first.
 */
export { ImportSessionObject } from "./import-session-object.ts";
