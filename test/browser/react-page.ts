// A page of React InstantSearch's own widgets on Aisle; react.ts bundles it and looks at it in a browser.
import { createElement as h, type ReactElement } from "react";
import { createRoot } from "react-dom/client";
import {
  ClearRefinements,
  Configure,
  CurrentRefinements,
  HierarchicalMenu,
  Highlight,
  Hits,
  Index,
  InstantSearch,
  Pagination,
  RangeInput,
  RefinementList,
  SearchBox,
  SortBy,
  Stats,
  useAutocomplete,
  type HitsProps,
} from "react-instantsearch";
import { aisleSearchClient, insightsSink } from "../../packages/instantsearch/src/index.ts";

interface Found {
  readonly title: string;
  readonly price: number;
}

const ProductHit: NonNullable<HitsProps<Found>["hitComponent"]> = ({ hit, sendEvent }) =>
  h(
    "article",
    { "data-id": hit.objectID, onClick: () => sendEvent("click", hit, "Product clicked") },
    h(Highlight<typeof hit>, { hit, attribute: "title" }),
    h("span", { className: "price" }, hit.price),
  );

function Completions(): ReactElement {
  const { indices } = useAutocomplete();
  const found = indices.find(({ indexName }) => indexName === "sample/suggest")?.hits ?? [];
  return h(
    "ul",
    { id: "completions" },
    found.map(({ query }) => h("li", { key: String(query) }, String(query))),
  );
}

/** Sent events, for the test to read. */
const events: unknown[] = [];
Object.assign(globalThis, { events });

const page = h(
  InstantSearch,
  {
    indexName: "sample",
    searchClient: aisleSearchClient({ url: location.origin }),
    insights: {
      insightsClient: insightsSink((event) => events.push(event)),
      insightsInitParams: { useCookie: false, userToken: "test" },
    },
  },
  h(Configure, { hitsPerPage: 8 }),
  h(SearchBox),
  h(Stats),
  h(CurrentRefinements),
  h(ClearRefinements),
  h(RefinementList, { attribute: "brand", searchable: true, limit: 6 }),
  h(HierarchicalMenu, { attributes: ["category.lvl0", "category.lvl1", "category.lvl2"] }),
  h(RangeInput, { attribute: "price" }),
  h(SortBy, {
    items: [
      { label: "Best match", value: "sample" },
      { label: "Cheapest", value: "sample/sort/price" },
    ],
  }),
  h(Hits<Found>, { hitComponent: ProductHit }),
  h(Pagination),
  h(Index, { indexName: "sample/suggest" }, h(Configure, { hitsPerPage: 5 })),
  h(Completions),
);

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(page);
