/** A line about the interpreted query: the matching stage, the executed query, corrections. */
import type { SearchResult } from "../../interface/index.ts";
import { make } from "./dom.ts";

export function understood({ meta }: SearchResult): HTMLElement | null {
  const parts: (Node | string)[] = [];
  const add = (label: string, key: string): void => {
    const value = meta[key];
    if (typeof value !== "string" || value === "" || value === "_match_all") return;
    parts.push(make("span", {}, `${label} `, make("code", {}, value)));
  };
  const stage = meta["query_stage"];
  const strategy = meta["query_strategy"];
  if (typeof strategy === "string" && strategy !== "" && meta["noQuery"] !== true) {
    const number = typeof stage === "number" ? `stage ${stage} ` : "";
    parts.push(make("span", {}, number, make("code", {}, strategy)));
  }
  add("asked", "query_executed");
  add("corrected to", "query_corrected");
  add("leads to", "redirect");
  add("", "error");
  return parts.length === 0 ? null : make("p", { class: "understood" }, ...parts);
}
