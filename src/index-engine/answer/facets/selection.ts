/**
 * The selection of a facet, and the links that change it (docs/behaviour.md 4.6).
 *
 *   color=red%2Cblue    by value: always possible. Numbers are sent as one parameter each, because
 *                       a comma would make them a range
 *   color.id=1%2C7      by id: only if the active filters are by id and every choice has an id of
 *                       its own. Otherwise the link would find other products than the entry counts
 *
 * A *choice* is anything that a filter parameter can name: an entry, or a value that was sent and
 * is not an entry (any more). A link lists the choices to select next, in one of these two forms.
 */
import { getOrInsert, type GrowableBytes } from "../../base/index.ts";
import type { CountedValue, LinkFrame } from "../../query/index.ts";
import type { ResolvedFilter } from "../../query/filter/index.ts";
import type { QueryLinks } from "../links/index.ts";

export interface Choice {
  /** The texts of a filter by value. Null for an id that no entry has. */
  readonly text: readonly string[] | null;
  /** The id for a filter by id; null if it would be ambiguous. Only called if links are by id. */
  id(): string | null;
  /** The key of the entry, which identifies the choice. Null if the choice is not an entry. */
  readonly key: string | null;
}

export interface SelectionRules {
  /** The choices of a filter by value, each as keys. */
  textsOf(filter: ResolvedFilter): readonly (readonly string[])[];
  /** Normalizes the id of a filter. */
  idOf(value: string): string;
  choice(entry: CountedValue): Choice;
  /** The entries with this key or id. */
  find(text: readonly string[], byId: boolean): readonly CountedValue[];
  /** Whether selecting a value keeps earlier selections ... */
  readonly accumulates: boolean;
  /** ... except those that the entry replaces. */
  replaces?(selected: Choice, entry: CountedValue): boolean;
}

export class Selection {
  readonly #field: string;
  readonly #links: QueryLinks;
  readonly #isById: boolean;
  /** Whether each choice is a separate parameter. */
  readonly #isApart: boolean;
  /** In the order in which they were sent. */
  readonly #choices: readonly Choice[];
  /** Their ids, because the link of each entry names them all. */
  readonly #ids = new Map<Choice, string | null>();
  /** Selected entries by key. */
  readonly entries: ReadonlyMap<string, CountedValue>;
  readonly #rules: SelectionRules;
  /** Whether the links of unselected entries only differ in the entry's value. */
  readonly #isFramed: boolean;
  /** Around the value. Null if no link can be written this way. */
  readonly #frame: Frame | null;

  /** `filters` are those of the field. Excluding filters select nothing. */
  constructor(
    field: string,
    filters: readonly ResolvedFilter[],
    rules: SelectionRules,
    links: QueryLinks,
    isApart = false,
  ) {
    this.#isApart = isApart;
    this.#field = field;
    this.#links = links;
    const active = filters.filter(({ negated }) => !negated);
    this.#isById = active.length > 0 && active.every(({ byId }) => byId);
    const choices: Choice[] = [];
    const entries = new Map<string, CountedValue>();
    // A value may be sent twice, in one parameter or in two. A link names it once.
    const unknown = new Set<string>();
    for (const filter of active) {
      const { byId, values } = filter;
      for (const text of byId ? values.map((value) => [rules.idOf(value)]) : rules.textsOf(filter)) {
        const named = rules.find(text, byId);
        const name = JSON.stringify([byId, text]);
        if (named.length === 0 && !unknown.has(name)) {
          unknown.add(name);
          choices.push({
            text: byId ? null : text,
            id: () => (byId ? (text[0] ?? null) : null),
            key: null,
          });
        }
        for (const entry of named) {
          const choice = rules.choice(entry);
          if (choice.key === null || entries.has(choice.key)) continue;
          entries.set(choice.key, entry);
          choices.push(choice);
        }
      }
    }
    this.#choices = choices;
    this.entries = entries;
    this.#rules = rules;
    const isOwn = this.#isById || (rules.replaces !== undefined && choices.length > 0);
    const previous = rules.accumulates ? textsOf(choices) : [];
    this.#frame = isOwn ? null : frameOf(links.frames, links.adding(field, previous, isApart));
    this.#isFramed = !isOwn;
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  /** Appends an entry; of a path, the part before its children. Its link adds it to the selection, or removes it. */
  write(to: GrowableBytes, entry: CountedValue, isSelected: boolean): void {
    const { count, written } = entry;
    const frame = this.#frame;
    const isFramed = this.#isFramed && (this.entries.size === 0 || !this.has(String(entry.key)));
    if (isFramed && frame !== null) {
      const valueBytes = written.writeLinked(to, count, frame);
      if (valueBytes >= 0) {
        this.#links.count(frame.linkBytes + valueBytes);
        return;
      }
    }
    written.writeHead(to);
    to.pushDecimal(count);
    const link = isFramed ? null : this.#linkOf(entry);
    // Links are form-encoded, so JSON needs no escaping.
    to.pushText(`,"link":${link === null ? "null" : `"${link}"`},"selected":${isSelected}`);
    written.writeTail(to);
  }

  #linkOf(entry: CountedValue): string | null {
    const rules = this.#rules;
    const key = String(entry.key);
    if (this.has(key)) return this.#write(this.#choices.filter((one) => one.key !== key));
    const previous = rules.accumulates ? this.#choices : [];
    return this.#write([...previous.filter((one) => rules.replaces?.(one, entry) !== true), rules.choice(entry)]);
  }

  #write(choices: readonly Choice[]): string | null {
    if (this.#isById) {
      const ids = choices.map((choice) => getOrInsert(this.#ids, choice, () => choice.id()));
      const known = ids.filter((id) => id !== null);
      if (known.length === ids.length) return this.#links.withField(this.#field, known, true);
    }
    const texts = textsOf(choices);
    return this.#isApart
      ? this.#links.withTexts(this.#field, texts, false)
      : this.#links.withField(this.#field, texts.flat(), false);
  }
}

interface Frame extends LinkFrame {
  /** Size of a link without its value. */
  readonly linkBytes: number;
}

/** For entries that are not selected. */
function frameOf(bytes: GrowableBytes, link: ReturnType<QueryLinks["adding"]>): Frame | null {
  if (link === null) return null;
  const start = bytes.length;
  bytes.pushText(`,"link":"${link.before}`);
  const beforeBytes = bytes.length - start;
  bytes.pushText(link.after);
  const linkBytes = bytes.length - start;
  bytes.pushText('","selected":false');
  return { bytes, start, beforeBytes, afterBytes: bytes.length - start - beforeBytes, linkBytes };
}

function textsOf(choices: readonly Choice[]): (readonly string[])[] {
  return choices.map(({ text }) => text).filter((text) => text !== null);
}
