/** Shows how each column of a file is read, with examples, for changes before the import. */
import type { ColumnKind, ColumnRule, Feed, Mapping } from "../../feeds/index.ts";
import { button, make, replaceKeepingFocus } from "./dom.ts";

/** Labels of all kinds, in list order; the type requires one for each kind. */
const KINDS: Readonly<Record<ColumnKind, string>> = {
  text: "text",
  html: "markup",
  number: "number",
  price: "price",
  list: "list",
  images: "pictures",
  categories: "categories",
  attribute: "attribute",
  attributes: "name=value pairs",
  only: "filter",
  skip: "not imported",
};

export interface MappingTable {
  readonly element: HTMLElement;
  /** The current mapping. */
  mapping(): Mapping;
}

/** @param mapping the initial one */
export function mappingTable(feed: Feed, mapping: Mapping): MappingTable {
  let current = mapping;
  // Imported columns come first; a row keeps its position when its kind changes.
  const isSkipped = (column: string): boolean => mapping.columns[column]?.kind === "skip";
  const body = make("tbody");
  const idChoice = make("select", { name: "id" });
  const change = (next: Mapping): void => {
    current = next;
    show();
  };
  const changeRule = (column: string, rule: ColumnRule): void =>
    change({ ...current, columns: { ...current.columns, [column]: rule } });

  function row({ column, examples }: ReturnType<Feed["preview"]>[number]): HTMLElement {
    const rule = current.columns[column] ?? { kind: "skip" };
    const kind = make(
      "select",
      { "aria-label": `Kind of ${column}`, "data-key": `kind ${column}` },
      ...Object.entries(KINDS).map(([value, label]) =>
        make("option", { value, selected: value === rule.kind }, label),
      ),
    );
    kind.addEventListener("change", () => {
      const chosen = kind.value as ColumnKind;
      changeRule(column, { ...rule, kind: chosen, field: rule.field ?? column });
    });
    const field = make("input", {
      "aria-label": `Field of ${column}`,
      "data-key": `field ${column}`,
      value: rule.field ?? "",
      disabled: rule.kind === "skip" || rule.kind === "categories" || rule.kind === "only",
    });
    field.addEventListener("change", () => {
      if (field.value.trim() !== "") changeRule(column, { ...rule, field: field.value.trim() });
    });
    const shown = examples
      .slice(0, 2)
      .map(({ raw, read }) => (read === "" || read === raw ? raw : `${raw} → ${read}`));
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, column),
      make("td", {}, field),
      make("td", {}, kind),
      make("td", { class: "examples" }, shown.join(" | ")),
    );
  }
  function show(): void {
    idChoice.replaceChildren(
      ...(current.id.length === 0 ? [make("option", { value: "" }, "choose a column")] : []),
      ...Object.keys(current.columns).map((column) =>
        make("option", { value: column, selected: column === current.id[0] }, column),
      ),
    );
    const rows = feed
      .preview(current)
      .toSorted((a, b) => Number(isSkipped(a.column)) - Number(isSkipped(b.column)));
    replaceKeepingFocus(body, ...rows.map(row));
  }
  idChoice.addEventListener("change", () => {
    if (idChoice.value !== "") change({ ...current, id: [idChoice.value] });
  });
  show();
  const heads = ["Column", "Field", "Kind", "For example"].map((one) =>
    make("th", { scope: "col" }, one),
  );
  const element = make(
    "div",
    { class: "mapping" },
    make("p", { class: "hint" }, feed.description),
    make("label", { class: "field" }, "Column with the id", idChoice),
    make(
      "div",
      { class: "mapping-rows", tabindex: 0, role: "region", "aria-label": "How columns are read" },
      make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body),
    ),
    make(
      "p",
      { class: "form-actions" },
      button({ class: "secondary" }, () => save(current), "Save the mapping"),
      make("span", { class: "hint" }, "for npm run import -- --mapping"),
    ),
  );
  return { element, mapping: () => current };
}

function save(mapping: Mapping): void {
  const file = new Blob([`${JSON.stringify(mapping, null, 2)}\n`], { type: "application/json" });
  const address = URL.createObjectURL(file);
  make("a", { href: address, download: "mapping.json" }).click();
  // By the next turn the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
