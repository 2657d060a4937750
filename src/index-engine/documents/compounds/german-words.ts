/**
 * Parts of German compounds in shops, written for Aisle.
 *
 * Words in this list are parts of longer words and are never split. So the list contains compounds that are not a kind
 * of their last part: a Handschuh is not a Schuh, a Zahnpasta not a Pasta, a Steckdose not a Dose. It does not contain
 * Sonnenbrille, which is a Brille. Inflected forms are found by their stems and are not listed. Umlauts are folded
 * when the list is read. The order does not matter.
 *
 * A change of the list has an effect on a document when it is written again. `test/engine/compounds/splitter.test.ts`
 * has examples.
 */

/** Words at the beginning or end of compounds. */
export const GERMAN_WORDS = `
Hose Jeans Rock Kleid Hemd Bluse Shirt Top Pullover Pulli Jacke Mantel Weste Anzug Sakko Blazer Smoking Frack Overall
Latzhose Leggings Strumpfhose Strumpf Socke Sneaker Schuh Stiefel Stiefelette Sandale Sandalette Pantolette Pantoffel
Slipper Clog Mokassin Ballerina Pumps Handschuh Fäustling Mütze Hut Kappe Cap Haube Helm Schal Tuch Handtuch Krawatte
Fliege Schleife Gürtel Hosenträger Träger Unterhose Unterhemd Unterwäsche Wäsche Slip Tanga Boxer Shorts Bermuda Body
Dessous Korsett Bikini Badeanzug Pyjama Schlafanzug Bademantel Morgenmantel Kimono Dirndl Tracht Kostüm Uniform Kittel
Schürze Trikot Jersey Parka Anorak Poncho Cape Umhang Fleece Softshell Daune Feder Kragen Ärmel Tasche Knopf
Reißverschluss Klettverschluss Verschluss Schnalle Kapuze Saum Naht Bund Futter Einlage Sohle Absatz Schnürsenkel
Schnur Band Armband Stirnband Gummiband Kordel Borte Spitze Muster Streifen Karo Punkt Print Stickerei Stoff Gewebe
Baumwolle Wolle Merino Kaschmir Angora Mohair Seide Satin Samt Cord Denim Leinen Flanell Filz Fell Pelz Leder
Kunstleder Nylon Polyester Viskose Elasthan Faser Jute Hanf Bambus Mesh Tüll Chiffon Mode Größe Modell Kollektion
Garderobe Uhr Schmuck Ring Ohrring Kette Anhänger Brosche Armreif Reif Creole Perle Diamant Brillant Gold Silber
Platin Titan Edelstein Stein Kristall Zirkonia Bernstein Rubin Saphir Smaragd Brille Lupe Linse Glas Gestell Etui
Geldbörse Börse Geldbeutel Beutel Portemonnaie Brieftasche Rucksack Koffer Trolley Shopper Schirm Bildschirm Stock
Fächer Tisch Stuhl Sessel Sofa Couch Bank Hocker Schemel Liege Bett Matratze Lattenrost Rost Rahmen Kissen Decke Bezug
Laken Topper Polster Schrank Kühlschrank Kommode Sideboard Regal Vitrine Truhe Kiste Box Korb Schublade Lade Garnitur
Möbel Wand Tür Fenster Boden Zimmer Raum Küche Bad Flur Diele Büro Keller Dach Balkon Terrasse Garten Garage Lampe
Leuchte Licht Strahler Spot Kronleuchter Lüster Laterne Kerze Fackel Glühbirne Birne Leuchtmittel Fassung Lichterkette
Spiegel Bild Poster Tapete Gardine Vorhang Jalousie Rollo Plissee Markise Teppich Läufer Matte Vorleger Parkett
Laminat Fliese Vase Schale Figur Skulptur Statue Büste Deko Dekoration Girlande Kranz Ständer Halter Halterung Haken
Bügel Leiter Treppe Stufe Geländer Konsole Platte Leiste Sockel Fuß Griff Henkel Knauf Scharnier Schloss Schlüssel
Riegel Klinke Beschlag Rolle Rad Gestänge Stange Rohr Schiene Profil Winkel Ecke Kante Abdeckung Hülle Deckel Dose
Steckdose Behälter Kanister Eimer Tonne Fass Kübel Topf Napf Schüssel Teller Tasse Becher Kanne Karaffe Krug Flasche
Kelch Tablett Besteck Messer Gabel Löffel Zange Zucker Salz Pfeffer Streuer Mühle Pfanne Kasserolle Bräter Wok Auflauf
Form Blech Ofen Herd Grill Toaster Mixer Quirl Schneebesen Sieb Reibe Raspel Hobel Schäler Schneider Brett Waage
Uhrwerk Timer Thermometer Nudelholz Spatel Pinsel Kelle Wender Presse Korkenzieher Öffner Nussknacker Untersetzer
Serviette Geschirr Spüle Trockner Bügeleisen Bügelbrett Staubsauger Sauger Besen Schrubber Mopp Wischer Lappen Schwamm
Bürste Zahnbürste Seife Reiniger Reinigung Pflege Mittel Waschmittel Spülmittel Pulver Tab Tablette Müll Abfall Papier
Toilette Dusche Brause Wanne Becken Armatur Wasserhahn Siphon Abfluss Schlauch Pumpe Heizung Heizkörper Heizer Kamin
Ventilator Lüfter Klimaanlage Klima Luft Befeuchter Entfeuchter Filter Boiler Therme Kaffee Maschine Espresso
Vollautomat Automat Kocher Wasserkocher Dampf Garer Fritteuse Mikrowelle Entsafter Zerkleinerer Gefriertruhe
Gefrierschrank Geschirrspüler Dunstabzugshaube Computer Rechner Laptop Notebook Tablet Handy Smartphone Telefon
Handgelenk Drucker Scanner Kopierer Monitor Fernseher Fernsehen Beamer Projektor Leinwand Kamera Webcam Objektiv
Stativ Blitz Akku Batterie Netzteil Netz Netzwerk Ladegerät Gerät Kabel Stecker Buchse Adapter Verteiler Schalter
Taster Dimmer Sensor Melder Alarm Sirene Klingel Sprechanlage Anlage Router Switch Modem Antenne Receiver Verstärker
Lautsprecher Kopfhörer Hörer Ohrhörer Headset Mikrofon Radio Plattenspieler Spieler Player Recorder Controller
Joystick Lenkrad Tastatur Maus Mauspad Pad Festplatte Speicher Karte Speicherkarte Stick Laufwerk Prozessor Grafik
Grafikkarte Mainboard Gehäuse Kühler Software Programm Spiel Film Serie Musik Ton Klang Signal Funk Bluetooth Strom
Spannung Energie Solar Generator Motor Antrieb Getriebe Turbine Roboter Drohne Display Folie Panzerglas Etikett Toner
Patrone Tinte Laser Code Chip Platine Modul Diode Relais Sicherung Kontakt Klemme Draht Litze Steuerung Regler
Thermostat Fernbedienung Bedienung Smartwatch Tracker Navi Navigation Zubehör Ersatz Teil Ersatzteil Set Paket Satz
Bausatz Packung Stück Paar Pack Werkzeug Hammer Säge Bohrer Schraube Schrauber Mutter Dübel Nagel Niete Stift Bolzen
Feile Meißel Beil Axt Hacke Spaten Schaufel Rechen Harke Schere Mäher Vertikutierer Häcksler Sense Sichel Schubkarre
Karre Karren Wagen Leim Kleber Klebstoff Klebeband Farbe Lack Lasur Grundierung Spachtel Putz Mörtel Zement Beton Gips
Silikon Dichtung Dichtmasse Schaum Dämmung Isolierung Schleifer Schleifpapier Fräse Drehbank Werkbank Schraubstock
Schraubenzieher Schraubenschlüssel Ratsche Nuss Bit Meter Maßband Wasserwaage Zirkel Lineal Geodreieck Holz Eisen
Stahl Edelstahl Aluminium Kupfer Messing Zink Blei Chrom Metall Kunststoff Plastik Acryl Gummi Kork Keramik Porzellan
Marmor Granit Schiefer Sand Kies Erde Rinde Torf Dünger Saat Samen Rasen Gras Blume Rose Tulpe Nelke Lilie Orchidee
Kaktus Strauch Busch Hecke Baum Tanne Fichte Kiefer Eiche Buche Birke Ahorn Esche Pflanze Kraut Kräuter Zwiebel Knolle
Wurzel Blatt Blüte Zweig Stamm Zaun Tor Pforte Pfosten Pavillon Zelt Laube Schuppen Gewächshaus Haus Hütte Stall Käfig
Volière Aquarium Terrarium Teich Pool Brunnen Schaukel Rutsche Trampolin Hängematte Hollywoodschaukel Feuer Kohle
Brikett Anzünder Feuerzeug Streichholz Rauch Gas Öl Kind Baby Säugling Junge Mädchen Dame Herr Frau Mann Familie
Schwangerschaft Windel Schnuller Fläschchen Lätzchen Strampler Kinderwagen Buggy Trage Wippe Laufstall Krippe Wiege
Spielzeug Puppe Teddy Bär Kuscheltier Plüsch Baustein Klotz Puzzle Würfel Karussell Kreisel Murmel Auto Bagger Kran
Traktor Lastwagen Laster Bus Zug Bahn Eisenbahn Lokomotive Flugzeug Hubschrauber Rakete Schiff Boot Segel Anker Ruder
Paddel Kanu Kajak Floß Burg Ritter Schwert Schild Pirat Prinzessin Fee Hexe Zauberer Drache Dinosaurier Einhorn
Luftballon Ballon Drachen Knete Kreide Bleistift Kugelschreiber Füller Füllfederhalter Textmarker Marker Radiergummi
Radierer Spitzer Anspitzer Heft Block Ordner Mappe Hefter Locher Tacker Klammer Umschlag Kuvert Brief Post Kalender
Planer Buch Wörterbuch Lexikon Atlas Roman Krimi Comic Zeitung Zeitschrift Magazin Schule Ranzen Mäppchen Stempel
Tafel Globus Mikroskop Fernglas Fernrohr Teleskop Kompass Sport Fußball Handball Basketball Volleyball Tennis
Tischtennis Badminton Golf Hockey Eishockey Rugby Boxen Judo Karate Yoga Pilates Fitness Gymnastik Turnen Training
Hantel Gewicht Ergometer Stepper Laufband Crosstrainer Expander Seil Springseil Ball Schläger Fahrrad Roller Mofa
Moped Motorrad Quad Skateboard Longboard Inliner Schlittschuh Schlitten Rodel Ski Snowboard Bindung Piste Schnee Eis
Berg Gipfel Gurt Karabiner Trekking Camping Isomatte Schlafsack Sack Angel Rute Köder Fisch Jagd Gewehr Pfeil Bogen
Dart Scheibe Billard Kicker Schach Pokal Medaille Pfeife Stoppuhr Reiten Sattel Zügel Trense Steigbügel Gerte
Schwimmen Flosse Schnorchel Taucher Surfbrett Pedal Kurbel Lenker Bremse Reifen Felge Speiche Ventil Gepäckträger
Gepäck Kennzeichen Scheinwerfer Rücklicht Blinker Hupe Auspuff Stoßstange Kotflügel Kofferraum Wind Sitz Lehne Rücken
Stütze Benzin Diesel Kraftstoff Kühlmittel Zündkerze Zündung Kupplung Anhängerkupplung Stoßdämpfer Dämpfer Lager
Kugellager Kugel Welle Achse Riemen Keilriemen Zahnriemen Zahnrad Werkstatt Wagenheber Warndreieck Verband Kasten
Pannenset Wohnmobil Wohnwagen Caravan Haar Haut Gesicht Auge Ohr Nase Mund Lippe Zahn Hals Hand Finger Arm Bein Knie
Zehe Kopf Körper Bauch Brust Schulter Nacken Ferse Shampoo Spülung Kur Gel Wachs Spray Creme Lotion Milch Balsam Serum
Maske Peeling Puder Schminke Lippenstift Wimperntusche Mascara Lidschatten Rouge Parfüm Duft Deo Deodorant Rasierer
Rasur Klinge Föhn Glätteisen Lockenstab Kamm Spange Haargummi Pinzette Wattepad Watte Zahnpasta Mundspülung Zahnseide
Sonne Schutz Kondom Binde Tampon Pflaster Bandage Salbe Tropfen Sirup Kapsel Vitamin Mineral Eiweiß Protein Magnesium
Kalzium Kollagen Gesundheit Medizin Arznei Blutdruck Blut Druck Inhalator Rollator Rollstuhl Krücke Gehhilfe Hilfe
Massage Wärme Kälte Wärmflasche Heizkissen Sauna Brot Brötchen Kuchen Torte Keks Plätzchen Lebkuchen Waffel Praline
Schokolade Bonbon Lakritz Lakritze Gummibärchen Kaugummi Marzipan Nougat Honig Marmelade Konfitüre Aufstrich Butter
Margarine Käse Quark Joghurt Sahne Ei Wurst Schinken Speck Fleisch Rind Schwein Lamm Huhn Hähnchen Ente Gans Pute Wild
Lachs Thunfisch Forelle Hering Garnele Muschel Krabbe Obst Gemüse Apfel Kirsche Pflaume Pfirsich Aprikose Traube
Banane Ananas Mango Kiwi Zitrone Orange Mandarine Erdbeere Himbeere Brombeere Heidelbeere Johannisbeere Beere Melone
Feige Dattel Rosine Mandel Haselnuss Walnuss Erdnuss Kokosnuss Kokos Kastanie Tomate Gurke Paprika Karotte Möhre
Kartoffel Süßkartoffel Salat Spinat Kohl Brokkoli Blumenkohl Lauch Sellerie Spargel Bohne Erbse Mais Pilz Champignon
Kürbis Zucchini Aubergine Olive Knoblauch Ingwer Kurkuma Zimt Vanille Muskat Kümmel Anis Curry Chili Senf Ketchup
Mayonnaise Soße Sauce Dressing Essig Brühe Suppe Eintopf Pasta Nudel Spaghetti Reis Mehl Grieß Hafer Flocke Müsli
Weizen Roggen Dinkel Gerste Hirse Quinoa Kleie Hefe Stärke Gewürz Saft Nektar Limonade Cola Wasser Bier Wein Sekt
Champagner Schnaps Likör Rum Gin Wodka Whisky Cognac Tee Kakao Getränk Nahrung Nahrungsmittel Lebensmittel Diät Hund
Katze Pferd Pony Esel Kuh Ziege Schaf Hase Kaninchen Hamster Meerschweinchen Ratte Vogel Papagei Wellensittich Sittich
Kanarienvogel Taube Eule Adler Schlange Schildkröte Echse Frosch Igel Fuchs Wolf Löwe Tiger Elefant Affe Giraffe Zebra
Panda Delfin Wal Hai Seestern Krebs Käfer Biene Hummel Wespe Ameise Spinne Mücke Motte Schmetterling Schnecke
Regenwurm Wurm Tier Welpe Leine Maulkorb Leckerli Kratzbaum Streu Nest Einstreu Knochen Tränke Zecke Floh Weihnachten
Weihnacht Advent Nikolaus Ostern Fasching Karneval Halloween Hochzeit Geburtstag Taufe Kommunion Konfirmation
Muttertag Party Feier Geschenk Gutschein Schleier Braut Bräutigam Engel Stern Mond Herz Kreuz Krone Glocke Baumschmuck
Christbaum Ornament Album Foto Fotografie Pappe Karton Schachtel Tüte Klavier Flügel Gitarre Geige Bratsche Cello Bass
Harfe Flöte Klarinette Saxophon Trompete Posaune Horn Tuba Trommel Schlagzeug Keyboard Orgel Akkordeon Mundharmonika
Xylophon Ukulele Saite Plektrum Note Kunst Malerei Staffelei Palette Aquarell Skizze Garn Nadel Faden Fingerhut
Schnitt Reise Urlaub Strand Meer Ozean Insel Fluss See Wald Wiese Feld Dorf Stadt Straße Weg Platz Flughafen Flug Tank
Fracht Industrie Handwerk Handwerker Gastronomie Hotel Restaurant Arbeit Beruf Freizeit Hobby Alltag Tag Nacht Morgen
Abend Woche Monat Jahr Winter Sommer Frühling Frühjahr Herbst Regen Wolke Gewitter Donner Sturm Hitze Sicherheit
Notfall Rettung Gefahr Qualität Komfort Luxus Design Stil Art Struktur Oberfläche Fläche Seite Reihe Ebene Fach Länge
Breite Höhe Tiefe Dicke Volumen Kapazität Leistung Geschwindigkeit Temperatur Feuchtigkeit Feuchte Zeit Dauer Anfang
Ende Mitte Geschichte Bedarf Artikel Produkt Ware Marke Zeichen Zustand Herstellung Hersteller Land Freund
Freundschaft Liebe Glück Wunsch Traum Kraft Kreis Quadrat Rechteck Dreieck Linie Strahl Zelle Magnet Knall Schuss Stoß
Schlag Lauf Sprung Schritt Blick Ruf Stand Lauge Säure Fett Staub Schmutz Kalk Schimmel Geruch Insekt Unkraut
Schnitzel Helfer Klappe Haltung Kammer Stube Spielplatz Arbeitsplatz Rand Vorrat Versand Verpackung Transport Kurier
Umzug Überzug Aufzug Schonbezug Anschluss Einsatz Aufsatz Ansatz Ausguss Einguss Einbau Aufbau Unterbau Unterlage
Auflage Ablage Vorlage Beilage Zulage Aufkleber Sticker Anzeige Aufnahme Ausstattung Ausrüstung Einrichtung
Vorrichtung Richtung Leitung Verlängerung Verbindung Verbinder Behandlung Beleuchtung Bekleidung Kleidung Verkleidung
Beschichtung Bespannung Lüftung Bewässerung Entwässerung Überwachung Aufbewahrung Sammlung Sammler Fänger Spender
Geber Nehmer Zähler Prüfer Tester Bohle Sprüher Zerstäuber Dosierer Spritze Trichter Pipette Kolben Kessel Tiegel
Kartusche Flakon Ampulle Röhre Röhrchen Boje Luke Mast Planke Plane Persenning Bordwand Backpulver Rückgrat Augenbraue
Kindergarten Ballast Autobahn Achterbahn Geldautomat Eichhörnchen Stachelschwein Dachs Kapitän Kommando Passage
Plattform Kampagne Garantie Batik Oberteil Unterteil Dreirad Vollholz Massivholz Sperrholz Samstag Sonntag Montag
Dienstag Mittwoch Donnerstag Freitag Feiertag Januar Februar August Oktober Kern
`;

