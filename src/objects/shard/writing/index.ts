/** Updates: queue, plan, build, write. Read write-path.ts first. */
export {
  type Change,
  KEPT_BYTES,
  type PlannedDocument,
  type PlannedWrites,
  sizeOfChange,
  Writes,
} from "./planned-writes.ts";
export { missingSources, planSteps } from "./updates.ts";
export { WritePath, counted } from "./write-path.ts";
