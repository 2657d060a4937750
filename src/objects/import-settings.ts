/**
 * What `add` needs to know about its session. It is constant, and with the configuration of thousands of fields it
 * takes 20 ms to send and compile, so an isolate keeps it for the sessions that it writes to.
 */
import { getOrInsert } from "../index-engine/base/index.ts";
import { compileFieldPlan, type FieldPlan } from "../index-engine/documents/index.ts";
import { unwrap, type ImportSession } from "../interface/index.ts";
import type { SessionInfo } from "./protocol/index.ts";
import { sessionStub, type ObjectsEnv } from "./stubs.ts";

/** Imports of one isolate at the same time are few; a plan may take megabytes. */
const KEPT_SESSIONS = 2;

export interface ImportSettings {
  readonly info: SessionInfo;
  readonly plan: FieldPlan;
}

/**
 * By session, oldest first. Keyed by binding, so that Workers that share an isolate (as in local development) do not
 * share settings.
 */
const kept = new WeakMap<object, Map<string, ImportSettings>>();

export function importSettings(info: SessionInfo): ImportSettings {
  return { info, plan: compileFieldPlan(info.configuration, info.locale) };
}

/** Throws what `SessionApi.info` fails with: also a session that is known has to be open. */
export async function settingsOf(env: ObjectsEnv, session: ImportSession): Promise<ImportSettings> {
  const ofEnv = getOrInsert(kept, env.SESSION, () => new Map<string, ImportSettings>());
  const name = session.temporaryIndexName;
  const known = ofEnv.get(name);
  const stub = sessionStub(env, name);
  let settings: ImportSettings;
  if (known === undefined) {
    settings = importSettings(unwrap(await stub.info(session)));
  } else {
    unwrap(await stub.info(session, true));
    settings = known;
  }
  ofEnv.delete(name);
  ofEnv.set(name, settings);
  for (const oldest of ofEnv.keys()) {
    if (ofEnv.size <= KEPT_SESSIONS) break;
    ofEnv.delete(oldest);
  }
  return settings;
}
