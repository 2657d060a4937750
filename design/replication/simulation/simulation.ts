/**
 * One run: two generations of an index with a primary and two replicas each, clients, flips of the pointer,
 * configuration changes, faults.
 *
 *   0 .. FAULTS_END_MS   everything may go wrong (nodes.ts, world.ts)
 *   .. SETTLED_MS        nothing new goes wrong; whatever had died is up again
 *   .. END_MS            calls that begin now must be answered, changes that began before must be over, replicas must answer by themselves
 *
 * Durations are about a tenth of the real ones, clocks are ten times as wrong.
 */
import { holdMs, type Timing } from "../protocol/index.ts";
import { startClient, type Seen, type Service } from "./clients.ts";
import { violations, type ChangeSeen, type History } from "./history.ts";
import { count, PrimaryNode, ReplicaNode, type Flaw, type Protocol, type World } from "./nodes.ts";
import { Network, Random, Timeline } from "./world.ts";

const FAULTS_END_MS = 4_000;
const SETTLED_MS = 5_500;
const LAST_CALL_MS = 6_800;
const END_MS = 8_000;
const CLIENTS = 6;
const REPLICAS = 2;

export const SIMULATED_CLOCK_BOUND = { drift: 0.1, stepMs: 60 };

export const SIMULATED_TIMING: Timing = {
  leaseMs: 300,
  holdMs: holdMs(300, SIMULATED_CLOCK_BOUND),
  arrearsMs: 150,
  resendMs: 60,
  requestMs: 400,
  patienceMs: 60,
};

export interface Run {
  readonly history: History;
  /** Against consistency. */
  readonly violations: readonly string[];
  /** Against liveness: what should have been answered and was not. */
  readonly stuck: readonly string[];
  /** How often something worth trying happened. */
  readonly counts: ReadonlyMap<string, number>;
  readonly events: number;
}

export function simulate(seed: number, protocol: Protocol, flaw: Flaw | null = null): Run {
  const random = new Random(seed);
  const timeline = new Timeline();
  // Calm runs, too: in bad ones no lease lives for long.
  const severity = random.next();
  const network = new Network(timeline, random, {
    loss: 0.3 * severity * random.next(),
    duplicate: 0.1,
    long: 0.15 * severity,
    longDelayMs: 800,
  });
  const world: World = {
    protocol,
    bound: SIMULATED_CLOCK_BOUND,
    flaw,
    timeline,
    random,
    network,
    seen: new Map(),
    configurationVersion: 1,
    isQuiet: false,
  };
  const primaries = [1, 0].map((epoch, generation) => new PrimaryNode(world, generation, epoch));
  const replicas = primaries.map((primary, generation) =>
    Array.from(
      { length: REPLICAS },
      (_, i) => new ReplicaNode(world, `replica ${generation}.${i}`, primary),
    ),
  );
  primaries.forEach((primary, generation) => primary.connect(replicas[generation]));
  const nodes = [...primaries, ...replicas.flat()];
  for (const node of nodes) node.start();

  const route = { epoch: 1, generation: 0 };
  const service: Service = { world, primaries, replicas, route, unfenced: new Set() };
  const seen: Seen = { writes: [], reads: [], failures: [], nextWriteId: 1 };
  const changes: ChangeSeen[] = [];
  for (let client = 0; client < CLIENTS; client++) startClient(service, seen, client, LAST_CALL_MS);
  changePointer(service, changes);
  changeConfiguration(service, changes);
  injectFaults(world, primaries, replicas.flat(), severity);

  timeline.at(FAULTS_END_MS, () => {
    world.isQuiet = true;
    network.heal();
    for (const node of nodes) {
      node.endZombie();
      node.start();
    }
  });
  const ownAnswers = new Set<ReplicaNode>();
  for (let atMs = SETTLED_MS; atMs < LAST_CALL_MS; atMs += 50) {
    timeline.at(atMs, () => {
      for (const node of replicas[service.route.generation]) {
        node.read(service.route.epoch, (answer) => {
          if (answer.kind === "state" && answer.by === "replica") ownAnswers.add(node);
        });
      }
    });
  }
  timeline.runUntil(END_MS);

  const stuck = seen.failures
    .filter(({ startMs }) => startMs >= SETTLED_MS)
    .map(({ startMs, what }) => `${what} of ${startMs.toFixed(0)} ms`);
  for (const change of changes) {
    if (change.endMs === null) stuck.push(`change of the ${change.kind} to ${change.value}`);
  }
  for (const node of replicas[service.route.generation]) {
    if (!ownAnswers.has(node)) stuck.push(`${node.name} never answers by itself`);
  }
  const history = { ...seen, changes, logs: primaries.map((primary) => primary.log()) };
  return {
    history,
    violations: violations(history),
    stuck,
    counts: world.seen,
    events: timeline.events,
  };
}

