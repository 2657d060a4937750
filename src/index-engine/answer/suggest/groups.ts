/**
 * Deduplicates labels, and limits how many suggestions each group may have (docs/indexing.md 7.5). A group consists of
 * labels with the same value under `group.key`. Labels without one belong to the group `other`.
 *
 *   deduplication-order   brand,category
 *       a repeated label stays in the first of these groups that has it, otherwise where it is first
 *   share-conf            keyword=0.3,brand=0.2,category=0.5
 *       shares of the limit. The shares of empty groups go to the others in proportion. Rounding adds to the first
 *       group and takes from the last ones. Slots that a group cannot fill go to the first group that can. `other` is
 *       the share of all groups not listed; without it they get one slot, and what the listed groups cannot fill
 *   cutoff-conf           keyword=5,brand=3
 *       maximum per group; for each other group that of `other`, or 5
 *
 * Groups appear in configured order, followed by the others, each in its own order.
 */
import type { SuggestConfig } from "../../../interface/index.ts";

const OTHER_GROUP = "other";
const DEFAULT_CUTOFF = 5;

type GroupConfig = SuggestConfig["group"];

export function isGrouped(config: GroupConfig): boolean {
  return config.key !== null && (config.shareConf.length > 0 || config.cutoffConf.length > 0);
}

/**
 * Returns each label once. Without `deduplicate` and without an order, labels that differ in case are not equal.
 * @param items best first
 */
export function withoutRepeated<T>(
  items: readonly T[],
  labelOf: (item: T) => string,
  groupOf: (item: T) => string | null,
  { deduplicate, group: { deduplicationOrder } }: Pick<SuggestConfig, "deduplicate" | "group">,
): T[] {
  const isCaseless = deduplicate || deduplicationOrder.length > 0;
  const keyOf = (item: T): string => (isCaseless ? labelOf(item).trim().toLowerCase() : labelOf(item));
  const placeOf = (item: T): number => placeIn(deduplicationOrder, groupOf(item));
  const kept = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const other = kept.get(key);
    if (other === undefined || placeOf(item) < placeOf(other)) kept.set(key, item);
  }
  return items.filter((item) => kept.get(keyOf(item)) === item);
}

/** Place of a group in the deduplication order: of two equal labels, the one with the smaller place stays. */
export function placeIn(order: readonly string[], group: string | null): number {
  const place = order.indexOf(group ?? OTHER_GROUP);
  return place === -1 ? order.length : place;
}

/** `items` are best first. If `groupOf` returns null, the item belongs to the group `other`. */
export function limitByGroups<T>(
  items: readonly T[],
  groupOf: (item: T) => string | null,
  { shareConf, cutoffConf }: GroupConfig,
  limit: number,
): T[] {
  const isShared = shareConf.length > 0;
  const names = (isShared ? shareConf : cutoffConf).map(({ name }) => name).filter((name) => name !== OTHER_GROUP);
  const byGroup = new Map<string, T[]>(names.map((name) => [name, []]));
  // Groups that are not listed share the slots of `other`, but each has a cutoff of its own.
  if (isShared) byGroup.set(OTHER_GROUP, []);
  for (const item of items) {
    const name = groupOf(item) ?? OTHER_GROUP;
    const group = byGroup.get(name) ?? (isShared ? byGroup.get(OTHER_GROUP) : undefined);
    if (group === undefined) byGroup.set(name, [item]);
    else group.push(item);
  }
  const groups = [...byGroup.values()];
  const slots = isShared ? shareSlots(groups, names, shareConf, limit) : cutoffs([...byGroup.keys()], cutoffConf);
  return groups.flatMap((group, index) => group.slice(0, slots[index])).slice(0, limit);
}

function cutoffs(names: readonly string[], conf: GroupConfig["cutoffConf"]): number[] {
  const maxOf = new Map(conf.map(({ name, max }) => [name, max]));
  const otherwise = maxOf.get(OTHER_GROUP) ?? DEFAULT_CUTOFF;
  return names.map((name) => maxOf.get(name) ?? otherwise);
}

function shareSlots(
  groups: readonly (readonly unknown[])[],
  names: readonly string[],
  conf: GroupConfig["shareConf"],
  limit: number,
): number[] {
  const shareOf = new Map(conf.map(({ name, share }) => [name, Math.max(0, share)]));
  const shares = [...names, OTHER_GROUP].map((name, index) =>
    groups[index].length === 0 ? 0 : (shareOf.get(name) ?? 0),
  );
  const others = groups.length - 1;
  // Groups that are not listed have no share, but one slot is reserved for them.
  const reserved = limit > 1 && groups[others].length > 0 && shares[others] === 0 ? 1 : 0;
  const total = shares.reduce((sum, share) => sum + share, 0);
  const room = Math.max(0, limit - reserved);
  const slots = shares.map((share) => (total === 0 ? 0 : Math.round((share / total) * room)));
  const present = slots.flatMap((count, index) => (count > 0 ? [index] : []));
  let spare = room - slots.reduce((sum, count) => sum + count, 0);
  if (spare > 0 && present.length > 0) slots[present[0]] += spare;
  for (let at = present.length - 1; spare < 0 && at >= 0; at--) {
    const taken = Math.min(slots[present[at]], -spare);
    slots[present[at]] -= taken;
    spare += taken;
  }
  slots[others] += reserved;

  // Slots that their groups cannot fill.
  let unused = 0;
  slots.forEach((count, index) => {
    const filled = Math.min(count, groups[index].length);
    unused += count - filled;
    slots[index] = filled;
  });
  groups.forEach((group, index) => {
    const more = Math.min(unused, group.length - slots[index]);
    slots[index] += more;
    unused -= more;
  });
  return slots;
}
