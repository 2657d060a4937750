/** CPU profiles of a workerd that was started with an inspector port: V8's own, of Worker and objects together. */
import { inspected } from "../inspector.ts";

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
  };
}

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

const INTERVAL_US = 200;

/** The profile of what the process does while `work` runs. */
export async function profileOf(inspectorPort: number, work: () => Promise<void>): Promise<CpuProfile> {
  return inspected(inspectorPort, async (send) => {
    await send("Profiler.enable");
    await send("Profiler.setSamplingInterval", { interval: INTERVAL_US });
    await send("Profiler.start");
    await work();
    const { profile } = (await send("Profiler.stop")) as { readonly profile: CpuProfile };
    return profile;
  });
}

/** The functions that took the most time by themselves, with their share in percent of what was not idle. */
export function topFunctions({ nodes, samples, timeDeltas }: CpuProfile, most: number): string[] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url === "" ? "" : ` ${url.split("/").at(-1)}:${lineNumber + 1}`;
      return [id, `${functionName === "" ? "(anonymous)" : functionName}${place}`];
    }),
  );
  const us = new Map<string, number>();
  let busyUs = 0;
  samples.forEach((id, at) => {
    const name = names.get(id) ?? "?";
    if (name === "(idle)") return;
    // A longer one is a time without a core.
    const ownUs = Math.min(timeDeltas[at], INTERVAL_US * 2);
    busyUs += ownUs;
    us.set(name, (us.get(name) ?? 0) + ownUs);
  });
  return [...us]
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([name, own]) => `${((own / busyUs) * 100).toFixed(1).padStart(6)} % ${name}`);
}
