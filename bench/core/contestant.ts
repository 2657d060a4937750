/** The parent's end of the process of an engine. */
import { fork, type ChildProcess } from "node:child_process";
import type { Mode } from "../synthetic/queries.ts";
import type { EngineFacts } from "./core-engine.ts";
import type { EngineName, Workload } from "./engines.ts";
import type { Command, Reply } from "./messages.ts";

const HEAP_MEGABYTES = 8_000;

type ReplyOf<Kind extends Reply["kind"]> = Extract<Reply, { readonly kind: Kind }>;

export class Contestant {
  readonly name: EngineName;
  readonly facts: EngineFacts;
  readonly modes: readonly Mode[];
  readonly #process: ChildProcess;

  private constructor(name: EngineName, process: ChildProcess, reply: ReplyOf<"loaded">) {
    this.name = name;
    this.#process = process;
    this.facts = reply.facts;
    this.modes = reply.modes;
  }

  /** Ready when the engine holds the catalogue. */
  static async start(name: EngineName, workload: Workload): Promise<Contestant> {
    const process = fork(new URL("engine-process.ts", import.meta.url), {
      execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`, "--disable-warning=ExperimentalWarning"],
    });
    const reply = await ask(process, { kind: "load", engine: name, workload }, "loaded");
    return new Contestant(name, process, reply);
  }

  async run(mode: Mode, from: number, to: number): Promise<readonly number[]> {
    return (await ask(this.#process, { kind: "run", mode, from, to }, "ran")).us;
  }

  async warm(mode: Mode, leastMs: number, mostMs: number): Promise<readonly number[]> {
    return (await ask(this.#process, { kind: "warm", mode, leastMs, mostMs }, "warmed")).hits;
  }

  async check(mode: Mode, queries: number): Promise<ReplyOf<"checked">["squares"]> {
    return (await ask(this.#process, { kind: "check", mode, queries }, "checked")).squares;
  }

  async filled(mode: Mode): Promise<readonly number[]> {
    return (await ask(this.#process, { kind: "filled", mode }, "told")).filled;
  }

  async fresh(mode: Mode): Promise<ReplyOf<"opened">["us"]> {
    return (await ask(this.#process, { kind: "fresh", mode }, "opened")).us;
  }

  stop(): void {
    this.#process.disconnect();
  }
}

function ask<Kind extends Reply["kind"]>(process: ChildProcess, command: Command, kind: Kind): Promise<ReplyOf<Kind>> {
  return new Promise((resolve, reject) => {
    const end = (done: () => void): void => {
      process.off("message", onMessage);
      process.off("exit", onExit);
      done();
    };
    const onExit = (code: number | null): void => {
      end(() => reject(new Error(`the process of an engine ended with ${code}`)));
    };
    const onMessage = (reply: Reply): void => {
      end(() => {
        if (isReply(reply, kind)) resolve(reply);
        else reject(new Error(`${reply.kind} instead of ${kind}`));
      });
    };
    process.on("message", onMessage);
    process.on("exit", onExit);
    process.send(command);
  });
}

function isReply<Kind extends Reply["kind"]>(reply: Reply, kind: Kind): reply is ReplyOf<Kind> {
  return reply.kind === kind;
}
