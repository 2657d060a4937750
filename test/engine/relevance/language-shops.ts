// One small shop per language, the same eight products in each: what the tables of words (plurals.test.ts and so on)
// are asked of. A word that finds its product has seven others to miss.
import { describe, expect, test } from "vitest";
import { LANGUAGE_KEYS } from "../analysis/product-words.ts";
import { shopOf, type Shop } from "../stages/shop.ts";

const TITLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cs: {
    shoe: "Dámské běžecké boty",
    lamp: "Lampa do kuchyně 12 W",
    mug: "Porcelánový hrnek s uchem 0,5 l",
    tv: 'Televizor 55" černý',
    cable: "Kabel USB-C 2 m",
    head: "Bezdrátová sluchátka",
    towel: "Ručník z bavlny",
    shelf: "Police na knihy",
  },
  da: {
    shoe: "Løbesko til damer",
    lamp: "Bordlampe til køkkenet 12 W",
    mug: "Kop med hank 0,5 l",
    tv: 'Fjernsyn 55" sort',
    cable: "Kabel USB-C 2 m",
    head: "Trådløse hovedtelefoner",
    towel: "Håndklæde af bomuld",
    shelf: "Reol til bøger",
  },
  de: {
    shoe: "Laufschuhe für Damen",
    lamp: "Schreibtischlampe für die Küche 12 W",
    mug: "Tasse mit Henkel 0,5 l",
    tv: 'Fernseher 55" schwarz',
    cable: "Kabel USB-C 2 m",
    head: "Kabellose Kopfhörer",
    towel: "Handtuch aus Baumwolle",
    shelf: "Regal für Bücher",
  },
  en: {
    shoe: "Women's running shoes",
    lamp: "Desk lamp for the kitchen 12 W",
    mug: "Mug with handle 0.5 l",
    tv: 'Television 55" black',
    cable: "Cable USB-C 2 m",
    head: "Wireless headphones",
    towel: "Towel of cotton",
    shelf: "Bookshelf white",
  },
  es: {
    shoe: "Zapatillas de correr para mujer",
    lamp: "Lámpara de cocina 12 W",
    mug: "Taza con asa 0,5 l",
    tv: 'Televisor 55" negro',
    cable: "Cable USB-C 2 m",
    head: "Auriculares inalámbricos",
    towel: "Toalla de algodón",
    shelf: "Estante para libros",
  },
  fr: {
    shoe: "Chaussures de course pour femme",
    lamp: "Lampe de la cuisine 12 W",
    mug: "Tasse avec anse 0,5 l",
    tv: 'Téléviseur 55" noir',
    cable: "Câble USB-C 2 m",
    head: "Casque audio sans fil",
    towel: "Serviette en coton",
    shelf: "Étagère pour livres",
  },
  it: {
    shoe: "Scarpe da corsa per donna",
    lamp: "Lampada da cucina 12 W",
    mug: "Tazza con manico 0,5 l",
    tv: 'Televisore 55" nero',
    cable: "Cavo USB-C 2 m",
    head: "Cuffie senza fili",
    towel: "Asciugamano di cotone",
    shelf: "Scaffale per libri",
  },
  nl: {
    shoe: "Hardloopschoenen voor dames",
    lamp: "Bureaulamp voor de keuken 12 W",
    mug: "Beker met oor 0,5 l",
    tv: 'Televisie 55" zwart',
    cable: "Kabel USB-C 2 m",
    head: "Draadloze koptelefoon",
    towel: "Handdoek van katoen",
    shelf: "Kast voor boeken",
  },
  pl: {
    shoe: "Buty do biegania damskie",
    lamp: "Lampa do kuchni 12 W",
    mug: "Kubek z uchem 0,5 l",
    tv: 'Telewizor 55" czarny',
    cable: "Kabel USB-C 2 m",
    head: "Słuchawki bezprzewodowe",
    towel: "Ręcznik z bawełny",
    shelf: "Półka na książki",
  },
  pt: {
    shoe: "Sapatos de corrida para mulher",
    lamp: "Luminária de cozinha 12 W",
    mug: "Caneca com alça 0,5 l",
    tv: 'Televisão 55" preta',
    cable: "Cabo USB-C 2 m",
    head: "Auscultadores sem fios",
    towel: "Guardanapo de algodão",
    shelf: "Prateleira para livros",
  },
  sv: {
    shoe: "Löparskor för dam",
    lamp: "Bordslampa till köket 12 W",
    mug: "Mugg med öra 0,5 l",
    tv: 'Televisor 55" svart',
    cable: "Kabel USB-C 2 m",
    head: "Trådlösa hörlurar",
    towel: "Handduk av bomull",
    shelf: "Hylla för böcker",
  },
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
  const shop = shops.get(language) ?? shopOf(TITLES[language] ?? {}, { locale: language });
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
