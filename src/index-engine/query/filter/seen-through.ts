/**
 * A view of a reader for a tenant with filters (docs/security.md "Filters of a tenant"). Products that do not pass are
 * treated as deleted, so nothing derived from the view reveals them: hits, counts, suggestions, corrections, idf.
 *
 *   reader       A red, B blue, C red (deleted)      filters {color: "red"}
 *   view         A red, B blue (deleted), C red (deleted)
 *
 * A product is visible with all its variants if one of them passes. Nothing passes an unreadable filter. A filter
 * applies to every possible kind of its field, so shards interpret it equally: `10-20` is both a range of numbers and
 * the term "10-20", `brand.id` is always the id of a brand, `id` that of a document.
 *
 * Views are cached with the reader, and their parts with the segments, few of which change with an update.
 */
import type { TenantConfig } from "../../../interface/index.ts";
import { ByteCache, emptyBits, getOrInsert, invert, wordsFor } from "../../base/index.ts";
import { Reader } from "../../index/index.ts";
import { FACET_KINDS, type LiveSegment } from "../../segment/model/index.ts";
import { FilterBitset } from "./evaluate.ts";
import { readFilterParameter } from "./parameter.ts";
import { DOCUMENT_ID, resolveFilters, type PlannedFilter } from "./resolve.ts";

/** Maximum number of cached views per segment. */
const BUDGET_VIEWS = 32;
const MINIMUM_BYTES = 16_384;
/** Maximum number of cached views per reader; the cache is emptied when full. */
const MOST_VIEWS = 64;

const viewsOfReaders = new WeakMap<Reader, Map<string, Reader>>();
const viewsOfSegments = new WeakMap<LiveSegment, ByteCache<LiveSegment>>();

/** Returns the reader itself without filters. */
export function seenThrough(reader: Reader, filters: TenantConfig["filters"]): Reader {
  const texts = Object.entries(filters);
  if (texts.length === 0) return reader;
  const key = JSON.stringify(texts);
  const views = getOrInsert(viewsOfReaders, reader, () => new Map<string, Reader>());
  return getOrInsert(views, key, () => {
    if (views.size >= MOST_VIEWS) views.clear();
    return viewOf(reader, key, planned(texts));
  });
}

export function viewBytes(segments: Iterable<LiveSegment>): number {
  let bytes = 0;
  for (const live of segments) bytes += viewsOfSegments.get(live)?.bytes ?? 0;
  return bytes;
}

/** Null if nothing passes. */
function planned(texts: readonly (readonly [string, string])[]): readonly PlannedFilter[] | null {
  const parameters = texts.flatMap(([name, text]) => readFilterParameter(name, text) ?? []);
  const kinds = (field: string) => (field === DOCUMENT_ID ? [] : FACET_KINDS);
  const filters = resolveFilters(parameters, kinds, () => false, true);
  return filters.length < texts.length ? null : filters;
}

function viewOf(reader: Reader, key: string, filters: readonly PlannedFilter[] | null): Reader {
  const parts = reader.segments.map((live) => {
    const kept = viewsOfSegments.get(live)?.find(key);
    if (kept !== undefined) return kept;
    const filtered = filters === null ? null : new FilterBitset(live, filters).products;
    const { productCount } = live.segment;
    const hidden = filtered === null ? emptyBits(productCount) : filtered.slice();
    invert(hidden, productCount);
    return { segment: live.segment, deleted: hidden, deletedCount: 0 };
  });
  const view = Reader.ofDisjoint(parts);
  reader.segments.forEach((live, i) => {
    const cache = getOrInsert(viewsOfSegments, live, () => {
      const bitsBytes = wordsFor(live.segment.productCount) * 4;
      const budgetBytes = Math.max(MINIMUM_BYTES, BUDGET_VIEWS * bitsBytes);
      return new ByteCache<LiveSegment>(budgetBytes, ({ deleted }) => deleted?.byteLength ?? 0);
    });
    cache.get(key, () => view.segments[i]);
  });
  return view;
}
