/** Calls that change nothing. Read reading.ts first. */
export { Reading } from "./reading.ts";
