/** Articles and prepositions that the shop does not use are not asked for, in every language. */
import { testTable } from "./language-shops.ts";

testTable({
  cs: "lamp: lampa na kuchyně; towel: ručník a bavlna",
  da: "lamp: en bordlampe i køkkenet; shelf: reol med bøger",
  de: "lamp: eine Schreibtischlampe in der Küche; shelf: das Regal mit den Büchern; " + "towel: Handtuch von Baumwolle",
  en: "lamp: a lamp in the kitchen; towel: towel from cotton",
  es: "lamp: una lámpara para la cocina; towel: toalla del algodón",
  fr: "lamp: une lampe pour la cuisine; towel: la serviette de coton",
  it: "lamp: una lampada per la cucina; towel: asciugamano in cotone",
  nl: "lamp: een bureaulamp in de keuken; towel: handdoek met katoen",
  pl: "lamp: lampa w kuchni; shelf: półka do książek",
  pt: "lamp: uma luminária para a cozinha; towel: guardanapo do algodão",
  sv: "lamp: en bordslampa i köket; shelf: hylla till böcker",
});
