/**
 * Sources that only the log has, kept for one search while it pauses, because a write or a checkpoint may remove them.
 * Without room for a source, the search reads it later and becomes stale if it is gone.
 */
import type { StoredRef } from "../../../index-engine/segment/model/index.ts";
import type { SourceReader } from "../loaded/index.ts";

/** May be shared by several searches. */
export interface Room {
  freeBytes: number;
}

export class KeptSources {
  readonly #room: Room;
  readonly #bytes = new Map<string, Uint8Array>();
  #isOver = false;

  constructor(room: Room) {
    this.#room = room;
  }

  /** False: a source is already gone. */
  keep(sources: SourceReader, refs: readonly StoredRef[]): boolean {
    for (const ref of refs) {
      if (sources.isPublished(ref) || this.#bytes.has(nameOf(ref))) continue;
      const bytes = sources.get(ref);
      if (bytes === null) return false;
      if (this.#isOver || bytes.byteLength > this.#room.freeBytes) return true;
      this.#room.freeBytes -= bytes.byteLength;
      // A copy, to not keep its whole chunk.
      this.#bytes.set(nameOf(ref), bytes.slice());
    }
    return true;
  }

  get(ref: StoredRef): Uint8Array | null {
    if (this.#bytes.size === 0) return null;
    return this.#bytes.get(nameOf(ref)) ?? null;
  }

  release(ref: StoredRef): void {
    if (this.#bytes.size === 0) return;
    const bytes = this.#bytes.get(nameOf(ref));
    if (bytes === undefined) return;
    this.#room.freeBytes += bytes.byteLength;
    this.#bytes.delete(nameOf(ref));
  }

  /** The end: nothing is kept any more. */
  releaseAll(): void {
    this.#isOver = true;
    for (const { byteLength } of this.#bytes.values()) this.#room.freeBytes += byteLength;
    this.#bytes.clear();
  }
}

function nameOf({ block, chunk, offset }: StoredRef): string {
  return `${block}/${chunk}/${offset}`;
}
