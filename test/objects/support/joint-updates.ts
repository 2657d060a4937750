/**
 * Where updates of several shards are tried: an index with four shards and eight documents, spread over all of them.
 */
import { add, document, done, start, uniqueName, withShards, type TestDocument } from "./index.ts";
import { inside } from "./faults.ts";

export const SHARDS = 4;
/** With four shards: three in the first, one to three in each other. */
export const IDS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Documents of such titles. */
export function titled(title: string, ids: readonly string[] = IDS): TestDocument[] {
  return ids.map((id) => document(id, `${title} ${id}`));
}

/** What `contentsOf` shows of them. */
export function contents(title: string, ids: readonly string[] = IDS): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, `${title} ${id}`]));
}

/** The name of an index that is live, with these contents. */
export async function imported(what: string, title = "old"): Promise<string> {
  const name = uniqueName(what);
  await publish(name, title);
  return name;
}

/** A new generation of it. */
export async function publish(name: string, title: string): Promise<void> {
  await withShards(name, SHARDS);
  const session = await start(name);
  await add(session, titled(title));
  await done(session);
}

/** Parts that wait, and decisions that were not told to everyone. */
export async function leftovers(shards: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const shard of shards) {
    await inside("SHARD", shard, ({ kv }) => {
      for (const prefix of ["prepared/", "decided/"]) {
        for (const [key] of kv.list({ prefix })) found.push(`${shard} ${key}`);
      }
    });
  }
  return found;
}
