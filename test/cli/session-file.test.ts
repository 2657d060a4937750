/**
 * Whose session a file names.
 *  1. Of a process that lives it is left alone; of one that is gone it is abandoned.
 *  2. A zombie is gone: killed, but its parent has not noticed.
 *  3. A later process with the same number is not the one that is meant.
 *  4. Files without a start (older ones, machines that do not tell) go by the number.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isAlive, processStart } from "../../cli/import/process-start.ts";
import { SessionFile } from "../../cli/import/session-file.ts";
import type { ImportSession } from "../../src/interface/index.ts";

const SESSION: ImportSession = { finalIndexName: "shop", temporaryIndexName: "ocs-1-shop-en" };
/** Only Linux tells more than whether a number is in use. */
const TELLS_MORE = existsSync("/proc/self/stat");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aisle-session-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A process that starts a child, says the child's number, and never notices its end. */
async function withParent(child: string, use: (pid: number) => Promise<void>): Promise<void> {
  const parent = spawn("sh", ["-c", `${child} & echo $!; exec sleep 600`], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => parent.once("exit", resolve));
  const [line] = (await parent.stdout.take(1).toArray()) as Buffer[];
  const pid = Number(line);
  // Until then it is a shell, which would notice.
  while (TELLS_MORE && (await nameOf(parent.pid)) !== "sleep") await new Promise(setImmediate);
  try {
    await use(pid);
  } finally {
    parent.kill("SIGKILL");
    if (await isAlive(pid, null)) process.kill(pid, "SIGKILL");
    await ended;
  }
}

async function nameOf(pid: number | undefined): Promise<string> {
  return (await readFile(`/proc/${pid}/comm`, "utf8")).trim();
}

async function stateOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2, text.lastIndexOf(")") + 3);
}

/** The session that is abandoned when `pid` has written it. */
async function abandonedBy(pid: number, start: string | null | undefined): Promise<ImportSession | null> {
  const file = new SessionFile(folder, "http://127.0.0.1", "shop");
  expect(await file.write(SESSION)).toBe(true);
  const [name = ""] = await readdir(folder);
  const content = JSON.parse(await readFile(join(folder, name), "utf8")) as Record<string, unknown>;
  expect(content["start"] === null).toBe(!TELLS_MORE);
  await writeFile(join(folder, name), JSON.stringify({ ...content, pid, start }));
  return file.abandoned();
}

test("1, 3, 4: a process that lives", async () => {
  await withParent("sleep 600", async (pid) => {
    const start = await processStart(pid);
    expect(await abandonedBy(pid, start)).toBeNull();
    expect(await abandonedBy(pid, undefined)).toBeNull();
    expect(await abandonedBy(pid, "1")).toEqual(TELLS_MORE ? SESSION : null);
  });
});

test("1, 2: a process that was killed", async () => {
  await withParent("sleep 600", async (pid) => {
    const start = await processStart(pid);
    process.kill(pid, "SIGKILL");
    if (!TELLS_MORE) return;
    while ((await stateOf(pid)) !== "Z") await new Promise(setImmediate);
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(await abandonedBy(pid, start)).toEqual(SESSION);
    expect(await abandonedBy(pid, undefined)).toEqual(SESSION);
  });
});
