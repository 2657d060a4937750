/** The card of a product, and the drawing of one without a picture. */
import { hitView, type HitView } from "../../src/playground/logic/hit-view.ts";
import type { PriceFormat } from "../../src/playground/logic/prices.ts";
import { pictogramPath } from "../../src/playground/view/pictograms.ts";

/** A hit of the adapter. */
export interface ProductHit {
  readonly objectID: string;
  readonly [field: string]: unknown;
}
/** Helpers of InstantSearch templates. */
export type Html = (texts: TemplateStringsArray, ...values: unknown[]) => unknown;
/** A highlighted field, rendered by InstantSearch's component. */
export type Marked = (field: string) => unknown;

export function productCard(
  hit: ProductHit,
  html: Html,
  marked: Marked,
  money: PriceFormat,
  onClick: () => void,
): unknown {
  const view = hitView({
    index: "",
    document: { id: hit.objectID, data: hit, attributes: null, categories: null },
    matchedQueries: [],
    metaData: hit["sold_out"] === true ? { sold_out: true } : null,
  });
  const { price, listPrice, currency, brand, inStock, titleField, title } = view;
  const [kind] = view.categories;
  return html`<article class="product" data-id=${hit.objectID} onClick=${onClick}>
    ${picture(view, html)}
    <p class="kind">${brand ?? kind ?? ""}</p>
    <h2>${titleField === "" ? title : marked(titleField)}</h2>
    <p class="price">
      ${price === null ? html`<span class="muted">no price</span>` : html`<b>${money(price, currency)}</b>`}
      ${
        listPrice === null
          ? null
          : html` <s><span class="visually-hidden">before </span>${money(listPrice, currency)}</s>`
      }
      ${inStock === false ? html` <span class="sold-out">sold out</span>` : null}
    </p>
  </article>`;
}

/** If the picture does not load, the drawing is shown. */
const hideBroken = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
  currentTarget.hidden = true;
};

function picture({ id, image, categories, title, color }: HitView, html: Html): unknown {
  const path = pictogramPath([...categories, title]);
  const hue = hueOf(id);
  const paint = colorOf(color);
  // Two tints of the product, with a drawing of its kind in its colour.
  return html`<div class="picture">
    ${
      image === null
        ? null
        : html`<img
            src=${image}
            alt=""
            loading="lazy"
            decoding="async"
            referrerpolicy="no-referrer"
            onError=${hideBroken}
          />`
    }
    <svg viewBox="0 0 120 96" aria-hidden="true" focusable="false" preserveAspectRatio="xMidYMid slice">
      <rect class="ground" width="120" height="96" style=${{ "--hue": hue }} />
      <circle class="light" cx="60" cy="46" r="38" style=${{ "--hue": hue }} />
      <ellipse class="shade" cx="60" cy="80" rx="27" ry="4" />
      ${
        path === null
          ? html`<text x="60" y="58" text-anchor="middle" style=${{ "--hue": hue }}>
              ${(categories[0] ?? title).slice(0, 2)}
            </text>`
          : html`<g transform="translate(28.8 12) scale(1.3)">
              <path class="drawing" d=${path} style=${{ "--hue": hue, ...(paint !== null && { "--paint": paint }) }} />
            </g>`
      }
    </svg>
  </div>`;
}

/** The hue of a text. Equal texts have the same hue. */
function hueOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return (hash * 47) % 360;
}

/** A CSS colour name: `Navy Blue` -> `navy`. */
export function colorOf(color: string | null): string | null {
  const words = (color ?? "").toLowerCase().split(/\s+/);
  const names = [words.join(""), ...words].filter((name) => /^[a-z]+$/.test(name));
  const isColor = (name: string): boolean => CSS.supports("color", name) && !KEYWORDS.test(name);
  return names.find(isColor) ?? null;
}

/** CSS colour names that are not colours in everyday language. */
const KEYWORDS =
  /^(inherit|initial|unset|revert|transparent|currentcolor|canvas|text|mark|field|highlight|menu|window|link.*|button.*)$/i;
