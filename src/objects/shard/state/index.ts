/** What a shard holds in SQLite and in memory, and how updates change it: store, reader, log, checkpoints. */
export {
  noteDuplicates,
  putCheckpoint,
  runOfMany,
  seal,
  sweepCopies,
  trim,
  unseal,
} from "./checkpoint.ts";
export { type ChooseRun, runOfAlike } from "./analysis.ts";
export { LoadedShard, SourceReader } from "./loaded-shard.ts";
export { LogMerging } from "./log-merging.ts";
export { DamagedCopyError } from "./segment-cache.ts";
export { type Serving, type ShardState, ShardStore } from "./store.ts";
export { bytesOf, UpdateQueue, type WaitingUpdate } from "./update-queue.ts";
export {
  type BuiltChange,
  buildSteps,
  type Change,
  changedIds,
  missingSources,
  planSteps,
  type PlannedWrites,
  prepare,
  sizeOfChange,
  writeChange,
  Writes,
} from "./updates.ts";
