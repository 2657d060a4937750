// The slow obvious account of facet counts: plain products, no segments.
import type { CountedValue, CountInput, SegmentMatches } from "../../../src/index-engine/query/execution.ts";
import type {
  FacetKind,
  FieldValue,
  IndexableProduct,
  LiveSegment,
} from "../../../src/index-engine/segment/model/index.ts";
import { emptyBits, hasBit, setBit } from "../../../src/index-engine/base/bits.ts";
import { plainNumber } from "../../../src/index-engine/answer/links/index.ts";
import type { Reader } from "../../../src/index-engine/index/reader.ts";
import { compareCodePoints, GrowableBytes } from "../../../src/index-engine/base/index.ts";

/** Which variant rows of a product pass; `null`: all of them. A product matches when one passes. */
export type Passing = (id: string, variant: number) => boolean;

/** A product as far as it matches: its own values and those of the variants that pass; null when it does not match. */
export function effectiveValues(product: IndexableProduct, passes: Passing): FieldValue[] | null {
  // A product without variants is one variant row.
  const variants = product.variants.length === 0 ? [null] : product.variants;
  const passing = variants.filter((_, variant) => passes(product.id, variant));
  if (passing.length === 0) return null;
  return [...product.values, ...passing.flatMap((variant) => variant?.values ?? [])];
}

function keyOf(value: FieldValue): string | number {
  switch (value.kind) {
    case "term":
      return value.value.toLowerCase();
    case "path":
      return value.value;
    case "number":
      return value.value + 0;
  }
}

/** `products`: effective values of each matching product. */
/** An entry with what answers write of it. */
interface WrittenEntry extends Omit<CountedValue, "written"> {
  readonly json: string;
}

export function writtenEntry(entry: CountedValue): WrittenEntry {
  const { key, value, id, ids, count, written } = entry;
  const to = new GrowableBytes();
  const bytes = new GrowableBytes();
  bytes.pushText("... color= and more ...");
  if (written.writeLinked(to, count, { bytes, start: 3, beforeBytes: 7, afterBytes: 10 }) < 0) {
    written.writeHead(to);
    written.writeTail(to);
  }
  return { key, value, id, ids, count, json: new TextDecoder().decode(to.view()) };
}

function jsonOf(kind: FacetKind, key: string | number, text: string, id: string | null, count: number): string {
  const name = kind === "path" ? text.slice(text.lastIndexOf("/") + 1).replaceAll("%2F", "/") : text;
  const type = kind === "path" ? "hierarchical" : "term";
  const asked = typeof key === "number" ? plainNumber(key) : key;
  const isLink = asked !== "" && !asked.startsWith("!") && !/%2c/i.test(asked);
  const link = new URLSearchParams({ color: asked.replaceAll(",", "%2C") }).toString();
  const tail = kind === "path" ? `,"path":${JSON.stringify(text)},"children":[` : "}";
  const head = `{"type":"${type}","key":${JSON.stringify(name)},"id":${JSON.stringify(id)},"docCount":`;
  return isLink ? `${head}${count} ${link} and more ${tail}` : head + tail;
}

export function countSlowly(
  products: readonly (readonly FieldValue[])[],
  name: string,
  kind: FacetKind,
): WrittenEntry[] {
  interface Entry {
    products: number;
    spellings: Map<string, number>;
    ids: Map<string | null, number>;
  }
  const entries = new Map<string | number, Entry>();
  for (const values of products) {
    const own = values.filter((value) => value.field === name && value.kind === kind && value.facet);
    for (const key of new Set(own.map(keyOf))) {
      const entry: Entry = entries.get(key) ?? { products: 0, spellings: new Map(), ids: new Map() };
      entries.set(key, entry);
      entry.products++;
      const listed = own.filter((value) => keyOf(value) === key);
      // One spelling with one id is one value.
      const distinct = new Map(listed.map((value) => [JSON.stringify([keyText(value), value.id]), value]));
      for (const value of distinct.values()) {
        const text = keyText(value);
        entry.spellings.set(text, (entry.spellings.get(text) ?? 0) + 1);
        entry.ids.set(value.id, (entry.ids.get(value.id) ?? 0) + 1);
      }
    }
  }
  return [...entries]
    .map(([key, entry]): WrittenEntry => {
      const ids = mostFirst(entry.ids).filter((id) => id !== null);
      const id = ids[0] ?? null;
      const value = mostFirst(entry.spellings)[0];
      return { key, value, id, ids, count: entry.products, json: jsonOf(kind, key, value, id, entry.products) };
    })
    .sort((a, b) =>
      typeof a.key === "number" && typeof b.key === "number"
        ? a.key - b.key
        : compareCodePoints(String(a.key), String(b.key)),
    );
}

/** Over the values of all live products: exactly those of the entry have the id. */
export function ownsIdSlowly(
  products: readonly (readonly FieldValue[])[],
  name: string,
  kind: FacetKind,
  { key, id }: Pick<WrittenEntry, "key" | "id">,
): boolean {
  return (
    id !== null &&
    products
      .flat()
      .filter((value) => value.field === name && value.kind === kind)
      .every((value) => (keyOf(value) === key) === (value.id === id))
  );
}

function keyText(value: FieldValue): string {
  return value.kind === "number" ? String(value.value + 0) : value.value;
}

function mostFirst<T extends string | null>(counts: ReadonlyMap<T, number>): T[] {
  return [...counts].sort((a, b) => b[1] - a[1] || compareCodePoints(a[0] ?? "", b[0] ?? "")).map(([text]) => text);
}

/** The products a reader has now: the last of each id that is not deleted. */
export function liveProducts(
  batches: readonly (readonly IndexableProduct[])[],
  deleted: ReadonlySet<string>,
): IndexableProduct[] {
  const live = new Map<string, IndexableProduct>();
  for (const batch of batches) for (const product of batch) live.set(product.id, product);
  return [...live.values()].filter(({ id }) => !deleted.has(id));
}

/** What matching would hand over for one segment. `allVariants`: `passes` depends on the product only. */
export function matchesOf({ segment, deleted }: LiveSegment, passes: Passing, allVariants: boolean): SegmentMatches {
  const rows: number[] = [];
  const variantRows = emptyBits(segment.variantRowCount);
  for (let row = 0; row < segment.productCount; row++) {
    if (deleted !== null && hasBit(deleted, row)) continue;
    const id = segment.ids.get(row);
    const first = segment.variantRows.first(row);
    const last = segment.variantRows.first(row + 1);
    let isMatch = false;
    for (let variantRow = first; variantRow < last; variantRow++) {
      if (!passes(id, variantRow - first)) continue;
      isMatch = true;
      setBit(variantRows, variantRow);
    }
    if (isMatch) rows.push(row);
  }
  return { rows: Uint32Array.from(rows), variantRows: allVariants ? null : variantRows };
}

export function countInputs(
  reader: Reader,
  all: Passing,
  without: ReadonlyMap<string, Passing>,
  allVariants: boolean,
): CountInput[] {
  return reader.segments.map((live) => ({
    live,
    all: matchesOf(live, all, allVariants),
    within: new Map(),
    without: new Map([...without].map(([field, passes]) => [field, matchesOf(live, passes, allVariants)])),
  }));
}
