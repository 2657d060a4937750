/**
 * XML -> records: RSS and Atom of Google Merchant, and other lists of elements. Names go without their namespace
 * (`g:price` is `price`), elements inside become columns with dots (`shipping.country`), attributes with `@`; an
 * element that repeats is a list; `<param name="Color">Red</param>` is a column `Color`.
 */
import { Parser } from "htmlparser2";
import { FeedError, type FeedRecord, type FeedValue } from "./model.ts";

/** Elements that are usually one product; the first that is met counts. */
const PRODUCT_ELEMENTS = new Set([
  "item",
  "entry",
  "product",
  "offer",
  "article",
  "artikel",
  "produkt",
  "row",
  "record",
]);
const NAMED = new Set(["param", "attribute", "property"]);
const NO_CHILDREN: readonly never[] = [];
/** Elements of one product; more is a file of another kind. */
const MAX_ELEMENTS = 20_000;

export async function* xmlRecords(
  bytes: AsyncIterable<Uint8Array>,
  element: string | null,
): AsyncGenerator<FeedRecord> {
  const reader = new XmlReader(element);
  const decoder = new TextDecoder();
  for await (const chunk of bytes) yield* reader.push(decoder.decode(chunk, { stream: true }));
  yield* reader.end();
}

interface Open {
  readonly column: string;
  text: string;
  hasElements: boolean;
}

class XmlReader {
  readonly #parser: Parser;
  #element: string | null;
  readonly #seen = new Set<string>();
  #found: FeedRecord[] = [];
  #line = 1;
  /** Names of the elements around, outermost first. */
  readonly #path: string[] = [];
  #values: Map<string, FeedValue> | null = null;
  #depthOfItem = 0;
  #itemLine = 1;
  #elements = 0;
  #open: Open[] = [];
  #hasRecord = false;

  constructor(element: string | null) {
    this.#element = element;
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#onOpen(localName(name), attributes),
        ontext: (text) => {
          const open = this.#open.at(-1);
          if (open !== undefined) open.text += text;
        },
        onclosetag: () => this.#onClose(),
      },
      { xmlMode: true, decodeEntities: true },
    );
  }

  *push(text: string): Generator<FeedRecord> {
    // Line by line, so that the line of an element is known.
    let start = 0;
    while (start < text.length) {
      const at = text.indexOf("\n", start);
      const end = at < 0 ? text.length : at + 1;
      this.#parser.write(text.slice(start, end));
      if (at >= 0) this.#line++;
      start = end;
    }
    yield* this.#take();
  }

  *end(): Generator<FeedRecord> {
    if (this.#path.length > 0) {
      throw new FeedError(`the XML ends inside of <${this.#path.at(-1)}>; is the file cut off?`, this.#line);
    }
    this.#parser.end();
    yield* this.#take();
    if (this.#hasRecord) return;
    const names = [...this.#seen].slice(0, 20).map((name) => `<${name}>`);
    throw new FeedError(
      `no element looks like a product: expected <item>, <entry>, <product> or <offer>, found ${names.join(", ")}. ` +
        'Name it in the mapping: {"source": {"format": "xml", "element": "..."}}',
    );
  }

  #take(): FeedRecord[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#path.push(name);
    if (this.#values === null) {
      this.#seen.add(name);
      const isItem = this.#element === null ? PRODUCT_ELEMENTS.has(name.toLowerCase()) : name === this.#element;
      if (!isItem || this.#path.length < 2) return;
      this.#element = name;
      this.#values = new Map();
      this.#depthOfItem = this.#path.length;
      this.#itemLine = this.#line;
      this.#elements = 0;
      for (const [key, value] of Object.entries(attributes)) add(this.#values, `@${localName(key)}`, value);
      return;
    }
    if (++this.#elements > MAX_ELEMENTS) {
      throw new FeedError(`<${this.#element}> has more than ${MAX_ELEMENTS} elements`, this.#itemLine);
    }
    const outer = this.#open.at(-1);
    if (outer !== undefined) outer.hasElements = true;
    const label = attributes["name"];
    const isNamed = NAMED.has(name) && label !== undefined && label !== "";
    const own = isNamed ? label : name;
    const column = outer === undefined || isNamed ? own : `${outer.column}.${own}`;
    this.#open.push({ column, text: "", hasElements: false });
    for (const [key, value] of Object.entries(attributes)) {
      if (!(isNamed && key === "name") && !key.startsWith("xmlns")) {
        add(this.#values, `${column}@${localName(key)}`, value);
      }
    }
  }

  #onClose(): void {
    const depth = this.#path.length;
    this.#path.pop();
    if (this.#values === null) return;
    if (depth === this.#depthOfItem) {
      this.#found.push({ line: this.#itemLine, values: this.#values, children: NO_CHILDREN });
      this.#hasRecord = true;
      this.#values = null;
      this.#open = [];
      return;
    }
    const closed = this.#open.pop();
    if (closed !== undefined && !closed.hasElements) add(this.#values, closed.column, closed.text);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function add(values: Map<string, FeedValue>, column: string, text: string): void {
  const value = text.trim();
  if (value === "") return;
  const known = values.get(column);
  if (known === undefined) values.set(column, value);
  else values.set(column, Array.isArray(known) ? [...known, value] : [known, value]);
}
