/** Searches over several shards; messages.ts has the protocol. */
export { searchSharded } from "./coordinate.ts";
export {
  EAGER_BYTES,
  EAGER_WINDOW,
  type DecideStep,
  type ExecuteAnswer,
  type ExecuteStep,
  type MoreAnswer,
  type MoreStep,
  type SetsStep,
  type ShardStatistics,
  type ShardTransport,
  type StatisticsStep,
} from "./messages.ts";
export { ShardSearch, type ShardHits } from "./shard-search.ts";
