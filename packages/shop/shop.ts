/**
 * A one-page shop built with InstantSearch widgets: `/shop`, or `/shop?index=<tenant>` for another
 * catalogue than the sample. Filters and sort orders come from the index.
 */
import instantsearch from "instantsearch.js/es";
import { connectAutocomplete } from "instantsearch.js/es/connectors";
import { history } from "instantsearch.js/es/lib/routers";
import { singleIndex } from "instantsearch.js/es/lib/stateMappings";
import {
  clearRefinements,
  configure,
  currentRefinements,
  hierarchicalMenu,
  hits,
  index,
  pagination,
  panel,
  queryRuleCustomData,
  rangeInput,
  refinementList,
  searchBox,
  sortBy,
  stats,
} from "instantsearch.js/es/widgets";
import type { UiState, Widget } from "instantsearch.js/es/types";
import { bySize } from "../../src/playground/logic/sizes.ts";
import { AisleClient, AisleError } from "../client/src/index.ts";
import { aisleSearchClient, insightsSink } from "../instantsearch/src/index.ts";
import { readCatalogue, spoken, spokenValue, type Catalogue, type CatalogueFacet } from "./catalogue.ts";
import { filterSheet } from "./filter-sheet.ts";
import { colorOf, productCard, type Html, type ProductHit } from "./product.ts";
import { startOfFill, understood, type Meta } from "./understood.ts";
import { waysOut } from "./ways-out.ts";

const tenant = new URLSearchParams(location.search).get("index") ?? "sample";
const aisle = new AisleClient({ url: location.origin });

/** Number of tenants that are offered instead of a missing one. */
const MOST_SHOPS = 24;

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

async function open(): Promise<void> {
  if (tenant !== "sample") {
    element("home").setAttribute("href", `/shop?${new URLSearchParams({ index: tenant }).toString()}`);
  }
  element("playground").setAttribute("href", `/?${new URLSearchParams({ "@in": tenant }).toString()}`);
  try {
    const catalogue = await readCatalogue(aisle, tenant);
    element("columns").hidden = false;
    start(catalogue);
  } catch (error) {
    await explain(error);
  }
}

async function explain(error: unknown): Promise<void> {
  const message = element("message");
  const isMissing = error instanceof AisleError && error.type === "index_not_found";
  const others = isMissing ? await aisle.tenants().catch(() => []) : [];
  const heading = document.createElement("h1");
  heading.textContent = !isMissing ? "The shop is closed" : others.length > 0 ? "Which shop?" : "Nothing to sell yet";
  const text = document.createElement("p");
  const hint = others.length > 0 ? "Choose another one:" : "Load the sample catalogue or your own in the playground. ";
  text.textContent = isMissing
    ? `There is no index “${tenant}”. ${hint}`
    : `${error instanceof Error ? error.message : String(error)} `;
  if (others.length === 0) text.append(linkTo("/", "Open the playground"));
  const shops = document.createElement("p");
  shops.className = "ways-out";
  const addressOf = (name: string): string => `/shop?${new URLSearchParams({ index: name }).toString()}`;
  shops.append(...others.slice(0, MOST_SHOPS).map((name) => linkTo(addressOf(name), name)));
  message.replaceChildren(heading, text, shops);
  message.hidden = false;
}

function linkTo(address: string, text: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = text;
  return link;
}

