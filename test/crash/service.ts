/** The built Worker on a folder of its own, and the one thing no other test does to it: SIGKILL. */
import { Agent, request as httpRequest } from "node:http";
import { startWorker, type LocalWorker } from "../../scripts/local-worker.ts";

/** What nobody answers within this time is an error of the service: leases end after 10 seconds. */
const ANSWER_DEADLINE_MS = 20_000;

const LOG_LINES_KEPT = 30;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface ServiceOptions {
  /** Where `bundleWorker` has put it. */
  readonly code: string;
  /** Where everything durable is. */
  readonly state: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Hears every line the service logs. */
  readonly onLog?: (level: string, message: string) => void;
}

export class Service {
  readonly #worker: LocalWorker;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  readonly #log: string[];
  #dead = false;

  private constructor(worker: LocalWorker, log: string[]) {
    this.#worker = worker;
    this.#log = log;
  }

  static async start({ code, state, variables, onLog }: ServiceOptions): Promise<Service> {
    const log: string[] = [];
    const worker = await startWorker({
      code,
      state,
      variables,
      onLog: (level, message) => {
        onLog?.(level, message);
        if (level !== "error" && level !== "warn") return;
        log.push(message);
        if (log.length > LOG_LINES_KEPT) log.shift();
      },
    });
    return new Service(worker, log);
  }

  /** Of workerd. */
  get pid(): number {
    return this.#worker.pid;
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Warnings and errors the service has logged last. */
  get log(): readonly string[] {
    return this.#log;
  }

  /** SIGKILL, at once. Requests under way end as lost; await the promise before anybody else may use the folder. */
  async kill(): Promise<void> {
    if (this.#dead) return;
    this.#dead = true;
    process.kill(this.#worker.pid, "SIGKILL");
    await this.#worker.dispose();
  }

  /**
   * Nobody was sending for a while, perhaps with the thread busy: the service closes connections that are idle for
   * long, and a request must not meet one whose end was not noticed yet. While nothing is under way.
   */
  forgetIdleConnections(): void {
    this.#agent.destroy();
  }

  /** Null: the connection broke before the answer was whole, so what became of the request is unknown. */
  async send(method: string, path: string, body?: unknown, contentType = "application/json"): Promise<Answer | null> {
    return await new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": contentType };
      const outgoing = httpRequest(
        new URL(path, this.#worker.origin),
        { method, agent: this.#agent, headers },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => {
            if (!response.complete) return;
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
          });
          response.on("error", () => lost(new Error("the answer broke off")));
          response.on("close", () => lost(new Error("the answer broke off")));
        },
      );
      outgoing.setTimeout(ANSWER_DEADLINE_MS, () => {
        reject(new Error(`${method} ${path}: no answer within ${ANSWER_DEADLINE_MS} ms`));
        outgoing.destroy();
      });
      // After `resolve` these change nothing.
      const lost = (error: Error): void => {
        if (this.#dead) resolve(null);
        else reject(new Error(`${method} ${path}: connection lost (${error.message})`));
      };
      outgoing.on("error", lost);
      outgoing.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
    });
  }
}
