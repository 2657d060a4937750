/** Decides which calls are answered: loading, status and epoch, freezes, configuration. Read admission.ts first. */
export { Admission, MOST_ROUNDS } from "./admission.ts";
export type { ShardConfiguration } from "./configuration.ts";
export { Freeze } from "./freeze.ts";
export { ShardMemory } from "./memory.ts";
export { ShardStanding, admits } from "./standing.ts";