function start({ facets, sorts, money }: Catalogue): void {
  const search = instantsearch({
    indexName: tenant,
    searchClient: aisleSearchClient({ client: aisle }),
    routing: { stateMapping: singleIndex(tenant), router: router() },
    future: { preserveSharedStateOnUnmount: true },
    // A real shop forwards these to its analytics.
    insights: {
      insightsClient: insightsSink((event) => {
        document.dispatchEvent(new CustomEvent("shop:event", { detail: event }));
      }),
      insightsInitParams: { useCookie: false, userToken: "demo" },
    },
  });
  search.addWidgets([
    configure({ hitsPerPage: 24 }),
    searchBox({
      container: "#search-box",
      placeholder: "Search products",
      showLoadingIndicator: false,
    }),
    stats({
      container: "#stats",
      templates: {
        text: ({ nbHits, query }, { html }) =>
          html`<b>${nbHits.toLocaleString()}</b> ${nbHits === 1 ? "product" : "products"}
            ${query === "" ? "" : ` for “${query}”`}`,
      },
    }),
    queryRuleCustomData({
      container: "#understood",
      transformItems: (items: Meta[], { results }) => items.flatMap((meta) => understood(meta, results?.nbHits ?? 0)),
      templates: {
        default: ({ items }, { html }) => html`<p>${items.join(" ")}</p>`,
      },
    }),
    sortBy({
      container: "#sort",
      items: [
        { label: "Best match", value: tenant },
        ...sorts.map(({ label, sort }) => ({ label, value: `${tenant}/sort/${sort}` })),
      ],
    }),
    currentRefinements({
      container: "#current",
      transformItems: (items) =>
        items.map((item) => ({
          ...item,
          label: spoken(item.label.replace(/\.lvl\d+$/, "")),
          refinements: item.refinements.map((one) => ({ ...one, label: spokenValue(one.label) })),
        })),
    }),
    clearRefinements({
      container: "#clear",
      templates: {
        resetLabel: (_, { html }) => html`<span>Clear filters</span>`,
      },
    }),
    hits<ProductHit>({
      container: "#hits",
      transformItems: (items, { results }) => {
        const start = startOfFill(items, (results?.userData?.[0] ?? {}) as Meta);
        return items.map((item, at) => (at === start ? { ...item, startsFill: true } : item));
      },
      templates: {
        item: (hit, { html, components, sendEvent }) => {
          const card = productCard(
            hit,
            html as Html,
            (attribute) => components.Highlight({ hit, attribute, highlightedTagName: "mark" }),
            money,
            () => sendEvent("click", hit, "Product clicked"),
          );
          if (hit["startsFill"] !== true) return card as string;
          return html`<div class="fill">
            <p class="fill-line">Products with some of the words</p>
            ${card}
          </div>`;
        },
        empty: ({ query, nbHits }, { html }) =>
          html`<div class="message">
            <p>
              ${nbHits > 0 ? "There are no products on this page." : `Nothing matches${query === "" ? "" : ` “${query}”`}.`}
            </p>
            <p class="ways-out">
              ${waysOut(search.getUiState()[tenant] ?? {}, nbHits).map(
                ({ label, state }) =>
                  html`<button type="button" class="plain" onClick=${() => search.setUiState({ [tenant]: state })}>
                    ${label}
                  </button>`,
              )}
            </p>
          </div>`,
      },
    }),
    pagination({
      container: "#pages",
      padding: 2,
      scrollTo: "#top",
      showFirst: false,
      showLast: false,
      templates: {
        previous: (_, { html }) => html`<span>‹</span>`,
        page: ({ page }, { html }) => html`<span>${page}</span>`,
        next: (_, { html }) => html`<span>›</span>`,
      },
    }),
    ...facets.map((facet) => facetWidget(facet)),
    index({ indexName: `${tenant}/suggest`, indexId: "suggest" }).addWidgets([configure({ hitsPerPage: 6 })]),
    suggestions({}),
  ]);
  search.on("error", ({ error }: { error: unknown }) => {
    // The last answer stays visible.
    element("stats").textContent = error instanceof Error ? error.message : String(error);
  });
  search.start();
  const sheet = filterSheet(element);
  search.on("render", () => {
    // Several boxes search, so each has its own label.
    for (const form of document.querySelectorAll(".ais-SearchBox-form")) {
      form.setAttribute("aria-label", form.querySelector("input")?.placeholder ?? "Search");
    }
    const { nbHits = 0 } = search.helper?.lastResults ?? {};
    sheet.count(nbHits);
  });
}

/**
 * Keeps the index in the URL beside the widgets' state; the query is `q`, as in the service's API.
 */
function router(): ReturnType<typeof history<UiState[string]>> {
  return history<UiState[string]>({
    createURL: ({ qsModule, routeState, location: { origin, pathname } }) => {
      const { query: q, ...others } = routeState;
      const index = tenant === "sample" ? {} : { index: tenant };
      const query = qsModule.stringify({ ...index, q, ...others }, { arrayFormat: "brackets" });
      return `${origin}${pathname}${query === "" ? "" : `?${query}`}`;
    },
    parseURL: ({ qsModule, location: { search } }) => {
      const { index: _, q, ...state } = qsModule.parse(search.slice(1), { arrayLimit: 99 });
      return (q === undefined ? state : { ...state, query: q }) as UiState[string];
    },
    cleanUrlOnDispose: false,
  });
}

