/**
 * IndexObject: the pointer to the live generation, session states, what is dropped and when. Read index-object.ts
 * first.
 */
export { IndexObject } from "./index-object.ts";
