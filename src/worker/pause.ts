/** Pauses of bulks and their priorities, shared with the objects. */
export { Pause, urgent } from "../objects/index.ts";
