/**
 * The local R2's files, while no process uses them: which file holds an object, and damaging it.
 *
 *   <state>/r2/miniflare-R2BucketObject/<id>.sqlite   table _mf_objects: key -> blob_id, size
 *   <state>/r2/SNAPSHOTS/blobs/<blob_id>              the bytes
 */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const BUCKET = "SNAPSHOTS";
const DATABASES = "miniflare-R2BucketObject";

/** Key -> file. */
export function storedObjects(state: string): Map<string, string> {
  const folder = join(state, "r2", DATABASES);
  const found = new Map<string, string>();
  // On a copy: a process that was killed leaves a write-ahead log, and reading it is a write.
  const copy = mkdtempSync(join(tmpdir(), "aisle-r2-"));
  try {
    for (const file of readdirSync(folder)) {
      if (!file.endsWith("-shm")) copyFileSync(join(folder, file), join(copy, file));
    }
    for (const file of readdirSync(copy)) {
      if (!file.endsWith(".sqlite") || basename(file) === "metadata.sqlite") continue;
      const database = new DatabaseSync(join(copy, file));
      for (const row of database.prepare("SELECT key, blob_id FROM _mf_objects").all()) {
        const path = join(state, "r2", BUCKET, "blobs", String(row["blob_id"]));
        if (row["blob_id"] !== null && existsSync(path)) found.set(String(row["key"]), path);
      }
      database.close();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  return found;
}

export const DAMAGES = ["altered", "torn", "missing"] as const;
export type Damage = (typeof DAMAGES)[number];

export function damage(file: string, how: Damage): void {
  const bytes = readFileSync(file);
  switch (how) {
    case "altered": {
      const other = Buffer.from(bytes);
      const at = Math.floor(other.length / 2);
      other[at] = (other[at] ?? 0) ^ 0x10;
      writeFileSync(file, other);
      break;
    }
    case "torn":
      writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
      break;
    case "missing":
      rmSync(file);
      break;
  }
}

/** Replaces a text by one of the same length, so that only a checksum tells. */
export function forge(file: string, text: string, by: string): void {
  if (text.length !== by.length) throw new Error("a forgery must have the length of the original");
  const bytes = readFileSync(file, "latin1");
  if (!bytes.includes(text)) throw new Error(`${text} is not in ${file}`);
  writeFileSync(file, bytes.replaceAll(text, by), "latin1");
}
