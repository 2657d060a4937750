/** The data plane of one shard of one generation. Read shard-object.ts first. */
export { ShardObject } from "./shard-object.ts";
