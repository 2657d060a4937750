/** Haushalt, Technik und Möbel des deutschen Katalogs. */
import type { Family } from "../family.ts";
import { BETTGROESSEN, GERAETEFARBEN, WOHNFARBEN } from "./gemeinsam.ts";

const KUECHE = "Kupferglanz*1.3|Gußwerk*1.4|Heimelig*0.8|Küchenfreund|Lindqvist*1.2";
const GERAETE = "Voltaine|Küchenfreund*0.8|Brüggemann*1.3|Nordhaus|Hüttner*1.1";
const MOEBEL = "Waldmöbel*1.3|Heimelig*0.8|Studio Birke*1.6|Nordhaus|Möbelwerk Süd*1.1";
const TEXTIL = "Federleicht|Wäscherei Söhne*1.2|Heimelig*0.7|Leinenglück*1.4";

export const HAUSHALT: readonly Family[] = [
  {
    key: "PFA",
    count: 28,
    categories: ["Haus & Küche > Kochen > {_typ.value}"],
    brands: KUECHE,
    price: [22, 70],
    slots: {
      _typ: "Bratpfanne=Pfannen|Grillpfanne*1.1=Pfannen|Wokpfanne*1.1=Pfannen|Stielkasserolle=Töpfe|Suppentopf*1.2=Töpfe|Schnellkochtopf*1.8=Töpfe|Bräter*1.5=Töpfe|Springform*0.6=Backformen",
      material: "Gusseisen*1.4|Edelstahl*1.2|Aluminiumguss|Emaille*0.9",
      durchmesser: "20 cm*0.8=20|24 cm=24|28 cm*1.2=28|32 cm*1.4=32",
    },
    titles: [
      "{brand} {_typ} {durchmesser} aus {material}",
      "{brand} {material} {_typ}, {durchmesser}",
    ],
    sentences: [
      "{_typ} aus {material} mit {durchmesser} Durchmesser, für alle Herdarten einschließlich Induktion.",
      "Der Griff bleibt kühl und ist bis 220 Grad backofenfest.",
      "Die Wärme verteilt sich gleichmäßig, nichts brennt an.",
      "Spülmaschinengeeignet; von Hand gespült bleibt das Stück länger schön.",
    ],
    axes: [],
  },
  {
    key: "KAF",
    count: 28,
    categories: ["Haus & Küche > Küchengeräte > Kaffeemaschinen"],
    brands: GERAETE,
    price: [45, 250],
    slots: {
      _typ: "Kaffeevollautomat*2.2|Filterkaffeemaschine*0.5|Espressomaschine*1.2|Kapselmaschine*0.7|Kaffeemühle*0.5|Milchaufschäumer*0.3",
      _serie: "Aroma|Klassik|Genuss 8|Wien|Frühstück",
      ausstattung: {
        by: "_typ",
        of: {
          Kaffeevollautomat: "mit Milchschaumdüse*1.1|mit Milchbehälter*1.2|besonders leise*1.1",
          Filterkaffeemaschine: "mit Zeitschaltuhr|mit Thermoskanne*1.2|mit Mahlwerk*1.4",
          Espressomaschine: "mit Milchschaumdüse*1.2|mit Mahlwerk*1.4|mit Siebträger",
          Kapselmaschine: "mit Milchaufschäumer*1.3|für kleine Küchen|sparsam",
          Kaffeemühle: "mit Kegelmahlwerk*1.4|mit 30 Mahlgraden*1.2|für Espresso",
          Milchaufschäumer: "für warme und kalte Milch|für Induktion|mit Ständer",
        },
      },
    },
    titles: ["{brand} {_typ} {_serie}", "{brand} {_serie} {_typ} {ausstattung}"],
    sentences: [
      "{_typ} {ausstattung} für Kaffee wie im Lieblingscafé.",
      "In weniger als 40 Sekunden aufgeheizt.",
      "Der Wassertank fasst 1,5 Liter und lässt sich leicht reinigen.",
      "Schaltet sich nach 20 Minuten selbst aus.",
    ],
    axes: [{ ...GERAETEFARBEN, pick: [1, 2] }],
  },
  {
    key: "KUG",
    count: 28,
    categories: ["Haus & Küche > Küchengeräte > {_typ.value}"],
    brands: GERAETE,
    price: [25, 120],
    slots: {
      _typ: "Wasserkocher*0.6=Wasserkocher & Toaster|Doppelschlitztoaster*0.7=Wasserkocher & Toaster|Küchenmaschine*2=Küchenmaschinen|Handrührgerät*0.6=Küchenmaschinen|Stabmixer*0.6=Mixer|Standmixer=Mixer|Heißluftfritteuse*1.2=Fritteusen & Grills|Raclettegrill*0.8=Fritteusen & Grills|Waffeleisen*0.6=Fritteusen & Grills|Eierkocher*0.4=Kleingeräte",
      _serie: "Retro|Profi|Familie|Kompakt|Nordisch",
      leistung: "500 W*0.9=500|850 W=850|1.200 W*1.2=1200|2.200 W*1.3=2200",
    },
    titles: ["{brand} {_typ} {_serie}, {leistung}", "{brand} {_serie} {_typ}"],
    sentences: [
      "{_typ} mit {leistung} Leistung für die tägliche Küche.",
      "Alle abnehmbaren Teile sind spülmaschinengeeignet.",
      "Rutschfeste Füße und Kabelaufwicklung.",
      "Passt zu den übrigen Geräten der Serie {_serie}.",
    ],
    axes: [GERAETEFARBEN],
  },
  {
    key: "GES",
    count: 24,
    categories: ["Haus & Küche > Geschirr & Gläser > {_typ.value}"],
    brands: "Porzellanhaus*1.3|Töpferei Grün*1.2|Heimelig*0.7|Lindqvist*1.2",
    price: [12, 55],
    slots: {
      _typ: "Speiseteller=Teller & Schüsseln|Müslischalen*0.8=Teller & Schüsseln|Salatschüssel=Teller & Schüsseln|Kaffeebecher*0.8=Tassen & Becher|Espressotassen*0.7=Tassen & Becher|Weingläser=Gläser|Wassergläser*0.8=Gläser|Besteckset*1.6=Besteck",
      material: {
        by: "_typ",
        of: {
          "Teller & Schüsseln": "Steingut|Porzellan*1.3|Bambusfaser*0.8",
          "Tassen & Becher": "Steingut|Porzellan*1.2|Emaille",
          Gläser: "Kristallglas*1.5|Recyclingglas",
          Besteck: "Edelstahl|Edelstahl gebürstet*1.2",
        },
      },
      stueckzahl: "2er-Set*0.6=2|4er-Set=4|6er-Set*1.4=6|12er-Set*2.5=12",
    },
    titles: ["{brand} {_typ} aus {material}, {stueckzahl}"],
    sentences: [
      "{_typ} aus {material} im {stueckzahl}, für jeden Tag und für Gäste.",
      "Lässt sich mit anderen Serien kombinieren.",
      "Spülmaschinenfest und mikrowellengeeignet.",
      "Jedes Stück ist ein wenig anders, so wie es sein soll.",
    ],
    axes: [{ ...WOHNFARBEN, pick: [1, 3] }],
  },
  {
    key: "BTW",
    count: 26,
    categories: ["Haus & Küche > Schlafzimmer > {_typ.value}"],
    brands: TEXTIL,
    price: [22, 95],
    slots: {
      _typ: "Bettwäschegarnitur=Bettwäsche|Spannbettlaken*0.5=Bettwäsche|Kopfkissenbezug*0.4=Bettwäsche|Daunendecke*2=Decken & Kissen|Nackenstützkissen*0.8=Decken & Kissen|Tagesdecke*1.2=Decken & Kissen",
      material: "Bio-Baumwolle*1.2|Leinen*1.7|Baumwollsatin*1.3|Biber|Mikrofaser*0.7",
      muster: "Uni|Gestreift|Geblümt|Kariert",
    },
    titles: [
      "{brand} {_typ} aus {material}, {muster.lower}",
      "{brand} {material} {_typ} {muster.lower}",
    ],
    sentences: [
      "{_typ} aus {material} für ruhige Nächte.",
      "Wird mit jeder Wäsche weicher.",
      "Schadstoffgeprüft und bei 60 Grad waschbar.",
      "Mit verdecktem Reißverschluss.",
    ],
    axes: [WOHNFARBEN, BETTGROESSEN],
  },
  {
    key: "MOB",
    count: 34,
    categories: ["Haus & Küche > Möbel > {_typ.value}"],
    brands: MOEBEL,
    price: [60, 260],
    slots: {
      _typ: "Esszimmerstuhl*0.8=Stühle & Sessel|Bürostuhl*1.2=Büromöbel|Ohrensessel*1.7=Stühle & Sessel|Schlafsofa*3.2=Sofas|Ecksofa*5=Sofas|Esstisch*1.8=Tische|Couchtisch=Tische|Höhenverstellbarer Schreibtisch*2.4=Büromöbel|Kleiderschrank*3=Schränke & Regale|Bücherregal=Schränke & Regale|Schuhschrank=Schränke & Regale|Nachttisch*0.6=Schlafzimmermöbel",
      material: "Eiche massiv*1.6|Buche*1.2|Kiefer*0.8|Nussbaum*1.7|Weiß lackiert*0.9",
      stil: "Skandinavisch|Landhausstil|Industrie|Modern|Klassisch",
    },
    titles: ["{brand} {_typ} {material}", "{brand} {_typ}, {stil}, {material}"],
    sentences: [
      "{_typ}, {material}, mit ruhiger Form für viele Jahre.",
      "Filzgleiter schützen den Boden.",
      "Holz aus zertifizierter Forstwirtschaft.",
      "In 20 Minuten aufgebaut, Werkzeug liegt bei.",
    ],
    axes: [],
  },
  {
    key: "LEU",
    count: 24,
    categories: ["Haus & Küche > Leuchten > {_typ.value}"],
    brands: "Lichtblick*1.1|Studio Birke*1.5|Heimelig*0.7|Glühwürmchen",
    price: [20, 110],
    slots: {
      _typ: "Stehleuchte*1.3=Stehleuchten|Tischleuchte*0.8=Tischleuchten|Schreibtischlampe*0.8=Tischleuchten|Pendelleuchte=Deckenleuchten|Deckenleuchte=Deckenleuchten|Lichterkette*0.4=Außenleuchten|Solar-Gartenleuchte*0.5=Außenleuchten",
      material: "Metall|Holz*1.1|Glas*1.2|Rattan|Papier*0.7",
      ausstattung: "dimmbar*1.1|mit Bewegungsmelder*1.1|mit LED|mit Fernbedienung*1.1",
    },
    titles: [
      "{brand} {_typ} aus {material}, {ausstattung}",
      "{brand} {_typ} {ausstattung}, {material}",
    ],
    sentences: [
      "{_typ} aus {material}, {ausstattung}, mit warmweißem Licht.",
      "Das Kabel ist mit Stoff ummantelt.",
      "Energiesparend und langlebig.",
      "Montagematerial liegt bei.",
    ],
    axes: [{ ...WOHNFARBEN, pick: [1, 2] }],
  },
  {
    key: "STA",
    count: 24,
    categories: ["Haus & Küche > Haushaltsgeräte > {_typ.value}"],
    brands: GERAETE,
    price: [50, 260],
    slots: {
      _typ: "Akku-Staubsauger*1.2=Staubsauger|Saugroboter*1.6=Staubsauger|Bodenstaubsauger=Staubsauger|Dampfbügeleisen*0.5=Bügeln|Dampfreiniger*0.8=Bodenpflege|Heizlüfter*0.5=Klima|Turmventilator*0.6=Klima|Luftreiniger*1.1=Klima|Luftentfeuchter*1.1=Klima",
      _serie: "Brise|Leise|Öko|Kraft|S8",
      energieklasse: "A*1.1|B|C*0.9",
    },
    titles: ["{brand} {_typ} {_serie}", "{brand} {_serie} {_typ}, Energieklasse {energieklasse}"],
    sentences: [
      "{_typ} der Serie {_serie} für Wohnung und Haus.",
      "Besonders leise und sparsam.",
      "Der Filter ist auswaschbar.",
      "Drei Jahre Garantie.",
    ],
    axes: [],
  },
  {
    key: "AUD",
    count: 26,
    categories: ["Elektronik > Audio > {_typ.value}"],
    brands: "Auralis*1.4|Klangwerk*1.2|Nordwave|Tönnies*0.8",
    price: [30, 170],
    slots: {
      _typ: "Bluetooth-Kopfhörer=Kopfhörer|In-Ear-Kopfhörer*0.8=Kopfhörer|Bluetooth-Lautsprecher=Lautsprecher|Soundbar*1.5=Lautsprecher|Küchenradio*0.7=Radios|Plattenspieler*1.4=Hi-Fi",
      _serie: "Aria|Puls|Klar|Echo 500|Studio",
      merkmal: {
        by: "_typ",
        of: {
          Kopfhörer: "mit Geräuschunterdrückung*1.4|kabellos|faltbar|mit Ladehülle*1.1",
          Lautsprecher: "wasserdicht|kabellos|mit Tiefbass*1.2|für mehrere Räume*1.2",
          Radios: "mit Bluetooth|mit Wecker|DAB+",
          "Hi-Fi": "mit Vorverstärker*1.2|mit Riemenantrieb|mit Bluetooth*1.1",
        },
      },
    },
    titles: ["{brand} {_serie} {_typ} {merkmal}"],
    sentences: [
      "{_typ} {merkmal} mit klarem Klang und tiefem Bass.",
      "Bis zu 30 Stunden Akkulaufzeit.",
      "Verbindet sich mit zwei Geräten zugleich.",
      "Mit Aufbewahrungstasche.",
    ],
    axes: [GERAETEFARBEN],
  },
  {
    key: "FER",
    count: 26,
    categories: ["Elektronik > Fernseher & Heimkino > Fernseher"],
    brands: "Lumivue*1.3|Veltro|Kaskade*0.8|Bildschön*1.1",
    price: [220, 420],
    slots: {
      bildschirmdiagonale:
        "32 Zoll*0.6=32|43 Zoll=43|50 Zoll*1.2=50|55 Zoll*1.5=55|65 Zoll*2.1=65|75 Zoll*2.9=75",
      bildschirmtechnik: "OLED*1.9|QLED*1.3|LED",
      aufloesung: "4K|8K*2.2|Full HD*0.8",
      _serie: "A7|C3|V9|M20",
    },
    titles: [
      "{brand} {_serie} {bildschirmtechnik}-Fernseher {bildschirmdiagonale} {aufloesung}",
      "{brand} Smart-TV {_serie}, {bildschirmdiagonale}, {bildschirmtechnik}, {aufloesung}",
    ],
    sentences: [
      "Fernseher mit {bildschirmdiagonale} Bildschirmdiagonale und {aufloesung}-Auflösung.",
      "Alle großen Streamingdienste, Sprachfernbedienung inklusive.",
      "Vier HDMI-Anschlüsse und integrierter Satellitenempfänger.",
      "Wandhalterung nach VESA-Norm möglich.",
    ],
    axes: [],
  },
  {
    key: "COM",
    count: 24,
    categories: ["Elektronik > Computer > {_typ.value}"],
    brands: "Zentiq*1.2|Veltro|Quantis*1.4|Tastenreich*0.8",
    price: [20, 90],
    slots: {
      _typ: "Funktastatur=Mäuse & Tastaturen|Ergonomische Maus*0.8=Mäuse & Tastaturen|Mechanische Tastatur*1.6=Mäuse & Tastaturen|Externe Festplatte*1.4=Speicher|USB-Stick*0.4=Speicher|Tintenstrahldrucker*2=Drucker|Laserdrucker*3=Drucker|Laptoptasche*0.8=Zubehör|Ladegerät*0.7=Zubehör",
      _serie: "Büro|Kompakt|Pro|Reise|Plus",
      anschluss: "USB-C*1.1|USB-A|Bluetooth*1.1|WLAN*1.1",
    },
    titles: ["{brand} {_typ} {_serie}", "{brand} {_serie} {_typ}, {anschluss}"],
    sentences: [
      "{_typ} der Serie {_serie} für Büro, Schule und unterwegs.",
      "Läuft unter Windows, macOS und Linux.",
      "Schnell eingerichtet, ohne Treiber.",
      "Zwei Jahre Garantie.",
    ],
    axes: [{ ...GERAETEFARBEN, pick: [1, 2] }],
  },
];
