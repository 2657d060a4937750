/** The text of a search after the tenant's rules, without the index: cached by tenant, fields and rules. */
import type { FilterParameter, TenantConfig } from "../../interface/index.ts";
import { ByteCache, identityOf, SeenBefore } from "../base/index.ts";
import type { FieldPlan } from "../documents/index.ts";
import type { AppliedRule, CompiledRules } from "./rules/index.ts";
import type { Expression, TextQuery } from "./plan.ts";
import { stageFrom, type TenantStages } from "./stages/tenant-stages.ts";
import { additionBytes, expressionBytes } from "./size-of-words.ts";
import { readQuery } from "./words.ts";

/** A text as a query, with the additions of rules. */
export interface ReadText {
  readonly query: TextQuery;
  readonly filters: readonly FilterParameter[];
  readonly rules: readonly AppliedRule[];
  readonly meta: Readonly<Record<string, unknown>>;
}

export const EVERYTHING: ReadText = { query: { kind: "all" }, filters: [], rules: [], meta: {} };

export interface TextReader {
  readonly tenant: TenantConfig;
  readonly fields: FieldPlan;
  readonly rules: CompiledRules | null;
  /** They belong to the tenant and the fields. */
  readonly stages: TenantStages;
}

/** Of all tenants. */
const BUDGET_BYTES = 1_048_576;

/** Rules can add more to a text. Such texts are read each time, because a few would displace all others. */
const MOST_TEXT_BYTES = 16_384;
/** Approximate sizes. */
const TEXT_BYTES = 1_000;
const WORD_BYTES = 300;

const cache = new ByteCache<ReadText>(BUDGET_BYTES, sizeBytesOf);
/** Most texts are asked once. Only others are cached, and what is found for them. */
const seen = new SeenBefore();

function sizeBytesOf({ query, filters, rules }: ReadText): number {
  const bytes = TEXT_BYTES * (1 + filters.length + rules.length);
  if (query.kind === "expression") return bytes + expressionBytes(query.expression);
  if (query.kind !== "relevance" && query.kind !== "stages") return bytes;
  const { sequence, synonyms, boosts, restrictions } = query.words;
  const own = WORD_BYTES * (sequence.length + synonyms.length);
  return bytes + own + additionBytes(boosts, restrictions);
}

/**
 * @param firstStage earlier stages are skipped
 * @param isTyping whether the last word may be incomplete
 */
export function readText(reader: TextReader, text: string, firstStage: number, isTyping: boolean): ReadText {
  if (text.trim() === "") return EVERYTHING;
  const { stages, rules } = reader;
  const ofRules = rules === null ? 0 : identityOf(rules);
  const key = `${identityOf(stages)} ${ofRules} ${firstStage} ${isTyping ? "typing" : ""} ${text}`;
  const known = cache.find(key);
  if (known !== undefined) return known;
  if (!seen.note(key)) return read(reader, text, firstStage, isTyping, null);
  const made = read(reader, text, firstStage, isTyping, key);
  if (sizeBytesOf(made) <= MOST_TEXT_BYTES) cache.put(key, made);
  return made;
}

function read(
  { tenant, fields, rules, stages }: TextReader,
  text: string,
  firstStage: number,
  isTyping: boolean,
  key: string | null,
): ReadText {
  const { words, userWords, withoutWords, filters, rules: applied, meta } = readQuery(text, tenant, fields, rules);
  const added = { filters, rules: applied, meta };
  if (words === null) return { query: queryWithoutWords(withoutWords), ...added };
  const own = stages.stagesFor?.(userWords) ?? null;
  const query: TextQuery =
    own === null
      ? { kind: "relevance", key, words, settings: tenant.relevance, isTyping }
      : own.length === 0
        ? { kind: "none" }
        : { kind: "stages", key, words, stages: own, firstStage: stageFrom(own, firstStage) };
  return { query, ...added };
}

function queryWithoutWords(expression: Expression | null): TextQuery {
  if (expression === null) return { kind: "none" };
  return expression.kind === "everything" ? { kind: "all" } : { kind: "expression", expression };
}
