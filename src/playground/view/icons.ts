/** The page's icons, as strokes on a 24 by 24 grid. */
const PATHS = {
  close: "M6 6l12 12M18 6 6 18",
  why: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18Zm-2.6-11.4a2.7 2.7 0 1 1 3.7 2.5c-.7.3-1.1.8-1.1 1.6v.3m0 2.7v.1",
  copy: "M9 9h10v11H9zM5 15V4h10",
  code: "m9 7-5 5 5 5m6-10 5 5-5 5",
  upload: "M12 16V4m0 0L7 9m5-5 5 5M4 17v3h16v-3",
  back: "m14 6-6 6 6 6",
  forward: "m10 6 6 6-6 6",
} as const;

export type IconName = keyof typeof PATHS;

const SVG = "http://www.w3.org/2000/svg";

export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
