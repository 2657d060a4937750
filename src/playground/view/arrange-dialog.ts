/** Edits the product sets of an arranged search as JSON. */
import { prettyJson } from "../logic/json-tokens.ts";
import { button, make } from "./dom.ts";
import { failureBox } from "./failure.ts";
import { openSheet } from "./sheet.ts";

/** Example: the page's last two hits become the first. */
function example(ids: readonly string[]): unknown {
  return [
    { type: "static", name: "Picked by hand", ids, asSeparateSlice: true },
    { type: "dynamic", name: "Found by another query", query: "socks", limit: 3 },
  ];
}

/** @param ids for an example, if there are no sets yet */
export function openArrange(sets: string, ids: readonly string[], onSets: (sets: string) => void): void {
  const sheet = openSheet("box", "Product sets");
  const text = make(
    "textarea",
    { rows: 14, spellcheck: "false", "aria-label": "Product sets as JSON", class: "code" },
    sets === "" ? JSON.stringify(example(ids), null, 2) : prettyJson(sets),
  );
  const problem = make("div");
  const form = make(
    "form",
    { class: "form" },
    make(
      "p",
      { class: "hint" },
      "They come first in the result, in this order, or with ",
      make("code", {}, "asSeparateSlice"),
      " in slices of their own. The page then asks ",
      make("code", {}, "POST /search-api/v1/search/arranged/{tenant}"),
      ".",
    ),
    text,
    problem,
    make(
      "p",
      { class: "form-actions" },
      make("button", { class: "primary" }, "Arrange"),
      button(
        { class: "secondary" },
        () => {
          sheet.close();
          onSets("");
        },
        "No product sets",
      ),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      const value: unknown = JSON.parse(text.value);
      if (!Array.isArray(value)) throw new SyntaxError("Product sets must be a list: [{…}, {…}]");
      sheet.close();
      onSets(JSON.stringify(value));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      problem.replaceChildren(failureBox({ status: 0, type: "unreadable", message, complaints: [], errorId: null }));
    }
  });
  sheet.body.append(form);
}
