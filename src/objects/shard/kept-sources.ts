/**
 * Sources of hits that only the log has, kept for one search while it waits: a write or a checkpoint may remove them.
 * They are few. Where there is no room for one, the search reads it when it gets there, and is stale if it is gone.
 */
import type { StoredRef } from "../../index-engine/segment/model/index.ts";
import type { SourceReader } from "./state/index.ts";

/** Searches may share it. */
export interface Room {
  freeBytes: number;
}

export class KeptSources {
  readonly #room: Room;
  readonly #bytes = new Map<string, Uint8Array>();

  constructor(room: Room) {
    this.#room = room;
  }

  /** False: one of them is gone already. */
  keep(sources: SourceReader, refs: readonly StoredRef[]): boolean {
    for (const ref of refs) {
      if (sources.isPublished(ref) || this.#bytes.has(nameOf(ref))) continue;
      const bytes = sources.get(ref);
      if (bytes === null) return false;
      if (bytes.byteLength > this.#room.freeBytes) return true;
      this.#room.freeBytes -= bytes.byteLength;
      // Not the whole chunk that it lies in.
      this.#bytes.set(nameOf(ref), bytes.slice());
    }
    return true;
  }

  get(ref: StoredRef): Uint8Array | null {
    return this.#bytes.get(nameOf(ref)) ?? null;
  }

  release(ref: StoredRef): void {
    const bytes = this.#bytes.get(nameOf(ref));
    if (bytes === undefined) return;
    this.#room.freeBytes += bytes.byteLength;
    this.#bytes.delete(nameOf(ref));
  }

  releaseAll(): void {
    for (const { byteLength } of this.#bytes.values()) this.#room.freeBytes += byteLength;
    this.#bytes.clear();
  }
}

function nameOf({ block, chunk, offset }: StoredRef): string {
  return `${block}/${chunk}/${offset}`;
}
