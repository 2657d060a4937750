/**
 * Sizes with their units in other spellings, together and apart, with point and comma, in the words of every language.
 */
import { testTable } from "./language-shops.ts";

testTable({
  cs: "lamp: 12w lampa; tv: televizor 55 palců; mug: hrnek 0.5l, hrnek 0,5 litru; " + "cable: kabel 2m, kabel 2 metry",
  da: "lamp: 12w bordlampe; tv: fjernsyn 55 tommer; mug: kop 0.5l; cable: kabel 2 meter",
  de:
    "lamp: 12w schreibtischlampe; tv: fernseher 55 zoll, 55zoll fernseher; " +
    "mug: tasse 0.5l, tasse 0,5 liter; cable: kabel 2 meter, kabel 2,0m",
  en:
    "lamp: 12w lamp, 12 watts lamp; tv: television 55in, television 55zoll; mug: mug 0,5l; " + "cable: cable 2 meters",
  es: "lamp: 12w lámpara; tv: televisor 55 pulgadas; mug: taza 0.5 litros; cable: cable 2 metros",
  fr: "lamp: 12w lampe; tv: téléviseur 55 pouces; mug: tasse 0.5 litre; cable: câble 2 mètres",
  it: "lamp: 12w lampada; tv: televisore 55 pollici; mug: tazza 0.5 litri; cable: cavo 2 metri",
  nl: "lamp: 12w bureaulamp; tv: televisie 55 duim; mug: beker 0.5 liter; cable: kabel 2 meter",
  pl: "lamp: 12w lampa, lampa 12 watów; tv: telewizor 55 cali; mug: kubek 0.5 litra; " + "cable: kabel 2 metry",
  pt: "lamp: 12w luminária; tv: televisão 55 polegadas; mug: caneca 0.5 litros; " + "cable: cabo 2 metros",
  sv: "lamp: 12w bordslampa; tv: televisor 55 tum; mug: mugg 0.5 liter; cable: kabel 2 meter",
});
