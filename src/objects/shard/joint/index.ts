/** Updates of several shards. Read joint-update.ts first: it has the protocol, with every crash. */
export { JointWrites } from "./joint-writes.ts";
