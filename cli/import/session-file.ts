/**
 * The session under way, in a file: an import that was killed (kill -9, power) leaves it behind, and the next import of
 * the same index cancels that session before it starts its own. Only that: what a killed import had sent is not taken
 * up again, because the feed may be another one by then.
 *
 *   start answers -> the file is written;  done or cancel -> it is removed;  found, and its process is gone -> cancel
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { ImportSession } from "../../src/interface/index.ts";
import { isAlive, processStart } from "./process-start.ts";

interface Content {
  readonly version: 1;
  readonly pid: number;
  /** Tells the process from a later one with this number; null where the machine does not say. */
  readonly start?: string | null;
  readonly session: ImportSession;
}

/** AISLE_CACHE, or `aisle` where this machine keeps caches. */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const own = environment["AISLE_CACHE"];
  if (own !== undefined && own !== "") return own;
  return join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "aisle");
}

export class SessionFile {
  readonly #folder: string;
  readonly #path: string;

  constructor(folder: string, url: string, indexName: string) {
    this.#folder = folder;
    const name = createHash("sha256").update(`${url}\n${indexName}`).digest("hex").slice(0, 16);
    this.#path = join(folder, `import-${indexName.slice(0, 60)}-${name}.json`);
  }

  /** The session of an import whose process has ended without ending it. */
  async abandoned(): Promise<ImportSession | null> {
    const text = await readFile(this.#path, "utf8").catch(() => null);
    const content = text === null ? null : parse(text);
    if (content === null) return null;
    const { pid, start = null, session } = content;
    // This process has not written it yet.
    return pid !== process.pid && (await isAlive(pid, start)) ? null : session;
  }

  /** @returns false where this machine does not let us: then the service removes a left session by itself, later */
  async write(session: ImportSession): Promise<boolean> {
    const { pid } = process;
    const content: Content = { version: 1, pid, start: await processStart(pid), session };
    try {
      await mkdir(this.#folder, { recursive: true });
      // Whole or not at all: an import that is killed now is found, or has left nothing.
      const unfinished = join(this.#folder, `.${pid}-${basename(this.#path)}`);
      await writeFile(unfinished, JSON.stringify(content));
      await rename(unfinished, this.#path);
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error) return false;
      throw error;
    }
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

/** Null for a file that was cut off while it was written, or of another version. */
function parse(text: string): Content | null {
  try {
    const value = JSON.parse(text) as Partial<Content> | null;
    const isOurs = value?.version === 1 && typeof value.pid === "number" && typeof value.session === "object";
    return isOurs ? (value as Content) : null;
  } catch {
    return null;
  }
}
