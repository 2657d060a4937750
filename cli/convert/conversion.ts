/**
 * What the settings of another search service become here: a tenant's entry, a rules text, and in words what is not
 * converted. docs/migrating.md says which setting becomes what.
 */

import { usualField } from "../../src/feeds/index.ts";

export interface Sorting {
  readonly field: string;
  readonly order: "ASC" | "DESC";
}

export interface Facet {
  readonly "source-field": string;
  readonly order: number;
  readonly "multi-select": true;
}

interface ScoreFunction {
  readonly field: string;
  readonly type: "field_value_factor";
  readonly weight: number;
  readonly options: Readonly<Record<string, string | number>>;
}

/** Of the first attributes that are searched; of all others the least. A title usually counts 3 (docs/search.md). */
const WEIGHTS: readonly number[] = [3, 2, 1.5, 1, 0.7, 0.5];
const LEAST_WEIGHT = 0.3;

/** The text of a hit is worth up to 10, so this decides between products that fit about equally well. */
const FIRST_RANKING = 0.2;
/** The logarithms of dates hardly differ. */
const MOMENT = /date|time|created|updated|published|_at$/i;
/** Fields of the preset without the usage `Score`. */
const UNSCORED: ReadonlySet<string> = new Set(["price", "listPrice", "priceFrom"]);

/** Under which names the index searches what a document has. Names that it does not know are searched together. */
function searchFieldsOf(attribute: string): readonly string[] {
  const field = usualField(attribute);
  if (field === "category") return ["category_leaf", "category_lvl_*"];
  if (field === "color" || field === "size") return ["search_combi"];
  return KNOWN_SEARCH_FIELDS.has(field) ? [field] : ["_other", "_attributes"];
}
const KNOWN_SEARCH_FIELDS: ReadonlySet<string> = new Set([
  "title",
  "brand",
  "artNr",
  "ean",
  "shortDescription",
  "description",
]);

/** Gathers from several files of one service. */
export class Conversion {
  readonly #rules: string[] = [];
  readonly #facets: string[] = [];
  readonly #sortings: Sorting[] = [];
  readonly #weights = new Map<string, number>();
  readonly #functions: ScoreFunction[] = [];
  readonly #notes = new Set<string>();

  /** @param input as `ruleInput` writes it */
  addRule(input: string, instructions: readonly string[], comment = ""): void {
    if (instructions.length === 0) return;
    const head = comment === "" ? "" : `# ${oneLine(comment)}\n`;
    this.#rules.push(`${head}${input} =>\n${instructions.map((one) => `  ${one}\n`).join("")}`);
  }

  /** Every one of the words stands for all others. */
  addSynonyms(words: readonly string[]): void {
    const known = [...new Set(words.map(ruleWords))].filter((word) => word !== "");
    for (const word of known) {
      const others = known.filter((other) => other !== word);
      this.addRule(
        word,
        others.map((other) => `SYNONYM: ${other}`),
      );
    }
  }

  addOneWaySynonyms(word: string, synonyms: readonly string[], weight = 1): void {
    const input = ruleWords(word);
    if (input === "") return;
    const known = [...new Set(synonyms.map(ruleWords))].filter((one) => one !== "");
    const name = weight === 1 ? "SYNONYM" : `SYNONYM(${weight})`;
    this.addRule(
      input,
      known.map((one) => `${name}: ${one}`),
    );
  }

  /** @param setting as the service calls it, for the note */
  addStopWords(words: readonly string[], setting: string): void {
    const known = [...new Set(words.map(ruleWords))].filter((word) => word !== "");
    for (const word of known) this.addRule(word, [`DELETE: ${word}`], "stop word");
    if (known.length > 0)
      this.note(
        `${setting} ${known.join(", ")}: are rules with DELETE. Remove those of the language: they are optional ` +
          "without a rule (docs/languages.md)",
      );
  }

