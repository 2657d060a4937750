/** The start page of a service without indexes. */
import { button, make } from "./dom.ts";
import { icon } from "./icons.ts";
import { importSample, openImport, type ImportSurroundings } from "./import-dialog.ts";

export function startView(surroundings: ImportSurroundings): HTMLElement {
  const stage = make("div", { class: "start-actions" });
  const sample = button(
    { class: "primary large", id: "load-sample" },
    () => void importSample({ body: stage, close: () => {} }, surroundings, new AbortController().signal),
    "Load sample catalogue",
  );
  stage.append(
    sample,
    button({ class: "secondary large" }, () => openImport(surroundings, null), icon("upload"), "Import a file"),
  );
  return make(
    "section",
    { class: "start" },
    shelf(),
    make("h1", {}, "Nothing here yet"),
    make(
      "p",
      {},
      "This service has no index yet. Load the sample catalogue, a fictional shop with about 3,000 products in English and German, " +
        "or drop a file of your own anywhere on this page.",
    ),
    stage,
    make(
      "p",
      { class: "hint" },
      "From a terminal: ",
      make("code", {}, "npm run sample"),
      " or ",
      make("code", {}, "npm run import -- catalogue.ndjson --index shop --locale en"),
    ),
  );
}

/** An empty shelf, drawn with CSS. */
function shelf(): HTMLElement {
  const boxes = Array.from({ length: 7 }, () => make("span"));
  return make("div", { class: "shelf", "aria-hidden": "true" }, ...boxes);
}
