/**
 * Shops that give every level of a category path a column of its own: `Category level 1`, `Category level 2`, or `Main
 * category`, `Subcategory`.
 */
import { textOf } from "./families.ts";
import type { FeedRecord } from "./model.ts";
import { normalized } from "./names.ts";

/** `category 1`, `Kategorie Ebene 2`. The second part says that the number is a level. */
const NUMBERED =
  /^(?:category|categories|cat|kategorie|produktkategorie|productcategory|warengruppe)(level|lvl|ebene)?(\d)$/;
const ORDERED: readonly (readonly string[])[] = [
  ["maincategory", "topcategory", "hauptkategorie", "oberkategorie", "hauptwarengruppe", "category", "kategorie"],
  ["subcategory", "unterkategorie", "unterwarengruppe", "secondcategory"],
  ["subsubcategory", "unterunterkategorie", "thirdcategory"],
];

/** Columns of category levels, each with those above it. Empty: there are none. */
export function categoryLevels(
  records: readonly FeedRecord[],
  columns: Iterable<string>,
): ReadonlyMap<string, readonly string[]> {
  const all = [...columns];
  const numbered = all
    .map((column) => ({ column, match: NUMBERED.exec(normalized(column)) }))
    .filter(({ match }) => match !== null)
    .map(({ column, match }) => ({
      column,
      isLevel: match?.[1] !== undefined,
      n: Number(match?.[2]),
    }))
    .toSorted((a, b) => a.n - b.n);
  if (numbered.length > 1) {
    const names = numbered.map(({ column }) => column);
    const areLevels = numbered.every(({ isLevel }) => isLevel) || isTree(records, names);
    return new Map(names.map((column, at) => [column, areLevels ? names.slice(0, at) : []]));
  }
  const ordered = ORDERED.map((names) => all.find((column) => names.includes(normalized(column))));
  const names = ordered.slice(0, ordered.indexOf(undefined) + 1 || undefined).filter((one) => one !== undefined);
  return names.length < 2 ? new Map() : new Map(names.map((column, at) => [column, names.slice(0, at)]));
}

/** Whether every name stands below one other name only: a tree, and no list of tags. */
function isTree(records: readonly FeedRecord[], names: readonly string[]): boolean {
  for (const [at, name] of names.entries()) {
    if (at === 0) continue;
    const above = new Map<string, string>();
    for (const { values } of records) {
      const own = textOf(values.get(name));
      const parent = textOf(values.get(names[at - 1] ?? ""));
      if (own === "") continue;
      if (parent === "" || (above.get(own) ?? parent) !== parent) return false;
      above.set(own, parent);
    }
  }
  return true;
}
