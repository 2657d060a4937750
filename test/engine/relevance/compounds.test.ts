/**
 * Where words grow together: a compound finds its parts, in either order, with what the language puts between them;
 * parts find the compound; the last part alone does where no product has it.
 */
import { testTable } from "./language-shops.ts";

testTable(
  {
    da: [
      ["bord lampe", "lamp"],
      ["lampe bord", "lamp"],
      ["bogreol", "shelf"],
      ["bomuldshåndklæde", "towel"],
      ["hånd klæde", "towel"],
    ],
    de: [
      ["lauf schuhe", "shoe"],
      ["Schuhe Lauf", "shoe"],
      ["Schreibtisch Lampe", "lamp"],
      ["Bücherregal", "shelf"],
      ["buecherregal", "shelf"],
      ["Bücherregale", "shelf"],
      ["Baumwollhandtuch", "towel"],
      ["Kopf Hörer", "head"],
      ["Regale", "shelf"],
    ],
    nl: [
      ["hardloop schoenen", "shoe"],
      ["bureau lamp", "lamp"],
      ["boekenkast", "shelf"],
      ["boekenkasten", "shelf"],
      ["hand doek", "towel"],
      ["kop telefoon", "head"],
      ["schoenen", "shoe"],
    ],
    sv: [
      ["löpar skor", "shoe"],
      ["bord lampa", "lamp"],
      ["lampa bord", "lamp"],
      ["bokhylla", "shelf"],
      ["bomullshandduk", "towel"],
      ["hör lurar", "head"],
      ["hylla", "shelf"],
    ],
  },
  { languages: ["da", "de", "nl", "sv"] },
);
