/** Words with a letter too many, too few, wrong or swapped: one edit from 4 letters, two from 8, in every language. */
import { testTable } from "./language-shops.ts";

const ONE = "OneTypo";
const TWO = "TwoTypos";

testTable({
  cs: [
    ["telvizor", ONE, "tv"],
    ["sluchátak", ONE, "head"],
    ["tleevizor", ONE, "tv"],
    ["porcelnovi hrnek", TWO, "mug"],
  ],
  da: [
    ["fjernsin", ONE, "tv"],
    ["bordlmpe", ONE, "lamp"],
    ["hovdtelefner", TWO, "head"],
  ],
  de: [
    ["fernsehr", ONE, "tv"],
    ["fernseer", ONE, "tv"],
    ["kopfhöerr", ONE, "head"],
    ["schriebtischlamppe", TWO, "lamp"],
  ],
  en: [
    ["televison", ONE, "tv"],
    ["tleevision", ONE, "tv"],
    ["towle", ONE, "towel"],
    ["wirless hedphones", ONE, "head"],
    ["hedphnes", TWO, "head"],
  ],
  es: [
    ["telvisor", ONE, "tv"],
    ["auriculres", ONE, "head"],
    ["zapatilals", ONE, "shoe"],
    ["zapattilals", TWO, "shoe"],
  ],
  fr: [
    ["televiser", ONE, "tv"],
    ["servitte", ONE, "towel"],
    ["chausures", ONE, "shoe"],
    ["chasures", TWO, "shoe"],
  ],
  it: [
    ["telvisore", ONE, "tv"],
    ["scrape", ONE, "shoe"],
    ["asciugmaano", ONE, "towel"],
    ["aciugmano", TWO, "towel"],
  ],
  nl: [
    ["televise", ONE, "tv"],
    ["handoek", ONE, "towel"],
    ["koptelfon", TWO, "head"],
  ],
  pl: [
    ["telewzor", ONE, "tv"],
    ["recznki", ONE, "towel"],
    ["sluhafki", TWO, "head"],
  ],
  pt: [
    ["televizao", ONE, "tv"],
    ["canecca", ONE, "mug"],
    ["luminarai", ONE, "lamp"],
    ["pratelera", ONE, "shelf"],
    ["auscultadroe", TWO, "head"],
  ],
  sv: [
    ["hanndduk", ONE, "towel"],
    ["handuk", ONE, "towel"],
    ["televiosr", ONE, "tv"],
    ["tellevisro", TWO, "tv"],
  ],
});
