/**
 * What is selected in a facet, and the links that select something else (docs/behaviour.md 4.6).
 *
 * A *choice* is something a filter parameter can name: an entry, or a value that was sent and is no
 * entry (any more). A link is the list of choices that shall be selected next, written in one of
 * two forms:
 *
 *   color=red%2Cblue        by value: always possible; numbers as a parameter each, because a comma would make them a range
 *   color.id=1%2C7          by id: only where the filters in force are by id, and every choice has an id of its own
 *
 * so that a link never means another set of products than its entry counts.
 */
import { utf8Of, type GrowableBytes } from "../../base/index.ts";
import type { CountedValue } from "../../query/index.ts";
import type { ResolvedFilter } from "../../query/filter/index.ts";
import type { QueryLinks } from "../links/index.ts";

export interface Choice {
  /**
   * How it is filtered by value; null for an id that no entry has. Of numbers a text of its own.
   */
  readonly text: readonly string[] | null;
  /** How it is filtered by id; null where that is ambiguous. Asked only where links are by id. */
  id(): string | null;
  /** The entry's key, the identity of the choice; null for what is no entry. */
  readonly key: string | null;
}

export interface SelectionRules {
  /** What a filter by value chooses, one after the other, in the form of keys. */
  textsOf(filter: ResolvedFilter): readonly (readonly string[])[];
  /** A filter id in the form of ids. */
  idOf(value: string): string;
  choice(entry: CountedValue): Choice;
  /** Entries with this key or id. */
  find(text: readonly string[], byId: boolean): readonly CountedValue[];
  /** Whether selecting a value keeps those selected before, ... */
  readonly accumulates: boolean;
  /** ... but for those that the entry stands instead of. */
  replaces?(selected: Choice, entry: CountedValue): boolean;
}

export class Selection {
  readonly #field: string;
  readonly #links: QueryLinks;
  readonly #isById: boolean;
  /** Whether each choice is a parameter of its own. */
  readonly #isApart: boolean;
  /** In the order sent. */
  readonly #choices: readonly Choice[];
  /** Selected entries by key. */
  readonly #entries: ReadonlyMap<string, CountedValue>;
  readonly #rules: SelectionRules;
  /** Entries that are not selected add their value to the same link. */
  readonly #isFramed: boolean;
  /** Around the value in what `write` gives for most entries. Null: no link can be written so. */
  readonly #frame: Frame | null;

  /** `filters`: those of the field, excluding ones are no selection. */
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
    // A value may be sent twice, in one parameter or in two; a link names it once.
    const unknown = new Set<string>();
    for (const filter of active) {
      const { byId, values } = filter;
      for (const text of byId
        ? values.map((value) => [rules.idOf(value)])
        : rules.textsOf(filter)) {
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
    this.#entries = entries;
    this.#rules = rules;
    const isOwn = this.#isById || (rules.replaces !== undefined && choices.length > 0);
    const kept = rules.accumulates ? textsOf(choices) : [];
    this.#frame = isOwn ? null : frameOf(links.adding(field, kept, isApart));
    this.#isFramed = !isOwn;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  entries(): ReadonlyMap<string, CountedValue> {
    return this.#entries;
  }

  /**
   * Appends the members `link` and `selected` of an entry, a comma before them. The link selects
   * everything selected but the entry, or the entry besides what is selected.
   */
  write(to: GrowableBytes, entry: CountedValue, isSelected: boolean): void {
    if (this.#isFramed && (this.#entries.size === 0 || !this.has(String(entry.key)))) {
      const frame = this.#frame;
      const length = frame === null ? -1 : entry.written.writeLink(to, frame.before);
      if (frame === null || length < 0) {
        to.pushText(members(null, isSelected));
      } else {
        to.pushBytes(frame.after);
        this.#links.count(length + frame.after.length);
        to.pushBytes(isSelected ? SELECTED : UNSELECTED);
      }
    } else to.pushText(members(this.#linkOf(entry), isSelected));
  }

  #linkOf(entry: CountedValue): string | null {
    const rules = this.#rules;
    const key = String(entry.key);
    if (this.has(key)) return this.#write(this.#choices.filter((one) => one.key !== key));
    const kept = rules.accumulates ? this.#choices : [];
    return this.#write([
      ...kept.filter((one) => rules.replaces?.(one, entry) !== true),
      rules.choice(entry),
    ]);
  }

  #write(choices: readonly Choice[]): string | null {
    if (this.#isById) {
      const ids = choices.map((choice) => choice.id());
      const known = ids.filter((id) => id !== null);
      if (known.length === ids.length) return this.#links.withField(this.#field, known, true);
    }
    const texts = textsOf(choices);
    return this.#isApart
      ? this.#links.withTexts(this.#field, texts, false)
      : this.#links.withField(this.#field, texts.flat(), false);
  }
}

/** What stands before and behind the value. */
interface Frame {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

const SELECTED = utf8Of('","selected":true');
const UNSELECTED = utf8Of('","selected":false');

function frameOf(link: ReturnType<QueryLinks["adding"]>): Frame | null {
  if (link === null) return null;
  const { before, after } = link;
  return {
    before: utf8Of(`,"link":"${before}`),
    after: utf8Of(after),
  };
}

/** Links are form encoded: nothing in them is to be escaped. */
function members(link: string | null, isSelected: boolean): string {
  return `,"link":${link === null ? "null" : `"${link}"`},"selected":${isSelected}`;
}

function textsOf(choices: readonly Choice[]): (readonly string[])[] {
  return choices.map(({ text }) => text).filter((text) => text !== null);
}
