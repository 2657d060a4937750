/** What a shard answers without changing anything. Read reading.ts first. */
export { Reading } from "./reading.ts";
