/**
 * Maps incoming names to fields (docs/indexing.md 6.3).
 *
 * 1. Every normal field that has the incoming name as `name` or in `sourceNames`. Such a match takes precedence over
 *    all dynamic fields, even for attributes and at a level that the field does not have: a variant-level field sent
 *    on a master is ignored.
 * 2. Otherwise the first dynamic field of that level whose expression is found in the name and whose type fits the
 *    value. The value is stored under the incoming name. A dynamic field called `attribute` only takes attributes.
 * 3. Otherwise, with the built-in preset, catch-all.ts.
 *
 * A name is *private* if a private normal field has it. It is also private if no normal field has it and the
 * expression of a private dynamic field is found in it, at any level and for any type. A private name only feeds
 * private fields.
 *
 * One name may feed several fields, and several names one field. All names of a field are searched, filtered, counted
 * and scored. For usage Result and Sort, the field's own name takes precedence over its source names, and data over
 * attributes. In the built-in preset, source names are spellings of one field, so only the winning name is filtered,
 * counted and scored. `preferred` has the winning names. (Icecat: `title` and `name`, an article number, both feed
 * `title`; the title is shown and sorted.)
 *
 * *Aliases.* A Search field whose source is another Search field (`search_combi` <- `title`) does not index that text
 * again: searching `search_combi` also searches `title`. Sources that are not searchable themselves (`color`) are
 * indexed as text of `search_combi`.
 *
 * Rules are cached by (name, level, attribute or data), because documents repeat names.
 */
import { pushTo, run } from "../base/index.ts";
import {
  hasPrivateCategories,
  LIMITS,
  storedPattern,
  type Pattern,
  type FieldConfig,
  type FieldLevel,
  type IndexConfig,
} from "../../interface/index.ts";
import { isRecord } from "./decode.ts";
import {
  firstNames,
  isNamed,
  keyOf,
  namesOf,
  unchecked,
  uncheckedRows,
  type NamedValues,
  type NameKind,
  type RowLevel,
  type UncheckedValues,
} from "./document-names.ts";
import { isInName, patternSteps } from "./pattern-steps.ts";
import { targetOf, type Target } from "./targets.ts";

export interface NameRule {
  /** Normal fields. Null if no normal field has this name; an empty list if none has it at this level. */
  readonly fixed: readonly Target[] | null;
  /** Dynamic fields in order; only used if `fixed` is null. */
  readonly dynamic: readonly Target[];
  /** Answers never show the value of this name. */
  readonly isPrivate: boolean;
  /** That the expressions of dynamic fields took. */
  readonly steps: number;
}

interface DynamicField {
  readonly config: FieldConfig;
  readonly patterns: readonly Pattern[];
}

/**
 * Cached names of all levels and kinds. A catalogue has thousands; a hostile one may have any number, of any length.
 */
const MAX_REMEMBERED_NAMES = 40_000;
const MAX_REMEMBERED_CHARACTERS = 1_048_576;

/** Matched between two pauses: dynamic fields, or steps of their expressions, a millisecond or two. */
const FIELDS_PER_PART = 64;
const STEPS_PER_PART = 65_536;

const NO_TARGETS: readonly Target[] = [];

function covers(one: FieldLevel, other: FieldLevel): boolean {
  return one === "both" || other === "both" || one === other;
}

