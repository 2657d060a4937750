/**
 * Read replicas of a shard as two state machines; not wired to objects yet. Why and at what price:
 * ../README.md.
 *
 *   messages.ts   what they say to each other
 *   timing.ts     durations, and what is assumed of clocks
 *   primary.ts    the writing side: leases, commits, retirement
 *   replica.ts    the reading side
 */
export * from "./messages.ts";
export { Primary, type PrimaryHost, type PrimaryRecord } from "./primary.ts";
export { Replica, type ReplicaHost } from "./replica.ts";
export { CLOCK_BOUND, DEFAULT_TIMING, holdMs, type ClockBound, type Timing } from "./timing.ts";
