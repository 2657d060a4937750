/**
 * A remote indexing service for tests of the importer: the full-import calls over node:http, a
 * map in memory behind them, and faults on demand. It stands in for another machine, not for code of ours.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Operation = "start" | "add" | "done" | "cancel" | "describe" | "search";

/** `dropBefore`: the connection breaks and nothing was done; `dropAfter`: it was done, and the answer is lost. */
export type Fault =
  | { readonly kind: "status"; readonly status: number; readonly headers?: Record<string, string> }
  | { readonly kind: "dropBefore" | "dropAfter" };

export interface Received {
  readonly operation: Operation;
  readonly authorization: string | null;
  readonly body: string;
}

interface SentDocument {
  readonly id?: string | number;
  readonly [member: string]: unknown;
}

export class ServiceDouble {
  readonly received: Received[] = [];
  /** Live documents by id, as sent. */
  live: ReadonlyMap<string, SentDocument> | null = null;
  sessionState: "none" | "open" | "completed" | "cancelled" = "none";
  url = "";

  /** Asked before each call; `call` counts all calls from 0. */
  fault: (operation: Operation, call: number) => Fault | null = () => null;
  /** Turns of the event loop an add lies waiting before it is applied, so that adds overtake each other. */
  addTurns: (call: number) => number = () => 0;
  rejects: (document: SentDocument) => string | null = (document) =>
    document.id === undefined ? "id is missing" : null;
  /** Answer add with a number even when a report is asked for. */
  plainCounts = false;
  /** Calls while an add is under way. */
  mostAddsAtOnce = 0;
  onAdd: () => void = () => undefined;

  #staged = new Map<string, SentDocument>();
  #addsUnderWay = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  operations(): Operation[] {
    return this.received.map(({ operation }) => operation);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString("utf8");
    const url = new URL(request.url ?? "/", "http://localhost");
    const operation = operationOf(url.pathname);
    const call = this.received.length;
    this.received.push({ operation, authorization: request.headers.authorization ?? null, body });
    const fault = this.fault(operation, call);
    if (fault?.kind === "dropBefore") {
      response.destroy();
      return;
    }
    if (fault?.kind === "status") {
      response.writeHead(fault.status, { "content-type": "application/json", ...fault.headers });
      response.end(JSON.stringify({ message: "as the test wishes", code: fault.status, type: "test" }));
      return;
    }
    const answer = await this.#answer(operation, call, url, body);
    if (fault?.kind === "dropAfter") {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(answer.body === undefined ? "" : JSON.stringify(answer.body));
  }

  async #answer(
    operation: Operation,
    call: number,
    url: URL,
    body: string,
  ): Promise<{ status: number; body?: unknown }> {
    switch (operation) {
      case "start": {
        const name = url.pathname.split("/").at(-1) ?? "";
        this.#staged = new Map();
        this.sessionState = "open";
        return { status: 200, body: { finalIndexName: name, temporaryIndexName: `ocs-1-${name}-en`, more: "kept" } };
      }
      case "add":
        return await this.#add(call, url, body);
      case "done": {
        if (this.sessionState !== "open") return refusal(`session_${this.sessionState}`);
        this.sessionState = "completed";
        this.live = this.#staged;
        return { status: 200, body: true };
      }
      case "cancel":
        if (this.sessionState !== "open") return refusal(`session_${this.sessionState}`);
        this.sessionState = "cancelled";
        return { status: 202 };
      case "describe":
        return {
          status: 200,
          body: { documents: this.live?.size ?? 0, variants: 0, memoryBytes: 10, storedBytes: 2_000 },
        };
      case "search":
        return { status: 200, body: { slices: [{ label: null, matchCount: this.live?.size ?? 0 }] } };
    }
  }

  async #add(call: number, url: URL, body: string): Promise<{ status: number; body?: unknown }> {
    this.#addsUnderWay++;
    this.mostAddsAtOnce = Math.max(this.mostAddsAtOnce, this.#addsUnderWay);
    this.onAdd();
    for (let turn = this.addTurns(call); turn > 0; turn--) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#addsUnderWay--;
    if (this.sessionState !== "open") return refusal(`session_${this.sessionState}`);
    const { session, documents } = JSON.parse(body) as { session: Record<string, unknown>; documents: SentDocument[] };
    if (session["more"] !== "kept") return refusal("session_mismatch");
    const rejected: { position: number; id: string | null; reason: string }[] = [];
    documents.forEach((document, position) => {
      const reason = this.rejects(document);
      const id = document.id === undefined ? null : String(document.id);
      if (reason !== null || id === null) {
        rejected.push({ position, id, reason: reason ?? "id is missing" });
      } else {
        this.#staged.set(id, document);
      }
    });
    const indexed = documents.length - rejected.length;
    if (this.plainCounts || url.searchParams.get("report") !== "true") {
      return { status: 200, body: indexed };
    }
    return { status: 200, body: { indexed, rejected, ignored: [] } };
  }
}

function refusal(type: string): { status: number; body: unknown } {
  return { status: 400, body: { message: type, code: 400, type, errorId: "0", timestamp: 0 } };
}

function operationOf(path: string): Operation {
  if (path.startsWith("/indexer-api/v1/full/start/")) return "start";
  if (path === "/indexer-api/v1/full/add") return "add";
  if (path === "/indexer-api/v1/full/done") return "done";
  if (path === "/indexer-api/v1/full/cancel") return "cancel";
  if (path.startsWith("/admin-api/v1/indexes/")) return "describe";
  if (path.startsWith("/search-api/v1/search/")) return "search";
  throw new Error(`the importer has no business at ${path}`);
}
