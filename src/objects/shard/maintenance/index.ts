/** Work between calls: checkpoints, compaction, growth. Read maintenance.ts first. */
export { noteDuplicates } from "./checkpoint.ts";
export { Checkpoints } from "./checkpoints.ts";
export { Compaction } from "./compaction.ts";
export { Growth } from "./growth.ts";
export { Maintenance } from "./maintenance.ts";
