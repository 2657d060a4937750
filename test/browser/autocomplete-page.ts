// The autocomplete widget of InstantSearch.js; autocomplete.ts bundles the page and looks at it in a browser.
import instantsearch from "instantsearch.js/es";
import { autocomplete, configure, hits, stats } from "instantsearch.js/es/widgets";
import { aisleSearchClient } from "../../packages/instantsearch/src/index.ts";

function container(id: string): HTMLElement {
  const made = document.createElement("div");
  made.id = id;
  document.body.append(made);
  return made;
}

const search = instantsearch({ indexName: "sample", searchClient: aisleSearchClient({ url: location.origin }) });
search.addWidgets([
  configure({ hitsPerPage: 8 }),
  ...autocomplete<{ objectID: string; title: string }>({
    container: container("autocomplete"),
    placeholder: "Search products",
    detachedMediaQuery: "",
    showQuerySuggestions: { indexName: "sample/suggest", searchParameters: { hitsPerPage: 4 } },
    indices: [
      {
        indexName: "sample",
        searchParameters: { hitsPerPage: 3 },
        templates: { item: ({ item }, { html }) => html`<b data-product=${item.objectID}>${item.title}</b>` },
        getQuery: ({ title }) => title,
      },
    ],
  }),
  stats({ container: container("stats") }),
  hits<{ title: string }>({
    container: container("hits"),
    templates: { item: ({ objectID, title }, { html }) => html`<p data-id=${objectID}>${title}</p>` },
  }),
]);
search.start();
