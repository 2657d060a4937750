/** A progress bar with a label. */
import { make } from "./dom.ts";

export interface ProgressView {
  readonly element: HTMLElement;
  /** @param share null: indeterminate */
  show(text: string, share: number | null): void;
}

export function progressView(): ProgressView {
  const bar = make("progress", { max: 1 });
  const text = make("p", { role: "status" });
  const element = make("div", { class: "progress" }, bar, text);
  return {
    element,
    show(said, share) {
      text.textContent = said;
      if (share === null) bar.removeAttribute("value");
      else bar.value = Math.min(1, share);
    },
  };
}
