/**
 * Whole answers of a shard that searches alone: shops' start pages, categories and frequent words are asked for
 * again and again. They belong to the reader, which every write replaces, and to the objects that decide what a
 * tenant sees.
 */
import type { FieldPlan } from "../../../index-engine/documents/index.ts";
import type { CompiledRules } from "../../../index-engine/query/rules/index.ts";
import { identityOf, OwnedCache, SeenBefore } from "../../../index-engine/base/index.ts";
import type { Reader } from "../../../index-engine/index/index.ts";
import type { SearchRequest, TenantConfig } from "../../../interface/index.ts";

const BUDGET_BYTES = 6_291_456;
/** Longer answers and requests are rare, and a few of them would displace all others. */
const MOST_ANSWER_BYTES = 262_144;
const MOST_KEY_CHARACTERS = 4_096;

const cache = new OwnedCache<Uint8Array>(BUDGET_BYTES, ({ byteLength }) => byteLength);
/** Only answers to requests that come again are cached. */
const seen = new SeenBefore();

/** What an answer depends on besides the reader. */
export interface AskedBy {
  readonly request: SearchRequest;
  readonly tenant: TenantConfig;
  readonly plan: FieldPlan;
  readonly rules: CompiledRules | null;
}

/** Null: such requests are not cached. Explanations have times in them. */
export function answerKey({ request, tenant, plan, rules }: AskedBy): string | null {
  if ((request.trace ?? []).length > 0) return null;
  // The time only matters to answers that are volatile, which are not cached.
  const text = JSON.stringify({ ...request, nowMs: 0 });
  if (text.length > MOST_KEY_CHARACTERS) return null;
  const ofRules = rules === null ? 0 : identityOf(rules);
  return `${identityOf(tenant)} ${identityOf(plan)} ${ofRules} ${text}`;
}

/** The JSON of the answer, which must not be changed; null: not cached. */
export function cachedAnswer(reader: Reader, key: string): Uint8Array | null {
  return cache.find(reader, key) ?? null;
}

export function cacheAnswer(reader: Reader, key: string, json: Uint8Array): void {
  if (json.byteLength > MOST_ANSWER_BYTES || !seen.note(key)) return;
  if (cache.admits(reader)) cache.put(reader, key, json);
}

/** Cached bytes of this reader's answers. */
export function cachedAnswerBytes(reader: Reader): number {
  return cache.bytesOf(reader);
}
