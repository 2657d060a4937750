/** Where words grow together: a compound finds its parts, in either order, with what the language puts between them; parts find the compound. */
import { testTable } from "./language-shops.ts";

const STEP = "SplitJoin";

testTable(
  {
    da: [
      ["bord lampe", STEP, "lamp"],
      ["lampe bord", STEP, "lamp"],
      ["bogreol", STEP, "shelf"],
      ["bomuldshåndklæde", STEP, "towel"],
      ["hånd klæde", STEP, "towel"],
    ],
    de: [
      ["lauf schuhe", STEP, "shoe"],
      ["Schuhe Lauf", STEP, "shoe"],
      ["Schreibtisch Lampe", STEP, "lamp"],
      ["Bücherregal", STEP, "shelf"],
      ["buecherregal", STEP, "shelf"],
      ["Bücherregale", STEP, "shelf"],
      ["Baumwollhandtuch", STEP, "towel"],
      ["Kopf Hörer", STEP, "head"],
    ],
    nl: [
      ["hardloop schoenen", STEP, "shoe"],
      ["bureau lamp", STEP, "lamp"],
      ["boekenkast", STEP, "shelf"],
      ["boekenkasten", STEP, "shelf"],
      ["hand doek", STEP, "towel"],
      ["kop telefoon", STEP, "head"],
    ],
    sv: [
      ["löpar skor", STEP, "shoe"],
      ["bord lampa", STEP, "lamp"],
      ["lampa bord", STEP, "lamp"],
      ["bokhylla", STEP, "shelf"],
      ["bomullshandduk", STEP, "towel"],
      ["hör lurar", STEP, "head"],
    ],
  },
  ["da", "de", "nl", "sv"],
);
