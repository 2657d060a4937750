/** Variables of the objects, with their defaults. Tests reach ages through them or by ageing rows. */

function seconds(env: object, name: string, fallbackS: number): number {
  const text: unknown = (env as Readonly<Record<string, unknown>>)[name];
  const value =
    typeof text === "number" ? text : typeof text === "string" && text !== "" ? Number(text) : NaN;
  return Number.isFinite(value) && value >= 0 ? value : fallbackS;
}

/** IMPORT_ABANDONED_AFTER_S (3600): an uncompleted session older than this is removed by the next `start` of any index. */
export function abandonedAfterMs(env: object): number {
  return seconds(env, "IMPORT_ABANDONED_AFTER_S", 3600) * 1000;
}

/** GARBAGE_GRACE_S (900): how long dropped data stays, for requests that are still on their way to it. */
export function garbageGraceMs(env: object): number {
  return seconds(env, "GARBAGE_GRACE_S", 900) * 1000;
}
