/**
 * What clients saw of a run, and whether a service without replicas could have shown it to them.
 *
 * The state of a generation only grows by positions, so its linearizability needs no search (Herlihy and Wing 1990,
 * for a register whose values are numbered in the order they are written): every read fits between what was certain
 * before it began and what was possible when it ended. Times are true times, of which no node knows anything.
 */

export interface WriteSeen {
  readonly kind: "write";
  readonly id: number;
  readonly startMs: number;
  readonly generation: number;
  readonly epoch: number;
  /** As the primary appended it; null: it never did. */
  position: number | null;
  /** When the client had the answer; null: it had none, so the write may be there or not. */
  endMs: number | null;
}

/** A read that was answered. */
export interface ReadSeen {
  readonly kind: "read";
  readonly client: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly generation: number;
  readonly epoch: number;
  readonly position: number;
  readonly configurationVersion: number;
  /** Contents that were shown. */
  readonly shown: string;
}

/** `done`, rollback or a configuration change: from the answer on nobody may be answered under a lower value. */
export interface ChangeSeen {
  readonly kind: "epoch" | "configuration";
  readonly value: number;
  readonly startMs: number;
  /** Null: it was never answered. */
  endMs: number | null;
}

export interface History {
  readonly writes: readonly WriteSeen[];
  readonly reads: readonly ReadSeen[];
  readonly changes: readonly ChangeSeen[];
  /**
   * generation -> position -> what is durable there at the end: which write, and the contents up to it. Index 0: the
   * import.
   */
  readonly logs: readonly (readonly { readonly id: number; readonly contents: string }[])[];
}

/** Empty: nothing is wrong. */
export function violations({ writes, reads, changes, logs }: History): string[] {
  const found: string[] = [];
  const say = (rule: string, details: unknown): void => {
    found.push(`${rule}: ${JSON.stringify(details)}`);
  };

  for (const write of writes) {
    if (write.endMs === null || write.position === null) continue;
    if (logs[write.generation][write.position]?.id !== write.id) {
      say("an acknowledged write is not in the log", write);
    }
    for (const later of writes) {
      if (later.position === null || later.generation !== write.generation) continue;
      if (later.startMs > write.endMs && later.position <= write.position) {
        say("writes changed places", { write, later });
      }
    }
  }

  for (const read of reads) {
    const truth = logs[read.generation][read.position];
    if (truth === undefined) say("a read shows what never was", read);
    else if (truth.contents !== read.shown) say("a read shows wrong contents", { read, truth });
    const source = writes.find((write) => write.id === truth?.id);
    if (source !== undefined && source.startMs > read.endMs) {
      say("a read shows the future", { read, source });
    }
    for (const write of writes) {
      if (write.generation !== read.generation || write.position === null) continue;
      if (write.endMs !== null && write.endMs < read.startMs && write.position > read.position) {
        say("a read does not see an acknowledged write", { read, write });
      }
    }
    for (const later of reads) {
      if (later.generation !== read.generation || later.startMs <= read.endMs) continue;
      if (later.position < read.position) say("a later read goes back", { read, later });
    }
    for (const change of changes) {
      if (change.endMs === null || change.endMs >= read.startMs) continue;
      const under = change.kind === "epoch" ? read.epoch : read.configurationVersion;
      if (under < change.value) say(`a read under an old ${change.kind}`, { read, change });
    }
  }

  for (const write of writes) {
    for (const change of changes) {
      if (change.kind !== "epoch" || change.endMs === null || write.endMs === null) continue;
      if (change.endMs < write.startMs && write.epoch < change.value) {
        say("a write to a retired epoch was acknowledged", { write, change });
      }
    }
  }
  return found;
}
