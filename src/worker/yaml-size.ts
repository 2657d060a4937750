/**
 * Counts the values of a YAML file before its data is made: in the data an alias is a reference, but a merge (`<<`)
 * copies, and so does everything that writes the data out.
 */
import { isAlias, isCollection, isPair, isScalar, type Document } from "yaml";

/** The parser looks up each alias in a list of all aliases and anchors; 20,000 of them take a quarter of a minute. */
const MOST_ALIASES = 2_000;

export class YamlSize {
  /** Members of all lists and objects, each alias with those of its anchor. */
  values = 0;
  #aliases = 0;
  /** Of the last node with this anchor. */
  readonly #ofAnchors = new Map<string, number>();

  /** The problem of too many aliases; null: none. */
  add(document: Document): string | null {
    this.#ofAnchors.clear();
    this.values += this.#of(document.contents) - 1;
    return this.#aliases > MOST_ALIASES ? `has more than ${MOST_ALIASES} aliases and anchors` : null;
  }

  /** Of a node, including itself. */
  #of(node: unknown): number {
    if (isAlias(node)) {
      this.#aliases++;
      return this.#ofAnchors.get(node.source) ?? 1;
    }
    if (isPair(node)) return (isScalar(node.key) ? 0 : this.#of(node.key)) + this.#of(node.value);
    let count = 1;
    if (isCollection(node)) for (const item of node.items) count += this.#of(item);
    if ((isCollection(node) || isScalar(node)) && node.anchor !== undefined) {
      this.#aliases++;
      this.#ofAnchors.set(node.anchor, count);
    }
    return count;
  }
}
