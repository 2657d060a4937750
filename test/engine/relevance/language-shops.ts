// One small shop per language, the same eight products in each: what the tables of words (words.test.ts, compounds.test.ts)
// are asked of. A word that finds its product has seven others to miss.
import { describe, expect, test } from "vitest";
import { LANGUAGE_KEYS } from "../analysis/product-words.ts";
import { shopOf, type Shop } from "../stages/shop.ts";

const IDS = ["shoe", "lamp", "mug", "tv", "cable", "head", "towel", "shelf"];

/** In the order of the ids. */
const TITLES: Readonly<Record<string, string>> = {
  cs: `Dámské běžecké boty; Lampa do kuchyně 12 W; Porcelánový hrnek s uchem 0,5 l; Televizor 55" černý;
    Kabel USB-C 2 m; Bezdrátová sluchátka; Ručník z bavlny; Police na knihy`,
  da: `Løbesko til damer; Bordlampe til køkkenet 12 W; Kop med hank 0,5 l; Fjernsyn 55" sort;
    Kabel USB-C 2 m; Trådløse hovedtelefoner; Håndklæde af bomuld; Reol til bøger`,
  de: `Laufschuhe für Damen; Schreibtischlampe für die Küche 12 W; Tasse mit Henkel 0,5 l; Fernseher 55" schwarz;
    Kabel USB-C 2 m; Kabellose Kopfhörer; Handtuch aus Baumwolle; Regal für Bücher`,
  en: `Women's running shoes; Desk lamp for the kitchen 12 W; Mug with handle 0.5 l; Television 55" black;
    Cable USB-C 2 m; Wireless headphones; Towel of cotton; Bookshelf white`,
  es: `Zapatillas de correr para mujer; Lámpara de cocina 12 W; Taza con asa 0,5 l; Televisor 55" negro;
    Cable USB-C 2 m; Auriculares inalámbricos; Toalla de algodón; Estante para libros`,
  fr: `Chaussures de course pour femme; Lampe de la cuisine 12 W; Tasse avec anse 0,5 l; Téléviseur 55" noir;
    Câble USB-C 2 m; Casque audio sans fil; Serviette en coton; Étagère pour livres`,
  it: `Scarpe da corsa per donna; Lampada da cucina 12 W; Tazza con manico 0,5 l; Televisore 55" nero;
    Cavo USB-C 2 m; Cuffie senza fili; Asciugamano di cotone; Scaffale per libri`,
  nl: `Hardloopschoenen voor dames; Bureaulamp voor de keuken 12 W; Beker met oor 0,5 l; Televisie 55" zwart;
    Kabel USB-C 2 m; Draadloze koptelefoon; Handdoek van katoen; Kast voor boeken`,
  pl: `Buty do biegania damskie; Lampa do kuchni 12 W; Kubek z uchem 0,5 l; Telewizor 55" czarny;
    Kabel USB-C 2 m; Słuchawki bezprzewodowe; Ręcznik z bawełny; Półka na książki`,
  pt: `Sapatos de corrida para mulher; Luminária de cozinha 12 W; Caneca com alça 0,5 l; Televisão 55" preta;
    Cabo USB-C 2 m; Auscultadores sem fios; Guardanapo de algodão; Prateleira para livros`,
  sv: `Löparskor för dam; Bordslampa till köket 12 W; Mugg med öra 0,5 l; Televisor 55" svart;
    Kabel USB-C 2 m; Trådlösa hörlurar; Handduk av bomull; Hylla för böcker`,
};

/** By language, what is typed behind the only product that it shall find: `shoe: bota, běžecká bota; lamp: lampy`. */
type WordTable = Readonly<Record<string, string>>;

function rowsOf(text: string): [q: string, id: string][] {
  return text.split("; ").flatMap((part) => {
    const [id, typed] = part.split(": ");
    return typed.split(", ").map((q): [string, string] => [q, id]);
  });
}

const shops = new Map<string, Shop>();

function shopIn(language: string): Shop {
  const titles = (TITLES[language] ?? "").split(/;\s+/);
  const documents = Object.fromEntries(IDS.map((id, i) => [id, titles[i]]));
  const shop = shops.get(language) ?? shopOf(documents, { locale: language });
  shops.set(language, shop);
  return shop;
}

/** @param languages that the table must have; all where none are given */
export function testTable(
  table: WordTable,
  { languages = LANGUAGE_KEYS, isCorrected = false }: TableSettings = {},
): void {
  test("every language has its rows", () => {
    expect(Object.keys(table).toSorted()).toEqual([...languages].toSorted());
  });
  describe.each(Object.entries(table))("%s", (language, text) => {
    test.each(rowsOf(text))("%s", (q, id) => {
      const shop = shopIn(language);
      const { meta } = shop.search(new URLSearchParams({ q }).toString());
      expect([shop.ids(q), "query_correction" in meta]).toEqual([[id], isCorrected]);
    });
  });
}

interface TableSettings {
  readonly languages?: readonly string[];
  /** Whether words are taken for misspelt ones. */
  readonly isCorrected?: boolean;
}
