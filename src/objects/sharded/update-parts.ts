/**
 * Cuts an update into the parts of its shards, and joins their answers. In steps, because an update may have 100,000
 * documents.
 */
import { parseIdOnly, readableId } from "../../index-engine/documents/index.ts";
import { shardIndexOf } from "../partition.ts";
import type { Steps } from "../pause.ts";
import type { Route, ShardUpdateAnswer, UpdateChange, UpdatePart } from "../protocol/index.ts";

/** By position in the request; null: not a document, or no id. */
type Ids = readonly (string | null)[];

/** Costs as Pause counts: of an id or document that is looked at, and of a byte in which an id is searched. */
const ID_BYTES = 8;
const SCANNED_SHARE = 1 / 4;

/** By the documents of an update, whose ids are asked for several times. */
const known = new WeakMap<readonly Uint8Array[], Ids>();

/** An id that is not valid UTF-8 is an id here, but its shard rejects the document without one. */
export function* idsOf(change: UpdateChange): Steps<Ids> {
  if (change.kind === "delete") return change.ids;
  const { documents } = change;
  const before = known.get(documents);
  if (before !== undefined) return before;
  const ids: (string | null)[] = [];
  for (const bytes of documents) {
    ids.push(readableId(parseIdOnly(bytes)));
    yield ID_BYTES + bytes.byteLength * SCANNED_SHARE;
  }
  known.set(documents, ids);
  return ids;
}

/** At least one, in shard order. */
export function* partsOf(
  route: Pick<Route, "shards" | "partitions">,
  change: UpdateChange,
  ids: Ids,
): Steps<UpdatePart[]> {
  const positions: (number[] | undefined)[] = route.shards.map(() => undefined);
  for (const [position, id] of ids.entries()) {
    (positions[id === null ? 0 : shardIndexOf(route, id)] ??= []).push(position);
    yield ID_BYTES;
  }
  const parts: UpdatePart[] = [];
  for (const [i, shard] of route.shards.entries()) {
    const own = positions[i];
    if (own === undefined) continue;
    const readable = own.map((position) => ids[position]).filter((id) => id !== null);
    parts.push({ shard, change: yield* partOf(change, own), ids: readable });
  }
  const [first] = route.shards;
  return parts.length === 0 ? [{ shard: first, change, ids: [] }] : parts;
}

function* partOf(change: UpdateChange, positions: readonly number[]): Steps<UpdateChange> {
  return change.kind === "delete"
    ? { ...change, ids: positions.map((position) => change.ids[position]) }
    : { ...change, documents: yield* apart(positions.map((position) => change.documents[position])) };
}

/** Copies documents to their own buffer, because sending a view sends its whole buffer, the request body. */
function* apart(documents: readonly Uint8Array[]): Steps<Uint8Array[]> {
  const whole = new Uint8Array(documents.reduce((sum, { byteLength }) => sum + byteLength, 0));
  const copies: Uint8Array[] = [];
  let end = 0;
  for (const document of documents) {
    whole.set(document, end);
    copies.push(whole.subarray(end, (end += document.byteLength)));
    yield ID_BYTES;
  }
  return copies;
}

/** The answers of the parts as a single shard would give them. */
export function* joined(ids: Ids, answers: readonly ShardUpdateAnswer[]): Steps<ShardUpdateAnswer> {
  const results = new Map<string, ShardUpdateAnswer[string]>();
  for (const answer of answers) {
    for (const [id, result] of Object.entries(answer)) {
      results.set(id, result);
      yield ID_BYTES;
    }
  }
  const inOrder = new Map<string, ShardUpdateAnswer[string]>();
  for (const id of ids) {
    const result = results.get(id ?? "");
    if (result !== undefined) inOrder.set(id ?? "", result);
    yield ID_BYTES;
  }
  for (const [id, result] of results) if (!inOrder.has(id)) inOrder.set(id, result);
  return Object.fromEntries(inOrder);
}
