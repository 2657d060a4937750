/**
 * What is said of a feed before it is imported. Columns: no title, no price, numbers that can be read in two ways,
 * pictures without a host. Products: how many have no title or no price, which ids come twice, what is rejected and
 * why.
 */
import { NOT_IN_FEED } from "./documents.ts";
import { decimalOfColumn, isDoubtful } from "./decimals.ts";
import { columnsOf } from "./guess.ts";
import type { FeedDocument, FeedError, FeedEvents, FeedRecord, Mapping } from "./model.ts";
import { readNumber } from "./values.ts";
import { numberKind } from "./weigh-columns.ts";

/** `ü`, `ß` or `€` of UTF-8, each byte as a character of windows-1252. */
const GARBLED = /Ã[¡-¿Ÿœ„–]|â‚¬/;
/** Examples of one remark. */
const MAX_EXAMPLES = 3;

export function columnRemarks(records: readonly FeedRecord[], mapping: Mapping): string[] {
  const rules = Object.entries(mapping.columns);
  const has = (name: string): boolean => rules.some(([, rule]) => rule.field === name || rule.else === name);
  const remarks: string[] = [];
  if (!has("title")) remarks.push("No column is known to be the title.");
  if (!has("price")) remarks.push("No column is known to be the price.");
  const columns = columnsOf(records);
  const garbled = [...columns.values()].flat().find((one) => GARBLED.test(one));
  if (garbled !== undefined)
    remarks.push(`${garbled.slice(0, 60)} is UTF-8 read as windows-1252 ("encoding" in the mapping).`);
  for (const [column, rule] of rules) {
    const values = columns.get(column) ?? [];
    if (rule.kind === "images" && rule.prefix === undefined) {
      const relative = values.find((one) => !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(one));
      if (relative !== undefined)
        remarks.push(
          `${column}: ${relative.slice(0, 60)} is no whole address. Say where pictures are: "prefix": "https://..." in the mapping.`,
        );
    }
    if (rule.kind !== "number" && rule.kind !== "price") continue;
    const doubtful = values.find(isDoubtful);
    if (doubtful === undefined || decimalOfColumn(values) !== null) continue;
    const number = readNumber(doubtful, rule.decimal ?? null, numberKind(rule));
    remarks.push(`${column}: ${doubtful} is read as ${number}. "decimal" in the mapping says otherwise.`);
  }
  return remarks;
}

/** Listens while documents are made, and looks at each. */
export class Findings implements FeedEvents {
  readonly #isWhole: boolean;
  readonly #ids = new Set<string>();
  readonly #repeated = new Set<string>();
  readonly #titles = new Set<string>();
  #withKnownTitle = 0;
  #documents = 0;
  #untitled = 0;
  #unpriced = 0;
  #leftOut = 0;
  #rejected = 0;
  #ignored = 0;
  readonly #rejections: string[] = [];
  readonly #ignorances: string[] = [];

  /** @param isWhole false: of the beginning of a feed */
  constructor(isWhole: boolean) {
    this.#isWhole = isWhole;
  }

  readonly onRejected = (line: number, reason: string): void => {
    if (!this.#isWhole && reason.endsWith(NOT_IN_FEED)) return;
    if (this.#rejected++ < MAX_EXAMPLES) this.#rejections.push(`line ${line}: ${reason}`);
  };
  readonly onUnreadable = ({ message }: FeedError): void => {
    if (this.#rejected++ < MAX_EXAMPLES) this.#rejections.push(message);
  };
  readonly onIgnored = (line: number, reason: string): void => {
    if (this.#ignored++ < MAX_EXAMPLES) this.#ignorances.push(`line ${line}: ${reason}`);
  };
  readonly onLeftOut = (): void => void this.#leftOut++;

  add({ json, id }: FeedDocument): void {
    this.#documents++;
    if (id !== null && this.#ids.has(id)) this.#repeated.add(id);
    if (id !== null) this.#ids.add(id);
    const { data, variants = [] } = JSON.parse(new TextDecoder().decode(json)) as MadeDocument;
    const { title } = data;
    if (title === undefined) this.#untitled++;
    else if (typeof title === "string") {
      if (this.#titles.has(title)) this.#withKnownTitle++;
      this.#titles.add(title);
    }
    const all = [data, ...variants.map((variant) => variant.data)];
    if (all.every((one) => one["price"] === undefined)) this.#unpriced++;
  }

  remarks(mapping: Mapping): string[] {
    const remarks: string[] = [];
    const rules = Object.values(mapping.columns);
    const has = (name: string): boolean => rules.some((rule) => rule.field === name || rule.else === name);
    const part = (count: number): string => `${count} of ${this.#documents}${this.#isWhole ? "" : " at the beginning"}`;
    // Said of the column already where there is none.
    if (this.#untitled > 0 && has("title")) remarks.push(`${part(this.#untitled)} products have no title.`);
    if (this.#unpriced > 0 && has("price")) remarks.push(`${part(this.#unpriced)} products have no price.`);
    const areSome = this.#titles.size > 1 && this.#withKnownTitle * 5 > this.#documents;
    if (areSome && mapping.variants === undefined)
      remarks.push(
        `${part(this.#withKnownTitle)} products have the title of another one. ` +
          'If they are its variants, say which column they share: "variants" in the mapping.',
      );
    if (this.#repeated.size > 0)
      remarks.push(
        `Ids that come more than once, the last product of each counts: ${some([...this.#repeated], this.#repeated.size, ", ")}`,
      );
    if (this.#rejected > 0) remarks.push(`Rejected: ${some(this.#rejections, this.#rejected, "; ")}`);
    if (this.#ignored > 0) remarks.push(`Values that cannot be read: ${some(this.#ignorances, this.#ignored, "; ")}`);
    if (this.#leftOut > 0) remarks.push(`Left out (drafts, hidden, other languages): ${this.#leftOut}`);
    return remarks;
  }
}

interface MadeDocument {
  readonly data: Readonly<Record<string, unknown>>;
  readonly variants?: readonly { readonly data: Readonly<Record<string, unknown>> }[];
}

function some(examples: readonly string[], count: number, separator: string): string {
  const shown = examples.slice(0, MAX_EXAMPLES);
  const more = count - shown.length;
  return shown.join(separator) + (more > 0 ? `${separator}and ${more} more` : "");
}
