/** What the parent of the core benchmark and the process of an engine say to each other. */
import type { Mode } from "../synthetic/queries.ts";
import type { EngineFacts } from "./core-engine.ts";
import type { EngineName, Workload } from "./engines.ts";

export type Command =
  | { readonly kind: "load"; readonly engine: EngineName; readonly workload: Workload }
  /** Queries [from, to) of the mode, in turn. */
  | { readonly kind: "run"; readonly mode: Mode; readonly from: number; readonly to: number }
  /** Passes over the mode until `leastMs` are over, at least one; stops for good at `mostMs`. */
  | {
      readonly kind: "warm";
      readonly mode: Mode;
      readonly leastMs: number;
      readonly mostMs: number;
    }
  /** Facet counts of the first queries of the mode. */
  | { readonly kind: "check"; readonly mode: Mode; readonly queries: number }
  | { readonly kind: "filled"; readonly mode: Mode }
  | { readonly kind: "fresh"; readonly mode: Mode };

export type Reply =
  | { readonly kind: "loaded"; readonly facts: EngineFacts; readonly modes: readonly Mode[] }
  | { readonly kind: "ran"; readonly us: readonly number[] }
  /** Hits of each query that was reached. */
  | { readonly kind: "warmed"; readonly hits: readonly number[] }
  /** Per query, as `CoreEngine.countSquares` gives them. */
  | { readonly kind: "checked"; readonly squares: readonly (readonly number[] | null)[] }
  /** Queries whose result is filled, by place. */
  | { readonly kind: "told"; readonly filled: readonly number[] }
  /** The first query of a freshly opened segment in a warm process. Null where there are no segments. */
  | {
      readonly kind: "opened";
      readonly us: { readonly open: number; readonly query: number } | null;
    };
