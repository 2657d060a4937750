/** Words with a letter too many, too few, wrong or swapped: one edit from 4 letters, two from 8, in every language. */
import { testTable } from "./language-shops.ts";

testTable(
  {
    cs: "tv: telvizor, tleevizor; head: sluchátak; mug: porcelnovi hrnek",
    da: "tv: fjernsin; lamp: bordlmpe; head: hovdtelefner",
    de: "tv: fernsehr, fernseer; head: kopfhöerr; lamp: schriebtischlamppe",
    en: "tv: televison, tleevision; towel: towle; head: wirless hedphones, hedphnes",
    es: "tv: telvisor; head: auriculres; shoe: zapatilals, zapattilals",
    fr: "tv: televiser; towel: servitte; shoe: chausures, chasures",
    it: "tv: telvisore; shoe: scrape; towel: asciugmaano, aciugmano",
    nl: "tv: televise; towel: handoek; head: koptelfon",
    pl: "tv: telewzor; towel: recznki; head: sluhafki",
    pt: "tv: televizao; mug: canecca; lamp: luminarai; shelf: pratelera; head: auscultadroe",
    sv: "towel: hanndduk, handuk; tv: televiosr, tellevisro",
  },
  { isCorrected: true },
);
