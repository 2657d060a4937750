/**
 * Mistakes one could make in the protocol, as changes of its source text. If the simulation does not notice one,
 * either the simulation is too tame or the line is not needed.
 *
 * A mutant is the folder copied elsewhere with one place changed, so the code under test has no hooks. A text that is
 * not found exactly once fails the test: whoever changes that line changes its mutant, too.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Protocol } from "./nodes.ts";
import { SIMULATED_TIMING } from "./simulation.ts";

export interface Mutant {
  readonly mistake: string;
  readonly file: "primary.ts" | "replica.ts";
  readonly find: string;
  readonly replace: string;
  /** A seed that showed it once, tried first: for rare ones, to save time. */
  readonly showedAt?: number;
}

/** Each lets a run end with a violation of consistency. */
export const UNSAFE: readonly Mutant[] = [
  {
    mistake: "a write is acknowledged without waiting for holders",
    file: "primary.ts",
    find: "Math.min(this.#host.logEnd(), ...promised)",
    replace: "Math.max(this.#host.logEnd(), ...promised)",
  },
  {
    mistake: "a restarted primary forgets to whom it granted leases",
    file: "primary.ts",
    find: "for (const holder of holders) {",
    replace: "for (const holder of holders.slice(0, 0)) {",
  },
  {
    mistake: "holders are not stored",
    file: "primary.ts",
    find: "holders: [...record.holders.filter((holder) => keyOf(holder) !== key), from],",
    replace: "holders: record.holders,",
  },
  {
    mistake: "a renewal stores nothing, so a cut-off primary can renew",
    showedAt: 663,
    file: "primary.ts",
    find: "    this.#host.store({\n      ...record,\n      holders: [",
    replace: "    if (held === undefined) this.#host.store({\n      ...record,\n      holders: [",
  },
  {
    mistake: "the primary shows what is not committed",
    file: "primary.ts",
    find: "{ ...this.#floor(), position: this.committed };",
    replace: "this.#floor();",
  },
  {
    mistake: "the promise of a new incarnation counts for the old one",
    file: "primary.ts",
    find: "return `${replica}#${incarnation}`;",
    replace: "return `${replica}${incarnation.slice(0, 0)}`;",
  },
  {
    mistake: "retirement is answered at once",
    file: "primary.ts",
    find: "isMet: () => this.#allPromised({ epoch: standing.epoch })",
    replace: "isMet: () => true",
  },
  {
    mistake: "leases of a retired primary are forgotten",
    file: "primary.ts",
    find: "(record.live || promised.epoch < record.epoch)",
    replace: "(record.live && promised.epoch <= record.epoch)",
  },
  {
    mistake: "a configuration change is answered at once",
    file: "primary.ts",
    find: "isMet: () => this.#allPromised({ configurationVersion })",
    replace: "isMet: () => true",
  },
  {
    mistake: "a generation that comes back trusts the configuration it knew",
    file: "primary.ts",
    find: "      this.#host.store({ ...record, ...standing });\n      this.#readConfiguration();",
    replace: "      this.#host.store({ ...record, ...standing });",
  },
  {
    mistake: "a configuration read begun before a new standing counts",
    file: "primary.ts",
    find: "if (number === this.#configurationReads) this",
    replace: "if (number <= this.#configurationReads) this",
  },
  {
    mistake: "the lease counts from the arrival of the grant",
    showedAt: 935,
    file: "replica.ts",
    find: "this.#request.sentMs + grant.leaseMs",
    replace: "this.#host.nowMs() + grant.leaseMs",
  },
  {
    mistake: "a grant for an earlier request counts from the current one",
    file: "replica.ts",
    find: "if (this.#request?.number !== grant.request) return;",
    replace: "if (this.#request === null) return;",
  },
  {
    mistake: "messages to an earlier incarnation are taken",
    file: "replica.ts",
    find: "if (message.incarnation !== this.#self.incarnation) return;",
    replace: "",
  },
  {
    mistake: "a replica promises and answers from the old state all the same",
    file: "replica.ts",
    find: "const { position } = this.#promised;",
    replace: "const position = this.#position ?? 0;",
  },
  {
    mistake: "a grant brings no floor",
    file: "replica.ts",
    find: "a higher epoch was promised.\n        this.#hear(message);",
    replace: "",
  },
  {
    mistake: "a recall leaves the lease",
    file: "replica.ts",
    find: "this.#lease.epoch < this.#promised.epoch) this.#lease = null;",
    replace: "this.#lease.epoch < 0) this.#lease = null;",
  },
  {
    mistake: "entries are applied before they are committed",
    file: "replica.ts",
    find: "if (entry.last > this.#committed) break;",
    replace: "",
  },
  {
    mistake: "leases never end at the replica",
    file: "replica.ts",
    find: "nowMs < this.#lease.untilMs ? this.#lease : null;",
    replace: "nowMs < Infinity ? this.#lease : null;",
  },
];

/** Each lets a run end with calls that nobody answers. */
export const STUCK: readonly Mutant[] = [
  {
    mistake: "a lease never ends at the primary",
    file: "primary.ts",
    find: "if (nowMs < untilMs && (",
    replace: "if (nowMs < Infinity + untilMs && (",
  },
  {
    mistake: "a lost request is waited for for ever",
    file: "replica.ts",
    find: "nowMs - this.#request.sentMs >= this.#timing.requestMs",
    replace: "nowMs - this.#request.sentMs >= Infinity",
  },
  {
    mistake: "a replica that is behind does not load the manifest",
    file: "replica.ts",
    find: 'if (message.reason === "behind") this.#load();\n        else this.#askAgainMs',
    replace: "this.#askAgainMs",
  },
];

const SOURCE = path.resolve(import.meta.dirname, "../protocol");

/** The protocol with one mistake. */
export async function mutated(mutant: Mutant): Promise<Protocol> {
  const folder = await mkdtemp(path.join(tmpdir(), "replication-"));
  try {
    for (const file of await readdir(SOURCE)) {
      let text = await readFile(path.join(SOURCE, file), "utf8");
      if (file === mutant.file) {
        const parts = text.split(mutant.find);
        if (parts.length !== 2) {
          throw new Error(`${parts.length - 1} places in ${file} for "${mutant.mistake}"`);
        }
        text = parts.join(mutant.replace);
      }
      await writeFile(path.join(folder, file), text);
    }
    const url = pathToFileURL(path.join(folder, "index.ts")).href;
    const { Primary, Replica } = (await import(/* @vite-ignore */ url)) as Pick<
      Protocol,
      "Primary" | "Replica"
    >;
    return { Primary, Replica, timing: SIMULATED_TIMING };
  } finally {
    await rm(folder, { recursive: true });
  }
}
