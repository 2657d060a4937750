/** Shows how each column of a file is read, with examples, for changes before the import. */
import type { ColumnKind, ColumnRule, Feed, Mapping } from "../../feeds/index.ts";
import { button, make, replaceKeepingFocus } from "./dom.ts";
import { variantsField } from "./variants-field.ts";

/** Labels of all kinds, in list order; the type requires one for each kind. */
const KINDS: Readonly<Record<ColumnKind, string>> = {
  text: "text",
  html: "markup",
  number: "number",
  price: "price",
  list: "list",
  images: "pictures",
  categories: "categories",
  availability: "in stock?",
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
  const remarks = make("ul", { class: "remarks", "aria-label": "Before you import" });
  const pictures = picturesField((prefix) => change(withPrefix(current, prefix)));
  const change = (next: Mapping): void => {
    current = next;
    show();
  };
  const changeRule = (column: string, rule: ColumnRule): void =>
    change({ ...current, columns: { ...current.columns, [column]: rule } });

  function row({ column, becomes, examples }: ReturnType<Feed["preview"]>[number]): HTMLElement {
    const rule = current.columns[column] ?? { kind: "skip" };
    const kind = make(
      "select",
      { "aria-label": `Kind of ${column}`, "data-key": `kind ${column}` },
      ...Object.entries(KINDS).map(([value, label]) => make("option", { value, selected: value === rule.kind }, label)),
    );
    kind.addEventListener("change", () => {
      const chosen = kind.value as ColumnKind;
      changeRule(column, { ...rule, kind: chosen, field: rule.field ?? column });
    });
    const field = make("input", {
      "aria-label": `Field of ${column}`,
      "data-key": `field ${column}`,
      value: rule.field ?? "",
      // Of a column that is not imported but has a role: id, product of the variant.
      placeholder: rule.kind === "skip" ? becomes : null,
      disabled: rule.kind === "skip" || rule.kind === "categories" || rule.kind === "only",
    });
    field.addEventListener("change", () => {
      if (field.value.trim() !== "") changeRule(column, { ...rule, field: field.value.trim() });
    });
    const shown = examples.slice(0, 2).map(({ raw, read }) => (read === "" || read === raw ? raw : `${raw} → ${read}`));
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
    const rows = feed.preview(current).toSorted((a, b) => Number(isSkipped(a.column)) - Number(isSkipped(b.column)));
    replaceKeepingFocus(body, ...rows.map(row));
    void remark();
  }
  async function remark(): Promise<void> {
    const asked = current;
    const said = await feed.remarks(asked);
    if (asked !== current) return;
    remarks.hidden = said.length === 0;
    remarks.replaceChildren(...said.map((one) => make("li", {}, one)));
  }
  idChoice.addEventListener("change", () => {
    if (idChoice.value !== "") change({ ...current, id: [idChoice.value] });
  });
  show();
  pictures.hidden = !feed
    .preview(mapping)
    .some(({ kind, examples }) => kind === "images" && examples.some(({ raw }) => !isAddress(raw)));
  const heads = ["Column", "Field", "Kind", "For example"].map((one) => make("th", { scope: "col" }, one));
  const element = make(
    "div",
    { class: "mapping" },
    make("p", { class: "hint" }, feed.description),
    make("label", { class: "field" }, "Column with the id", idChoice),
    variantsField(mapping.variants, (variants) => change(withVariants(current, variants))),
    pictures,
    remarks,
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

function isAddress(text: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(text);
}

/** Exports of some programs name pictures without the host that has them. */
function picturesField(onPrefix: (prefix: string) => void): HTMLElement {
  const input = make("input", {
    type: "url",
    placeholder: "https://shop.example/media/catalog/product",
    autocomplete: "off",
  });
  input.addEventListener("change", () => onPrefix(input.value.trim()));
  return make("label", { class: "field" }, "Where pictures are", input);
}

function withPrefix(mapping: Mapping, prefix: string): Mapping {
  const columns = Object.entries(mapping.columns).map(([column, rule]): [string, ColumnRule] => {
    if (rule.kind !== "images") return [column, rule];
    const { prefix: _, ...others } = rule;
    return [column, prefix === "" ? others : { ...others, prefix }];
  });
  return { ...mapping, columns: Object.fromEntries(columns) };
}

function withVariants(mapping: Mapping, variants: Mapping["variants"]): Mapping {
  const { variants: _, ...others } = mapping;
  return variants === undefined ? others : { ...others, variants };
}

function save(mapping: Mapping): void {
  const file = new Blob([`${JSON.stringify(mapping, null, 2)}\n`], { type: "application/json" });
  const address = URL.createObjectURL(file);
  make("a", { href: address, download: "mapping.json" }).click();
  // By the next turn the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
