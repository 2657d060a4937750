/** Selects the right side of a comparison: another tenant, other parameters, or both. */
import type { Versus } from "../logic/page-state.ts";
import { byId, make } from "./dom.ts";

export class VersusForm {
  readonly #form = byId("versus", HTMLFormElement);
  readonly #tenant = make("select", { "data-key": "versus tenant" });
  readonly #changes = make("input", {
    placeholder: "sort=price  or  query_stage=3  or  brand=",
    autocomplete: "off",
    spellcheck: "false",
  });

  constructor(onVersus: (versus: Versus) => void) {
    const apply = (): void => onVersus({ tenant: this.#tenant.value, changes: this.#changes.value.trim() });
    this.#form.append(
      make("label", { class: "field" }, "Compare with", this.#tenant),
      make("label", { class: "field grow" }, "with these parameters instead", this.#changes),
    );
    this.#tenant.addEventListener("change", apply);
    this.#changes.addEventListener("change", apply);
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      apply();
    });
  }

  show(versus: Versus | null, tenants: readonly string[]): void {
    this.#form.hidden = versus === null;
    if (versus === null) return;
    const names = new Set([...tenants, versus.tenant]);
    this.#tenant.replaceChildren(
      ...[...names].map((name) => make("option", { value: name, selected: name === versus.tenant }, name)),
    );
    this.#changes.value = versus.changes;
  }
}
