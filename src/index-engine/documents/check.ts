/**
 * What only compiling can find wrong in an index configuration: expressions and the settings of data processors.
 *
 * To be asked when a configuration is taken, because a configuration that does not compile would fail every import.
 */
import { storedPattern, type IndexConfig, type Problem } from "../../interface/index.ts";
import { compileProcessor } from "./processors/index.ts";

/** Empty when `compileFieldPlan` takes the configuration. Paths are those of IndexConfig: `processors[0]`. */
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