/** Words only at the beginning or inside of compounds: verbs, adjectives, target groups. */
export const GERMAN_FIRST_WORDS = `
wander bade schwimm tauch reit fahr renn kletter turn tanz jogging walking koch back brat schmor rühr misch schneid
schneide schäl reib schöpf spül trink ess servier kühl gefrier heiz wasch trocken näh strick häkel wisch kehr saug
schreib mal bastel kleb klebe falt klapp roll dreh steh hänge häng schiebe schwenk pendel schlaf wickel still kuschel
schmuse steck zieh rutsch bohr schleif fräs schraub löt schweiß mess prüf schnell lösch lese seh hör sprech spar wohn
schnür wend abroll einkauf einkaufs auszieh stapel sprüh gieß pflanz ernte pflück streich spann kipp schüttel stütz
trag lern übungs kost probier rasier stech fecht damen herren kinder jungen junior senioren unisex mini midi maxi
mikro makro multi super ultra extra mega elektro digital analog smart turbo power profi premium vintage retro designer
outdoor indoor inkontinenz ortho bio öko natur vital wellness kosmetik hell dunkel rund eck halb hoch tief flach breit
lang kurz groß klein dick dünn weich hart feucht nass heiß kalt warm frisch roh leicht schwer stark zart fein grob
edel glatt matt blank bunt süß sauer bitter scharf innen außen vorder hinter seiten doppel einzel dreifach zweifach
haupt grund quer längs allzweck mehrzweck universal spezial standard original panorama vakuum ultraschall infrarot
hochdruck niederdruck unterwasser überwurf
`;

/** Colours also end words: dunkelblau. */
export const GERMAN_COLOURS = `
rot blau grün gelb schwarz weiß grau braun beige rosa lila violett pink türkis orange silber gold bronze kupfer creme
oliv petrol mint bordeaux anthrazit khaki natur
`;
