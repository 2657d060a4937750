/** What a search answered, as plain data, and where two answers differ. */
import type { Execution } from "../../src/index-engine/index.ts";

/** Each part is compared by itself. `error`: the message, where a side threw. */
export const PARTS = ["error", "matchCount", "hits", "facets", "setCounts", "meta"] as const;
export type Part = (typeof PARTS)[number];
export type Outcome = Readonly<Record<Part, unknown>>;

/** One part of one answer that is not the same. */
export interface PartDifference {
  /** Of meta each key by itself: `meta.query_stage`. */
  readonly part: Exclude<Part, "meta"> | `meta.${string}`;
  /** Up to PLACES of them, such as `hits[3].score: 12 instead of 13`. */
  readonly places: readonly string[];
  readonly here: unknown;
  readonly there: unknown;
}

const PLACES = 5;

export function outcomeOf(run: () => Execution): Outcome {
  const nothing = { matchCount: null, hits: null, facets: null, setCounts: null, meta: null };
  try {
    const execution = run();
    return {
      error: null,
      matchCount: execution.matchCount,
      hits: execution.hits.map((hit) => ({
        id: hit.id,
        score: hit.score,
        variant: hit.variant,
        // A sum of fractions: the order of adding may change its last digits, and no order of hits depends on those.
        variantScore: hit.variantScore === null ? null : Number(hit.variantScore.toFixed(9)),
        sortValues: hit.sortValues,
        sortedFields: hit.sortedFields,
        matchedQueries: hit.matchedQueries,
        set: hit.set,
      })),
      facets: facetsOf(execution),
      setCounts: execution.setCounts,
      meta: execution.meta,
    };
  } catch (error) {
    return { ...nothing, error: error instanceof Error ? error.message : String(error) };
  }
}

function facetsOf({ facets }: Execution): Record<string, unknown> | null {
  if (facets === null) return null;
  return Object.fromEntries(
    facets.fields().map(({ name, kind, coverage }) => [
      `${name}|${kind}`,
      {
        coverage,
        values: facets
          .values(name, kind)
          .map(({ key, value, id, ids, count }) => ({ key, value, id, ids, count })),
      },
    ]),
  );
}

export function differencesOf(here: Outcome, there: Outcome): PartDifference[] {
  const found: PartDifference[] = [];
  // A side that throws has no other parts to compare.
  const parts = here.error === there.error ? PARTS : (["error"] as const);
  const compare = (part: PartDifference["part"], own: unknown, other: unknown): void => {
    const places: string[] = [];
    collect(own, other, part, places);
    if (places.length > 0) found.push({ part, places, here: own, there: other });
  };
  for (const part of parts) {
    if (part !== "meta") {
      compare(part, here[part], there[part]);
      continue;
    }
    const [own, other] = [here.meta, there.meta].map((meta) => (isObject(meta) ? meta : {}));
    for (const key of new Set([...Object.keys(own), ...Object.keys(other)])) {
      compare(`meta.${key}`, own[key], other[key]);
    }
  }
  return found;
}

/** Adds the places at which plain data differ, depth first, until there are enough. */
function collect(here: unknown, there: unknown, path: string, places: string[]): void {
  if (Object.is(here, there) || places.length >= PLACES) return;
  if (Array.isArray(here) && Array.isArray(there)) {
    if (here.length !== there.length) {
      places.push(`${path}.length: ${here.length} here, ${there.length} there`);
    }
    const shared = Math.min(here.length, there.length);
    for (let i = 0; i < shared; i++) collect(here[i], there[i], `${path}[${i}]`, places);
    return;
  }
  if (isObject(here) && isObject(there)) {
    for (const key of Object.keys(here)) collect(here[key], there[key], `${path}.${key}`, places);
    for (const key of Object.keys(there)) {
      if (!(key in here)) collect(undefined, there[key], `${path}.${key}`, places);
    }
    return;
  }
  places.push(`${path}: ${brief(here)} here, ${brief(there)} there`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function brief(value: unknown, most = 200): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
