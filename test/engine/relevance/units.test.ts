/**
 * Sizes with their units in other spellings, together and apart, with point and comma, in the words of every language.
 */
import { testTable } from "./language-shops.ts";

testTable({
  cs: [
    ["12w lampa", "lamp"],
    ["televizor 55 palců", "tv"],
    ["hrnek 0.5l", "mug"],
    ["hrnek 0,5 litru", "mug"],
    ["kabel 2m", "cable"],
    ["kabel 2 metry", "cable"],
  ],
  da: [
    ["12w bordlampe", "lamp"],
    ["fjernsyn 55 tommer", "tv"],
    ["kop 0.5l", "mug"],
    ["kabel 2 meter", "cable"],
  ],
  de: [
    ["12w schreibtischlampe", "lamp"],
    ["fernseher 55 zoll", "tv"],
    ["55zoll fernseher", "tv"],
    ["tasse 0.5l", "mug"],
    ["tasse 0,5 liter", "mug"],
    ["kabel 2 meter", "cable"],
    ["kabel 2,0m", "cable"],
  ],
  en: [
    ["12w lamp", "lamp"],
    ["television 55in", "tv"],
    ["television 55zoll", "tv"],
    ["mug 0,5l", "mug"],
    ["cable 2 meters", "cable"],
    ["12 watts lamp", "lamp"],
  ],
  es: [
    ["12w lámpara", "lamp"],
    ["televisor 55 pulgadas", "tv"],
    ["taza 0.5 litros", "mug"],
    ["cable 2 metros", "cable"],
  ],
  fr: [
    ["12w lampe", "lamp"],
    ["téléviseur 55 pouces", "tv"],
    ["tasse 0.5 litre", "mug"],
    ["câble 2 mètres", "cable"],
  ],
  it: [
    ["12w lampada", "lamp"],
    ["televisore 55 pollici", "tv"],
    ["tazza 0.5 litri", "mug"],
    ["cavo 2 metri", "cable"],
  ],
  nl: [
    ["12w bureaulamp", "lamp"],
    ["televisie 55 duim", "tv"],
    ["beker 0.5 liter", "mug"],
    ["kabel 2 meter", "cable"],
  ],
  pl: [
    ["12w lampa", "lamp"],
    ["telewizor 55 cali", "tv"],
    ["kubek 0.5 litra", "mug"],
    ["kabel 2 metry", "cable"],
    ["lampa 12 watów", "lamp"],
  ],
  pt: [
    ["12w luminária", "lamp"],
    ["televisão 55 polegadas", "tv"],
    ["caneca 0.5 litros", "mug"],
    ["cabo 2 metros", "cable"],
  ],
  sv: [
    ["12w bordslampa", "lamp"],
    ["televisor 55 tum", "tv"],
    ["mugg 0.5 liter", "mug"],
    ["kabel 2 meter", "cable"],
  ],
});