const SIZES = /size|gr(ö|oe)(ß|ss)e/i;

const showMoreText = ({ isShowingMore }: { isShowingMore: boolean }, { html }: { html: Html }) =>
  html`<span>${isShowingMore ? "Show less" : "Show more"}</span>` as string;

function facetWidget({ name, label, kind, isLong, depth }: CatalogueFacet): Widget {
  const container = document.createElement("div");
  element("facets").append(container);
  const titled = {
    hidden: ({ items }: { items?: readonly unknown[] }) => items?.length === 0,
    // An element, because a text would be parsed as markup, which the page's policy forbids.
    templates: {
      header: (_: unknown, { html }: { html: Html }) => html`<span>${label}</span>` as string,
    },
  };
  switch (kind) {
    case "tree":
      return panel<typeof hierarchicalMenu>({ ...titled })(hierarchicalMenu)({
        container,
        attributes: Array.from({ length: depth }, (_, level) => `${name}.lvl${level}`),
        limit: 8,
        showMore: true,
        showMoreLimit: 50,
        templates: { showMoreText },
      });
    case "values":
      return panel<typeof refinementList>({ ...titled })(refinementList)({
        container,
        attribute: name,
        limit: 8,
        showMore: true,
        showMoreLimit: 50,
        searchable: isLong,
        searchablePlaceholder: `Search in ${label.toLowerCase()}`,
        searchableIsAlwaysActive: true,
        // Unchanged if some value is not a size.
        transformItems: (items) =>
          SIZES.test(name) ? bySize(items.map((item) => ({ ...item, key: item.label }))).slice() : items,
        templates: {
          showMoreText,
          searchableNoResults: (_, { html }) => html`<span>No such value</span>`,
          item: ({ value, label: text, count, isRefined }, { html }) => {
            const paint = /colou?r/i.test(name) ? colorOf(value) : null;
            return html`<label class="ais-RefinementList-label">
              <input type="checkbox" class="ais-RefinementList-checkbox" value=${value} checked=${isRefined} />
              ${paint === null ? null : html`<span class="swatch" style=${{ "--paint": paint }}></span>`}
              <span class="ais-RefinementList-labelText">${spokenValue(text)}</span>
              <span class="ais-RefinementList-count">${count.toLocaleString()}</span>
            </label>`;
          },
        },
      });
    case "numbers":
      // With one value or none there is no choice.
      return panel<typeof rangeInput>({
        templates: titled.templates,
        hidden: ({ canRefine }) => !canRefine,
      })(rangeInput)({
        container,
        attribute: name,
        precision: 2,
        templates: {
          separatorText: (_, { html }) => html`<span>–</span>`,
          submitText: (_, { html }) => html`<span>Apply</span>`,
        },
      });
  }
}

/** Suggestions as buttons below the search box. */
const suggestions = connectAutocomplete(({ indices, currentRefinement = "", refine }) => {
  const hits = indices.find(({ indexName }) => indexName === `${tenant}/suggest`)?.hits ?? [];
  // A phrase of several kinds is shown as the first of them.
  const kinds = new Map<string, string>();
  for (const { query, type } of currentRefinement.trim() === "" ? [] : hits) {
    const phrase = String(query);
    const isTyped = phrase.toLowerCase() === currentRefinement.trim().toLowerCase();
    if (!isTyped && !kinds.has(phrase)) kinds.set(phrase, type === "title" ? "product" : String(type));
  }
  element("suggestions").replaceChildren(
    ...[...kinds].map(([phrase, kind]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = phrase;
      if (kind !== "keyword") {
        const label = document.createElement("span");
        label.className = "kind";
        label.textContent = kind;
        button.append(" ", label);
      }
      button.addEventListener("click", () => {
        refine(phrase);
        document.querySelector<HTMLInputElement>("#search-box input")?.focus();
      });
      return button;
    }),
  );
});

await open();
