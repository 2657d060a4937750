/**
 * Finds errors of an index configuration that only compiling reveals: expressions and data processor settings.
 *
 * Call it before accepting a configuration, because one that does not compile would fail every import.
 */
import { storedPattern, type IndexConfig, type Problem } from "../../interface/index.ts";
import { compileProcessor } from "./processors/index.ts";

/** Empty if `compileFieldPlan` accepts the configuration. Paths are those of IndexConfig: `processors[0]`. */
export function checkIndexConfig(config: IndexConfig): Problem[] {
  const problems: Problem[] = [];
  const attempt = (path: string, compile: () => unknown): void => {
    try {
      compile();
    } catch (error) {
      problems.push({ path, message: error instanceof Error ? error.message : String(error) });
    }
  };
  config.dynamicFields.forEach((field, position) => {
    field.sourceNames.forEach((pattern, number) => {
      const path = `dynamicFields[${position}].sourceNames[${number}]`;
      attempt(path, () => storedPattern(pattern));
    });
  });
  config.processors.forEach((processor, position) => {
    attempt(`processors[${position}]`, () => compileProcessor(processor, config));
  });
  return problems;
}
