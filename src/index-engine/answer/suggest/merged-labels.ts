/**
 * Merges the labels of several shards. Facet values add up. For titles:
 *
 *   A sends  red shoe 2, red sock 1 (and hashes of all)
 *   B sends  red shoe 1, red coat 1 (and hashes of all)
 *
 * - If only one shard has a title (its hash is in no other list), that shard knows its weight. If it did not send the
 *   title, `limit` of its titles rank higher. Adding up can only move those up, so the title cannot be among the first
 *   `limit`.
 * - If several shards have the hash of a title, all of them send its name, unless it could not reach the first `limit`
 *   even if it began with the input. Equal hashes may be different titles; names decide.
 *
 * As with facets (answer/facets/merged.ts), unknown data is recorded as followUps. The answer is built again after the
 * shards have answered them.
 */
import type { SuggestConfig, SuggestRequest, Suggestion } from "../../../interface/index.ts";
import { analyzerFor, textOfSortKey } from "../../analysis/index.ts";
import { countedValue, hashText, mergeEntries, sharedHashes, type PlainEntries } from "../facets/index.ts";
import { compareCodePoints, getOrInsert, run, type Parts } from "../../base/index.ts";
import { commonLength, titleLabel, type LabelOrder } from "./column-labels.ts";
import { facetLabel, type FacetSource } from "./facet-labels.ts";
import { firstSpelling, topWords, type WordCounts, type WordPart, type WordSpelling } from "./keywords.ts";
import { KEYWORD, type Label } from "./label.ts";
import { phraseLabels, SOURCE_KINDS, type Asked, type LabelFinder, type SourceKind } from "./label-finder.ts";
import type { OwnQueries } from "./own-queries.ts";
import type { NamedTitles, SuggestFollowUp, SuggestPartial, SentTitles } from "./partial.ts";
import { Suggesting, typedRequest } from "./suggest.ts";
import { partOf, type TypedWords } from "./words.ts";

/** Each round answers all follow-ups that could be known before it. */
const MOST_ROUNDS = 24;

/**
 * @param ask asks all shards, in a fixed order; null: the first call
 * @param language language of the index
 */
export async function suggestSharded(
  ask: (followUps: readonly SuggestFollowUp[] | null) => Promise<readonly SuggestPartial[]>,
  language: string,
  config: SuggestConfig,
  request: SuggestRequest,
  own: OwnQueries | null = null,
): Promise<Suggestion[]> {
  const typed = typedRequest(config, request, analyzerFor(language));
  if (typed === null) return [];
  const labels = new MergedLabels(await ask(null), typed);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const suggestions = run(new Suggesting(labels, config, request, typed, own).answer());
    const followUps = labels.takeFollowUps();
    if (followUps.length === 0) return suggestions;
    labels.supply(await ask(followUps));
  }
  throw new Error(`labels were still incomplete after ${MOST_ROUNDS} rounds`);
}

/** The words that follow a word do not depend on the input. */
const AS_IT_STANDS: Asked = { part: null, maxEdits: 0 };

/** The titles of one field that the shards have sent. */
interface Titles {
  /** By shard. */
  readonly sent: (SentTitles | null)[];
  /** By shard: sort key -> weight, of all titles sent so far. */
  readonly weights: Map<string, number>[];
  /** Hashes for which all shards have sent the titles. */
  readonly named: Set<number>;
}

/** The words that the shards have sent: completions of the input, or words that follow a word. */
interface Words {
  /** By shard. */
  readonly sent: (WordCounts | null)[];
  /** By shard: word -> products, of all words sent so far. */
  readonly counts: Map<string, number>[];
}

class MergedLabels implements LabelFinder {
  readonly #typed: TypedWords;
  readonly #kinds: readonly ReadonlyMap<string, readonly SourceKind[]>[];
  readonly #facets: Map<string, PlainEntries>[];
  readonly #titles = new Map<string, Titles>();
  readonly #words = new Map<string, Words>();
  /** By shard: word -> spelling. */
  readonly #spellings: Map<string, WordSpelling | null>[];
  #followUps = new Map<string, SuggestFollowUp>();

  constructor(partials: readonly SuggestPartial[], typed: TypedWords) {
    this.#typed = typed;
    this.#kinds = partials.map(({ kinds }) => new Map(kinds));
    this.#facets = partials.map(() => new Map());
    this.#spellings = partials.map(() => new Map());
    this.supply(partials);
  }

