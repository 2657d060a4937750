/** Pauses of bulks, as the objects take them. */
export { Pause } from "../objects/index.ts";
