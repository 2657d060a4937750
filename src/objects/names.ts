/**
 * Names of objects and keys. Every name contains the running number n of its generation, which is never reused, not
 * even after the index was deleted. So an object or key never changes its meaning.
 *
 *   session / temporaryIndexName / physical name   ocs-<n>-<name>-<language>
 *   shard object                                   <name>/<n>/<shard>
 *   R2                                             imports/<session>/segments/<id>.seg, imports/<session>/stored/<id>.blk
 *                                                  indexes/<name>/<n>/<shard>/manifest.json, .../segments/<id>.seg,
 *                                                  .../stored/<id>.blk
 */
export function temporaryName(generation: number, indexName: string, language: string): string {
  return `ocs-${generation}-${indexName}-${language}`;
}

export function shardName(indexName: string, generation: number, shard: number): string {
  return `${indexName}/${generation}/${shard}`;
}

/** `shop` for shard `shop/7/0`. */
export function indexOfShard(shard: string): string {
  return shard.split("/", 1)[0];
}

/** `shop` for session `ocs-7-shop-en`; null: no name of a session. */
export function indexOfSession(temporaryIndexName: string): string | null {
  return /^ocs-\d+-(.+)-[^-]+$/.exec(temporaryIndexName)?.[1] ?? null;
}

/** `indexes/shop/7/0/` for shard `shop/7/0`. */
export function shardPrefix(shard: string): string {
  return `indexes/${shard}/`;
}

export function generationPrefix(indexName: string, generation: number): string {
  return `indexes/${indexName}/${generation}/`;
}

export function importPrefix(temporaryIndexName: string): string {
  return `imports/${temporaryIndexName}/`;
}

export function manifestKey(shard: string): string {
  return `${shardPrefix(shard)}manifest.json`;
}

export function segmentKey(prefix: string, id: string): string {
  return `${prefix}segments/${id}.seg`;
}

export function storedPrefix(prefix: string): string {
  return `${prefix}stored/`;
}

export function blockKey(prefix: string, id: string): string {
  return `${storedPrefix(prefix)}${id}.blk`;
}
