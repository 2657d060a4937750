/**
 * The sample catalogue: a shop that does not exist, made of word lists by seeded chance. The same on every machine and
 * in every run, so that documentation, demos and benchmarks can quote it. All brands are invented.
 */
import { CLOTHING } from "./english/clothing.ts";
import { ELECTRONICS } from "./english/electronics.ts";
import { HOME } from "./english/home.ts";
import { SPORTS } from "./english/sports.ts";
import type { Family } from "./family.ts";
import { HAUSHALT } from "./german/haushalt.ts";
import { MODE_UND_SPORT } from "./german/mode-und-sport.ts";
import { productsOf, type Market, type SampleProduct } from "./product.ts";
import { Random } from "./random.ts";

export type { SampleProduct, SampleVariant } from "./product.ts";

export const SAMPLE_LANGUAGES = ["en", "de"] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

/** Where `npm run sample` puts each of them. */
export const SAMPLE_INDEXES: Readonly<Record<SampleLanguage, string>> = {
  en: "sample",
  de: "sample-de",
};

interface Catalogue {
  readonly market: Market;
  readonly families: readonly Family[];
}

const CATALOGUES: Readonly<Record<SampleLanguage, Catalogue>> = {
  en: {
    market: {
      prefix: "E",
      outletPath: "Outlet",
      promises: [
        "Free returns within 30 days.",
        "Delivered in recycled packaging.",
        "Two-year guarantee.",
        "A favourite of our customers.",
        "Also a welcome gift.",
      ],
    },
    families: [...CLOTHING, ...ELECTRONICS, ...HOME, ...SPORTS],
  },
  de: {
    market: {
      prefix: "D",
      outletPath: "Restposten",
      promises: [
        "Kostenlose Rücksendung innerhalb von 30 Tagen.",
        "Plastikfrei verpackt.",
        "Ein Lieblingsstück unserer Kundschaft.",
        "Auch als Geschenk geeignet.",
      ],
    },
    families: [...HAUSHALT, ...MODE_UND_SPORT],
  },
};

/** All products of a language, in an order without meaning but always the same. */
export function sampleCatalogue(language: SampleLanguage): SampleProduct[] {
  const { market, families } = CATALOGUES[language];
  const products = families.flatMap((family) => productsOf(family, market, new Random(`${language}-${family.key}`)));
  return new Random(language)
    .some(
      products.map((_, at) => at),
      products.length,
    )
    .map((at) => products[at]);
}

/** The catalogue as NDJSON. */
export function sampleNdjson(language: SampleLanguage): Buffer {
  return Buffer.from(
    sampleCatalogue(language)
      .map((product) => `${JSON.stringify(product)}\n`)
      .join(""),
  );
}
