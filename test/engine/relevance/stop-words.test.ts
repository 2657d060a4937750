/** Articles and prepositions that the shop does not use are not asked for, in every language. */
import { testTable } from "./language-shops.ts";

testTable({
  cs: [
    ["lampa na kuchyně", "lamp"],
    ["ručník a bavlna", "towel"],
  ],
  da: [
    ["en bordlampe i køkkenet", "lamp"],
    ["reol med bøger", "shelf"],
  ],
  de: [
    ["eine Schreibtischlampe in der Küche", "lamp"],
    ["das Regal mit den Büchern", "shelf"],
    ["Handtuch von Baumwolle", "towel"],
  ],
  en: [
    ["a lamp in the kitchen", "lamp"],
    ["towel from cotton", "towel"],
  ],
  es: [
    ["una lámpara para la cocina", "lamp"],
    ["toalla del algodón", "towel"],
  ],
  fr: [
    ["une lampe pour la cuisine", "lamp"],
    ["la serviette de coton", "towel"],
  ],
  it: [
    ["una lampada per la cucina", "lamp"],
    ["asciugamano in cotone", "towel"],
  ],
  nl: [
    ["een bureaulamp in de keuken", "lamp"],
    ["handdoek met katoen", "towel"],
  ],
  pl: [
    ["lampa w kuchni", "lamp"],
    ["półka do książek", "shelf"],
  ],
  pt: [
    ["uma luminária para a cozinha", "lamp"],
    ["guardanapo do algodão", "towel"],
  ],
  sv: [
    ["en bordslampa i köket", "lamp"],
    ["hylla till böcker", "shelf"],
  ],
});
