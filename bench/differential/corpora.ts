/**
 * A catalogue as one side indexes it, in three shapes that exercise different code:
 *
 *   whole      one reader, one merged segment
 *   updated    one reader with three segments: some products were updated, some deleted, and some had only numbers
 *              changed, which lie over their segment
 *   readers    three readers, one for each of those segments, asked together by searchAll
 *
 * `updated` and `readers` hold the same live products; `whole` holds the catalogue as it came.
 */
import type { FieldPlan, Reader, Segment } from "../../src/index-engine/index.ts";
import { sourceOf, updated, type ShopDocument } from "./catalogue.ts";
import type { Side } from "./side.ts";

export type CorpusName = "whole" | "updated" | "readers";

/** A catalogue as bytes, cut for both sides alike. */
interface Cut {
  readonly whole: readonly Uint8Array[];
  readonly parts: readonly (readonly Uint8Array[])[];
  /** Ids deleted after each part was written. */
  readonly deleted: readonly (readonly string[])[];
  /** Numbers changed alone, in the end: id -> field -> number. */
  readonly changed: readonly (readonly [id: string, numbers: ReadonlyMap<string, number>])[];
}

export interface Corpora {
  readonly plan: FieldPlan;
  readonly readers: Readonly<Record<CorpusName, readonly Reader[]>>;
}

const PARTS = 3;
const UPDATED_EVERY = 20;
const DELETED_EVERY = 30;
const CHANGED_EVERY = 25;
const LOCALE = "en";

export function cut(documents: readonly ShopDocument[]): Cut {
  const parts: Uint8Array[][] = Array.from({ length: PARTS }, () => []);
  const deleted: string[][] = parts.map(() => []);
  const whole = documents.map(sourceOf);
  documents.forEach((document, at) => {
    // By position, not by id: neighbours in a catalogue are alike, and segments should differ.
    const part = Math.floor((at * PARTS) / documents.length);
    parts[part].push(whole[at]);
    const later = part + 1 + (Math.floor(at / 7) % 2);
    if (later >= PARTS) return;
    if (at % UPDATED_EVERY === 0) parts[later].push(sourceOf(updated(document, at)));
    else if (at % DELETED_EVERY === 1) deleted[later].push(document.id);
  });
  return { whole, parts, deleted, changed: changesOf(documents) };
}

/** Of products without variants, which have one price and one stock. */
function changesOf(documents: readonly ShopDocument[]): Cut["changed"] {
  return documents.flatMap((document, at) => {
    const { price } = document.data;
    const hasVariants = (document.variants?.length ?? 0) > 0;
    if (at % CHANGED_EVERY !== 3 || hasVariants || typeof price !== "number") return [];
    const numbers = new Map([
      ["price", Math.round(price * 90) / 100],
      ["stock", at % 11],
    ]);
    return [[document.id, numbers]];
  });
}

export function build(side: Side, { whole, parts, deleted, changed }: Cut): Corpora {
  const { engine, indexSet } = side.modules;
  const { plan, reader } = indexSet.indexDataset({ locale: LOCALE, sources: whole });
  let three: Reader = engine.Reader.empty;
  parts.forEach((sources, part) => {
    const segment = onlySegment(indexSet.indexDataset({ locale: LOCALE, sources }).reader);
    three = three.withUpdate(segment, deleted[part]);
  });
  three = three.withNumbers(changed);
  const each = three.segments.map((live) => engine.Reader.ofDisjoint([live]));
  return { plan, readers: { whole: [reader], updated: [three], readers: each } };
}

function onlySegment(reader: Reader): Segment {
  const [live, ...others] = reader.segments;
  if (live === undefined || others.length > 0) throw new Error("not one segment");
  return live.segment;
}
