/**
 * Answers of a session that refuses a call: it has ended, is publishing, or the handle belongs to
 * another session.
 */
import type { Result } from "../../interface/index.ts";
import { fail } from "../results.ts";
import type { SessionData } from "./store.ts";

/** Answer of a session that is not open. */
export function over({ state, info }: Pick<SessionData, "state" | "info">): Result<never> {
  switch (state) {
    case "completed":
      return fail("session_completed", "The import session is completed.", {
        generation: info.generation,
        physicalName: info.temporaryIndexName,
      });
    case "cancelled":
      return fail("session_cancelled", "The import session was cancelled.");
    case "publishing":
      return busy();
    case "removed":
      return unknown(info);
    case "open":
      throw new Error("an open session is not over");
  }
}

export function unknown(session: { readonly temporaryIndexName: string }): Result<never> {
  return fail("session_unknown", `There is no import session ${session.temporaryIndexName}.`);
}

export function busy(): Result<never> {
  return fail("session_busy", "The session is being published and accepts no more documents.");
}
