/** Updates: queue, plan, build, write. Read write-path.ts first. */
export { type Change, type PlannedWrites, missingSources, planSteps, sizeOfChange } from "./updates.ts";
export { WritePath, counted } from "./write-path.ts";
