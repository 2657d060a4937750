/** Merges columns of several segments, one column at a time. */
import { pushTo } from "../../base/index.ts";
import { NO_ROW } from "../model/index.ts";
import type { SectionWriter } from "../format/index.ts";
import { ByteStrings, StringMerge } from "../strings/index.ts";
import { ColumnCollector } from "./collector.ts";
import { KeyScan } from "./keys.ts";
import { PackedStringColumn, type OpenColumns, type PackedColumn } from "./reader.ts";
import { compareColumns, ColumnsWriter, eachColumn } from "./writer.ts";

/** Columns of one segment. The maps are row -> merged row, or NO_ROW. */
interface ColumnsInput {
  readonly columns: OpenColumns;
  readonly rowMap: Uint32Array;
  readonly variantRowMap: Uint32Array;
}

interface Part {
  readonly column: PackedColumn;
  readonly input: ColumnsInput;
}

export function* mergeColumns(
  sections: SectionWriter,
  inputs: readonly ColumnsInput[],
  counts: { readonly products: number; readonly variantRows: number },
): Generator<void, void, void> {
  const partsOf = new Map<string, Part[]>();
  let work = 0;
  for (const input of inputs) {
    const { numbers, strings } = input.columns;
    for (const column of [...numbers.values(), ...strings.values()]) {
      const key = `${column.isString ? "s" : "n"}${column.field}`;
      pushTo(partsOf, key, { column, input });
      if (++work % COLUMNS_PER_STEP === 0) yield;
    }
  }
  yield;
  const ordered = [...partsOf.values()].sort((a, b) => compareColumns(a[0].column, b[0].column));
  const writer = new ColumnsWriter(counts.products, counts.variantRows);
  const collector = new ColumnCollector(counts.products, counts.variantRows);
  const sizeOf = (parts: readonly Part[]): number => parts.reduce((sum, { column }) => sum + column.mostValues, 0);
  yield* eachColumn(ordered, sizeOf, (parts) => mergeColumn(writer, parts, collector));
  writer.finish(sections);
}

const COLUMNS_PER_STEP = 1_000;
const WORK_PER_STEP = 2_500;
const KEYS_PER_STEP = 750;

function* mergeColumn(
  writer: ColumnsWriter,
  parts: readonly Part[],
  collector: ColumnCollector,
): Generator<void, void, void> {
  const { keys, ordinals } = yield* mergeKeys(parts);
  let work = 0;
  for (let i = 0; i < parts.length; i++) {
    const { column, input } = parts[i];
    const valueOf = (value: number): number => translate(value, ordinals[i]);
    for (const row of column.rows()) {
      if (++work % WORK_PER_STEP === 0) yield;
      const merged = input.rowMap[row];
      if (merged === NO_ROW) continue;
      collector.add(merged, valueOf(column.min(row)), valueOf(column.max(row)), valueOf(column.own(row)));
    }
    for (const row of column.variantRows()) {
      if (++work % WORK_PER_STEP === 0) yield;
      const merged = input.variantRowMap[row];
      if (merged !== NO_ROW) collector.addOfVariant(merged, valueOf(column.ownOfVariant(row)));
    }
  }
  yield;
  yield* writer.add(yield* collector.take(parts[0].column.field, keys));
  yield;
}

/** Numbers are unchanged. Ordinals (-1 = missing) become merged ordinals (NaN = missing). */
function translate(value: number, ordinalOf: Uint32Array | null): number {
  if (ordinalOf === null) return value;
  return value < 0 ? NaN : ordinalOf[value];
}

interface MergedKeys {
  /** Their texts. */
  readonly keys: ByteStrings | null;
  /** Per part: ordinal -> merged ordinal. */
  readonly ordinals: readonly (Uint32Array | null)[];
}

function* mergeKeys(parts: readonly Part[]): Generator<void, MergedKeys, void> {
  const tables = parts.flatMap(({ column }) => (column instanceof PackedStringColumn ? [column.keys] : []));
  if (tables.length === 0) return { keys: null, ordinals: parts.map(() => null) };
  const ordinals = tables.map((table) => new Uint32Array(table.size));
  const scans: KeyScan[] = [];
  for (const table of tables) scans.push(yield* KeyScan.of(table));
  const merge = new StringMerge(scans);
  const keys = new ByteStrings();
  while (merge.next()) {
    for (const member of merge.members) ordinals[member][merge.scans[member].ordinal] = keys.count;
    merge.scans[merge.members[0]].addTextTo(keys);
    if (keys.count % KEYS_PER_STEP === 0) yield;
  }
  for (const scan of scans) scan.release();
  yield;
  return { keys, ordinals };
}
