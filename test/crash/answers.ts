/** What the service answered, as the model has it: canonical texts, names, sights. */
import type { Answer } from "./service.ts";
import { canonical } from "./product.ts";
import type { Action, Sight } from "./world.ts";

/** The name of the generation that is live again. */
export function rolledBackTo(text: string): string {
  return (JSON.parse(text) as { physicalName: string }).physicalName;
}

/**
 * Name of the new generation and how many documents it has. Throws when something else than the documents has changed.
 */
export function reindexed(text: string, shards: number): string {
  const answer = JSON.parse(text) as { physicalName: string; documents: number; shards: number; rejected: number };
  // The catalogue has no document that any of its configurations refuses.
  if (answer.rejected !== 0 || answer.shards !== shards) throw new Error(`a reindex: ${text}`);
  return `${answer.physicalName} ${answer.documents}`;
}

/**
 * What the Worker says of a call that the platform has broken off: whether it was carried out is open
 * (src/worker/errors.ts).
 */
const INTERRUPTED = "The index was interrupted; try again.";

/**
 * Whether the refusal of a reindex says that it has not happened and will not. Every 503 that is an answer of the
 * index does: the session asks the index how it stands before it fails, and by then the index has it cancelled or
 * removed for good, or completed, which is a success (src/objects/session/reindex-run.ts). What an interrupted call
 * has become only its alarm knows; an overload (429) may hide that, too.
 */
export function isGivenUp({ status, text }: Answer): boolean {
  if (status !== 503) return false;
  return (JSON.parse(text) as { message?: unknown }).message !== INTERRUPTED;
}

export function nameOf(text: string): string {
  return (JSON.parse(text) as { temporaryIndexName: string }).temporaryIndexName;
}

export function successOf(text: string, { kind }: Action): string {
  switch (kind) {
    case "put":
    case "patch":
    case "delete":
      return canonical(JSON.parse(text));
    case "add":
      return text;
    default:
      return "ok";
  }
}

export function errorTypeOf({ status, text }: Answer): string {
  const { type } = JSON.parse(text) as { type?: unknown };
  if (typeof type !== "string") throw new Error(`${status} without a type: ${text}`);
  return type;
}

/** What a search that matches everything shows. Throws when it shows more than one generation, or miscounts. */
export function sightOf(text: string, ids: ReadonlySet<string> | null): Sight {
  const { slices } = JSON.parse(text) as {
    slices: { matchCount: number; hits: { index: string; document: { id: string; data: { stamp?: string } } }[] }[];
  };
  const [slice] = slices;
  if (slice === undefined || slice.matchCount !== slice.hits.length) {
    throw new Error(`${slice?.matchCount} matches, ${slice?.hits.length} hits: ${text}`);
  }
  const names = new Set(slice.hits.map((hit) => hit.index));
  if (names.size > 1) throw new Error(`an answer out of ${[...names].join(" and ")}`);
  const [name] = names;
  return {
    name: name ?? null,
    ids,
    documents: new Map(
      slice.hits
        .filter(({ document }) => ids?.has(document.id) !== false)
        .map(({ document }) => [document.id, String(document.data.stamp)]),
    ),
  };
}

export function differences(
  expected: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
): string {
  return Object.keys(expected)
    .filter((key) => expected[key] !== found[key])
    .map((key) => `${key}\n${difference(expected[key] ?? "", found[key] ?? "")}`)
    .slice(0, 4)
    .join("\n");
}

/** Two texts around the place where they part. */
function difference(expected: string, found: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === found[at]) at++;
  const around = (text: string): string => text.slice(Math.max(0, at - 120), at + 120);
  return `  expected ...${around(expected)}...\n  found    ...${around(found)}...`;
}
