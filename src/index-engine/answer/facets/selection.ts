/**
 * What is selected in a facet, and the links that select something else (docs/behaviour.md 4.6).
 *
 * A *choice* is something a filter parameter can name: an entry, or a value that was sent and is no entry (any more).
 * A link is the list of choices that shall be selected next, written in one of two forms:
 *
 *   color=red%2Cblue        by value: always possible; numbers as a parameter each, because a comma would make them a range
 *   color.id=1%2C7          by id: only where the filters in force are by id, and every choice has an id of its own
 *
 * so that a link never means another set of products than its entry counts.
 */
import type { CountedValue } from "../../query/index.ts";
import type { ResolvedFilter } from "../../query/filter/index.ts";
import type { QueryLinks } from "../links/index.ts";

export interface Choice {
  /** How it is filtered by value; null for an id that no entry has. Of numbers a text of its own. */
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
  }

  get isEmpty(): boolean {
    return this.#choices.length === 0;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  entries(): ReadonlyMap<string, CountedValue> {
    return this.#entries;
  }

  /** Everything selected but this. */
  without(key: string): string | null {
    return this.#write(this.#choices.filter((choice) => choice.key !== key));
  }

  only(choice: Choice): string | null {
    return this.#write([choice]);
  }

  /** This besides what is selected, except what `replaces` says it stands instead of. */
  plus(choice: Choice, replaces: (selected: Choice) => boolean = () => false): string | null {
    return this.#write([...this.#choices.filter((selected) => !replaces(selected)), choice]);
  }

  #write(choices: readonly Choice[]): string | null {
    if (this.#isById) {
      const ids = choices.map((choice) => choice.id());
      const known = ids.filter((id) => id !== null);
      if (known.length === ids.length) return this.#links.withField(this.#field, known, true);
    }
    const [first] = choices;
    // Most links choose one value.
    if (choices.length === 1 && first !== undefined && first.text !== null) {
      return this.#isApart
        ? this.#links.withTexts(this.#field, [first.text], false)
        : this.#links.withField(this.#field, first.text, false);
    }
    const texts = choices.map(({ text }) => text).filter((text) => text !== null);
    return this.#isApart
      ? this.#links.withTexts(this.#field, texts, false)
      : this.#links.withField(this.#field, texts.flat(), false);
  }
}
