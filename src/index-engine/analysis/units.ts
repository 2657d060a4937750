/**
 * Equivalent spellings of units in all languages: a German catalogue uses both "Zoll" and "inch".
 *
 *   unitAliases("inch") = in, inches, zoll, pouce ...
 *   unitAliases("kilo") = kg, kilogram ...                unitAliases("shoe") = (none)
 *
 * Spellings are terms: folded, one token (so "µF" is "μf", "m²" is "m2", and ü is both ue and u). Tokenisation turns
 * the signs of inches and feet after a number into the terms `inch` and `ft` (15.6" -> 15.6 | inch), so they need no
 * row here. There is no conversion: 1000 g and 1 kg are different texts. A spelling belongs to only one unit.
 *
 * A term is only a unit after a number, separately ("15 in") or in one token ("15in"). Callers check this.
 */

/** One unit per line with all its spellings. */
const UNITS = `
  mm millimeter millimeters millimetre millimetres milimetro milimetros millimetro millimetri milimetr milimetry milimetru milimetra
  cm centimeter centimeters centimetre centimetres zentimeter centimetro centimetros centimetri centymetr centymetry centimetr centimetry centimetru centymetra
  dm decimeter decimetre dezimeter
  m meter meters metre metres metro metros metri metr metry metru mtr metra
  km kilometer kilometers kilometre kilometres kilometro kilometros kilometri kilometr kilometry kilometra
  inch in inches zoll pouce pouces pulgada pulgadas pollice pollici polegada polegadas cal cale cali palec palce palcu tum tommer tomme duim cala
  ft foot feet fuss pied pieds
  yd yard yards
  m2 qm sqm
  m3 cbm
  g gr gram grams gramm gramme grammes gramo gramos grammo grammi grama gramas gramy gramow gramu
  kg kgs kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos kilogrammo kilogrammi kilogramy kilogramu quilo quilos kilograma
  mg milligram milligrams milligramm milligramme miligramo miligramos miligram
  lb lbs pound pounds
  oz ounce ounces unze unzen
  l liter liters litre litres ltr litro litros litri litr litry litru litrow litra
  dl deciliter decilitre deziliter
  cl centiliter centilitre zentiliter
  ml milliliter milliliters millilitre millilitres mililitro mililitros millilitro millilitri mililitr mililitry mililitra
  w watt watts wat vatio vatios wata watow wattu
  kw kilowatt kilowatts
  wh wattstunden watthour watthours
  kwh kilowattstunden kilowattstunde
  v volt volts voltios voltow
  a amp amps ampere amperes amper
  ma milliampere milliamp milliamps
  mah milliamperestunden
  ah amperestunden
  hz hertz
  khz kilohertz
  mhz megahertz
  ghz gigahertz
  kb kilobyte kilobytes
  mb megabyte megabytes
  gb gigabyte gigabytes gig gigs go
  tb terabyte terabytes
  mbps mbit megabit
  gbps gbit gigabit
  mp mpx megapixel megapixels mpix
  px pixel pixels
  ohm ohms ω
  db decibel decibels dezibel
  lm lumen lumens
  k kelvin
  bar bars
  psi
  rpm upm
  nm newtonmeter
  den denier
  pcs pc pieces piece stk stck stueck stuck stuecke pieza piezas pezzi peca pecas szt sztuk sztuki ks kus kusu kusy styck stycken
  pack packs pk packung
  pair pairs paar paire paires par pares paia para pary paru
  year years jahr jahre jahren ans anos jaar jaren rok roky let lata lat
  month months monat monate monaten mois meses mesi maand maanden miesiac miesiecy
  h hour hours std stunde stunden heure heures hora horas ore uur uren godzin hodin
  min minute minutes minuten minuti minuto minutos minut
  s sec secs second seconds sek sekunde sekunden
`;

const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map(
  UNITS.split("\n")
    .map((line) => line.split(" ").filter((spelling) => spelling !== ""))
    .flatMap((unit) => unit.map((spelling) => [spelling, unit] as const)),
);

const NONE: readonly string[] = [];

/** The other spellings of the unit `term`; empty if it is not a unit. */
export function unitAliases(term: string): readonly string[] {
  return SPELLINGS.get(term)?.filter((spelling) => spelling !== term) ?? NONE;
}
