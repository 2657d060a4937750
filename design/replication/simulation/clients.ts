/**
 * Clients of the simulated world, each a Worker isolate with its own cached route: one call after the other, at
 * whatever object is chosen.
 *
 * A read notes when it first began, whatever it had to try. A write that was sent is never sent again: its outcome may
 * be unknown, and then it may be in the log or not.
 */
import type { ReadSeen, WriteSeen } from "./history.ts";
import { count, type PrimaryNode, type ReplicaNode, type World } from "./nodes.ts";

export interface Route {
  readonly epoch: number;
  readonly generation: number;
}

export interface Service {
  readonly world: World;
  readonly primaries: readonly PrimaryNode[];
  /** By generation. */
  readonly replicas: readonly (readonly ReplicaNode[])[];
  /** The IndexObject's pointer. */
  route: Route;
  /** What the pointer left and has not answered yet that it is retired: it still answers calls with its epoch. */
  readonly unfenced: Set<PrimaryNode>;
}

/** What clients saw. */
export interface Seen {
  readonly writes: WriteSeen[];
  readonly reads: ReadSeen[];
  /** Calls that got no answer. */
  readonly failures: { readonly startMs: number; readonly what: string }[];
  nextWriteId: number;
}

const TIMEOUT_MS = 1_000;
const ROUNDS = 4;
const KEYS = 5;

/** `again`: stale or unavailable, so with a fresh route once more. Answers whether anybody still waits. */
type Settle = (outcome: "done" | "again") => boolean;

export function startClient(
  service: Service,
  seen: Seen,
  client: number,
  lastCallMs: number,
): void {
  const { world, primaries, replicas } = service;
  const { random, timeline, network } = world;
  const name = `client ${client}`;
  const writeShare = random.between(0.1, 0.6);
  const pauseMs = random.between(2, 40);
  let route = service.route;

  next();

  function next(): void {
    timeline.after(random.between(0, 2 * pauseMs), () => {
      if (timeline.nowMs > lastCallMs) return;
      if (random.chance(writeShare)) write(timeline.nowMs, seen.nextWriteId++);
      else read(timeline.nowMs);
    });
  }

  function call(
    what: string,
    startMs: number,
    run: (settle: Settle) => void,
    rounds = ROUNDS,
  ): void {
    let isOver = false;
    const fail = (): void => {
      seen.failures.push({ startMs, what });
      next();
    };
    timeline.after(TIMEOUT_MS, () => {
      if (isOver) return;
      isOver = true;
      fail();
    });
    run((outcome) => {
      if (isOver) return false;
      isOver = true;
      if (outcome === "done") next();
      else if (rounds === 0) fail();
      else {
        timeline.after(random.between(1, 40), () => {
          route = service.route;
          call(what, startMs, run, rounds - 1);
        });
      }
      return true;
    });
  }

  function write(startMs: number, id: number): void {
    const key = random.below(KEYS);
    call(`write ${id}`, startMs, (settle) => {
      const { epoch, generation } = route;
      const primary = primaries[generation];
      let isSent = false;
      network.send(name, primary.name, () => {
        // A PUT that is doubled on its way is two writes; one is enough here.
        if (isSent) return;
        isSent = true;
        primary.call((machine, reply) => {
          const write: WriteSeen = {
            kind: "write",
            id,
            startMs,
            generation,
            epoch,
            position: null,
            endMs: null,
          };
          const acknowledge = (): void => {
            if (settle("done")) write.endMs = timeline.nowMs;
          };
          const position = machine.append(epoch, [[key, id]], () => {
            reply(() => network.send(primary.name, name, acknowledge));
          });
          if (position === null) {
            reply(() => network.send(primary.name, name, () => settle("again")));
          } else {
            write.position = position;
            seen.writes.push(write);
          }
        });
      });
    });
  }

  function read(startMs: number): void {
    call("read", startMs, (settle) => {
      const { epoch, generation } = route;
      const primary = primaries[generation];
      const at = random.below(replicas[generation].length + 1);
      const node = at === replicas[generation].length ? primary : replicas[generation][at];
      network.send(name, node.name, () => {
        node.read(epoch, (answer, shown) => {
          network.send(node.name, name, () => {
            if (answer.kind !== "state") {
              settle("again");
            } else if (settle("done")) {
              count(world, `answered by the ${answer.by}`);
              const endMs = timeline.nowMs;
              seen.reads.push({
                kind: "read",
                client,
                startMs,
                endMs,
                generation,
                ...answer.at,
                shown,
              });
            }
          });
        });
      });
    });
  }
}
