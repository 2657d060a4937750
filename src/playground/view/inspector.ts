/** Shows the page's request and the raw answer. */
import type { Answer } from "../http/client.ts";
import { counted } from "../logic/counted.ts";
import { curlCommand } from "../logic/curl.ts";
import { prettyJson } from "../logic/json-tokens.ts";
import { copyButton, jsonView, plainView } from "./code.ts";
import { make } from "./dom.ts";
import { openSheet } from "./sheet.ts";
import { timingStrip } from "./timing-strip.ts";

export function curlOf({ request }: Answer, isSignedIn: boolean): string {
  return curlCommand(location.origin, request, isSignedIn);
}

export function openInspector(answer: Answer, isSignedIn: boolean): void {
  const { body } = openSheet("side", "Request and answer");
  const curl = curlOf(answer, isSignedIn);
  const json = prettyJson(answer.text);
  const bytes = new TextEncoder().encode(answer.text).byteLength;
  body.append(
    heading(
      "Request",
      copyButton("Copy", () => curl),
    ),
    plainView(curl, "Request as curl"),
    heading("Time"),
    timingStrip(answer),
    heading(
      `Answer: ${answer.status}, ${counted(bytes, "byte")}`,
      copyButton("Copy", () => json),
    ),
    jsonView(json, "Answer as JSON"),
  );
}

export function heading(text: string, ...more: readonly Node[]): HTMLElement {
  return make("div", { class: "sheet-heading" }, make("h3", {}, text), ...more);
}
