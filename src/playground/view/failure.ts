/** Shows a failure with the service's message. */
import { CallError } from "../http/client.ts";
import { RefusedImportError } from "../http/import-catalogue.ts";
import { FileError } from "../logic/documents.ts";
import type { Failure } from "../logic/problems.ts";
import { make } from "./dom.ts";

/** Null: the request was aborted, which is not a failure. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof CallError) return error.failure;
  if (error instanceof DOMException && error.name === "AbortError") return null;
  if (error instanceof RefusedImportError) {
    const complaints = error.complaints.map((message) => ({ path: "", message }));
    return { ...OWN, type: "not imported", message: error.message, complaints };
  }
  if (error instanceof FileError || error instanceof SyntaxError) {
    return { ...OWN, type: "unreadable", message: error.message };
  }
  // A bug of the page, so also log it.
  console.error(error);
  return { ...OWN, type: "defect", message: String(error) };
}

const OWN: Failure = { status: 0, type: "", message: "", complaints: [], errorId: null };

export function failureBox(failure: Failure, ...actions: readonly Node[]): HTMLElement {
  const { status, type, message, complaints, errorId } = failure;
  return make(
    "div",
    { class: "failure", role: "alert" },
    make("p", { class: "failure-type" }, status === 0 ? type : `${status} ${type}`),
    make("p", { class: "failure-message" }, message),
    complaints.length === 0
      ? null
      : make(
          "ul",
          {},
          ...complaints.map(({ path, message: said }) =>
            make("li", {}, path === "" ? null : make("code", {}, path), path === "" ? said : ` ${said}`),
          ),
        ),
    errorId === null || status < 500 ? null : make("p", {}, "errorId ", make("code", {}, errorId)),
    actions.length === 0 ? null : make("p", { class: "failure-actions" }, ...actions),
  );
}
