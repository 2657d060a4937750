/** A form that calls one operation of the reference page and shows the answer. */
import { CallError, type Answer, type Client } from "../http/client.ts";
import { curlCommand } from "../logic/curl.ts";
import { WARNINGS, exampleBody, exampleValue, isWriting } from "../logic/examples.ts";
import { prettyJson } from "../logic/json-tokens.ts";
import {
  isOpen,
  operationRequest,
  type DescribedOperation,
  type DescribedParameter,
} from "../logic/operation-request.ts";
import type { ApiRequest } from "../logic/requests.ts";
import { formatMs } from "../logic/timings.ts";
import { copyButton, jsonView, plainView } from "./code.ts";
import { button, make } from "./dom.ts";
import { failureBox, failureOf } from "./failure.ts";

export interface TryFormOptions {
  readonly method: string;
  readonly path: string;
  readonly operation: DescribedOperation;
  readonly client: Client;
  readonly tenants: readonly string[];
  readonly onAnswer: (operationId: string, answer: Answer) => void;
  readonly signIn: () => Promise<boolean>;
}

/** Longer answers, such as exports, are truncated. */
const MAX_SHOWN = 300_000;
const HEADERS = [
  "content-type",
  "etag",
  "cache-control",
  "retry-after",
  "allow",
  "www-authenticate",
  "server-timing",
] as const;

export class TryForm {
  readonly element: HTMLElement;
  readonly #options: TryFormOptions;
  readonly #fields: readonly (readonly [DescribedParameter, HTMLInputElement | HTMLSelectElement])[];
  readonly #body: HTMLTextAreaElement | null;
  readonly #contentType: HTMLSelectElement | null;
  readonly #curl = make("div", { class: "try-curl" });
  readonly #output = make("div", { class: "try-output", "aria-live": "polite" });
  readonly #send: HTMLButtonElement;

