/**
 * Parses the service's `Server-Timing` header into bars.
 *
 *   route;dur=4.1, engine;dur=3.0  ->  [{name: "route", ms: 4.1}, {name: "engine", ms: 3}]
 */
export interface Timing {
  readonly name: string;
  readonly ms: number;
}

export function parseServerTiming(header: string | null): Timing[] {
  return (header ?? "").split(",").flatMap((entry) => {
    const [name = "", ...attributes] = entry.split(";").map((part) => part.trim());
    const duration = attributes.map((one) => /^dur=([0-9.]+)$/.exec(one)?.[1]).find(Boolean);
    const ms = Number(duration);
    return name === "" || duration === undefined || Number.isNaN(ms) ? [] : [{ name, ms }];
  });
}

const PHASES: Readonly<Record<string, string>> = {
  route: "call of the index",
  engine: "search engine",
};

export interface TimingBar {
  readonly label: string;
  readonly ms: number;
  /** Share of the total, 0 to 1. */
  readonly share: number;
}

/** Longest first, because the round trip includes the Worker's time, which includes the index's. */
export function timingBars(roundTripMs: number, tookInMillis: number | null, timings: readonly Timing[]): TimingBar[] {
  const wholeMs = Math.max(roundTripMs, 0.1);
  const bars = [{ label: "round trip", ms: roundTripMs }];
  if (tookInMillis !== null) bars.push({ label: "tookInMillis", ms: tookInMillis });
  for (const { name, ms } of timings) {
    bars.push({ label: Object.hasOwn(PHASES, name) ? (PHASES[name] ?? name) : name, ms });
  }
  return bars.map(({ label, ms }) => ({
    label,
    ms,
    share: Math.min(1, Math.max(0, ms / wholeMs)),
  }));
}

export function formatMs(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(2)} s`;
  return `${ms < 10 && !Number.isInteger(ms) ? ms.toFixed(1) : Math.round(ms)} ms`;
}
