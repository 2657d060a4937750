/**
 * The places of the audit: the same documents in indexes that have become what they are in different ways, so a claim
 * that is asked in both holds over one shard and over several, after an import, updates and a reindex.
 *
 *   first    one shard, one import
 *   second   two shards; half of the documents by the import, one of them changed; the others by updates, each put twice;
 *            one more is put and deleted; then a reindex, which merges
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { forgetIndexes } from "../../objects/support/forgetting.ts";
import { call, freshName } from "../support.ts";
import { CATALOGUES, type ClaimedDocument } from "./catalogues.ts";
import { answered, requested, type CatalogueName, type Place } from "./claim.ts";

const TENANTS = "/admin-api/v1/config/tenant";
const SUGGEST = "/admin-api/v1/config/suggest";
const RULES = "/admin-api/v1/config/rules";

/** Built once for all claims. `close` takes back what it configured. */
export interface OpenPlace extends Place {
  /** Forgets the indexes of the last claim, so that changes of the configuration need not notify them. */
  readonly tidy: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openPlace(shards: 1 | 2): Promise<OpenPlace> {
  const indexes = new Map<CatalogueName, string>();
  // One tenant, configured anew where a claim asks for another one: the document stays small.
  const tenant = freshName("claim");
  let configured = "";
  let isTidy = true;
  const suggesting = new Map<string, string>();
  const rules = new Map<string, Promise<string>>();
  const place: OpenPlace = {
    index: (catalogue) => indexes.get(catalogue) ?? "",
    call,
    fresh: async () => {
      isTidy = false;
      const name = freshName("claimed");
      if (shards === 2) await inTwoShards(name);
      return name;
    },
    tenant: async (catalogue, entry) => {
      if (entry === null) return place.index(catalogue);
      const whole = { "index-name": place.index(catalogue), ...entry };
      if (JSON.stringify(whole) !== configured) {
        await answered(place, `${TENANTS}/${tenant}`, "PUT", whole);
        configured = JSON.stringify(whole);
      }
      return tenant;
    },
    labels: async (settings, queries) => {
      const index = place.index("labels");
      const at = `${SUGGEST}/${index}`;
      for (const [path, own] of [
        [at, settings],
        [`${at}/queries`, queries],
      ] as const) {
        const body = JSON.stringify(own ?? {});
        if ((suggesting.get(path) ?? "{}") === body) continue;
        await answered(place, path, "PUT", own ?? {});
        suggesting.set(path, body);
      }
      return index;
    },
    rules: (text) => {
      const known = rules.get(text) ?? ruled(place, text);
      rules.set(text, known);
      return known;
    },
    tidy: async () => {
      if (isTidy) return;
      await forgetIndexes([...indexes.values()]);
      isTidy = true;
    },
    close: async () => {
      await requested(place, `${TENANTS}/${tenant}`, "DELETE");
      for (const path of suggesting.keys()) await requested(place, path, "DELETE");
      for (const name of await Promise.all(rules.values())) {
        await requested(place, `${RULES}/${name}`, "DELETE");
      }
      for (const index of indexes.values()) {
        await requested(place, `/admin-api/v1/config/index/${index}`, "DELETE");
      }
    },
  };
  for (const [catalogue, { documents, indexEntry }] of Object.entries(CATALOGUES)) {
    const name = await place.fresh();
    indexes.set(catalogue as CatalogueName, name);
    if (indexEntry !== null) {
      await answered(place, `/admin-api/v1/config/index/${name}`, "PUT", indexEntry);
    }
    await (shards === 1 ? imported : updated)(place, name, documents);
  }
  return place;
}

async function ruled(place: Place, text: string): Promise<string> {
  const name = freshName("claim");
  await answered(place, `${RULES}/${name}`, "PUT", text);
  return name;
}

async function imported(place: Place, name: string, documents: readonly ClaimedDocument[]): Promise<void> {
  const session = await answered(place, `/indexer-api/v1/full/start/${name}?locale=en`);
  await answered(place, "/indexer-api/v1/full/add", "POST", { session, documents });
  await answered(place, "/indexer-api/v1/full/done", "POST", session);
}

async function updated(place: Place, name: string, documents: readonly ClaimedDocument[]): Promise<void> {
  const half = Math.ceil(documents.length / 2);
  const [first, ...others] = documents.slice(0, half);
  const another = ({ id, data }: ClaimedDocument): ClaimedDocument => ({ id, data: { ...data, title: "another" } });
  await imported(place, name, [another(first), ...others]);
  const update = `/indexer-api/v1/update/${name}`;
  const rest = [...documents.slice(half), first];
  const gone = { id: "gone", data: { title: "gone", brand: "Gone", price: 1e6 } };
  await answered(place, update, "PUT", [...rest.map(another), gone]);
  await answered(place, update, "PUT", rest);
  await answered(place, `${update}?id=gone`, "DELETE");
  await answered(place, `/admin-api/v1/indexes/${name}/reindex`, "POST");
}

function inTwoShards(name: string): Promise<void> {
  return runInDurableObject(env.INDEX.getByName(name), (instance) => {
    const object = instance as unknown as { env: object };
    object.env = { ...object.env, SHARDS_MIN: 2 };
  });
}
