/**
 * Delivers the outbox of an index: every notice at least once, notices to one object in the order of decisions. Notices
 * are written in the deciding transaction (store.ts) and removed on arrival, so they are repeated after a crash.
 *
 * The catalog learns last that an index was deleted, because it then forgets the name and no longer pushes
 * configuration, while shards that were not notified yet still answer.
 */
import { forAll, repeated } from "../calls.ts";
import type { IndexStore, Notice, OutboxEntry } from "./store.ts";
import { catalogStub, sessionStub, shardStub, type ObjectsEnv } from "../stubs.ts";

export class Delivery {
  readonly #env: ObjectsEnv;
  readonly #store: IndexStore;
  /** At most one, to preserve the order. */
  #delivering: Promise<void> | null = null;

  constructor(env: ObjectsEnv, store: IndexStore) {
    this.#env = env;
    this.#store = store;
  }

  /**
   * Delivers all notices. Throws if an object could not be reached; its notice remains, the others are removed.
   */
  async run(): Promise<void> {
    // One at a time. Later callers wait and then check again for new notices.
    while (this.#delivering !== null) await this.#delivering.catch(() => undefined);
    const entries = this.#store.outbox();
    if (entries.length === 0) return;
    this.#delivering = this.#deliverAll(entries).finally(() => {
      this.#delivering = null;
    });
    await this.#delivering;
  }

  async #deliverAll(entries: readonly OutboxEntry[]): Promise<void> {
    const isLast = (list: readonly OutboxEntry[]): boolean =>
      list.some(({ notice }) => notice.kind === "live" && !notice.live);
    const lists = [...Map.groupBy(entries, ({ notice }) => targetOf(notice)).values()];
    await this.#deliverLists(lists.filter((list) => !isLast(list)));
    await this.#deliverLists(lists.filter(isLast));
  }

  async #deliverLists(lists: readonly (readonly OutboxEntry[])[]): Promise<void> {
    await forAll(lists, async (list) => {
      for (const entry of list) {
        await repeated(() => this.#tell(entry.notice));
        this.#store.arrived(entry.id);
      }
    });
  }

  async #tell(notice: Notice): Promise<void> {
    switch (notice.kind) {
      case "standing":
        return shardStub(this.#env, notice.shard).setStanding(notice.standing);
      case "destroy":
        return shardStub(this.#env, notice.shard).destroy();
      case "live": {
        const indexName = this.#store.state()?.indexName;
        if (indexName !== undefined) await catalogStub(this.#env).setLive(indexName, notice.live);
        return;
      }
      case "settle":
        return sessionStub(this.#env, notice.session).settle(notice.state);
      case "forget":
        return catalogStub(this.#env).forgetSession(notice.session);
    }
  }
}

function targetOf(notice: Notice): string {
  switch (notice.kind) {
    case "standing":
    case "destroy":
      return `shard ${notice.shard}`;
    case "settle":
      return `session ${notice.session}`;
    case "live":
    case "forget":
      return "catalog";
  }
}