  takeFollowUps(): SuggestFollowUp[] {
    const followUps = [...this.#followUps.values()];
    this.#followUps = new Map();
    return followUps;
  }

  supply(partials: readonly SuggestPartial[]): void {
    partials.forEach(({ sent }, shard) => {
      for (const { followUp, answer } of sent) {
        switch (answer.what) {
          case "facets":
            this.#facets[shard].set(followUpKey(followUp), answer.entries);
            break;
          case "titles": {
            const titles = this.#titlesOf(followUp.field, followUp);
            titles.sent[shard] = answer.titles;
            note(titles.weights[shard], answer.titles);
            break;
          }
          case "named": {
            const titles = this.#titlesOf(followUp.field, followUp);
            note(titles.weights[shard], answer.titles);
            if (followUp.what === "named") for (const hash of followUp.hashes) titles.named.add(hash);
            break;
          }
          case "words": {
            if (followUp.what !== "words") break;
            const { sent, counts } = this.#wordsOf(followUp, followUp.behind);
            sent[shard] = answer.words;
            answer.words.words.forEach((word, i) => counts[shard].set(word, answer.words.counts[i]));
            break;
          }
          case "counts": {
            if (followUp.what !== "counts") break;
            const { counts } = this.#wordsOf(followUp, followUp.behind);
            followUp.words.forEach((word, i) => counts[shard].set(word, answer.counts[i]));
            break;
          }
          case "spellings":
            if (followUp.what === "spellings")
              followUp.words.forEach((word, i) => this.#spellings[shard].set(word, answer.spellings[i]));
            break;
        }
      }
    });
  }

  kindOf(field: string): SourceKind | null {
    return SOURCE_KINDS.find((kind) => this.#kinds.some((kinds) => kinds.get(field)?.includes(kind))) ?? null;
  }

  /** The shards have read them. */
  *read(): Parts<void> {}

  facets(source: FacetSource, asked: Asked, secondary: boolean): Label[] {
    const { field, kind } = source;
    const followUp: SuggestFollowUp = { what: "facets", ...asked, field, kind, secondary };
    const entries: PlainEntries[] = [];
    this.#facets.forEach((sent, shard) => {
      if (this.#kinds[shard].get(field)?.includes(kind) !== true) return;
      const own = sent.get(followUpKey(followUp));
      if (own === undefined) this.#followUp(followUp);
      else entries.push(own);
    });
    return mergeEntries(kind, entries).map((entry) =>
      facetLabel(countedValue(kind, entry), source, this.#typed.analyzer.language),
    );
  }

  titles(field: string, asked: Asked, order: LabelOrder, limit: number): Label[] {
    const titles = this.#titlesOf(field, asked);
    const { sent, weights } = titles;
    sent.forEach((own, shard) => {
      const hasTitles = this.#kinds[shard].get(field)?.includes("column") === true;
      const isEnough = own !== null && (own.hashes === null || own.keys.length >= limit);
      if (hasTitles && !isEnough) this.#followUp({ what: "titles", ...asked, field, limit });
    });
    const sums = new Map<string, number>();
    for (const of of weights) {
      for (const [key, weight] of of) sums.set(key, (sums.get(key) ?? 0) + weight);
    }
    const scoreOf = scoring(order);
    const best = [...sums]
      .map(([key, weight]) => ({ key, weight, score: scoreOf(key, weight) }))
      .sort((a, b) => b.score - a.score || compareCodePoints(a.key, b.key))
      .slice(0, limit);
    const least = best.length < limit ? -Infinity : best[best.length - 1].score;
    const hashes = unnamedHashes(titles).filter(({ weight }) => mostScore(order, weight) >= least);
    if (hashes.length > 0) {
      const wanted = hashes.map(({ hash }) => hash).sort((a, b) => a - b);
      this.#followUp({ what: "named", ...asked, field, hashes: wanted });
    }
    return best.map(({ key, weight }) => titleLabel(field, key, weight));
  }

  phrases(asked: Asked, limit: number): Label[] {
    return phraseLabels(partOf(this.#typed, asked.part), limit, {
      top: (size) => topWords(this.#wordParts(asked, null), size),
      behind: (word, size) => topWords(this.#wordParts(AS_IT_STANDS, word), size),
      spell: (words) => this.#spell(asked, words),
    });
  }

  #wordParts(asked: Asked, behind: string | null): WordPart[] {
    const { sent, counts } = this.#wordsOf(asked, behind);
    const followUp = { ...asked, field: KEYWORD, behind };
    return sent.flatMap((own, shard): WordPart[] =>
      this.#kinds[shard].get(KEYWORD)?.includes("words") !== true
        ? []
        : [
            {
              isOrdered: true,
              top: (size) => {
                if (own !== null && (own.rest === 0 || own.words.length >= size)) return own;
                this.#followUp({ ...followUp, what: "words", limit: size });
                return null;
              },
              countsOf: (words) => {
                const isAll = own?.rest === 0;
                const unknown = isAll ? [] : words.filter((word) => !counts[shard].has(word));
                if (unknown.length === 0) return words.map((word) => counts[shard].get(word) ?? 0);
                this.#followUp({ ...followUp, what: "counts", words });
                return null;
              },
            },
          ],
    );
  }

  #spell(asked: Asked, words: readonly string[]): (WordSpelling | null)[] {
    const isKnown = this.#spellings.every((own) => words.every((word) => own.has(word)));
    if (!isKnown) this.#followUp({ ...asked, field: KEYWORD, what: "spellings", words });
    return words.map((word) => firstSpelling(this.#spellings.map((own) => own.get(word) ?? null)));
  }

  #wordsOf(asked: Asked, behind: string | null): Words {
    const key = JSON.stringify([asked.part, asked.maxEdits, behind]);
    return getOrInsert(this.#words, key, () => ({
      sent: this.#kinds.map(() => null),
      counts: this.#kinds.map(() => new Map()),
    }));
  }

  #titlesOf(field: string, { part, maxEdits }: Asked): Titles {
    const key = JSON.stringify([field, part, maxEdits]);
    return getOrInsert(this.#titles, key, () => ({
      sent: this.#kinds.map(() => null),
      weights: this.#kinds.map(() => new Map()),
      named: new Set(),
    }));
  }

  #followUp(followUp: SuggestFollowUp): void {
    this.#followUps.set(followUpKey(followUp), followUp);
  }
}

