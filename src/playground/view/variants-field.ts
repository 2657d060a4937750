/** Shows which column groups variants into products, and lets every row become a product instead. */
import type { Mapping } from "../../feeds/index.ts";
import { make } from "./dom.ts";

type Variants = NonNullable<Mapping["variants"]>;

/** Null if the mapping has no variants. */
export function variantsField(
  variants: Mapping["variants"],
  onChange: (variants: Mapping["variants"]) => void,
): HTMLElement | null {
  if (variants === undefined) return null;
  const choice = make(
    "select",
    { name: "variants" },
    make("option", { value: variants.column }, described(variants)),
    // Without their product, nested variants would be lost.
    variants.by === "nested" ? null : make("option", { value: "" }, "none: every row is a product"),
  );
  choice.addEventListener("change", () => onChange(choice.value === "" ? undefined : variants));
  return make("label", { class: "field" }, "Variants", choice);
}

function described({ by, column }: Variants): string {
  switch (by) {
    case "rows":
      return `rows with the same ${column} are one product`;
    case "parent":
      return `${column} names the product of a variant`;
    case "children":
      return `${column} lists the variants of a product`;
    case "nested":
      return `${column} has the variants of a product`;
  }
}
