/**
 * English. Stemmer for inflection only. Plurals follow Harman's S-stemmer ("How effective is suffixing?", JASIS 42,
 * 1991), plus -es after sibilants and the irregular nouns of shops. -ing and -ed follow step 1b of Porter2
 * (snowballstem.org/algorithms/english).
 *
 *   shoes -> shoe        dresses -> dress     batteries -> battery     knives -> knife
 *   watches -> watch     running -> run       printed -> print         headphones -> headphone
 *   charging -> charge   gaming -> game       wireless, glass, bus, plus, tennis: unchanged
 *
 * Unlike Porter2, it stops there, because "organization" should not match "organ", nor "general" match "generous".
 * Nouns in -ing stay (earring, wedding). A stem is a word: a final e is restored (charg -> charge) instead of being
 * removed everywhere. Most words are therefore their own stem and take no extra dictionary entry.
 */
import { NO_LANGUAGE, withIrregular, withSpellings, words, type LanguageData } from "./language.ts";
import { cut, Vowels } from "./suffixes.ts";

export const english: LanguageData = {
  ...NO_LANGUAGE,
  stopWords: words(`
    a an the
    and or
    at by for from in into of on to with
  `),
  without: words("without"),
  no: words("no"),
  free: words("free"),
  purpose: words("for"),
  upTo: words("under below less than"),
  colours: words(`
    beige black blue brown gold gray green grey ivory khaki maroon navy orange pink
    purple red silver tan teal turquoise white yellow
  `),
  sizes: words("size sizes small medium large big"),
  stem: withSpellings(
    withIrregular(
      stemEnglish,
      `
    man: men mens
    woman: women womens
    child: children childrens
    foot: feet
    tooth: teeth
    mouse: mice
    goose: geese
    knife: knives
    wife: wives
    life: lives
    shelf: shelves
    scarf: scarves
    leaf: leaves
    loaf: loaves
    half: halves
    wolf: wolves
    calf: calves
    hoof: hooves
    tie: ties
    pie: pies
    shoe: shoes
    canoe: canoes
    axe: axes
    clothes: clothes
    jean: jeans
    lens: lens lenses
    series: series
    species: species
    news: news
    gps: gps
    bus: buses
    gas: gases
    canvas: canvas canvases
    atlas: atlas atlases
    christmas: christmas
    hoodie: hoodies
    beanie: beanies
    cookie: cookies
    brownie: brownies
    smoothie: smoothies
    movie: movies
    calorie: calories
    selfie: selfies
    onesie: onesies
    bootie: booties
    zombie: zombies
    genie: genies
    veggie: veggies
    bestie: besties
    scrunchie: scrunchies
    barbie: barbies
    koozie: koozies
    cutie: cuties
    sweetie: sweeties
    rookie: rookies
    foodie: foodies
    toe: toes
    thermos: thermos thermoses
    aging: aging ageing
    chili: chili chilis chilies chilli chillis chillies
  `,
    ),
    // British spellings.
    `
    airplane: aeroplane
    aluminum: aluminium
    analog: analogue
    armor: armour
    artifact: artefact
    barbecue: barbeque
    behavior: behaviour
    caliber: calibre
    carburetor: carburettor
    catalog: catalogue
    center: centre
    color: colour
    cozy: cosy
    customize: customise
    deodorizer: deodoriser
    disk: disc
    donut: doughnut
    draft: draught
    dryer: drier
    encyclopedia: encyclopaedia
    endeavor: endeavour
    energizer: energiser
    equalizer: equaliser
    favor: favour
    favorite: favourite
    fertilizer: fertiliser
    fiber: fibre
    flavor: flavour
    gray: grey
    harbor: harbour
    hemorrhoid: haemorrhoid
    honor: honour
    humor: humour
    jewel: jewell
    jewelry: jewellery
    license: licence
    licorice: liquorice
    louver: louvre
    luster: lustre
    matte: matt
    miter: mitre
    moisturize: moisturise
    moisturizer: moisturiser
    mold: mould
    mustache: moustache
    neighbor: neighbour
    odor: odour
    omelet: omelette
    organize: organise
    organizer: organiser
    orthopedic: orthopaedic
    pajama: pyjama
    pediatric: paediatric
    personalize: personalise
    plow: plough
    program: programme
    racket: racquet
    saber: sabre
    sanitize: sanitise
    sanitizer: sanitiser
    savory: savoury
    snorkel: snorkell
    stabilizer: stabiliser
    sulfate: sulphate
    sulfur: sulphur
    tenderizer: tenderiser
    theater: theatre
    tire: tyre
    travel: travell
    traveler: traveller
    vapor: vapour
    vaporizer: vaporiser
    whiskey: whisky
    woolen: woollen
    yogurt: yoghurt yoghourt
  `,
  ),
  // No compounds: "headphones" and "head phones" are handled by joining words.
};

/** Nouns that look like verb forms: an earring is not an ear, nor a wedding a wed. */
const NOUNS: ReadonlySet<string> = words(`
  awning bearing bedding building ceiling clothing darling dressing duckling dumpling earring evening fitting flooring gosling
  herring housing icing inning jogging legging lightning lining morning nothing offspring opening outing painting pudding railing
  sapling seedling setting shilling shipping sibling sterling stocking tubing viking wedding
  embed hundred infrared kindred naked sacred seabed wicked
`);

/** Nouns whose plural ends like "tennis" or "plus". */
const IN_I_OR_U = words(`
  bikini cami capri deli emoji khaki kiwi kurti martini mini panini safari ski tankini taxi zucchini
  guru menu tutu
`);

const VOWELS = new Vowels("aeiouy");

/** Verb stems that had an e before -ing and -ed: insulat(ed), charg(ing), featur(ed), handl(ed), clos(ed). */
const HAD_E = /(?:at|iz|[cuv]|[rdl]g|ag|[aeiournly]s|[^o]ur|[^a]ir|[^aeiou]in|[^a]id|[^o]u[dt]|[bcdfgkptz]l)$/;

function stemEnglish(term: string): string {
  if (term.length < 3) return term;
  if (term.endsWith("s")) return withoutVerbEnding(withoutPlural(term));
  return withoutVerbEnding(term);
}

function withoutPlural(term: string): string {
  if (IN_I_OR_U.has(term.slice(0, -1))) return term.slice(0, -1);
  if (term.length < 4 || /[sui]s$/.test(term)) return term;
  if (term.endsWith("ies") && term.length > 4) return cut(term, 3, "y");
  // After a sibilant, remove -es: dresses, boxes, watches, brushes, waltzes. "cases", "houses" and "sizes" only lose
  // the s.
  if (/(?:ss|x|ch|sh|zz|tz|[^aeiou]o)es$/.test(term)) return cut(term, 2);
  return cut(term, 1);
}

function withoutVerbEnding(word: string): string {
  const length = word.endsWith("ing") ? 3 : word.endsWith("ed") ? 2 : 0;
  if (length === 0 || word.endsWith("eed") || NOUNS.has(word)) return word;
  const verb = cut(word, length);
  if (verb.length < 3 || !VOWELS.before(verb, verb.length)) return word;
  if (word.endsWith("ied")) return cut(word, 3, "y");
  if (/([bdfgmnprt])\1$/.test(verb)) return cut(verb, 1);
  return HAD_E.test(verb) || isShort(verb) ? `${verb}e` : verb;
}

/** One syllable with a short end, in Porter's sense: gam(ing), wir(ed), smok(ed). */
function isShort(word: string): boolean {
  return VOWELS.region(word, 0) === word.length && /[^aeiouy][aeiouy][^aeiouywx]$/.test(word);
}
