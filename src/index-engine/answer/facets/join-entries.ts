/** Joins the counted groups of several segments to entries, without reading names (same-groups.ts). */
import type { FieldPart } from "./field-part.ts";
import { sameGroups } from "./same-groups.ts";

export interface Entries {
  /** Distinct products per entry. */
  readonly counts: Uint32Array;
  /** By part: the entry of each group, and the group of each entry or -1. Null: one part, where group g is entry g. */
  readonly joined: { readonly entryOf: readonly Uint32Array[]; readonly groupOf: readonly Int32Array[] } | null;
}

/** Finding a group by bisection costs about as much as filling 16 places of a table. */
const PLACES_PER_GROUP = 16;

export function joinEntries(parts: readonly FieldPart[]): Entries {
  if (parts.length === 1) return { counts: parts[0].counts, joined: null };
  const entryOf: Uint32Array[] = [];
  /** By part: the entry of each value of the field, if it is the first of a counted group, or -1. */
  const tables: (Int32Array | null)[] = [];
  let size = 0;
  for (const [i, part] of parts.entries()) {
    const firsts = part.firstOrdinals();
    const found = new Int32Array(part.size).fill(-1);
    for (let other = 0; other < i; other++) {
      const same = sameGroups(part, firsts, parts[other]);
      if (same !== null) joinInto(found, same, parts[other], entryOf[other], tables[other]);
    }
    for (let group = 0; group < found.length; group++) if (found[group] === -1) found[group] = size++;
    const entries = new Uint32Array(found.buffer);
    entryOf.push(entries);
    tables.push(i === parts.length - 1 ? null : tableOf(part, firsts, entries));
  }
  const counts = new Uint32Array(size);
  const groupOf = parts.map((part, i) => {
    const groups = new Int32Array(size).fill(-1);
    const entries = entryOf[i];
    for (let group = 0; group < entries.length; group++) {
      counts[entries[group]] += part.counts[group];
      groups[entries[group]] = group;
    }
    return groups;
  });
  return { counts, joined: { entryOf, groupOf } };
}

/** Sets the entries of groups that were counted in another part, and were not found before. */
function joinInto(
  found: Int32Array,
  same: Int32Array,
  other: FieldPart,
  entries: Uint32Array,
  table: Int32Array | null,
): void {
  const { start } = other.field;
  for (let group = 0; group < found.length; group++) {
    if (same[group] === -1 || found[group] !== -1) continue;
    if (table !== null) found[group] = table[same[group] - start];
    else {
      const of = other.find(same[group]);
      if (of !== -1) found[group] = entries[of];
    }
  }
}

/** Null: groups are better found by bisection. */
function tableOf({ field, size }: FieldPart, firsts: Uint32Array, entries: Uint32Array): Int32Array | null {
  const places = field.end - field.start;
  if (size * PLACES_PER_GROUP < places) return null;
  const table = new Int32Array(places).fill(-1);
  for (let group = 0; group < size; group++) table[firsts[group] - field.start] = entries[group];
  return table;
}
