/**
 * On narrow screens the filters are a sheet over the products, with a close button that shows their
 * number.
 */
import { counted } from "../../src/playground/logic/counted.ts";

export function filterSheet(element: (id: string) => HTMLElement): {
  count(products: number): void;
} {
  const sheet = element("filters");
  const opener = element("open-filters");
  const show = element("show-products");
  const behind = [element("top"), element("main")];

  const set = (isOpen: boolean): void => {
    document.body.classList.toggle("filtering", isOpen);
    opener.setAttribute("aria-expanded", String(isOpen));
    for (const part of behind) part.inert = isOpen;
    if (isOpen) {
      sheet.setAttribute("role", "dialog");
      sheet.setAttribute("aria-modal", "true");
      sheet.focus();
    } else {
      sheet.removeAttribute("role");
      sheet.removeAttribute("aria-modal");
      opener.focus();
    }
  };
  opener.addEventListener("click", () => set(true));
  for (const closer of [show, element("close-filters")]) {
    closer.addEventListener("click", () => set(false));
  }
  sheet.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.body.classList.contains("filtering")) set(false);
  });
  // A screen that has become wide shows both.
  matchMedia("(min-width: 821px)").addEventListener("change", ({ matches }) => {
    if (matches && document.body.classList.contains("filtering")) set(false);
  });
  return {
    count: (products) => {
      show.textContent = `Show ${counted(products, "product")}`;
    },
  };
}