  constructor(options: TryFormOptions) {
    this.#options = options;
    const { method, operation, tenants } = options;
    const { operationId, parameters, requestBody } = operation;
    this.#fields = parameters.map((parameter) => [
      parameter,
      fieldOf(parameter, exampleValue(operationId, parameter, tenants)),
    ]);
    const types = Object.keys(requestBody?.content ?? {});
    this.#contentType =
      types.length === 0
        ? null
        : make("select", { "aria-label": "Content type" }, ...types.map((type) => make("option", {}, type)));
    this.#body =
      types.length === 0
        ? null
        : make(
            "textarea",
            { rows: 10, spellcheck: "false", class: "code", "aria-label": "Body" },
            exampleBody(requestBody?.content[types[0] ?? ""]?.example),
          );
    this.#send = make(
      "button",
      { class: isWriting(method, operationId) ? "primary writes" : "primary" },
      `Send ${method.toUpperCase()}`,
    );
    const form = make(
      "form",
      { class: "try-form" },
      this.#fields.length === 0
        ? null
        : make("div", { class: "try-fields" }, ...this.#fields.map(([parameter, field]) => labelled(parameter, field))),
      this.#body === null ? null : make("div", { class: "try-body" }, this.#contentType, this.#body),
      warningOf(method, operationId),
      make("div", { class: "form-actions" }, this.#send),
    );
    form.addEventListener("input", () => this.#showCurl());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#run();
    });
    this.#showCurl();
    this.element = make("div", { class: "try" }, form, this.#curl, this.#output);
  }

  /** Fills in the session of an import that was just started. */
  setBody(text: string): void {
    if (this.#body === null) return;
    this.#body.value = text;
    this.#showCurl();
  }

  get body(): string {
    return this.#body?.value ?? "";
  }

  #request(): ApiRequest {
    const { method, path } = this.#options;
    return operationRequest({
      method,
      pathTemplate: path,
      values: this.#fields.map(([parameter, { value }]) => ({ parameter, value })),
      body: this.#body?.value ?? null,
      contentType: this.#contentType?.value ?? null,
    });
  }

  #curlText(): string {
    return curlCommand(location.origin, this.#request(), this.#options.client.credentials.isSignedIn);
  }

  #showCurl(): void {
    this.#curl.replaceChildren(
      plainView(this.#curlText(), "As curl"),
      copyButton("Copy", () => this.#curlText()),
    );
  }

  async #run(): Promise<void> {
    const { client, operation, onAnswer } = this.#options;
    this.#send.disabled = true;
    try {
      const answer = await client.send(this.#request(), AbortSignal.timeout(120_000));
      this.#show(answer);
      onAnswer(operation.operationId, answer);
    } catch (error) {
      const failure = error instanceof CallError ? error.failure : failureOf(error);
      if (failure !== null) this.#output.replaceChildren(failureBox(failure));
    } finally {
      this.#send.disabled = false;
    }
  }

  #show(answer: Answer): void {
    const { status, headers, text, roundTripMs } = answer;
    const kind = status < 300 ? "good" : status < 400 ? "same" : "bad";
    const isJson = headers.get("content-type")?.includes("json") === true;
    const shown = isJson && text.length <= MAX_SHOWN ? prettyJson(text) : text.slice(0, MAX_SHOWN);
    const cut =
      text.length > MAX_SHOWN
        ? make(
            "p",
            { class: "hint" },
            `The first ${MAX_SHOWN.toLocaleString()} of ${text.length.toLocaleString()} characters.`,
          )
        : null;
    const signIn = async (): Promise<void> => {
      if (await this.#options.signIn()) await this.#run();
    };
    this.#output.replaceChildren(
      make(
        "p",
        { class: "try-status" },
        make("strong", { class: `status ${kind}` }, String(status)),
        make("span", {}, formatMs(roundTripMs)),
        make("span", {}, `${text.length.toLocaleString()} characters`),
        status === 401 ? button({ class: "secondary" }, () => void signIn(), "Sign in") : null,
      ),
      make(
        "dl",
        { class: "try-headers" },
        ...HEADERS.flatMap((name) => {
          const value = headers.get(name);
          return value === null ? [] : [make("dt", {}, name), make("dd", {}, value)];
        }),
      ),
      ...(cut === null ? [] : [cut]),
      ...(shown === "" ? [make("p", { class: "hint" }, "No body.")] : [jsonView(shown, "Answer")]),
    );
    this.#showCurl();
  }
}

function fieldOf(parameter: DescribedParameter, example: string): HTMLInputElement | HTMLSelectElement {
  const { name, in: place, required, schema } = parameter;
  const standard = schema.default === undefined ? null : JSON.stringify(schema.default).replaceAll('"', "");
  const choices = schema.type === "boolean" ? ["true", "false"] : schema.enum;
  if (choices !== undefined) {
    return make(
      "select",
      { name },
      make("option", { value: "" }, standard === null ? "" : `(${standard})`),
      ...choices.map((choice) => make("option", { value: choice, selected: choice === example }, choice)),
    );
  }
  return make("input", {
    name,
    value: example,
    required: required || place === "path",
    placeholder: standard,
    inputmode: schema.type === "integer" ? "numeric" : null,
    autocomplete: "off",
    spellcheck: "false",
  });
}

function labelled(parameter: DescribedParameter, field: HTMLElement): HTMLElement {
  const { name, in: place, required } = parameter;
  return make(
    "label",
    { class: isOpen(parameter) ? "field wide" : "field", title: parameter.description },
    make(
      "span",
      {},
      isOpen(parameter) ? "filters, as a query" : name,
      place === "path" || required ? make("em", {}, " required") : null,
    ),
    field,
  );
}

function warningOf(method: string, operationId: string): HTMLElement | null {
  if (!isWriting(method, operationId)) return null;
  const warning = WARNINGS[operationId] ?? "Changes data of this service.";
  return make("p", { class: operationId in WARNINGS ? "warning strong" : "warning" }, warning);
}
