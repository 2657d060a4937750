/** The hono context of requests. */
import { Hono, type Context } from "hono";
import type { Caller } from "./caller.ts";
import type { WorkerEnv } from "./settings.ts";

export interface AppEnv {
  Bindings: WorkerEnv;
  Variables: {
    /** The error of the answer, for the log line. */
    failure: { readonly type: string; readonly errorId: string };
    /** Milliseconds by phase, sent as Server-Timing. */
    timings: Map<string, number>;
    /** Set before the handlers of a part run. */
    caller: Caller;
  };
}
export type AppContext = Context<AppEnv>;

/** A part of the service: its routes, mounted by app.ts. */
export function newPart(): Hono<AppEnv> {
  return new Hono<AppEnv>();
}
