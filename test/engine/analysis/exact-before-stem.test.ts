/**
 * What stems do to a search, in every language with data.
 *
 * 1. Whichever form of a word is asked for, products with any other form are found.
 * 2. The product that has the very form comes first, whichever id it has. Other spellings are forms, too.
 */
import { describe, expect, test } from "vitest";
import { shopOf } from "../stages/shop.ts";
import { wordsIn } from "./product-words.ts";

/** Forms of one product word, and a word beside it. */
const WORDS: Readonly<Record<string, string>> = {
  cs: "ponožka ponožky bílá, stůl stoly kuchyň, hrnek hrnků modrý",
  da: "kjole kjoler sommer, sko skoene læder, cykel cykler børn",
  de: "Schuh Schuhe Leder, Mantel Mäntel Wolle, Gabel Gabeln Silber, Buch Bücher Roman, Foto Photos Album",
  en: "shoe shoes leather, knife knives kitchen, battery batteries lithium, watch watches gold, gray grey wool, tires tyre rubber",
  es: "zapato zapatos piel, lápiz lápices color, collar collares plata",
  fr: "chaussure chaussures cuir, manteau manteaux laine, vélo vélos enfant",
  it: "scarpa scarpe pelle, orologio orologi oro, tasca tasche cotone",
  nl: "schoen schoenen leer, laars laarzen bruin, tas tassen canvas, camera camera's digitaal",
  pl: "but buty skóra, sukienka sukienek letnia, krzesło krzesła dąb",
  pt: "sapato sapatos couro, botão botões prata, lençol lençóis algodão, elétrica eléctricas bicicleta",
  sv: "sko skor läder, klänning klänningar sommar, cykel cyklar barn",
};

for (const [language, words] of Object.entries(WORDS)) {
  describe(language, () => {
    test.each(wordsIn(words))("1, 2: %s and %s", (one, other, beside) => {
      for (const [asked, kept] of [
        [one, other],
        [other, one],
      ] as const) {
        for (const [exact, inflected] of [
          ["1", "2"],
          ["2", "1"],
        ] as const) {
          const shop = shopOf(
            { [exact]: `${asked} ${beside}`, [inflected]: `${kept} ${beside}`, "3": `xylo ${beside}` },
            { locale: language },
          );
          expect(shop.ids(asked)).toEqual([exact, inflected]);
          expect(shop.ids(`${asked} ${beside}`).slice(0, 2)).toEqual([exact, inflected]);
        }
      }
    });
  });
}
