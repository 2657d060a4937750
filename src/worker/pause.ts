/** Pauses of bulks and updates, and their priorities, shared with the objects. */
export { Pause, paused, urgent, type Steps } from "../objects/index.ts";
