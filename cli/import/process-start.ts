/**
 * Tells a process from a later one with the same number, and a live one from a zombie: one that was killed and still
 * waits for its parent to notice.
 *
 * Linux says both in /proc/<pid>/stat, `<pid> (<name>) <state> <parent> ...`. Elsewhere only the number is known.
 */
import { readFile } from "node:fs/promises";

/** Zombie, and the two states of a process that is being removed. */
const DEAD_STATES: readonly string[] = ["Z", "X", "x"];
/** Counted from the state, which is field 3 of proc_pid_stat(5); the start is field 22. */
const START_FIELD = 19;

/**
 * When a process started, in clock ticks since the machine did; null where this machine does not tell.
 */
export async function processStart(pid: number): Promise<string | null> {
  return (await statOf(pid))?.[START_FIELD] ?? null;
}

/** @param start of the process that is meant; null: not known, any process with this number counts */
export async function isAlive(pid: number, start: string | null): Promise<boolean> {
  if (!isKnown(pid)) return false;
  const fields = await statOf(pid);
  if (fields === null) return true;
  return !DEAD_STATES.includes(fields[0] ?? "") && (start === null || fields[START_FIELD] === start);
}

/** The fields after the name, which may contain spaces and brackets. */
async function statOf(pid: number): Promise<readonly string[] | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return text === null ? null : text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function isKnown(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process, but one that lives.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
