/** Pauses of bulks, and what bulks give way to, as the objects have them. */
export { Pause, urgent } from "../objects/index.ts";
