/** Words with a letter too many, too few, wrong or swapped: one edit from 4 letters, two from 8, in every language. */
import { testTable } from "./language-shops.ts";

testTable(
  {
    cs: [
      ["telvizor", "tv"],
      ["sluchátak", "head"],
      ["tleevizor", "tv"],
      ["porcelnovi hrnek", "mug"],
    ],
    da: [
      ["fjernsin", "tv"],
      ["bordlmpe", "lamp"],
      ["hovdtelefner", "head"],
    ],
    de: [
      ["fernsehr", "tv"],
      ["fernseer", "tv"],
      ["kopfhöerr", "head"],
      ["schriebtischlamppe", "lamp"],
    ],
    en: [
      ["televison", "tv"],
      ["tleevision", "tv"],
      ["towle", "towel"],
      ["wirless hedphones", "head"],
      ["hedphnes", "head"],
    ],
    es: [
      ["telvisor", "tv"],
      ["auriculres", "head"],
      ["zapatilals", "shoe"],
      ["zapattilals", "shoe"],
    ],
    fr: [
      ["televiser", "tv"],
      ["servitte", "towel"],
      ["chausures", "shoe"],
      ["chasures", "shoe"],
    ],
    it: [
      ["telvisore", "tv"],
      ["scrape", "shoe"],
      ["asciugmaano", "towel"],
      ["aciugmano", "towel"],
    ],
    nl: [
      ["televise", "tv"],
      ["handoek", "towel"],
      ["koptelfon", "head"],
    ],
    pl: [
      ["telewzor", "tv"],
      ["recznki", "towel"],
      ["sluhafki", "head"],
    ],
    pt: [
      ["televizao", "tv"],
      ["canecca", "mug"],
      ["luminarai", "lamp"],
      ["pratelera", "shelf"],
      ["auscultadroe", "head"],
    ],
    sv: [
      ["hanndduk", "towel"],
      ["handuk", "towel"],
      ["televiosr", "tv"],
      ["tellevisro", "tv"],
    ],
  },
  { isCorrected: true },
);
