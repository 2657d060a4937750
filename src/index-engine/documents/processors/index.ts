/**
 * Data processors: what happens to a document before its fields are read (docs/options.md
 * "data-processor-configuration").
 *
 * They run in the order configured, on a copy of the master, at every read and again when a hit is shown: the stored
 * source is never changed, so what they made is always derived anew.
 */
import type { IndexConfig, ProcessorConfig } from "../../../interface/index.ts";
import { extractCategoryLevels } from "./category-levels.ts";
import { attributesToData, flagFields, skipDocuments } from "./document.ts";
import { patternSteps } from "../pattern-steps.ts";
import type { Processor, ProcessorFactory, WorkingDocument } from "./processor.ts";
import { splitWords } from "./split-words.ts";
import {
  foldSearchFields,
  removeDelimiters,
  removeTokens,
  replacePattern,
  splitValue,
} from "./text.ts";

export type { Processor, WorkingDocument } from "./processor.ts";

/** Simple class name of the reference -> our implementation of the same thing. */
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
 * Runs them on one document, which they change. False: it is not to be indexed. Throws TooManySteps where their regular
 * expressions take more than LIMITS.patternSteps; what they have changed until then is changed.
 */
export function runProcessors(
  processors: readonly Processor[],
  document: WorkingDocument,
): boolean {
  return patternSteps.within(() => {
    let isIndexed = true;
    for (const process of processors) if (!process(document)) isIndexed = false;
    return isIndexed;
  });
}

/** Fails with an Error that names the processor: an unknown name, a broken expression, a missing setting. */
export function compileProcessors(config: IndexConfig): Processor[] {
  return config.processors.map((processor) => compileProcessor(processor, config));
}

export function compileProcessor(
  { name, settings }: ProcessorConfig,
  config: IndexConfig,
): Processor {
  const factory = FACTORIES.get(name);
  if (factory === undefined) throw new Error(`${name} is no data processor`);
  try {
    return factory(settings, config);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
