/** The process of one engine. It loads the engine and does what the parent says, one command after the other. */
import { queriesOf, type Mode } from "../synthetic/queries.ts";
import { AisleCore } from "./aisle.ts";
import { loadEngine, type Loaded } from "./engines.ts";
import type { Command, Reply } from "./messages.ts";

let loaded: Loaded | null = null;

function answer(command: Command): Reply {
  if (command.kind === "load") {
    loaded = loadEngine(command.engine, command.workload);
    const { facts, modes } = loaded.engine;
    return { kind: "loaded", facts, modes };
  }
  if (loaded === null) throw new Error(`${command.kind} before load`);
  const { engine, queries } = loaded;
  const asked = queriesOf(command.mode, queries);
  switch (command.kind) {
    case "run":
      return {
        kind: "ran",
        us: timesOf(loaded, command.mode, asked.slice(command.from, command.to)),
      };
    case "warm":
      return { kind: "warmed", hits: warmed(loaded, command.mode, asked, command) };
    case "check":
      return {
        kind: "checked",
        squares: asked.slice(0, command.queries).map((query) => {
          engine.run(command.mode, query);
          return engine.countSquares();
        }),
      };
    case "filled": {
      const isFilled = (query: number): boolean => engine instanceof AisleCore && engine.isFilled(command.mode, query);
      return { kind: "told", filled: asked.flatMap((query, at) => (isFilled(query) ? [at] : [])) };
    }
    case "fresh": {
      if (!(engine instanceof AisleCore)) return { kind: "opened", us: null };
      const { openUs, queryUs } = engine.firstQueryUs(command.mode, queries);
      return { kind: "opened", us: { open: openUs, query: queryUs } };
    }
  }
}

function timesOf({ engine }: Loaded, mode: Mode, asked: readonly number[]): number[] {
  const us: number[] = [];
  for (const query of asked) {
    const startMs = performance.now();
    engine.run(mode, query);
    us.push((performance.now() - startMs) * 1_000);
  }
  return us;
}

function warmed(
  { engine }: Loaded,
  mode: Mode,
  asked: readonly number[],
  { leastMs, mostMs }: { readonly leastMs: number; readonly mostMs: number },
): number[] {
  const hits: number[] = [];
  const startMs = performance.now();
  for (const query of asked) {
    hits.push(engine.run(mode, query));
    if (performance.now() - startMs > mostMs) return hits;
  }
  while (performance.now() - startMs < leastMs) for (const query of asked) engine.run(mode, query);
  return hits;
}

process.on("message", (command: Command) => {
  process.send?.(answer(command));
});
