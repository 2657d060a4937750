/**
 * IndexObject: the pointer to the live generation, session states, garbage collection. Read index-object.ts first.
 */
export { IndexObject } from "./index-object.ts";
