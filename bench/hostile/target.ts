/** What an attack gets: ways to send requests, also such that no client would send, and catalogues to attack. */
import type { Agent } from "node:http";
import { connect } from "node:net";
import type { ErrorType } from "../../src/interface/index.ts";
import { exchange, JSON_BODY, type Answer } from "../service.ts";

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A name, and what is sent. `busy`: types of 503 that it may get, because it makes an index change all the time. */
export type Attack = readonly [
  name: string,
  attack: (target: Target) => Promise<readonly Answer[]>,
  busy?: readonly ErrorType[],
];

export const CONFIG = "/admin-api/v1/config";

export class Target {
  readonly #url: URL;
  readonly #agent: Agent;

  constructor(url: string, agent: Agent) {
    this.#url = new URL(url);
    this.#agent = agent;
  }

  send({ method, path, headers = {}, body }: Sent): Promise<Answer> {
    const { hostname, port } = this.#url;
    const all = { ...(body === undefined ? {} : JSON_BODY), ...headers };
    return exchange({ hostname, port, path, method, agent: this.#agent, headers: all }, body);
  }

  /** A body that is no text is sent as JSON. */
  async json(method: string, path: string, body?: unknown): Promise<Answer> {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    return this.send({ method, path, ...(text !== undefined && { body: text }) });
  }

  get(path: string): Promise<Answer> {
    return this.send({ method: "GET", path });
  }

  put(index: string, documents: unknown): Promise<Answer> {
    return this.json("PUT", `/indexer-api/v1/update/${index}?langCode=en`, documents);
  }

  async session(index: string): Promise<unknown> {
    return JSON.parse((await this.get(`/indexer-api/v1/full/start/${index}?locale=en`)).text);
  }

  /** Bytes on a connection of their own, which is cut off once they are sent. */
  cutOff(text: string): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(Number(this.#url.port), this.#url.hostname, () => {
        socket.write(text, () => socket.destroy());
      });
      socket.on("error", () => resolve());
      socket.on("close", () => resolve());
    });
  }

  /** Bytes on a connection of their own, which then ends or stays open; resolves at the first answer or the end. */
  raw(text: string, ends: boolean): Promise<Answer> {
    return new Promise((resolve) => {
      let received = "";
      const socket = connect(Number(this.#url.port), this.#url.hostname, () => {
        socket.write(text);
        if (ends) socket.end();
      });
      socket.on("data", (bytes) => {
        received += bytes.toString();
        const status = /^HTTP\/1\.1 (\d+)/.exec(received)?.[1];
        if (status === undefined) return;
        resolve({ status: Number(status), text: received });
        socket.destroy();
      });
      socket.on("error", () => resolve({ status: 0, text: "closed without an answer" }));
      socket.on("close", () => resolve({ status: 0, text: "closed without an answer" }));
    });
  }
}

export function repeat<T>(count: number, each: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => each(i));
}

export function smallDocuments(count: number, name = "d"): string {
  return repeat(count, (i) => `{"id":"${name}${i}","data":{"title":"shoe ${i}"}}`).join(",");
}

/** An index of many attributes, numbers, categories and variants; made once. */
export async function wideIndex(target: Target): Promise<string> {
  const index = "wide";
  if ((await target.get(`/search-api/v1/search/${index}?limit=0`)).status === 200) return index;
  for (let part = 0; part < 6; part++) {
    await target.put(
      index,
      repeat(500, (i) => wideProduct(part * 500 + i)),
    );
  }
  return index;
}

function wideProduct(n: number): unknown {
  return {
    id: `w${n}`,
    data: {
      title: `shoe model ${n} colour${n % 97} word${n % 1_009}`,
      description: repeat(40, (i) => `term${(n * 31 + i * 17) % 5_003}`).join(" "),
      brand: `brand${n % 53}`,
      price: (n * 7) % 1_000,
      stock: n % 40,
      category: [`a/b${n % 20}/c${n % 200}`, `x/y${n % 30}`],
    },
    attributes: repeat(40, (i) => ({ name: `attribute${i}`, value: `value${(n * (i + 3)) % 90}` })),
    variants: repeat(4, (i) => ({
      id: `w${n}-${i}`,
      data: { size: String(36 + i), price: (n * 7) % 1_000, ean: `${n}00${i}` },
    })),
  };
}
