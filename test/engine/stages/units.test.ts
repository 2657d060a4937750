/** Sizes with their units in other spellings, together and apart, with point and comma, in the words of every language. */
import { testTable } from "./language-shops.ts";

const STEP = "SplitJoin";

testTable({
  cs: [
    ["12w lampa", STEP, "lamp"],
    ["televizor 55 palců", STEP, "tv"],
    ["hrnek 0.5l", STEP, "mug"],
    ["hrnek 0,5 litru", STEP, "mug"],
    ["kabel 2m", STEP, "cable"],
    ["kabel 2 metry", STEP, "cable"],
  ],
  da: [
    ["12w bordlampe", STEP, "lamp"],
    ["fjernsyn 55 tommer", STEP, "tv"],
    ["kop 0.5l", STEP, "mug"],
    ["kabel 2 meter", STEP, "cable"],
  ],
  de: [
    ["12w schreibtischlampe", STEP, "lamp"],
    ["fernseher 55 zoll", STEP, "tv"],
    ["55zoll fernseher", STEP, "tv"],
    ["tasse 0.5l", STEP, "mug"],
    ["tasse 0,5 liter", STEP, "mug"],
    ["kabel 2 meter", STEP, "cable"],
    ["kabel 2,0m", STEP, "cable"],
  ],
  en: [
    ["12w lamp", STEP, "lamp"],
    ["television 55in", STEP, "tv"],
    ["television 55zoll", STEP, "tv"],
    ["mug 0,5l", STEP, "mug"],
    ["cable 2 meters", STEP, "cable"],
    ["12 watts lamp", STEP, "lamp"],
  ],
  es: [
    ["12w lámpara", STEP, "lamp"],
    ["televisor 55 pulgadas", STEP, "tv"],
    ["taza 0.5 litros", STEP, "mug"],
    ["cable 2 metros", STEP, "cable"],
  ],
  fr: [
    ["12w lampe", STEP, "lamp"],
    ["téléviseur 55 pouces", STEP, "tv"],
    ["tasse 0.5 litre", STEP, "mug"],
    ["câble 2 mètres", STEP, "cable"],
  ],
  it: [
    ["12w lampada", STEP, "lamp"],
    ["televisore 55 pollici", STEP, "tv"],
    ["tazza 0.5 litri", STEP, "mug"],
    ["cavo 2 metri", STEP, "cable"],
  ],
  nl: [
    ["12w bureaulamp", STEP, "lamp"],
    ["televisie 55 duim", STEP, "tv"],
    ["beker 0.5 liter", STEP, "mug"],
    ["kabel 2 meter", STEP, "cable"],
  ],
  pl: [
    ["12w lampa", STEP, "lamp"],
    ["telewizor 55 cali", STEP, "tv"],
    ["kubek 0.5 litra", STEP, "mug"],
    ["kabel 2 metry", STEP, "cable"],
    ["lampa 12 watów", STEP, "lamp"],
  ],
  pt: [
    ["12w luminária", STEP, "lamp"],
    ["televisão 55 polegadas", STEP, "tv"],
    ["caneca 0.5 litros", STEP, "mug"],
    ["cabo 2 metros", STEP, "cable"],
  ],
  sv: [
    ["12w bordslampa", STEP, "lamp"],
    ["televisor 55 tum", STEP, "tv"],
    ["mugg 0.5 liter", STEP, "mug"],
    ["kabel 2 meter", STEP, "cable"],
  ],
});
