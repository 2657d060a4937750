/**
 * Other forms of a word (plural, case, gender), and words typed without their accents, find it, in every language.
 * They are no typos.
 */
import { testTable } from "./language-shops.ts";

testTable({
  cs:
    "shoe: bota, běžecká bota, bezecke boty; lamp: lampy; mug: hrnky; tv: televizory; " +
    "towel: ručníky; shelf: kniha",
  da:
    "shoe: lobesko; lamp: bordlamper; mug: kopper; tv: fjernsynet; towel: håndklæder; " +
    "shelf: reoler; head: trådløs hovedtelefon",
  de:
    "shoe: Laufschuh; lamp: Schreibtischlampen; mug: Tassen; cable: Kabeln; " +
    "towel: Handtücher, handtuecher, handtucher; shelf: Buch; head: kabelloser Kopfhörer",
  en: "shoe: shoe, womans running shoe; lamp: lamps; tv: televisions; head: headphone; " + "towel: towels",
  es:
    "shoe: zapatilla, mujeres; lamp: lamparas; tv: televisores; head: auricular inalambrico; " +
    "towel: toallas; shelf: libro",
  fr: "shoe: chaussure, femmes; lamp: lampes; tv: televiseurs; towel: serviettes; " + "shelf: etageres livre",
  it: "shoe: scarpa, donne; lamp: lampade; mug: tazze; tv: televisori; towel: asciugamani; " + "shelf: libro",
  nl:
    "shoe: hardloopschoen; lamp: bureaulampen; mug: bekers; tv: televisies; towel: handdoeken; " +
    "shelf: boek; head: koptelefoons",
  pl:
    "shoe: but, butów; lamp: lampy; mug: kubki; tv: telewizory; " +
    "head: sluchawki, słuchawka bezprzewodowa; towel: ręczniki; shelf: książka",
  pt:
    "shoe: sapato, mulheres; lamp: luminarias; mug: canecas; tv: televisões, televisao; " +
    "towel: guardanapos; shelf: livro",
  sv:
    "shoe: loparskor; lamp: bordslampor; mug: muggar; tv: televisorer; towel: handdukar; " +
    "shelf: hyllor; head: trådlös hörlur",
});
