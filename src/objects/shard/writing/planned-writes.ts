/** What updates of a shard will write, before it is built (updates.ts). */
import type { IndexableProduct, NumberChanges } from "../../../index-engine/segment/model/index.ts";
import type { ShardUpdateAnswer } from "../../protocol/index.ts";

/** A document to write. */
export interface PlannedDocument {
  readonly source: Uint8Array;
  /** Null: it is read again when it is written. */
  readonly product: IndexableProduct | null;
}

/** Planned changes. */
export interface PlannedWrites {
  /** Documents to write, by id; null: to delete. */
  readonly writes: ReadonlyMap<string, PlannedDocument | null>;
  /** Numbers to change, by id; no id is also in `writes`. */
  readonly numbers: ReadonlyMap<string, NumberChanges>;
}

/** The plan of one update. */
export interface Change extends PlannedWrites {
  readonly answer: ShardUpdateAnswer;
  /** What its patches count for LIMITS.patchedBytes. */
  readonly patchedBytes: number;
}

/** Number of changed documents. */
export function sizeOfChange({ writes, numbers }: PlannedWrites): number {
  return writes.size + numbers.size;
}

/** Ids of changed documents. */
export function* changedIds({ writes, numbers }: PlannedWrites): Generator<string> {
  yield* writes.keys();
  yield* numbers.keys();
}

/**
 * Products of documents that are kept until they are written. A product takes four times the bytes of a small document,
 * and an update has up to 16 MB of them.
 */
export const KEPT_BYTES = 4_194_304;

/** Collects the plan of an update, on top of those of earlier ones. */
export class Writes implements PlannedWrites {
  readonly writes = new Map<string, PlannedDocument | null>();
  #keptBytes = 0;
  readonly numbers = new Map<string, NumberChanges>();
  readonly #earlier: Writes | null;

  constructor(earlier: Writes | null = null) {
    this.#earlier = earlier;
  }

  /** Null: deleted. Undefined: not written. */
  written(id: string): PlannedDocument | null | undefined {
    const own = this.writes.get(id);
    return own === undefined ? this.#earlier?.written(id) : own;
  }

  changed(id: string): NumberChanges | undefined {
    return this.numbers.get(id) ?? (this.writes.has(id) ? undefined : this.#earlier?.changed(id));
  }

  write(id: string, document: PlannedDocument | null): void {
    this.writes.set(id, document === null ? null : this.#kept(document));
    this.numbers.delete(id);
  }

  #kept(document: PlannedDocument): PlannedDocument {
    const { source, product } = document;
    if (product === null) return document;
    this.#keptBytes += source.byteLength;
    return this.#keptBytes <= KEPT_BYTES ? document : { source, product: null };
  }

  change(id: string, changes: NumberChanges): void {
    const before = this.changed(id);
    this.numbers.set(id, before === undefined ? changes : new Map([...before, ...changes]));
  }

  /** These and a later plan on top of them. */
  with(later: Writes): Writes {
    if (sizeOfChange(this) === 0) return later;
    for (const [id, document] of later.writes) this.write(id, document);
    for (const [id, changes] of later.numbers) this.change(id, changes);
    return this;
  }
}
