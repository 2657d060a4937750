/** The times of an answer, as bars on one scale. */
import type { Answer } from "../http/client.ts";
import { formatMs, timingBars } from "../logic/timings.ts";
import { make } from "./dom.ts";

export function timingStrip(answer: Answer): HTMLElement {
  const bars = timingBars(answer.roundTripMs, tookOf(answer.json), answer.serverTimings);
  return make(
    "dl",
    { class: "timings", "aria-label": "Timings" },
    ...bars.map(({ label, ms, share }) => {
      const bar = make("span", { class: "bar", "aria-hidden": "true" });
      bar.style.setProperty("--share", String(share));
      return make(
        "div",
        { class: "timing" },
        make("dt", {}, label),
        make("dd", {}, bar, make("span", { class: "ms" }, formatMs(ms))),
      );
    }),
  );
}

function tookOf(json: unknown): number | null {
  if (typeof json !== "object" || json === null || !("tookInMillis" in json)) return null;
  return typeof json.tookInMillis === "number" ? json.tookInMillis : null;
}
