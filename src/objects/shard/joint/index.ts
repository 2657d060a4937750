/** Updates of several shards. Read the protocol in joint-update.ts first. */
export { JointWrites } from "./joint-writes.ts";
