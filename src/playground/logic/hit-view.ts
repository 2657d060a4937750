/** Selects the fields that a card shows, by common field names. */
import type { ResultHit } from "../../interface/index.ts";

const NAMES = {
  title: ["title", "name", "product_name", "productname", "label"],
  image: ["imageurl", "image", "image_url", "imagelink", "image_link", "thumbnail", "picture", "images"],
  price: ["price", "sale_price", "saleprice", "final_price", "finalprice", "pricefrom"],
  listPrice: ["listprice", "list_price", "old_price", "oldprice", "regular_price", "msrp", "uvp"],
  brand: ["brand", "manufacturer", "vendor"],
  description: ["description", "short_description", "shortdescription"],
  link: ["producturl", "product_url", "url", "link"],
  stock: ["stock", "quantity", "inventory"],
  category: ["category", "categories"],
  color: ["color", "colour", "farbe"],
  currency: ["currency", "price_currency", "pricecurrency"],
} as const;

export interface HitView {
  readonly id: string;
  readonly title: string;
  /** The title's field, for its marks. */
  readonly titleField: string;
  /** URLs that the page may load or link to; null otherwise. */
  readonly image: string | null;
  readonly link: string | null;
  readonly price: number | null;
  readonly listPrice: number | null;
  readonly currency: string | null;
  readonly brand: string | null;
  readonly description: string | null;
  readonly descriptionField: string;
  /** The names of its first category path, most specific first. */
  readonly categories: readonly string[];
  readonly color: string | null;
  readonly inStock: boolean | null;
  /** Null in sorted results. */
  readonly score: number | null;
}

export function hitView({ document, metaData }: ResultHit): HitView {
  const { data } = document;
  const fields = new Map<string, string>();
  for (const name of Object.keys(data)) {
    if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), name);
  }
  const fieldOf = (kind: keyof typeof NAMES): string | undefined =>
    NAMES[kind].map((name) => fields.get(name)).find((name) => name !== undefined);
  const textOf = (kind: keyof typeof NAMES): string | null => {
    const field = fieldOf(kind);
    return field === undefined ? null : plainText(data[field]);
  };
  const stock = numberOf(textOf("stock"));
  const price = numberOf(textOf("price"));
  const listPrice = numberOf(textOf("listPrice"));
  const score = metaData?.["score"];
  return {
    id: document.id,
    title: textOf("title") ?? document.id,
    titleField: fieldOf("title") ?? "",
    image: imageAddress(textOf("image")),
    link: pageAddress(textOf("link")),
    price,
    listPrice: price !== null && listPrice !== null && listPrice > price ? listPrice : null,
    currency: textOf("currency"),
    brand: textOf("brand"),
    description: textOf("description"),
    descriptionField: fieldOf("description") ?? "",
    categories: textOf("category")?.split("/").toReversed() ?? [],
    color: textOf("color"),
    inStock: stock !== null ? stock > 0 : metaData?.["sold_out"] === true ? false : null,
    score: typeof score === "number" ? score : null,
  };
}

/** The first value of a list, the value of an attribute. */
function plainText(value: unknown): string | null {
  if (typeof value === "string") return value === "" ? null : value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return plainText(value[0]);
  if (typeof value === "object" && value !== null && "value" in value) {
    return plainText(value.value);
  }
  return null;
}

function numberOf(text: string | null): number | null {
  if (text === null || text.trim() === "") return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Reserved example domains, which are never loaded. */
const NOWHERE = /(^|\.)(example|invalid|test)(\.(com|net|org))?$/;

/** Picture URLs that the page's policy allows. */
function imageAddress(text: string | null): string | null {
  if (text !== null && /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(text)) return text;
  return pageAddress(text?.startsWith("//") === true ? `https:${text}` : text);
}

/** http(s) only: a `javascript:` in a catalogue must not become a link. */
function pageAddress(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return NOWHERE.test(url.hostname) ? null : url.href;
}
