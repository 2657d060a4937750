/**
 * The crash suite: rounds of work, SIGKILL at a random moment, restart on the same folder, and a judge of what was
 * answered. State and judge go on from round to round, so later rounds meet what earlier ones have left behind.
 *
 * A round
 *   1. start; in some rounds the clients begin at once and the process is killed again while it recovers; start again
 *   2. everything is read and held against what is possible (judge.ts): nothing acknowledged is lost, nothing is half
 *      there, nothing of an uncompleted session is seen, all of one generation. Then the answers of a set of queries
 *      are compared with those of an index built fresh from the documents that were read (twin.ts). In some rounds
 *      once more after another restart (replay gives the same answers), and for the generation that is kept (by a
 *      rollback there and back).
 *   3. in some rounds reindexes that were interrupted are waited for: their alarm goes on with them, or they end
 *   4. sessions whose `done` was interrupted are completed, others are completed, cancelled or (where every bulk was
 *      answered) left to be continued; 2 again. In some rounds a reindex, and 2 again
 *   5. the clients work, until the kill: some time after the work began, or after one of them has sent a certain kind
 *      of request
 *
 * With several shards a client's read is of one of them (clients.ts). After a restart everything is read, so there an
 * update is whole or absent.
 *
 * How the process is killed: process.ts. What is sent, and what the clients know: operations.ts. What is looked at:
 * verifier.ts.
 *
 * The plan of a round follows from the seed. What is under way when the process dies does not.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker } from "../../scripts/local-worker.ts";
import { differences } from "./answers.ts";
import { Clients } from "./clients.ts";
import { Operations } from "./operations.ts";
import { drawnKillPlan, Process, type KillPlan } from "./process.ts";
import { Random } from "./random.ts";
import { noTotals, type Totals } from "./totals.ts";
import { Verifier } from "./verifier.ts";
import { canonical } from "./product.ts";

export interface RunOptions {
  readonly seed: number;
  readonly rounds: number;
  /** Of each generation. */
  readonly shards: number;
  /** No round begins this long after the start; default: all rounds do. */
  readonly mostMs?: number;
}

export class CrashRun {
  readonly #totals = noTotals();
  readonly #random: Random;
  readonly #say: (line: string) => void;
  readonly #process: Process;
  readonly #operations: Operations;
  readonly #clients: Clients;
  readonly #verifier: Verifier;

  private constructor({ seed, shards }: RunOptions, folder: string, say: (line: string) => void) {
    const totals = this.#totals;
    const process = new Process({ folder, shards }, totals);
    const operations = new Operations({ process, totals, shards, say });
    this.#random = new Random(seed);
    this.#say = say;
    this.#process = process;
    this.#operations = operations;
    this.#clients = new Clients({ process, operations, totals, shards });
    this.#verifier = new Verifier(operations, totals);
  }

  /** Runs `rounds` rounds; throws at the first thing that no order of operations explains. */
  static async run(options: RunOptions, say: (line: string) => void = console.log): Promise<Totals> {
    const { seed, rounds, shards, mostMs = Infinity } = options;
    const startMs = performance.now();
    const folder = await mkdtemp(join(tmpdir(), "aisle-crash-"));
    const run = new CrashRun(options, folder, say);
    let round = 0;
    try {
      await bundleWorker(join(folder, "code"));
      for (round = 1; round <= rounds; round++) {
        if (performance.now() - startMs > mostMs) break;
        await run.#round(round);
      }
      await run.#process.start();
      await run.#recover("end");
      await run.#process.kill();
    } catch (error) {
      const log = run.#process.service?.log.join("\n") ?? "";
      await run.#process.kill();
      throw new Error(
        `seed ${seed}, shards ${shards}, round ${round}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n` +
          `what the service logged last:\n${log}`,
        { cause: error },
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return run.#totals;
  }

  async #round(round: number): Promise<void> {
    const startMs = performance.now();
    const random = this.#random.fork();
    const { history } = this.#operations;
    const totals = this.#totals;
    totals.rounds++;
    await this.#process.start();
    let early = "";
    if (random.chance(0.25)) {
      const afterMs = random.between(0, 120);
      early = `, killed ${afterMs} ms after the start`;
      await this.#work(random.fork(), { kind: "begin", left: 1, afterMs });
      await this.#process.start();
    }
    await this.#recover(`round ${round}`, random.fork());
    const plan = drawnKillPlan(random);
    await this.#work(random.fork(), plan);
    const tookMs = Math.round(performance.now() - startMs);
    totals.operations = history.operations;
    this.#say(
      `round ${round}: ${tookMs} ms, killed at ${plan.left}. ${plan.kind} + ${plan.afterMs} ms${early}; ` +
        `${totals.operations} operations, ${totals.lost} lost, ${history.worlds().length} possible`,
    );
  }

  /** The clients, until the kill. */
  async #work(random: Random, plan: KillPlan): Promise<void> {
    const { history } = this.#operations;
    this.#process.killBy(plan);
    const ended = await this.#clients.work(random);
    await this.#process.gone();
    history.crash();
    const failed = ended.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    history.settle();
  }

  /** After a restart, steps 2 to 4. `random` null: the last time, everything that is open is completed. */
  async #recover(when: string, random: Random | null = null): Promise<void> {
    const operations = this.#operations;
    const verifier = this.#verifier;
    const { history } = operations;
    await verifier.verify(when);
    if (random?.chance(0.2) === true) await this.#restartAgain(when);
    if (history.mayReindex && random?.chance(0.4) !== false) {
      await operations.waitForReindexes(when);
      await verifier.verify(`${when}, reindexes over`);
    }
    const interrupted = operations.sessions.filter((session) => session.interrupted);
    for (const session of interrupted) await operations.finish(session, "done", "verifier");
    for (const session of operations.sessions.slice()) {
      // One of which nobody knows what it has taken would be open for long in both ways.
      const ways = ["done", "cancel", "continue", "continue"] as const;
      const what = random === null ? "done" : random.pick(session.isOpen ? ways.slice(0, 2) : ways);
      if (what !== "continue") await operations.finish(session, what, "verifier");
    }
    await verifier.verify(`${when}, sessions completed`);
    if (random?.chance(0.15) === true && history.worlds()[0]?.live != null) {
      await operations.rollBack("verifier");
      await verifier.verify(`${when}, rolled back`);
      await operations.rollBack("verifier");
      await verifier.verify(`${when}, rolled forward`);
    }
    if (random?.chance(0.2) !== false) {
      await operations.reindex("verifier");
      await verifier.verify(`${when}, reindexed`);
    }
  }

  /** Another restart gives the same answers. */
  async #restartAgain(when: string): Promise<void> {
    const verifier = this.#verifier;
    const generation = canonical(await verifier.state());
    const before = await verifier.answers();
    await this.#process.kill();
    this.#operations.history.crash();
    await this.#process.start();
    const after = await verifier.answers();
    // Unless an interrupted `done` or reindex was taken up meanwhile; the readings that follow settle whether that is
    // right.
    const isSame = generation === canonical(await verifier.state());
    if (isSame && canonical(before) !== canonical(after)) {
      throw new Error(`${when}: other answers after another restart\n${differences(before, after)}`);
    }
  }
}