function followUpKey(followUp: SuggestFollowUp): string {
  return JSON.stringify(followUp, Object.keys(followUp).sort());
}

function note(weights: Map<string, number>, { keys, weights: sent }: NamedTitles): void {
  keys.forEach((key, i) => weights.set(key, sent[i]));
}

/** Hashes of several shards some of which have not sent the titles. `weight`: sum over all titles with the hash. */
function unnamedHashes({ sent, weights, named }: Titles): { hash: number; weight: number }[] {
  if (sent.every((own) => own === null || own.hashes === null)) return [];
  const lists = sent.map((own, shard) => (own?.hashes == null ? hashesOf(weights[shard].keys()) : own.hashes));
  const shared = sharedHashes(lists);
  if (shared.size === 0) return [];
  const nameable = sent.map((own, shard) => (own?.hashes == null ? null : new Set(hashesOf(weights[shard].keys()))));
  const unnamed = new Set<number>();
  const weightOf = new Map<number, number>();
  lists.forEach((list, shard) => {
    const own = sent[shard];
    const ofHashes = own?.hashes == null ? [...weights[shard].values()] : own.hashWeights;
    list.forEach((hash, i) => {
      if (!shared.has(hash) || named.has(hash)) return;
      weightOf.set(hash, (weightOf.get(hash) ?? 0) + (ofHashes === null ? 1 : ofHashes[i]));
      // A shard that sent all titles has also sent this one.
      if (nameable[shard]?.has(hash) === false) unnamed.add(hash);
    });
  });
  return [...unnamed].map((hash) => ({ hash, weight: weightOf.get(hash) ?? 0 }));
}

function hashesOf(keys: Iterable<string>): Uint32Array {
  return Uint32Array.from([...keys].map((key) => hashText(textOfSortKey(key))));
}

/** The same order as in column-labels.ts. */
function scoring({ by, prefix }: LabelOrder): (key: string, weight: number) => number {
  return by === "weight"
    ? (key, weight) => weight * 2 + Number(key.startsWith(prefix))
    : (key, weight) => commonLength(key, prefix) * 2 ** 32 + weight;
}

/** The highest possible score of a title with this weight. */
function mostScore({ by, prefix }: LabelOrder, weight: number): number {
  return by === "weight" ? weight * 2 + 1 : prefix.length * 2 ** 32 + weight;
}