/** Says the same thing to an object until it answers, as the outbox of the IndexObject does. */
function insist(
  world: World,
  node: PrimaryNode,
  say: (machine: Parameters<Parameters<PrimaryNode["call"]>[0]>[0], heard: () => void) => void,
  answered: () => void,
): void {
  let isAnswered = false;
  const attempt = (): void => {
    if (isAnswered) return;
    world.network.send("control", node.name, () => {
      node.call((machine, reply) => {
        say(machine, () => {
          reply(() => {
            world.network.send(node.name, "control", () => {
              if (isAnswered) return;
              isAnswered = true;
              answered();
            });
          });
        });
      });
    });
    world.timeline.after(200, attempt);
  };
  attempt();
}

/** `done` or rollback, one at a time: commit, then the fence, then the answer. */
function changePointer(service: Service, changes: ChangeSeen[]): void {
  const { world, primaries } = service;
  const { random, timeline } = world;
  const { unfenced } = service;
  const flip = (): void => {
    if (world.isQuiet) return;
    const epoch = service.route.epoch + 1;
    const generation = 1 - service.route.generation;
    const change: ChangeSeen = {
      kind: "epoch",
      value: epoch,
      startMs: timeline.nowMs,
      endMs: null,
    };
    changes.push(change);
    unfenced.add(primaries[service.route.generation]);
    service.route = { epoch, generation };
    count(world, "pointer moved");
    let left = primaries.length;
    primaries.forEach((primary, i) => {
      const standing = { live: i === generation, epoch };
      const done = (): void => {
        unfenced.delete(primary);
        if (--left > 0) return;
        change.endMs = timeline.nowMs;
        timeline.after(random.between(50, 2_500), flip);
      };
      insist(world, primary, (machine, heard) => machine.setStanding(standing, heard), done);
    });
  };
  timeline.after(random.between(100, 3_000), flip);
}

function changeConfiguration(service: Service, changes: ChangeSeen[]): void {
  const { world, primaries } = service;
  const { random, timeline } = world;
  const change = (): void => {
    if (world.isQuiet) return;
    const value = ++world.configurationVersion;
    const startMs = timeline.nowMs;
    const seen: ChangeSeen = { kind: "configuration", value, startMs, endMs: null };
    changes.push(seen);
    count(world, "configuration changed");
    const targets = new Set([primaries[service.route.generation], ...service.unfenced]);
    let left = targets.size;
    for (const primary of targets) {
      const done = (): void => {
        if (--left === 0) seen.endMs = timeline.nowMs;
      };
      insist(world, primary, (machine, heard) => machine.heardOf(value, heard), done);
    }
    timeline.after(random.between(100, 2_000), change);
  };
  timeline.after(random.between(100, 2_000), change);
}

function injectFaults(
  world: World,
  primaries: readonly PrimaryNode[],
  replicas: readonly ReplicaNode[],
  severity: number,
): void {
  const { random, timeline, network } = world;
  const often = (meanMs: number, run: () => void): void => {
    const again = (): void => {
      if (world.isQuiet) return;
      run();
      timeline.after(random.between(0, 2 * meanMs), again);
    };
    timeline.after(random.between(0, 2 * meanMs), again);
  };
  /** Down for a moment, so that it is missed, or for longer than a lease. */
  const restart = (node: { start(): void }): void => {
    const downMs = random.chance(0.6) ? random.between(1, 30) : random.between(30, 900);
    timeline.after(downMs, () => node.start());
  };
  const endLater = (node: { endZombie(): void }): void => {
    timeline.after(random.between(50, 2_000), () => node.endZombie());
  };
  for (const primary of primaries) {
    often(60, () => primary.maintain());
    // Also restarts what died within a turn.
    often(200, () => restart(primary));
    often(600 + 1_500 * (1 - severity), () => {
      primary.crash(random.chance(0.4));
      count(world, "primary crashed");
      endLater(primary);
      restart(primary);
    });
  }
  for (const replica of replicas) {
    often(700 + 1_500 * (1 - severity), () => {
      replica.crash(random.chance(0.4), random.chance(0.5));
      count(world, "replica crashed");
      endLater(replica);
      restart(replica);
    });
    often(900 + 2_000 * (1 - severity), () => {
      const ends = [replica.name, replica.primary.name];
      const way = random.below(3);
      const forMs = random.between(50, 900);
      if (way !== 1) network.cut(ends[0], ends[1], forMs);
      if (way !== 0) network.cut(ends[1], ends[0], forMs);
      count(world, "link cut");
    });
  }
}