  addFacet(field: string): void {
    if (!this.#facets.includes(field)) this.#facets.push(field);
  }

  addSorting(field: string, ...orders: readonly Sorting["order"][]): void {
    for (const order of orders) {
      if (!this.#sortings.some((one) => one.field === field && one.order === order))
        this.#sortings.push({ field, order });
    }
  }

  /**
   * Fields that are searched, the most important first; those in one list count the same. Only these are
   * searched.
   */
  weighFields(ranks: readonly (readonly string[])[]): void {
    for (const [rank, fields] of ranks.entries()) {
      const weight = WEIGHTS[rank] ?? LEAST_WEIGHT;
      for (const name of fields.flatMap(searchFieldsOf)) {
        this.#weights.set(name, Math.max(weight, this.#weights.get(name) ?? 0));
      }
    }
  }

  /** Among products that fit equally well, those with more (or less) of this come first. */
  addRanking(field: string, order: Sorting["order"], setting: string): void {
    if (MOMENT.test(field)) return this.note(`${setting}: write a decay of this date (docs/scoring.md)`);
    if (UNSCORED.has(field)) return this.note(`${setting}: ${field} does not score; offer it as a sorting`);
    // The first decides before the second: each counts half of the one before.
    const weight = FIRST_RANKING / 2 ** this.#functions.length;
    this.#functions.push({
      field,
      type: "field_value_factor",
      weight,
      options: order === "DESC" ? { modifier: "log1p", missing: 0 } : { modifier: "reciprocal", missing: 1e9 },
    });
  }

  /** A setting that somebody has to look at. */
  note(text: string): void {
    this.#notes.add(text);
  }

  /** Settings that nothing is made of, where they say something. */
  noteOthers(settings: Json, known: ReadonlySet<string>): void {
    const others = Object.entries(settings).filter(([name, value]) => !known.has(name) && !isBlank(value));
    if (others.length > 0) this.note(`${others.map(([name]) => name).join(", ")}: no counterpart`);
  }

  /** Empty where there is no rule. */
  rulesText(): string {
    return this.#rules.join("\n");
  }

  /** Null where nothing concerns the tenant. @param rulesName under which the rules are stored */
  tenantEntry(rulesName: string): Readonly<Record<string, unknown>> | null {
    const facets = this.#facets.map((field, at): Facet => ({
      "source-field": field,
      order: at + 1,
      "multi-select": true,
    }));
    const entry = {
      ...(facets.length === 0
        ? {}
        : {
            "facet-configuration": {
              "max-facets": Math.max(12, facets.length),
              // What the other service did not show is not shown.
              "default-term-facet-configuration": { type: "ignore" },
              "default-number-facet-configuration": { type: "ignore" },
              facets,
            },
          }),
      ...(this.#sortings.length === 0 ? {} : { "sort-configuration": this.#sortings }),
      ...(this.#weights.size === 0
        ? {}
        : { "relevance-configuration": { "weighted-fields": Object.fromEntries(this.#weights) } }),
      ...(this.#functions.length === 0
        ? {}
        : {
            "scoring-configuration": {
              "boost-mode": "sum",
              "score-mode": "sum",
              "score-functions": this.#functions,
            },
          }),
      ...(this.#rules.length === 0
        ? {}
        : {
            "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
            "plugin-configuration": { "[QuerqyQueryExpander]": { common_rules_url: rulesName } },
          }),
    };
    return Object.keys(entry).length === 0 ? null : entry;
  }

  get notes(): readonly string[] {
    return [...this.#notes];
  }
}

function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.values(value).every(isBlank);
  return value === null || value === undefined || value === "";
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/**
 * Words of an input or of a synonym, empty where there are none. In lower case, in which AND, OR and NOT are words;
 * case never counts.
 */
export function ruleWords(text: string): string {
  if (!/[\p{L}\p{N}]/u.test(text)) return "";
  return oneLine(text)
    .toLowerCase()
    .replaceAll("=>", " ")
    .replaceAll(/[#*"()\\]/g, String.raw`\$&`)
    .trim();
}

export type Anchoring = "is" | "startsWith" | "endsWith" | "contains";

/** Null where there are no words. */
export function ruleInput(pattern: string, anchoring: Anchoring): string | null {
  const words = ruleWords(pattern);
  if (words === "") return null;
  const start = anchoring === "is" || anchoring === "startsWith" ? '"' : "";
  const end = anchoring === "is" || anchoring === "endsWith" ? '"' : "";
  return `${start}${words}${end}`;
}

/** Products in this order before all others. */
export function pins(ids: readonly string[]): string[] {
  return ids.map((id, at) => `UP(${Math.max(1, 100 - at)}): * id:${ruleValue(id)}`);
}

export function hidden(ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`FILTER: * -id:${ids.map(ruleValue).join(",")}`];
}

/** A value of a field in a rule; in quotes where it would not be one value. */
export function ruleValue(value: string): string {
  const text = oneLine(value).replaceAll('"', " ");
  if (/^[\p{L}\p{N}_./-]+$/u.test(text)) return text;
  return `"${text.replaceAll(/[#\\]/g, String.raw`\$&`)}"`;
}

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list, none where it is no list. */
export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts of a list, none where it is no list. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
