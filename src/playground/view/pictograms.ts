/**
 * Line drawings for products without a picture, selected by English and German category names, as
 * in the sample catalogue.
 */
interface Pictogram {
  readonly of: RegExp;
  /** 48 by 48. */
  readonly path: string;
}

/** The first match is used, so specific names come before general ones. */
const PICTOGRAMS: readonly Pictogram[] = [
  {
    of: /sleeping|schlafs|tent|zelt/,
    path: "M24 9 5 39h38Zm0 0v0M24 21l-8 18m8-18 8 18M21 6l3 3 3-3",
  },
  {
    of: /boot|stiefel/,
    path: "M14 8h13v17c5 2 12 2 13 8v4H14Zm0 29v4h26v-4M14 14h13M22 22h5m-5 5h6",
  },
  {
    of: /shoe|(?<!hand)schuh|sneaker|sandal/,
    path: "M6 34V20c3 2 6 1 8-2l3-3c3 6 8 9 14 10 7 1 11 2 11 9Zm0 0v4h36v-4M19 20l-3 3m8 0-3 3m8-1-3 3",
  },
  {
    of: /dress|kleid|röcke|skirt/,
    path: "M18 6v6c0 4 2 5 2 9L11 41c8 3 18 3 26 0l-9-20c0-4 2-5 2-9V6M18 9c2 4 10 4 12 0M20 21h8",
  },
  {
    of: /jacket|coat|jacke|mäntel|vest|robe|wetsuit|outdoor clothing/,
    path: "M18 7 9 11 4 33l6 2 3-12v18h22V23l3 12 6-2-5-22-9-4c-2 4-10 4-12 0Zm6 3v31M28 28h3m-14 0h3",
  },
  {
    of: /trouser|jeans|hose|pants|shorts|tights/,
    path: "M14 7h20l4 34h-9l-5-22-5 22h-9Zm0 6h20M24 13v6",
  },
  {
    of: /shirt|hemd|blouse|\btops?\b|pullover|sweater|hoodie|strick|layer|bras?\b|underwear|swimwear/,
    path: "M17 8 6 13l4 10 4-2v20h20V21l4 2 4-10-11-5c-2 5-12 5-14 0Z",
  },
  {
    of: /hat|cap\b|caps|helm/,
    path: "M8 31c0-12 7-19 16-19s16 7 16 19ZM4 31h40c0 4-4 5-8 5H12c-4 0-8-1-8-5ZM24 12v7",
  },
  { of: /belt|gürtel/, path: "M3 20h42v9H3Zm8-4h11v17H11Zm6 8h10M33 24h1m4 0h1" },
  { of: /wallet|geldb/, path: "M6 13h32v26H6Zm32 7h4v12h-9a6 6 0 0 1 0-12Zm-5 6h1M6 13l22-6v6" },
  {
    of: /scarf|scarves|schals?\b/,
    path: "M14 12c0-5 20-5 20 0v7c0 5-20 5-20 0Zm12 10v20h9V20M26 36h9M28 42v3m4-3v3M14 13c0 5 20 5 20 0",
  },
  {
    of: /glove|handschuh/,
    path: "M16 41V24l-5-6 3-4 5 4V9c0-4 5-4 5 0v9-11c0-3 5-3 5 0v12-9c0-3 5-3 5 0v31ZM16 35h18",
  },
  { of: /sunglasses/, path: "M4 19h40M7 19c0 13 14 13 14 0m6 0c0 13 14 13 14 0M21 21c2-2 4-2 6 0" },
  {
    of: /backpack|rucks|bike bag/,
    path: "M12 41V20c0-8 5-11 12-11s12 3 12 11v21Zm7-32c0-5 10-5 10 0M17 41V30h14v11M17 34h14M18 20h12",
  },
  {
    of: /bag|tasche|suitcase|luggage|körbe|basket/,
    path: "M8 17h32l3 24H5Zm9 0c0-12 14-12 14 0M8 24h32",
  },
  {
    of: /headphone|earbud|kopfhörer/,
    path: "M8 31v-6c0-20 32-20 32 0v6M8 29h7v12h-3c-3 0-4-2-4-5Zm32 0h-7v12h3c3 0 4-2 4-5Z",
  },
  {
    of: /speaker|lautsprecher|radio|hi-fi|audio/,
    path: "M13 5h22v38H13Zm11 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6Zm0 12a8 8 0 1 1 0 16 8 8 0 0 1 0-16Zm0 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z",
  },
  {
    of: /camera|drone/,
    path: "M5 15h9l4-5h12l4 5h9v25H5Zm19 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16Zm0 4a4 4 0 0 1 4 4M37 20h2",
  },
  {
    of: /watch|tracker|wearable/,
    path: "M15 14h18v20H15Zm2 0 2-9h10l2 9m0 20-2 9H19l-2-9M24 19v6l4 2",
  },
  {
    of: /phone|tablet|reader/,
    path: "M15 4h18c1.500 0 2 1 2 2v36c0 1-.5 2-2 2H15c-1.500 0-2-1-2-2V6c0-1 .5-2 2-2Zm-2 7h22M13 36h22M22 40h4",
  },
  { of: /\btvs?\b|fernseh|monitor/, path: "M4 9h40v25H4Zm20 25v6m-9 1h18M10 28l7-8 6 6 5-4 8 6" },
  {
    of: /laptop|computer|keyboard|tastatur|printer|drucker|storage$|speicher|router|network|cables|charger|power strip|computerzubehör/,
    path: "M9 9h30v22H9ZM3 36h42l-3 4H6Zm17-18-4 3 4 3m8-6 4 3-4 3",
  },
  { of: /lamp|light|leuchte|lighting/, path: "M17 6h14l7 19H10Zm7 19v15M15 42h18M31 25v7" },
  {
    of: /sofa|armchair|sessel|chair|stühle/,
    path: "M10 22v-9c0-3 2-4 4-4h20c2 0 4 1 4 4v9M4 22c4-3 8 0 8 4v3h24v-3c0-4 4-7 8-4v15H4Zm5 15v4m30-4v4M24 9v20",
  },
  {
    of: /bed|pillow|duvet|kissen|bettw|linen|towel|bath/,
    path: "M5 9v31m0-7h38v7m0-7V25c0-3-2-4-4-4H20v12M5 27h15M9 17h5c3 0 4 2 4 4s-1 4-4 4H9Z",
  },
  {
    of: /furniture|möbel|shel|cabinet|schränk|regal|table|tisch|wardrobe|rug|curtain/,
    path: "M8 5h32v36H8Zm0 12h32M8 29h32M13 17V9h4v8m2 0V8h4v9m8 12v-8h6v8M14 41v3m20-3v3",
  },
  {
    of: /coffee|kaffee|mug|cups?\b|tasse|kettle|wasserkocher|toaster/,
    path: "M9 18h25v14c0 6-4 9-9 9h-7c-5 0-9-3-9-9Zm25 3h3c8 0 8 11 0 11h-3M16 6c-3 3 3 5 0 8m6-8c-3 3 3 5 0 8m6-8c-3 3 3 5 0 8",
  },
  {
    of: /bottle|flask|flasche/,
    path: "M19 4h10v6l4 6v25c0 2-1 3-3 3H18c-2 0-3-1-3-3V16l4-6Zm0 6h10M15 24h18M15 34h18",
  },
  {
    of: /glass|gläser/,
    path: "M13 6h22c1 12-4 18-11 19-7-1-12-7-11-19Zm11 19v15m-9 2h18M14 14h20",
  },
  {
    of: /plate|bowl|teller|cutlery|besteck|knives|tableware/,
    path: "M12 5v12c0 5 6 5 6 0V5m-3 0v38m18 0V5c-6 2-8 9-8 18h8",
  },
  {
    of: /pan|pot|cook|pfann|töpf|bake|fry|grill|fritt|küchen|kitchen|blender|mixer/,
    path: "M8 19h32v14c0 5-3 8-8 8H16c-5 0-8-3-8-8Zm-5 3h5m32 0h5M12 19c0-9 24-9 24 0M24 12V8m-3 0h6",
  },
  {
    of: /bike|cycl|fahrr/,
    path: "M12 24a9 9 0 1 1 0 18 9 9 0 0 1 0-18Zm24 0a9 9 0 1 1 0 18 9 9 0 0 1 0-18ZM12 33l7-16h12l5 16M12 33h11l8-16-2-6h5M15 17h7",
  },
  {
    of: /ball|tennis|badminton|team/,
    path: "M24 5a19 19 0 1 1 0 38 19 19 0 0 1 0-38Zm0 0v38M5 24h38M11 10c9 8 9 20 0 28m26-28c-9 8-9 20 0 28",
  },
  {
    of: /fitness|weights|kraft|yoga|cardio|ausdauer|strength/,
    path: "M4 19v10m5-14v18h5V15Zm30 0v18h5V15Zm10 4v10M14 24h20",
  },
  {
    of: /camping|hiking|wander|ski|outdoor|sport/,
    path: "M3 40 18 13l8 14 5-8 14 21ZM18 13l-4 7 4 3 4-3ZM35 6a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z",
  },
  {
    of: /vacuum|staubsauger|heating|cooling|klima|appliance|geräte|iron|bügel|floor|boden/,
    path: "M10 5h28v38H10Zm14 9a10 10 0 1 1 0 20 10 10 0 0 1 0-20Zm0 4a6 6 0 0 0-6 6M15 9h3m3 0h3M14 38h20",
  },
];

const SVG = "http://www.w3.org/2000/svg";

/**
 * Null: no match. If a category matches several (`Scarves & Gloves`), the title decides.
 *
 * @param kinds from the most specific to the most general, the title last
 */
export function pictogramPath(kinds: readonly string[]): string | null {
  const title = kinds.at(-1)?.toLowerCase() ?? "";
  for (const kind of kinds) {
    const fitting = PICTOGRAMS.filter(({ of }) => of.test(kind.toLowerCase()));
    const found = fitting.find(({ of }) => of.test(title)) ?? fitting[0];
    if (found !== undefined) return found.path;
  }
  return null;
}

/** The same as an element. */
export function pictogram(kinds: readonly string[]): SVGElement | null {
  const drawing = pictogramPath(kinds);
  if (drawing === null) return null;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 48 48");
  svg.setAttribute("class", "pictogram");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", drawing);
  svg.append(path);
  return svg;
}
