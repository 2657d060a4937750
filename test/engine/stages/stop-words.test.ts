/** Articles and prepositions that the shop does not use are not asked for, in every language. */
import { testTable } from "./language-shops.ts";

const STEP = "AllTerms";

testTable({
  cs: [
    ["lampa na kuchyně", STEP, "lamp"],
    ["ručník a bavlna", STEP, "towel"],
  ],
  da: [
    ["en bordlampe i køkkenet", STEP, "lamp"],
    ["reol med bøger", STEP, "shelf"],
  ],
  de: [
    ["eine Schreibtischlampe in der Küche", STEP, "lamp"],
    ["das Regal mit den Büchern", STEP, "shelf"],
    ["Handtuch von Baumwolle", STEP, "towel"],
  ],
  en: [
    ["a lamp in the kitchen", STEP, "lamp"],
    ["towel from cotton", STEP, "towel"],
  ],
  es: [
    ["una lámpara para la cocina", STEP, "lamp"],
    ["toalla del algodón", STEP, "towel"],
  ],
  fr: [
    ["une lampe pour la cuisine", STEP, "lamp"],
    ["la serviette de coton", STEP, "towel"],
  ],
  it: [
    ["una lampada per la cucina", STEP, "lamp"],
    ["asciugamano in cotone", STEP, "towel"],
  ],
  nl: [
    ["een bureaulamp in de keuken", STEP, "lamp"],
    ["handdoek met katoen", STEP, "towel"],
  ],
  pl: [
    ["lampa w kuchni", STEP, "lamp"],
    ["półka do książek", STEP, "shelf"],
  ],
  pt: [
    ["uma luminária para a cozinha", STEP, "lamp"],
    ["guardanapo do algodão", STEP, "towel"],
  ],
  sv: [
    ["en bordslampa i köket", STEP, "lamp"],
    ["hylla till böcker", STEP, "shelf"],
  ],
});
