/** Preformatted text with a copy button; JSON is coloured. */
import { jsonTokens } from "../logic/json-tokens.ts";
import { button, make } from "./dom.ts";
import { icon } from "./icons.ts";

/** Longer texts are not coloured, because it takes too long. */
const MAX_COLOURED = 400_000;

export function jsonView(text: string, label: string): HTMLElement {
  const pre = make("pre", { class: "code json", tabindex: 0, role: "region", "aria-label": label });
  if (text.length > MAX_COLOURED) {
    pre.textContent = text;
    return pre;
  }
  for (const { kind, text: part } of jsonTokens(text)) {
    pre.append(kind === "plain" ? part : make("span", { class: `token-${kind}` }, part));
  }
  return pre;
}

export function plainView(text: string, label: string): HTMLElement {
  return make("pre", { class: "code", tabindex: 0, role: "region", "aria-label": label }, text);
}

/** Its label reports success or failure. */
export function copyButton(label: string, textOf: () => string): HTMLButtonElement {
  const said = make("span", { "aria-live": "polite" }, label);
  const element = button({ class: "quiet copy" }, () => void copy(), icon("copy"), said);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(textOf());
      said.textContent = "Copied";
    } catch {
      // No permission, or not an HTTPS page.
      said.textContent = "Copying is not allowed here";
    }
    setTimeout(() => (said.textContent = label), 1_600);
  };
  return element;
}
