// Widgets of InstantSearch.js that the shop does not have; widgets.ts bundles the page and looks at it in a browser.
import instantsearch from "instantsearch.js/es";
import {
  breadcrumb,
  configure,
  dynamicWidgets,
  hierarchicalMenu,
  hitsPerPage,
  infiniteHits,
  menu,
  numericMenu,
  rangeInput,
  rangeSlider,
  searchBox,
  stats,
  toggleRefinement,
} from "instantsearch.js/es/widgets";
import type { Widget } from "instantsearch.js/es/types";
import { aisleSearchClient, insightsSink } from "../../packages/instantsearch/src/index.ts";

function container(id: string): HTMLElement {
  const made = document.createElement("div");
  made.id = id;
  document.body.append(made);
  return made;
}

/** Sent events, for the test to read. */
const events: unknown[] = [];
Object.assign(globalThis, { events });

const attributes = ["category.lvl0", "category.lvl1", "category.lvl2"];
const search = instantsearch({
  indexName: "sample",
  searchClient: aisleSearchClient({ url: location.origin }),
  routing: true,
  insights: {
    insightsClient: insightsSink((event) => events.push(event)),
    insightsInitParams: { useCookie: false, userToken: "test" },
  },
});
search.addWidgets([
  configure({ attributesToRetrieve: ["title", "price"] }),
  searchBox({ container: container("box") }),
  stats({ container: container("stats") }),
  hitsPerPage({
    container: container("per-page"),
    items: [
      { label: "8", value: 8, default: true },
      { label: "16", value: 16 },
    ],
  }),
  breadcrumb({ container: container("breadcrumb"), attributes }),
  toggleRefinement({ container: container("toggle"), attribute: "gender", on: "Women's" }),
  numericMenu({
    container: container("ratings"),
    attribute: "rating",
    items: [{ label: "All" }, { label: "Below 4", end: 3.99 }, { label: "4 and more", start: 4 }],
  }),
  rangeInput({ container: container("prices"), attribute: "price", precision: 2 }),
  dynamicWidgets({
    container: container("facets"),
    widgets: [
      (element) => hierarchicalMenu({ container: element, attributes }),
      (element) => menu({ container: element, attribute: "brand" }),
      (element) => rangeSlider({ container: element, attribute: "price" }),
    ],
  }),
  infiniteHits<{ title: string; price: number }>({
    container: container("hits"),
    templates: {
      item: (hit, { html, sendEvent }) =>
        html`<p
          data-id=${hit.objectID}
          data-price=${hit.price}
          onClick=${() => sendEvent("conversion", hit, "Product ordered")}
        >
          ${hit.title}
        </p>`,
    },
  }) as Widget, // Its type disagrees with exactOptionalPropertyTypes.
]);
search.start();
