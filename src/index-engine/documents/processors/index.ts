/**
 * Data processors change a document before its fields are read (docs/options.md "data-processor-configuration").
 *
 * They run in the configured order on a copy of the master, when it is indexed and when a hit is shown. The stored
 * source is never changed.
 */
import type { IndexConfig, ProcessorConfig } from "../../../interface/index.ts";
import { extractCategoryLevels } from "./category-levels.ts";
import { attributesToData, flagFields, skipDocuments } from "./document.ts";
import { patternSteps } from "../pattern-steps.ts";
import type { Processor, ProcessorFactory, WorkingDocument } from "./processor.ts";
import { splitWords } from "./split-words.ts";
import { foldSearchFields, removeDelimiters, removeTokens, replacePattern, splitValue } from "./text.ts";

export type { Processor, WorkingDocument } from "./processor.ts";

/** Class name in the reference -> implementation. */
const FACTORIES: ReadonlyMap<string, ProcessorFactory> = new Map([
  ["AsciiFoldingDataProcessor", foldSearchFields],
  ["AttributeToDataFieldConverter", attributesToData],
  ["ExtractCategoryLevelDataProcessor", extractCategoryLevels],
  ["FlagFieldDataProcessor", flagFields],
  ["RemoveFieldContentDelimiterProcessor", removeDelimiters],
  ["RemoveValuesDataProcessor", removeTokens],
  ["ReplacePatternInValuesDataProcessor", replacePattern],
  ["SkipDocumentDataProcessor", skipDocuments],
  ["SplitValueDataProcessor", splitValue],
  ["WordSplitterDataProcessor", splitWords],
]);

export const PROCESSOR_NAMES: readonly string[] = [...FACTORIES.keys()];

/**
 * Runs the processors on a document and changes it. False: do not index it. Throws TooManySteps if
 * regular expressions take more than LIMITS.patternSteps; the document is then partly changed.
 */
export function runProcessors(processors: readonly Processor[], document: WorkingDocument): boolean {
  return patternSteps.within(() => {
    let isIndexed = true;
    for (const process of processors) if (!process(document)) isIndexed = false;
    return isIndexed;
  });
}

/** Throws an Error that names the processor, for unknown names, invalid expressions and missing settings. */
export function compileProcessors(config: IndexConfig): Processor[] {
  return config.processors.map((processor) => compileProcessor(processor, config));
}

export function compileProcessor({ name, settings }: ProcessorConfig, config: IndexConfig): Processor {
  const factory = FACTORIES.get(name);
  if (factory === undefined) throw new Error(`${name} is not a data processor`);
  try {
    return factory(settings, config);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
