/**
 * The check after a restart: reads everything, lets the judge decide whether it is possible (judge.ts), then compares
 * the answers of a set of queries with those of a fresh index of the same documents (twin.ts). If an interrupted `done`
 * or reindex resumes meanwhile, the check starts over.
 */
import { comparable, Twin, wholeOf } from "./twin.ts";
import { differences } from "./answers.ts";
import { IDS, QUERIES } from "./catalogue.ts";
import { ADMIN_PATH, INDEX, LOCALE, VIEW, type Operations } from "./operations.ts";
import type { Totals } from "./totals.ts";
import { canonical } from "./product.ts";
import type { Sight } from "./world.ts";

const TENANTS = [INDEX, VIEW] as const;
/** How often the index may change under the verifier: once per interrupted `done` or reindex. */
const ATTEMPTS = 5;

export class Verifier {
  readonly #operations: Operations;
  readonly #totals: Totals;

  constructor(operations: Operations, totals: Totals) {
    this.#operations = operations;
    this.#totals = totals;
  }

  /** Reads everything, settles the history, compares with a fresh index. */
  async verify(when: string): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (await this.#verifyOnce(when)) return;
    }
    throw new Error(`${when}: the index goes on changing although nobody changes it`);
  }

  /** False: an interrupted `done` or reindex resumed meanwhile. */
  async #verifyOnce(when: string): Promise<boolean> {
    const operations = this.#operations;
    const { history } = operations;
    const before = await this.state();
    const sight = await this.#readEverything();
    operations.settle();
    const configuration = JSON.parse(await operations.mustSend("GET", "/admin-api/v1/config")) as unknown;
    operations.configurations.seen(configuration);
    if (sight === null) return true;

    const [world] = history.worlds();
    const name = world?.live?.name ?? null;
    if (!world?.live || name === null) throw new Error(`${when}: nothing is live`);
    const { documents } = world.live;
    const answers = await this.answers();
    if (canonical(before) !== canonical(await this.state())) return false;
    const candidates = operations.candidatesOf(name);
    if (candidates.length === 0) throw new Error(`${when}: nobody has started ${name}`);
    const wrong: string[] = [];
    const right = candidates.filter((builtWith) => {
      const twin = new Twin({
        indexName: INDEX,
        locale: LOCALE,
        physicalName: name,
        builtWith,
        documents: documents.values(),
      });
      const expected = Object.fromEntries(
        TENANTS.flatMap((tenant) =>
          QUERIES.map((query) => [`${tenant}?${query}`, twin.search(tenant, query, configuration)]),
        ),
      );
      const same = canonical(expected) === canonical(answers);
      if (!same) wrong.push(differences(expected, answers));
      return same;
    });
    this.#totals.comparisons += Object.keys(answers).length;
    if (right.length === 0) {
      throw new Error(`${when}: a fresh index of the same documents answers otherwise\n${wrong.join("\n")}`);
    }
    operations.wasBuiltWith(name, right);
    return true;
  }

  /** Tenant and query -> answer, comparable. */
  async answers(): Promise<Record<string, string>> {
    const answers: Record<string, string> = {};
    for (const tenant of TENANTS) {
      for (const query of QUERIES) {
        const path = `/search-api/v1/search/${tenant}?${query}`;
        const { status, text } = await this.#operations.send("GET", path);
        answers[`${tenant}?${query}`] =
          status === 200 ? comparable(JSON.parse(text) as object) : status === 404 ? "no tenant" : `${status} ${text}`;
      }
    }
    return answers;
  }

  /** Every document by its id, as one read of the history. Null: no index. */
  async #readEverything(): Promise<Sight | null> {
    const operations = this.#operations;
    const { history } = operations;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const action = { kind: "read", sight: null, look: wholeOf } as const;
      const operation = history.sent("verifier", action);
      const before = await this.state();
      const documents = new Map<string, string>();
      await Promise.all(
        IDS.map(async (id) => {
          const answer = await operations.send("GET", `/search-api/v1/doc/${INDEX}/${id}`);
          if (answer.status === 200) documents.set(id, canonical(JSON.parse(answer.text)));
          else if (answer.status !== 404) throw new Error(`document ${id}: ${answer.text}`);
        }),
      );
      const after = await this.state();
      if (canonical(before) !== canonical(after)) {
        // An interrupted `done` or reindex was taken up meanwhile: look again.
        history.answered(operation, null);
        continue;
      }
      const sight = before === null ? null : { name: before.name, documents };
      if (before === null && documents.size > 0) throw new Error("documents without an index");
      if (before !== null && before.documents !== documents.size) {
        throw new Error(`${before.documents} documents counted, ${documents.size} found by id`);
      }
      operation.action = { ...action, sight };
      history.answered(operation, "seen");
      return sight;
    }
    throw new Error("the index goes on changing although nobody changes it");
  }

  /** Of the live generation; null: there is no index. */
  async state(): Promise<{ name: string; epoch: number; documents: number } | null> {
    const answer = await this.#operations.send("GET", ADMIN_PATH);
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw new Error(`state of the index: ${answer.text}`);
    const { generation, documents } = JSON.parse(answer.text) as {
      generation: { physicalName: string; epoch: number };
      documents: number;
    };
    return { name: generation.physicalName, epoch: generation.epoch, documents };
  }
}
