/**
 * The picture of a product, or a tinted drawing of its kind if there is none or it does not load.
 */
import type { HitView } from "../logic/hit-view.ts";
import { make } from "./dom.ts";
import { pictogram } from "./pictograms.ts";

export function picture({ id, image, categories, title, color }: HitView): HTMLElement {
  const frame = make("div", { class: "picture" });
  const placeholder = (): void => {
    const kind = categories[0] ?? title;
    frame.style.setProperty("--hue", String(hueOf(id)));
    frame.classList.add("without-image");
    // Keeps badges that the card has added.
    frame.querySelector("img")?.remove();
    frame.prepend(
      pictogram([...categories, title]) ?? make("span", { class: "initials", "aria-hidden": "true" }, initials(kind)),
      ...[color === null ? null : swatch(color)].filter((dot) => dot !== null),
    );
  };
  if (image === null) {
    placeholder();
    return frame;
  }
  const img = make("img", {
    src: image,
    // Empty, because the title is below.
    alt: "",
    loading: "lazy",
    decoding: "async",
    referrerpolicy: "no-referrer",
  });
  img.addEventListener("error", placeholder);
  frame.append(img);
  return frame;
}

/** Two letters: `Running Shoes` -> `RS`, `Hats` -> `Ha`. */
function initials(text: string): string {
  const [first = "", second] = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join("");
}

/** A product always has the same tint. */
function hueOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  // Consecutive numbers get distant hues.
  return (hash * 47) % 360;
}

/** A dot in the named colour, if CSS has it: `Navy Blue` -> `navy`. */
export function swatch(color: string): HTMLElement | null {
  const words = color.split(/\s+/);
  const names = [words.join(""), ...words].filter((name) => /^[a-z]+$/i.test(name));
  const known = names.find((name) => CSS.supports("color", name) && !KEYWORDS.test(name));
  if (known === undefined) return null;
  const dot = make("span", { class: "swatch", title: color, "aria-hidden": "true" });
  dot.style.setProperty("background-color", known);
  return dot;
}

/** CSS colour names that are not colours in everyday language. */
const KEYWORDS =
  /^(inherit|initial|unset|revert|transparent|currentcolor|canvas|text|mark|field|highlight|menu|window|link.*|button.*)$/i;
