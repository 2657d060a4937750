/**
 * Imports the sample catalogue, which is generated in the browser by the code of `npm run sample`
 * (a separate script).
 */
import type { DocumentText } from "../logic/documents.ts";
import { importCatalogue } from "./import-catalogue.ts";
import type { Client } from "./client.ts";

interface SampleModule {
  readonly SAMPLE_LANGUAGES: readonly string[];
  readonly SAMPLE_INDEXES: Readonly<Record<string, string>>;
  sampleCatalogue(language: string): readonly unknown[];
}

const ADDRESS = "/playground/sample.js";

/** Imports every catalogue into its index. @returns the name of the first */
export async function loadSample(
  client: Client,
  onProgress: (indexName: string, share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  // Loaded at run time, so the compiler must not resolve it.
  const address: string = ADDRESS;
  const sample = (await import(address)) as SampleModule;
  let first: string | null = null;
  for (const locale of sample.SAMPLE_LANGUAGES) {
    const indexName = sample.SAMPLE_INDEXES[locale] ?? `sample-${locale}`;
    onProgress(indexName, 0);
    const products = sample.sampleCatalogue(locale);
    await importCatalogue(client, {
      indexName,
      locale,
      documents: textsOf(products),
      maxRejectedPercent: 0,
      onProgress: ({ indexed }) => onProgress(indexName, indexed / products.length),
      signal,
    });
    first ??= indexName;
  }
  return first ?? "sample";
}

async function* textsOf(products: readonly unknown[]): AsyncGenerator<DocumentText> {
  for (const product of products) yield { json: JSON.stringify(product), line: null };
}
