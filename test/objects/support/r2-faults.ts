/**
 * Every fault of R2 at every call of a flow (faults.ts); points.ts does the same for all calls and for objects that
 * die around them.
 */
import { long, seed } from "../../support/property.ts";
import { faultsOf, withFaults, type Crossing, type Fault } from "./faults.ts";

/** What happened to a flow under one fault. */
export interface Tried {
  readonly crossing: Crossing;
  readonly fault: Fault;
  /** "ok", the type of the error, or "exception". */
  readonly outcome: string;
}

/**
 * Takes a flow through every R2 call it makes and every fault of that call: `prepare` makes the state, `flow` is run
 * under the fault, `check` looks at what is left. Ends with the first call number that the flow does not reach any
 * more.
 */
export async function everyFault<S>(parts: {
  /** Of the index. */
  readonly name: string;
  /** Every fault of a call only in a long run; otherwise one of them, another with another seed. */
  readonly sampled?: boolean;
  readonly stride?: number;
  readonly prepare: () => Promise<S>;
  readonly flow: (state: S) => Promise<string>;
  readonly check: (state: S, tried: Tried) => Promise<void>;
}): Promise<Tried[]> {
  const all: Tried[] = [];
  // Several shards make several times the calls: of these a short run takes a part, another one with another seed.
  const stride = parts.sampled === true && !long ? (parts.stride ?? 1) : 1;
  for (let call = seed % stride; ; call += stride) {
    for (let which = 0; ; which++) {
      if (which > 0 && parts.sampled === true && !long) break;
      const state = await parts.prepare();
      const met: { crossing: Crossing; fault: Fault }[] = [];
      let calls = 0;
      const { result } = await withFaults(
        parts.name,
        (crossing) => {
          if (crossing.kind !== "r2" || calls++ !== call) return null;
          const faults = faultsOf(crossing);
          const sampled = parts.sampled === true && !long;
          const fault = faults[sampled ? (call + seed) % faults.length : which];
          if (fault === undefined) return null;
          met.push({ crossing, fault });
          return fault;
        },
        () => parts.flow(state).catch(() => "exception"),
      );
      const [hit] = met;
      if (hit === undefined) {
        // Without a fault it works; and a flow that meets no call at all proves nothing.
        if (result !== "ok") throw new Error(`${result} without any fault`);
        if (which === 0) return all;
        break;
      }
      const tried = { ...hit, outcome: result };
      all.push(tried);
      await parts.check(state, tried);
    }
  }
}

export function labelOf({ crossing, fault, outcome: result }: Tried): string {
  return `call ${crossing.ordinal}: ${crossing.what} ${crossing.on}: ${JSON.stringify(fault)} -> ${result}`;
}
