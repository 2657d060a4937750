/** Mode, Schuhe und Sport des deutschen Katalogs. */
import type { Family } from "../family.ts";
import {
  ERWACHSENE,
  GESCHLECHTER,
  KLEIDERFARBEN,
  KLEIDERGROESSEN,
  SCHUHGROESSEN,
  SPORTFARBEN,
} from "./gemeinsam.ts";

const MODE = "Tidewell|Nordwind*1.2|Schönwetter*0.8|Fräulein Müller*1.3|Hafenkante";
const SCHUHE = "Wanderlust*1.1|Schusterei König*1.5|Leichtfuß*0.8|Hafenkante";
const DRAUSSEN = "Bergfreunde Süd*1.2|Nordwind*1.3|Alpenrausch*1.5|Zeltplatz*0.7";
const RAD = "Kettenwerk*1.2|Pedalmoor|Zweirad Böhm*0.9|Gravelli*1.6";

export const MODE_UND_SPORT: readonly Family[] = [
  {
    key: "JAK",
    count: 34,
    categories: ["Mode & Schuhe > {geschlecht} > Jacken & Mäntel"],
    alsoIn: [{ share: 0.25, path: "Mode & Schuhe > Neue Kollektion > Jacken & Mäntel" }],
    brands: MODE,
    price: [55, 130],
    slots: {
      geschlecht: GESCHLECHTER,
      _typ: "Winterjacke*1.2|Regenjacke*0.8|Steppjacke|Daunenmantel*1.7|Wollmantel*1.6|Übergangsjacke|Jeansjacke*0.8|Softshelljacke",
      _name: "Husum|Sylt|Garmisch|Lübeck|Oberstdorf|Rügen",
      eigenschaft: "wasserdicht*1.1|winddicht|gefüttert*1.1|mit Kapuze|atmungsaktiv*1.1",
    },
    titles: [
      "{brand} {geschlecht} {_typ} {_name}, {eigenschaft}",
      "{brand} {_typ} für {geschlecht}, {eigenschaft}",
    ],
    sentences: [
      "{_typ} für {geschlecht}, {eigenschaft}, für Stadt und Land.",
      "Zwei-Wege-Reißverschluss und Innentasche fürs Handy.",
      "Ärmelbündchen und Kapuze sind verstellbar.",
      "Die Füllung aus recycelten Fasern wärmt auch bei Nässe.",
    ],
    axes: [KLEIDERFARBEN, KLEIDERGROESSEN],
  },
  {
    key: "OBE",
    count: 32,
    categories: ["Mode & Schuhe > {geschlecht} > {_typ.value}"],
    brands: MODE,
    price: [15, 60],
    slots: {
      geschlecht: GESCHLECHTER,
      _typ: "Rundhalspullover*1.1=Pullover & Strick|Strickjacke*1.2=Pullover & Strick|Kapuzenpullover*1.1=Pullover & Strick|T-Shirt*0.5=T-Shirts & Hemden|Langarmshirt*0.6=T-Shirts & Hemden|Freizeithemd=T-Shirts & Hemden|Kurzarmhemd*0.9=T-Shirts & Hemden",
      material: "Baumwolle|Bio-Baumwolle*1.2|Merinowolle*1.8|Leinen*1.2|Viskose*0.9",
      muster: "Uni|Gestreift|Kariert|Bedruckt",
    },
    titles: [
      "{brand} {geschlecht} {_typ} aus {material}",
      "{brand} {_typ} {muster.lower}, {geschlecht}, {material}",
    ],
    sentences: [
      "{_typ} aus {material}, {muster.lower}, angenehm auf der Haut.",
      "Flache Nähte und verstärkter Kragen.",
      "Bei 30 Grad waschbar, knitterarm.",
      "Lässt sich gut mit Jeans und Stoffhose tragen.",
    ],
    axes: [KLEIDERFARBEN, KLEIDERGROESSEN],
  },
  {
    key: "KLE",
    count: 20,
    categories: ["Mode & Schuhe > Damen > Kleider & Röcke"],
    brands: "Fräulein Müller*1.3|Schönwetter*0.8|Hafenkante|Blütenzauber*1.1",
    price: [30, 95],
    slots: {
      geschlecht: "Damen",
      _typ: "Sommerkleid|Wickelkleid*1.1|Strickkleid*1.1|Abendkleid*1.6|Hemdblusenkleid|Faltenrock*0.8|Jeansrock*0.8",
      muster: "Geblümt|Uni|Gepunktet|Gestreift",
      laenge: "Knielang|Wadenlang|Bodenlang*1.1",
    },
    titles: [
      "{brand} {_typ} {muster.lower}, {laenge.lower}",
      "{brand} Damen {_typ}, {laenge.lower}, {muster.lower}",
    ],
    sentences: [
      "{_typ}, {laenge.lower} und {muster.lower}, für Büro und Feier.",
      "Leichter Stoff, der kaum knittert.",
      "Mit Seitentaschen und verstellbarem Gürtel.",
      "Gefüttert, mit verdecktem Reißverschluss.",
    ],
    axes: [KLEIDERFARBEN, KLEIDERGROESSEN],
  },
  {
    key: "HOS",
    count: 22,
    categories: ["Mode & Schuhe > {geschlecht} > Hosen & Jeans"],
    brands: MODE,
    price: [28, 80],
    slots: {
      geschlecht: ERWACHSENE,
      _typ: "Jeans*1.1|Stoffhose|Cordhose|Cargohose|Leinenhose*1.1|Jogginghose*0.7|Kurze Hose*0.7",
      passform: "Schmale Passform|Gerade Passform|Weite Passform|Übergröße*1.1",
      material: "Baumwolle|Stretchbaumwolle|Leinen*1.1",
    },
    titles: [
      "{brand} {geschlecht} {_typ}, {passform}",
      "{brand} {_typ} für {geschlecht} aus {material}, {passform}",
    ],
    sentences: [
      "{_typ} aus {material}, {passform}.",
      "Fünf Taschen und kräftige Gürtelschlaufen.",
      "Bequemer Bund, der nicht drückt.",
      "Auf links waschen, damit die Farbe bleibt.",
    ],
    axes: [KLEIDERFARBEN, KLEIDERGROESSEN],
  },
  {
    key: "SCH",
    count: 34,
    categories: ["Mode & Schuhe > {geschlecht}schuhe > {_typ.value}"],
    brands: SCHUHE,
    price: [40, 130],
    slots: {
      geschlecht: GESCHLECHTER,
      _typ: "Halbschuhe=Halbschuhe|Turnschuhe*0.9=Turnschuhe|Winterstiefel*1.3=Stiefel|Stiefeletten*1.1=Stiefel|Gummistiefel*0.6=Gummistiefel|Hausschuhe*0.5=Hausschuhe|Trekkingsandalen*0.8=Sandalen|Pantoletten*0.6=Sandalen",
      _art: {
        by: "_typ",
        of: {
          Halbschuhe: "Straße",
          Turnschuhe: "Straße",
          Stiefel: "Straße",
          Sandalen: "Straße",
          Gummistiefel: "Regen",
          Hausschuhe: "Haus",
        },
      },
      material: {
        by: "_art",
        of: {
          Straße: "Leder*1.2|Wildleder*1.1|Nubukleder*1.2|Textil*0.8",
          Regen: "Naturkautschuk*1.2|Kunststoff*0.8",
          Haus: "Filz|Lammfell*1.4|Textil*0.8",
        },
      },
      eigenschaft: {
        by: "_art",
        of: {
          Straße: "gefüttert*1.1|wasserabweisend*1.1|mit Wechselfußbett|besonders leicht",
          Regen: "gefüttert*1.1|wasserdicht|rutschfest",
          Haus: "rutschfest|mit Wechselfußbett|waschbar",
        },
      },
    },
    titles: [
      "{brand} {geschlecht} {_typ} aus {material}",
      "{brand} {_typ} für {geschlecht}, {eigenschaft}",
    ],
    sentences: [
      "{_typ} aus {material}, {eigenschaft}, mit griffiger Profilsohle.",
      "Das Fußbett ist weich gepolstert und herausnehmbar.",
      "Weite G, auch für kräftige Füße.",
      "Vor dem ersten Tragen imprägnieren.",
    ],
    axes: [{ ...KLEIDERFARBEN, pick: [1, 2] }, SCHUHGROESSEN],
  },
  {
    key: "LAU",
    count: 24,
    categories: ["Sport & Freizeit > Laufen > Laufschuhe"],
    alsoIn: [{ share: 0.5, path: "Mode & Schuhe > {geschlecht}schuhe > Sportschuhe" }],
    brands: "Leichtfuß|Velocita*1.4|Läuferglück*1.1|Motiva*0.7",
    price: [55, 130],
    slots: {
      geschlecht: GESCHLECHTER,
      _name: "Tempo|Brise|Marathon|Waldlauf|Gleiter",
      untergrund: "Straße|Gelände*1.1|Halle",
      daempfung: "Neutral|Stabil*1.1|Stark gedämpft*1.2",
    },
    titles: [
      "{brand} {_name} {geschlecht} Laufschuhe",
      "{brand} {geschlecht} Laufschuhe {_name}, {untergrund}, {daempfung.lower}",
    ],
    sentences: [
      "Laufschuhe für {untergrund}, {daempfung.lower}, für Training und Wettkampf.",
      "Atmungsaktives Obermaterial, das sitzt wie ein Strumpf.",
      "Reflektierende Streifen für die Dämmerung.",
      "Die Sohle hält viele hundert Kilometer.",
    ],
    axes: [SPORTFARBEN, SCHUHGROESSEN],
  },
  {
    key: "ZEL",
    count: 24,
    categories: ["Sport & Freizeit > Camping > {_typ.value}"],
    brands: DRAUSSEN,
    price: [25, 160],
    slots: {
      _typ: "Kuppelzelt*1.2=Zelte|Tunnelzelt*1.5=Zelte|Familienzelt*2=Zelte|Mumienschlafsack=Schlafsäcke|Deckenschlafsack*0.8=Schlafsäcke|Campingstuhl*0.5=Campingmöbel|Klapptisch*0.7=Campingmöbel|Kühlbox*0.9=Campingküche|Gaskocher*0.6=Campingküche",
      _name: "Waldsee|Fjäll|Almhütte|Nordlicht|Küste",
      eigenschaft:
        "besonders leicht*1.2|wetterfest|klein verpackt|für vier Jahreszeiten*1.3|für die ganze Familie*1.1",
    },
    titles: ["{brand} {_typ} {_name}", "{brand} {_typ} {_name}, {eigenschaft}"],
    sentences: [
      "{_typ} {_name}, {eigenschaft}, für Campingplatz und Festival.",
      "Schnell aufgebaut und leicht verstaut.",
      "Übersteht viele Sommer.",
      "Mit Packsack.",
    ],
    axes: [{ name: "color", choices: "Waldgrün|Orange|Sand|Grau", pick: [1, 2] }],
  },
  {
    key: "FAH",
    count: 44,
    categories: ["Sport & Freizeit > Fahrrad > {_typ.value}"],
    brands: RAD,
    price: [25, 90],
    slots: {
      _typ: "Fahrradhelm=Helme|Kinderfahrradhelm*0.7=Helme|Fahrradschloss*0.8=Schlösser & Licht|Fahrradbeleuchtung*0.7=Schlösser & Licht|Fahrradtasche=Taschen & Körbe|Fahrradkorb*0.7=Taschen & Körbe|Luftpumpe*0.5=Werkzeug|Kinderfahrrad*6=Fahrräder|Trekkingrad*12=Fahrräder|Elektrofahrrad*30=Fahrräder|Mountainbike*14=Fahrräder",
      _name: "Stadt|Tour|Kurier|Isar|Schwarzwald",
      eigenschaft: {
        by: "_typ",
        of: {
          Helme: "reflektierend|besonders leicht*1.1|verstellbar",
          "Schlösser & Licht": "wetterfest|besonders stabil*1.2|mit Halterung",
          "Taschen & Körbe": "wasserdicht*1.1|reflektierend|mit Tragegriff",
          Werkzeug: "mit Druckanzeige*1.2|besonders leicht|mit Halterung",
          Fahrräder: "mit Nabenschaltung*1.1|mit Scheibenbremsen*1.1|mit tiefem Einstieg",
        },
      },
    },
    titles: ["{brand} {_typ} {_name}", "{brand} {_typ} {_name}, {eigenschaft}"],
    sentences: [
      "{_typ} {_name}, {eigenschaft}, für den Weg zur Arbeit und für Ausflüge.",
      "Geprüft nach europäischer Norm.",
      "Mit einer Hand zu bedienen.",
      "Ersatzteile sind auf Jahre lieferbar.",
    ],
    axes: [{ ...SPORTFARBEN, pick: [1, 3] }],
  },
  {
    key: "WAN",
    count: 28,
    categories: ["Sport & Freizeit > Wandern > {_typ.value}"],
    brands: DRAUSSEN,
    price: [20, 120],
    slots: {
      _typ: "Wanderrucksack=Rucksäcke|Tagesrucksack*0.7=Rucksäcke|Trinkflasche*0.3=Trinkflaschen|Thermosflasche*0.4=Trinkflaschen|Wanderstöcke*0.6=Ausrüstung|Stirnlampe*0.4=Ausrüstung|Schlafmatte*0.6=Ausrüstung|Regenponcho*0.4=Ausrüstung",
      _name: "Gipfel|Höhenweg|Zugspitze|Talblick|Steig",
      groesse: "Klein*0.8|Mittel|Groß*1.2",
    },
    titles: ["{brand} {_typ} {_name}, {groesse.lower}", "{brand} {_typ} {_name}"],
    sentences: [
      "{_typ} {_name} für Tagestouren und lange Wanderungen.",
      "Leicht, robust und pflegeleicht.",
      "Aus recyceltem Material.",
      "Fünf Jahre Garantie auf alle Nähte.",
    ],
    axes: [SPORTFARBEN],
  },
  {
    key: "FIT",
    count: 24,
    categories: ["Sport & Freizeit > Fitness > {_typ.value}"],
    brands: "Kraftraum*1.2|Motiva*0.8|Asana & Co*1.1|Schweißtreiber",
    price: [15, 70],
    slots: {
      _typ: "Yogamatte=Yoga|Gymnastikball*0.8=Yoga|Kurzhantelset*1.3=Krafttraining|Kugelhantel=Krafttraining|Klimmzugstange=Krafttraining|Springseil*0.4=Ausdauer|Heimtrainer*5=Ausdauer|Laufband*9=Ausdauer|Rudergerät*7=Ausdauer",
      _name: "Basis|Studio|Profi|Ruhe|Stärke",
      eigenschaft: "rutschfest|platzsparend|für Einsteiger*0.9|für Fortgeschrittene*1.2",
    },
    titles: ["{brand} {_typ} {_name}", "{brand} {_typ} {_name}, {eigenschaft}"],
    sentences: [
      "{_typ} {_name}, {eigenschaft}, für das Training zu Hause.",
      "Leicht zu reinigen und geruchsarm.",
      "Mit Übungsplakat.",
      "Schont den Fußboden.",
    ],
    axes: [{ name: "color", choices: "Schwarz|Violett|Petrol|Grau", pick: [1, 3] }],
  },
];
