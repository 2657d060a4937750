/**
 * Every point of a flow: it is taken through each call it makes (faults.ts), and there the call is refused, its answer
 * is lost, or an object dies before, during or after it. Which, changes from point to point and with the seed; a long
 * run takes all of them.
 */
import { long, seed } from "../../support/property.ts";
import { abort, faultsOf, withFaults, type Binding, type Crossing, type Fault } from "./faults.ts";

export type Victim = readonly [Binding, string];

/** A state of the world, what is done in it, and who may die meanwhile. */
export interface Scene {
  readonly name: string;
  readonly victims: readonly Victim[];
  readonly flow: () => Promise<string>;
  /** What else may happen at a point. */
  readonly others?: readonly Happening[];
  /** Only calls of R2 are points. */
  readonly ofR2?: boolean;
  /** So many happenings per point in a short run; 1 if not said. */
  readonly perPoint?: number;
  /** So many per point in a long run; all if not said. */
  readonly perPointLong?: number;
  /** In a short run only so many of the points, others with another seed; 6 if not said. */
  readonly points?: number;
  /** 30 s if not said. */
  readonly hangsAfterMs?: number;
}

interface Happening {
  readonly what: string;
  readonly fault: Fault;
}

/** Loops take their time where others use the machine, too. */
export const LOOP = { timeout: long ? 1_800_000 : 400_000 };

/** Numbers of shards that a loop is run with: a short run takes one shard or several, a long one both. */
export const SHARD_COUNTS: readonly number[] = long ? [1, 4] : [seed % 2 === 0 ? 1 : 4];

/** A flow is never slower than this, whoever dies. */
const HANGS_AFTER_MS = 30_000;

/** What may happen at one point: the call is refused, its answer is lost, or a victim dies around it. */
function happenings({ victims, others }: Scene, crossing: Crossing): Happening[] {
  const deaths = victims.flatMap(([binding, name]) => {
    const dies = (): Promise<void> => abort(binding, name);
    return [
      { what: `${binding} ${name} dies before`, fault: { before: dies } },
      { what: `${binding} ${name} dies during`, fault: { during: dies } },
      { what: `${binding} ${name} dies after`, fault: { after: dies } },
    ];
  });
  return [
    ...deaths,
    ...(others ?? []),
    { what: "is refused", fault: "fail" },
    { what: "loses its answer", fault: "lost" },
    // What only R2 can suffer.
    ...(crossing.kind === "r2" ? faultsOf(crossing) : [])
      .filter((fault) => typeof fault === "string" && fault !== "fail" && fault !== "lost")
      .map((fault) => ({ what: `R2: ${JSON.stringify(fault)}`, fault })),
  ];
}

export async function everyPoint<S extends Scene>(
  prepare: () => Promise<S>,
  check: (scene: S, result: string, label: string, turn: number) => Promise<void>,
): Promise<number> {
  // The undisturbed run says how many points there are, and has to pass the check like all others.
  const calm = await prepare();
  const { result, crossings: all } = await withFaults(calm.name, () => null, calm.flow);
  const isPoint = ({ kind }: Crossing): boolean => calm.ofR2 !== true || kind === "r2";
  const crossings = all.filter(isPoint);
  if (result !== "ok") throw new Error(`${result} without any fault`);
  await check(calm, result, "undisturbed", 0);

  let turn = seed;
  let reached = 0;
  const stride = long ? 1 : Math.max(1, Math.floor(crossings.length / (calm.points ?? 6)));
  for (let point = seed % stride; point < crossings.length; point += stride) {
    const most = happenings(calm, crossings[point]).length;
    const count = Math.min(most, long ? (calm.perPointLong ?? most) : (calm.perPoint ?? 1));
    for (let i = 0; i < count; i++) {
      const scene = await prepare();
      turn++;
      let passed = 0;
      let met: Crossing | null = null;
      let chosen: Happening | undefined;
      const plan = (crossing: Crossing): Fault | null => {
        if (!isPoint(crossing) || passed++ !== point) return null;
        met = crossing;
        const all = happenings(scene, crossing);
        // Steps of a number that shares no factor with the list's length take all of them in the end.
        chosen = all[count === all.length ? i : (turn * 7) % all.length];
        return chosen?.fault ?? null;
      };
      const ended = await withFaults(scene.name, plan, () =>
        Promise.race([
          scene.flow().catch(() => "exception"),
          scheduler.wait(scene.hangsAfterMs ?? HANGS_AFTER_MS).then(() => "hangs"),
        ]),
      );
      const at = met as Crossing | null;
      if (at !== null) reached++;
      const what = (chosen as Happening | undefined)?.what;
      const label = `point ${point}, ${at?.what} ${at?.on}: ${what} -> ${ended.result}`;
      if (ended.result === "hangs") throw new Error(label);
      await check(scene, ended.result, label, turn);
    }
  }
  return reached;
}

/** As a client would: again while the platform fails. */
export async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}
