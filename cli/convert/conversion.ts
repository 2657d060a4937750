/**
 * What the settings of another search service become here: a tenant's entry, a rules text, and in words what is not
 * converted. docs/migrating.md says which setting becomes what.
 */

export interface Sorting {
  readonly field: string;
  readonly order: "ASC" | "DESC";
}

export interface Facet {
  readonly "source-field": string;
  readonly order: number;
  readonly "multi-select": true;
}

/** Gathers from several files of one service. */
export class Conversion {
  readonly #rules: string[] = [];
  readonly #facets: string[] = [];
  readonly #sortings: Sorting[] = [];
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

  addFacet(field: string): void {
    if (!this.#facets.includes(field)) this.#facets.push(field);
  }

  addSorting(field: string, ...orders: readonly Sorting["order"][]): void {
    for (const order of orders) {
      if (!this.#sortings.some((one) => one.field === field && one.order === order))
        this.#sortings.push({ field, order });
    }
  }

  /** A setting that somebody has to look at. */
  note(text: string): void {
    this.#notes.add(text);
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

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/**
 * Words of an input or of a synonym, empty where there are none. In lower case, in which AND, OR and NOT are words; case
 * never counts.
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
