/**
 * ExtractCategoryLevelDataProcessor creates searchable fields from the levels of category paths.
 *
 *   category: [A/B/C, Z/X]
 *   ->  category_lvl_0: "A Z"  category_lvl_1: "B X"  category_lvl_2: "C"  category_leaf: "C X"
 *
 * Applies to every category field. Levels count from 0, and equal names are written once. The
 * `categories` member belongs to the primary category field. If it is present, data fields of that
 * field are ignored (as in the reference). Private fields have no levels.
 */
import { hasPrivateCategories } from "../../../interface/index.ts";
import { decodeValue } from "../decode.ts";
import { primaryCategoryFieldOf } from "../rules.ts";
import { pathOf, type PathItem } from "../values.ts";
import { setValue, type ProcessorFactory, type WorkingDocument } from "./processor.ts";

export const extractCategoryLevels: ProcessorFactory = (_settings, config) => {
  const primary = primaryCategoryFieldOf(config.fields);
  const areKept = hasPrivateCategories(config.fields);
  const fields = config.fields
    .filter((field) => field.type === "category" && field.isPrivate !== true)
    .map((field) => ({
      isPrimary: field === primary,
      inputs: [field.name, ...field.sourceNames],
      levelPrefix: `${field.name}_lvl_`,
      leafName: `${field.name}_leaf`,
    }));
  return (document) => {
    for (const field of fields) {
      const paths =
        field.isPrimary && !areKept && document.categories.length > 0
          ? document.categories
          : pathsOf(document, field.inputs);
      if (paths.length > 0) write(document, paths, field.levelPrefix, field.leafName);
    }
    return true;
  };
};

function pathsOf(document: WorkingDocument, inputs: readonly string[]): PathItem[] {
  const paths: PathItem[] = [];
  for (const input of inputs) {
    const value = document.data[input];
    if (value === undefined || value === null) continue;
    const items = decodeValue(value, () => input, null);
    if (items === null) continue;
    for (const item of Array.isArray(items) ? items : [items]) {
      const path = pathOf(item);
      if (path !== null) paths.push(path);
    }
  }
  return paths;
}

function write(document: WorkingDocument, paths: readonly PathItem[], levelPrefix: string, leafName: string): void {
  const depth = Math.max(...paths.map((path) => path.nodes.length));
  for (let level = 0; level < depth; level++) {
    const names = new Set<string>();
    for (const { nodes } of paths) if (level < nodes.length) names.add(nodes[level].name);
    setValue(document.data, `${levelPrefix}${level}`, [...names].join(" "));
  }
  const leaves = new Set(paths.map(({ nodes }) => nodes[nodes.length - 1].name));
  setValue(document.data, leafName, [...leaves].join(" "));
}
