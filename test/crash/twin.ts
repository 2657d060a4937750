/**
 * What an index built fresh from given documents answers: the engine's own functions in one piece, without objects,
 * R2, logs, merges. The engine's correctness is proved elsewhere (test/engine); here it says what the durable parts
 * must not have changed.
 */
import { compileFieldPlan, type FieldPlan } from "../../src/index-engine/documents/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { storedBytes } from "../engine/support/answers.ts";
import { render, sortableFields } from "../../src/index-engine/answer/render/index.ts";
import { search } from "../../src/index-engine/search.ts";
import { openSegment, SegmentBuilder } from "../../src/index-engine/segment/index.ts";
import { BUILT_IN_INDEX_CONFIG, readConfiguration } from "../../src/interface/index.ts";
import { resolveIndexConfig, resolveTenantConfig } from "../../src/interface/configuration-resolve.ts";
import type { ConfigurationDocument } from "../../src/interface/configuration-schema.ts";
import { parseSearchParameters } from "../../src/worker/parameters.ts";
import { canonical, type Product } from "./product.ts";

export interface TwinOptions {
  readonly indexName: string;
  readonly locale: string;
  readonly physicalName: string;
  /** The configuration document in force when the import started; null: none. */
  readonly builtWith: unknown;
  readonly documents: Iterable<Product>;
}

const encoder = new TextEncoder();
const BLOCK = "twin";

export class Twin {
  readonly #options: TwinOptions;
  readonly #plan: FieldPlan;
  readonly #reader: Reader;
  readonly #byRow: readonly Product[];

  constructor(options: TwinOptions) {
    this.#options = options;
    const configuration = resolveIndexConfig(read(options.builtWith), options.indexName);
    this.#plan = compileFieldPlan(configuration, options.locale);
    const builder = new SegmentBuilder({
      analyzer: this.#plan.analyzer,
      normGroup: (field) => this.#plan.normGroup(field),
      language: this.#plan.language,
      storedBlock: BLOCK,
    });
    const documents = [...options.documents].sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const document of documents) {
      const outcome = this.#plan.read(document, encoder.encode(JSON.stringify(document)));
      if (outcome.status !== "indexable") throw new Error(`${document.id} is ${outcome.status}`);
      builder.add(outcome.product);
    }
    // Rows are numbered in the order of ids.
    this.#byRow = documents;
    this.#reader = Reader.of(documents.length === 0 ? [] : [openSegment(builder.finish().index)]);
  }

  /** Canonical, without the time it took. */
  search(tenant: string, query: string, configuration: unknown): string {
    const { indexName, physicalName } = this.#options;
    const config = resolveTenantConfig(read(configuration), tenant, [indexName]);
    if (config === null) return "no tenant";
    const request = parseSearchParameters(query);
    const execution = search(this.#reader, request, config, this.#plan);
    const json = render({
      execution,
      request,
      tenant: config,
      plan: this.#plan,
      indexName: () => physicalName,
      sources: execution.hits.map((hit) => storedBytes(this.#byRow[hit.row])),
      sortable: sortableFields(this.#reader.segments, this.#plan),
      tookInMillis: 0,
    });
    return comparable(JSON.parse(new TextDecoder().decode(json)) as object);
  }
}

/** An answer without what differs from one time to the next. */
export function comparable(result: object): string {
  return canonical({ ...result, tookInMillis: 0 });
}

function read(document: unknown): ConfigurationDocument {
  const result = readConfiguration(document);
  if (!result.ok) throw new Error(`unreadable: ${JSON.stringify(result.problems)}`);
  return result.value;
}

const anyPlan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
const seenAs = new WeakMap<Product, string>();

/** What getDocument answers for a document, canonical. */
export function wholeOf(document: Product): string {
  let text = seenAs.get(document);
  if (text === undefined) seenAs.set(document, (text = canonical(anyPlan.whole(document))));
  return text;
}
