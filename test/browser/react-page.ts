// A page of React InstantSearch's own widgets on Aisle; react.ts bundles it and looks at it in a browser.
import { createElement as h, type ReactElement } from "react";
import { createRoot } from "react-dom/client";
import {
  Configure,
  Highlight,
  Hits,
  Index,
  InstantSearch,
  RefinementList,
  SearchBox,
  Stats,
  useAutocomplete,
  type HitsProps,
} from "react-instantsearch";
import { aisleSearchClient, insightsSink } from "../../packages/instantsearch/src/index.ts";

interface Found {
  readonly title: string;
}

const ProductHit: NonNullable<HitsProps<Found>["hitComponent"]> = ({ hit, sendEvent }) =>
  h(
    "article",
    { "data-id": hit.objectID, onClick: () => sendEvent("click", hit, "Product clicked") },
    h(Highlight<typeof hit>, { hit, attribute: "title" }),
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
  h(RefinementList, { attribute: "brand" }),
  h(Hits<Found>, { hitComponent: ProductHit }),
  h(Index, { indexName: "sample/suggest" }, h(Configure, { hitsPerPage: 5 })),
  h(Completions),
);

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(page);
