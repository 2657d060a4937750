/**
 * What finds a product in every language (compounds: compounds.test.ts):
 *
 * 1. Other forms of a word (plural, case, gender), and words typed without their accents, which are no typos.
 * 2. Words written apart that the shop writes as one, and the reverse.
 * 3. Articles and prepositions that the shop does not use are not asked for.
 * 4. A letter too many, too few, wrong or swapped: one edit from 4 letters, two from 8.
 * 5. Sizes with their units in other spellings, together and apart, with point and comma.
 */
import { describe } from "vitest";
import { testTable } from "./language-shops.ts";

describe("1: forms", () => {
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
    en: "shoe: shoe, womans running shoe; lamp: lamps; tv: televisions; head: headphone; towel: towels",
    es:
      "shoe: zapatilla, mujeres; lamp: lamparas; tv: televisores; head: auricular inalambrico; " +
      "towel: toallas; shelf: libro",
    fr: "shoe: chaussure, femmes; lamp: lampes; tv: televiseurs; towel: serviettes; shelf: etageres livre",
    it: "shoe: scarpa, donne; lamp: lampade; mug: tazze; tv: televisori; towel: asciugamani; shelf: libro",
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
});

describe("2: apart and together", () => {
  testTable({
    cs: "tv: tele vizor; cable: usbc kabel; head: bez drátová sluchátka",
    da: "head: hoved telefoner; cable: usbc kabel",
    de: "head: kabel lose kopfhörer; cable: usbc kabel",
    en: "head: head phones; shelf: book shelf; lamp: desklamp; cable: usbc cable",
    es: "head: auri culares; cable: usbc cable",
    fr: "tv: télé viseur; head: casqueaudio; cable: usbc cable",
    it: "towel: asciuga mano; cable: usbc cavo; head: senzafili",
    nl: "shoe: hard loopschoenen; cable: usbc kabel",
    pl: "head: bez przewodowe słuchawki; cable: usbc kabel",
    pt: "towel: guarda napo; cable: usbc cabo; head: semfios",
    sv: "towel: hand duk; cable: usbc kabel",
  });
});

describe("3: stop words", () => {
  testTable({
    cs: "lamp: lampa na kuchyně; towel: ručník a bavlna",
    da: "lamp: en bordlampe i køkkenet; shelf: reol med bøger",
    de: "lamp: eine Schreibtischlampe in der Küche; shelf: das Regal mit den Büchern; towel: Handtuch von Baumwolle",
    en: "lamp: a lamp in the kitchen; towel: towel from cotton",
    es: "lamp: una lámpara para la cocina; towel: toalla del algodón",
    fr: "lamp: une lampe pour la cuisine; towel: la serviette de coton",
    it: "lamp: una lampada per la cucina; towel: asciugamano in cotone",
    nl: "lamp: een bureaulamp in de keuken; towel: handdoek met katoen",
    pl: "lamp: lampa w kuchni; shelf: półka do książek",
    pt: "lamp: uma luminária para a cozinha; towel: guardanapo do algodão",
    sv: "lamp: en bordslampa i köket; shelf: hylla till böcker",
  });
});

describe("4: typos", () => {
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
});

describe("5: units", () => {
  testTable({
    cs: "lamp: 12w lampa; tv: televizor 55 palců; mug: hrnek 0.5l, hrnek 0,5 litru; cable: kabel 2m, kabel 2 metry",
    da: "lamp: 12w bordlampe; tv: fjernsyn 55 tommer; mug: kop 0.5l; cable: kabel 2 meter",
    de:
      "lamp: 12w schreibtischlampe; tv: fernseher 55 zoll, 55zoll fernseher; " +
      "mug: tasse 0.5l, tasse 0,5 liter; cable: kabel 2 meter, kabel 2,0m",
    en: "lamp: 12w lamp, 12 watts lamp; tv: television 55in, television 55zoll; mug: mug 0,5l; cable: cable 2 meters",
    es: "lamp: 12w lámpara; tv: televisor 55 pulgadas; mug: taza 0.5 litros; cable: cable 2 metros",
    fr: "lamp: 12w lampe; tv: téléviseur 55 pouces; mug: tasse 0.5 litre; cable: câble 2 mètres",
    it: "lamp: 12w lampada; tv: televisore 55 pollici; mug: tazza 0.5 litri; cable: cavo 2 metri",
    nl: "lamp: 12w bureaulamp; tv: televisie 55 duim; mug: beker 0.5 liter; cable: kabel 2 meter",
    pl: "lamp: 12w lampa, lampa 12 watów; tv: telewizor 55 cali; mug: kubek 0.5 litra; cable: kabel 2 metry",
    pt: "lamp: 12w luminária; tv: televisão 55 polegadas; mug: caneca 0.5 litros; cable: cabo 2 metros",
    sv: "lamp: 12w bordslampa; tv: televisor 55 tum; mug: mugg 0.5 liter; cable: kabel 2 meter",
  });
});