export class RuleBook {
  readonly catchAll: boolean;
  readonly hasPrivate: boolean;
  readonly areCategoriesPrivate: boolean;
  /** Takes the `categories` member of documents. */
  readonly primaryCategoryField: FieldConfig | null;
  /** Identifies variants: the first field of type id that variants have. */
  readonly variantIdField: FieldConfig | null;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly #fields: readonly FieldConfig[];
  readonly #dynamicFields: readonly DynamicField[];
  readonly #fieldsByInput = new Map<string, FieldConfig[]>();
  readonly #searchFields = new Map<string, FieldConfig>();
  readonly #categories: Target | null;
  readonly #remembered = {
    master: { data: new Map<string, NameRule>(), attribute: new Map<string, NameRule>() },
    variant: { data: new Map<string, NameRule>(), attribute: new Map<string, NameRule>() },
  };
  #rememberedCount = 0;
  #rememberedCharacters = 0;
  /** Whether names are matched with expressions. */
  readonly #hasPatterns: boolean;

  /** Throws a SyntaxError if a dynamic field's source name is not a regular expression. */
  constructor(config: IndexConfig) {
    this.catchAll = config.catchAll;
    this.hasPrivate = [...config.fields, ...config.dynamicFields].some(isPrivateField);
    this.#fields = config.fields;
    this.#dynamicFields = config.dynamicFields.map((field) => ({
      config: field,
      patterns: field.sourceNames.map((pattern) => storedPattern(pattern)),
    }));
    this.#hasPatterns = this.#dynamicFields.some(({ patterns }) => patterns.length > 0);
    for (const field of config.fields) {
      for (const input of new Set([field.name, ...field.sourceNames])) {
        pushTo(this.#fieldsByInput, input, field);
      }
      if (field.usages.includes("Search")) this.#searchFields.set(field.name, field);
    }
    const categories = primaryCategoryFieldOf(config.fields);
    this.primaryCategoryField = categories;
    this.areCategoriesPrivate = hasPrivateCategories(config.fields) || this.isPrivate("categories");
    // Private categories may only feed private fields.
    const isKept = this.areCategoriesPrivate && categories?.isPrivate !== true;
    this.#categories =
      categories === null || isKept ? null : targetOf(categories, categories.name, categories.name, true);
    this.variantIdField = config.fields.find((field) => field.type === "id" && covers(field.level, "variant")) ?? null;
    this.aliases = this.#findAliases();
  }

  /** The rule for a data field or attribute of this name, in a document or a variant. */
  rule(name: string, level: RowLevel, kind: NameKind): NameRule {
    return this.#ruleWithin(LIMITS.patternSteps.value, name, level, kind);
  }

  /** @param most more steps are not counted, and the rule is then incomplete */
  #ruleWithin(most: number, name: string, level: RowLevel, kind: NameKind): NameRule {
    return this.#remembered[level][kind].get(name) ?? run(this.#learning(most, name, level, kind));
  }

  /** Remembers the rule, unless it is incomplete because of what other names of the document left. */
  *#learning(most: number, name: string, level: RowLevel, kind: NameKind): Generator<void, NameRule, void> {
    const rule = yield* this.#compiling(most, name, level, kind);
    if (rule.steps <= most || most === LIMITS.patternSteps.value) {
      this.#makeRoomFor(name);
      this.#remembered[level][kind].set(name, rule);
    }
    yield;
    return rule;
  }

  #makeRoomFor(name: string): void {
    this.#rememberedCharacters += name.length;
    this.#rememberedCount++;
    if (this.#rememberedCount <= MAX_REMEMBERED_NAMES && this.#rememberedCharacters <= MAX_REMEMBERED_CHARACTERS) {
      return;
    }
    for (const kinds of Object.values(this.#remembered)) {
      kinds.data.clear();
      kinds.attribute.clear();
    }
    this.#rememberedCharacters = name.length;
    this.#rememberedCount = 1;
  }

  /** The rules for the names of one document. The same for all documents with these names, whatever is remembered. */
  rulesOf(row: NamedValues, variants: readonly NamedValues[]): DocumentRules {
    if (!this.#hasPatterns) return new DocumentRules(this, null);
    let left = LIMITS.patternSteps.value;
    if (this.#rememberedSteps(row, variants) <= left) return new DocumentRules(this, null);
    let count = 0;
    for (const { name, level, kind } of namesOf(row, variants)) {
      left -= this.#ruleWithin(left, name, level, kind).steps;
      if (left < 0) return new DocumentRules(this, firstNames(namesOf(row, variants), count));
      count++;
    }
    return new DocumentRules(this, null);
  }

  /** The same for a document as it is stored. */
  rulesOfStored(document: Readonly<Record<string, unknown>>): DocumentRules {
    return this.rulesOf(unchecked(document), uncheckedRows(document.variants));
  }

  /** The rule for a name whose expressions are not tried: private fields may have it, others do not. */
  untried(name: string, level: RowLevel, kind: NameKind): NameRule {
    return { ...run(this.#compiling(-1, name, level, kind)), steps: 0 };
  }

  /** Remembers the rules of the next document's names, in parts, until their expressions exceed its steps. */
  *learning(document: unknown): Generator<void, void, void> {
    if (!this.#hasPatterns || !isRecord(document)) return;
    if (!Number.isNaN(this.#rememberedSteps(document, document.variants))) return;
    let left = LIMITS.patternSteps.value;
    for (const { name, level, kind } of namesOf(unchecked(document), uncheckedRows(document.variants))) {
      const remembered = this.#remembered[level][kind].get(name);
      left -= (remembered ?? (yield* this.#learning(left, name, level, kind))).steps;
      if (left < 0) return;
    }
  }

  /** The steps of all names of a document; NaN if one of them is not remembered. */
  #rememberedSteps(row: UncheckedValues, variants: unknown): number {
    let steps = this.#rememberedStepsOf(row, "master");
    if (!Array.isArray(variants)) return steps;
    for (const variant of variants) if (isRecord(variant)) steps += this.#rememberedStepsOf(variant, "variant");
    return steps;
  }

  #rememberedStepsOf({ data, attributes }: UncheckedValues, level: RowLevel): number {
    const remembered = this.#remembered[level];
    let steps = 0;
    if (isRecord(data)) for (const name of Object.keys(data)) steps += remembered.data.get(name)?.steps ?? NaN;
    if (!Array.isArray(attributes)) return steps;
    for (const attribute of attributes) {
      if (isNamed(attribute)) steps += remembered.attribute.get(attribute.name)?.steps ?? NaN;
    }
    return steps;
  }

  /** The target of the `categories` member; null if no field takes it at this level. */
  categoriesTarget(level: RowLevel): Target | null {
    const field = this.primaryCategoryField;
    return field === null || !covers(field.level, level) ? null : this.#categories;
  }

  /** The normal fields an incoming name feeds. */
  fieldsOf(input: string): readonly FieldConfig[] {
    return this.#fieldsByInput.get(input) ?? [];
  }

  /** Yields after each part of the work. @param mostSteps for the expressions of dynamic fields */
  *#compiling(mostSteps: number, name: string, level: RowLevel, kind: NameKind): Generator<void, NameRule, void> {
    const fed = this.#fieldsByInput.get(name);
    if (fed !== undefined) {
      const fixed = fed
        .filter((field) => covers(field.level, level))
        .map((field) => targetOf(field, field.name, name, !this.#isAliased(field, name, level)));
      return { fixed, dynamic: NO_TARGETS, isPrivate: fed.some(isPrivateField), steps: 0 };
    }
    const named: DynamicField[] = [];
    let steps = 0;
    for (let from = 0; from < this.#dynamicFields.length;) {
      if (from > 0) yield;
      from = patternSteps.within(
        () => this.#match(from, name, named),
        // A part may spend an infinite number.
        Math.max(mostSteps - steps, -1),
      );
      steps += patternSteps.spent;
    }
    const kept = named.filter(({ config }) => isPrivateField(config));
    const isPrivate = kept.length > 0;
    const dynamic = (isPrivate ? kept : named)
      .filter(({ config }) => covers(config.level, level) && (kind === "attribute" || config.name !== "attribute"))
      .map(({ config }) => targetOf(config, name, null, true));
    return { fixed: null, dynamic, isPrivate, steps };
  }

  /** Adds the dynamic fields of one part that have this name to `named`; returns where the next part begins. */
  #match(from: number, name: string, named: DynamicField[]): number {
    const end = Math.min(from + FIELDS_PER_PART, this.#dynamicFields.length);
    for (let i = from; i < end; i++) {
      const field = this.#dynamicFields[i];
      const { config, patterns } = field;
      const isIn = (pattern: Pattern): boolean => isInName(pattern, name, isPrivateField(config));
      if (patterns.length === 0 || patterns.some(isIn)) named.push(field);
      if (patternSteps.spent > STEPS_PER_PART) return i + 1;
    }
    return end;
  }

  /** Whether answers never show the value of this name. */
  isPrivate(name: string): boolean {
    return this.hasPrivate && this.rule(name, "master", "data").isPrivate;
  }

  /** Whether `field` is an alias of the Search field `input`, which indexes this text. */
  #isAliased(field: FieldConfig, input: string, level: RowLevel): boolean {
    const source = this.#aliasSource(field, input);
    return source !== null && covers(source.level, level);
  }

  #aliasSource(field: FieldConfig, input: string): FieldConfig | null {
    if (input === field.name || !field.usages.includes("Search")) return null;
    const source = this.#searchFields.get(input);
    // A prefix is part of the text, so a different prefix makes a different text.
    return source !== undefined && source.searchContentPrefix === field.searchContentPrefix ? source : null;
  }

  #findAliases(): ReadonlyMap<string, readonly string[]> {
    const aliases = new Map<string, readonly string[]>();
    for (const field of this.#fields) {
      const sources = new Set<string>();
      for (const input of field.sourceNames) {
        const source = this.#aliasSource(field, input);
        if (source !== null && covers(source.level, field.level)) sources.add(source.name);
      }
      if (sources.size > 0) aliases.set(field.name, [...sources, field.name]);
    }
    return aliases;
  }
}

/**
 * The rules for the names of one document. Its expressions have LIMITS.patternSteps together; a stored document that
 * needs more keeps the rules of its first names, and the expressions are not tried on the others.
 */
export class DocumentRules {
  readonly #book: RuleBook;
  /** Keys of the names whose expressions are tried; null: of all. */
  readonly #tried: ReadonlySet<string> | null;

  constructor(book: RuleBook, tried: ReadonlySet<string> | null) {
    this.#book = book;
    this.#tried = tried;
  }

  /** Whether the names need more steps than a document has. */
  get areTooMany(): boolean {
    return this.#tried !== null;
  }

  rule(name: string, level: RowLevel, kind: NameKind): NameRule {
    const isTried = this.#tried === null || this.#tried.has(keyOf({ name, level, kind }));
    return isTried ? this.#book.rule(name, level, kind) : this.#book.untried(name, level, kind);
  }
}

function isPrivateField({ isPrivate }: FieldConfig): boolean {
  return isPrivate === true;
}

/** The only category field, else `categories`, `category`, or the one without source names (docs/indexing.md 6.3). */
export function primaryCategoryFieldOf(fields: readonly FieldConfig[]): FieldConfig | null {
  const candidates = fields.filter((field) => field.type === "category");
  if (candidates.length <= 1) return candidates[0] ?? null;
  const named =
    candidates.find((field) => field.name === "categories") ?? candidates.find((field) => field.name === "category");
  if (named !== undefined) return named;
  const plain = candidates.filter((field) => field.sourceNames.length === 0);
  return plain.length === 1 ? plain[0] : null;
}
