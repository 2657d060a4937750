/**
 * A tree of categories: departments, sections, leaves. Leaves are numbered in the order of their paths, so
 * those of any node are one range of numbers.
 */
import { nameOf } from "./words.ts";

export const LEAVES = 558;
const DEPARTMENTS = 14;
const SECTIONS = 84;
/** Each section has at least so many leaves. The rest go to random sections. */
const FEWEST_LEAVES = 3;

export interface CategoryNode {
  readonly id: string;
  readonly name: string;
  /** Its leaves have the numbers [from, to). */
  readonly from: number;
  readonly to: number;
}

/** Department, section, leaf. */
export type CategoryPath = readonly [CategoryNode, CategoryNode, CategoryNode];

export const CATEGORY_NAMES = DEPARTMENTS + SECTIONS + LEAVES;

/** @param words one for each node */
export function makeCategories(words: readonly string[], random: () => number): CategoryPath[] {
  const leavesOf = new Array<number>(SECTIONS).fill(FEWEST_LEAVES);
  for (let left = LEAVES - SECTIONS * FEWEST_LEAVES; left > 0; left--) {
    leavesOf[Math.floor(random() * SECTIONS)]++;
  }
  let word = 0;
  const node = (id: string, from: number, size: number): CategoryNode => ({
    id,
    name: nameOf(words[word++]),
    from,
    to: from + size,
  });
  const sectionsEach = SECTIONS / DEPARTMENTS;
  const paths: CategoryPath[] = [];
  for (let d = 0; d < DEPARTMENTS; d++) {
    const sizes = leavesOf.slice(d * sectionsEach, (d + 1) * sectionsEach);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    const department = node(`c${d}`, paths.length, all);
    sizes.forEach((size, s) => {
      const section = node(`c${d}-${s}`, paths.length, size);
      for (let l = 0; l < size; l++) {
        paths.push([department, section, node(`c${d}-${s}-${l}`, paths.length, 1)]);
      }
    });
  }
  return paths;
}
