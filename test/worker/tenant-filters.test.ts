// Filters of a tenant (docs/security.md "Filters of a tenant"), over HTTP, on one shard:
// 1. They hold for search, arranged search, documents, suggestions, facets, corrections and the export of the tenant,
//    by a private field as well; nothing a request says widens them.
// 2. They cannot be walked around by the index's own name: it is for its tenants only, without a mark; a user who is
//    limited to the tenant's name is refused there.
// 3. Where the tenant has the name of its index, a limited user has its export as the tenant only; others have all.
// 4. The next request follows a change, and an update of a document.
// 5. A tenant of several indexes exports what it sees of all; suggestions by its name are of the first.
// 6. What means nothing is refused with its path.
import { beforeAll, describe, test } from "vitest";
import type { SearchResult } from "../../src/interface/index.ts";
import type { Settings } from "../../src/worker/settings.ts";
import { callAs, errorOf, freshName, idsOf, ok, send } from "./support.ts";

const index = freshName("all");
const tenant = freshName("part");
const same = freshName("same");

const SETTINGS: Settings = {
  AUTH_USERS: JSON.stringify({
    admin: { password: "p", roles: ["admin"] },
    tenant: { password: "p", roles: ["read"], names: [tenant] },
    limited: { password: "p", roles: ["admin"], names: [tenant] },
    same: { password: "p", roles: ["read"], names: [same] },
    reader: { password: "p", roles: ["read"] },
  }),
};

const as = callAs(SETTINGS);

async function done(response: Promise<Response>): Promise<void> {
  await (await ok(await response)).text();
}

const configure = (path: string, section: unknown): Promise<void> =>
  done(as("admin", `/admin-api/v1/config/${path}`, send("PUT", section)));

const DOCUMENTS = [
  { id: "one", data: { title: "velvet boot", brand: "Acme", group: "retail", price: 10 } },
  { id: "two", data: { title: "leather boot", brand: "Bolt", group: "retail", price: 20 } },
  { id: "three", data: { title: "suede boot", brand: "Zenith", group: "trade", price: 30 } },
];

async function fill(name: string): Promise<void> {
  await configure(`index/${name}`, {
    "field-configuration": { fields: [{ name: "group", usage: ["Filter"], private: true }] },
  });
  await done(as("admin", `/indexer-api/v1/update/${name}?langCode=en`, send("PUT", DOCUMENTS)));
}

beforeAll(async () => {
  await fill(index);
  await fill(same);
  await configure(`tenant/${tenant}`, { "index-name": index, filters: { group: "retail" } });
  await configure(`tenant/${same}`, { filters: { brand: "!Zenith" } });
});

interface Found {
  readonly ids: readonly string[];
  readonly text: string;
}

async function found(user: string | null, name: string, query = ""): Promise<Found> {
  const response = await as(user, `/search-api/v1/search/${name}?${query}`);
  const text = await response.text();
  if (response.status !== 200) return { ids: [], text };
  return { ids: idsOf(JSON.parse(text) as SearchResult).toSorted(), text };
}

async function exported(user: string, path: string): Promise<string[]> {
  const response = await as(user, `/admin-api/v1/${path}/documents`);
  const lines = new TextDecoder().decode(await response.bytes()).split("\n");
  return lines.filter((line) => line !== "").map((line) => (JSON.parse(line) as { id: string }).id);
}

async function phrases(name: string, typed: string): Promise<string[]> {
  const response = await as(null, `/suggest-api/v1/${name}/suggest?userQuery=${typed}`);
  return ((await response.json()) as { phrase: string }[]).map(({ phrase }) => phrase);
}

describe("a tenant with filters", () => {
  test("1: sees its part, whatever is asked", async ({ expect }) => {
    for (const query of ["", "q=boot", "q=boot&brand=Zenith,Acme,Bolt", "sort=price", "id=three"]) {
      const { ids, text } = await found(null, tenant, query);
      expect(ids, query).toEqual(["one", "two"]);
      expect(text.includes("uede"), query).toBe(false);
      // The private field and its filter are in no answer.
      expect(text.includes("retail"), query).toBe(false);
    }
    for (const query of ["q=suede", "brand=Zenith", "price=30", "group=trade", "q=suedee"]) {
      const { ids } = await found(null, tenant, query);
      expect(ids.includes("three"), query).toBe(false);
    }
    const traced = await found(null, tenant, "q=boot&trace=Explain");
    expect(traced.text).not.toMatch(/enith|retail|trade/);
    const arranged = await as(
      null,
      `/search-api/v1/search/arranged/${tenant}`,
      send("POST", {
        q: "boot",
        arrangedProductSets: [{ type: "static", name: "set", ids: ["three", "one"] }],
        filters: { group: "trade" },
      }),
    );
    expect(arranged.status).toBe(200);
    expect(await arranged.text()).not.toContain('"three"');
    const document = async (name: string, id: string): Promise<number> => {
      const response = await as(null, `/search-api/v1/doc/${name}/${id}`);
      await response.arrayBuffer();
      return response.status;
    };
    expect(await document(tenant, "one")).toBe(200);
    expect(await document(tenant, "three")).toBe(404);
    expect(await phrases(tenant, "boo")).not.toEqual([]);
    for (const typed of ["sue", "zen", "boo"]) {
      expect((await phrases(tenant, typed)).filter((one) => /suede|zenith/i.test(one))).toEqual([]);
    }
    expect((await exported("tenant", `tenants/${tenant}`)).toSorted()).toEqual(["one", "two"]);
  });

  test("2: the index's own name is no way around", async ({ expect }) => {
    for (const user of [null, "tenant"]) {
      for (const path of [`/search-api/v1/search/${index}?q=boot`, `/search-api/v1/doc/${index}/three`]) {
        expect((await errorOf(await as(user, path))).type).toBe("index_not_found");
      }
      expect(await phrases(index, "sue")).toEqual([]);
      const tenants: string[] = await (await as(user, "/search-api/v1/tenants")).json();
      expect(tenants).toContain(tenant);
      expect(tenants).not.toContain(index);
    }
    for (const path of [`indexes/${index}`, `indexes/${index}/documents`, `tenants/${index}/documents`]) {
      expect((await errorOf(await as("tenant", `/admin-api/v1/${path}`))).type).toBe("forbidden");
    }
    // Nor can its own administrator take the filters away.
    const entry = `/admin-api/v1/config/tenant/${tenant}`;
    for (const init of [{ method: "DELETE" }, send("PUT", { "index-name": tenant })]) {
      expect((await errorOf(await as("limited", entry, init))).type).toBe("forbidden");
    }
    // Said explicitly, the index is open.
    await configure(`index/${index}`, { "index-settings": { "tenants-only": false } });
    expect((await found(null, index)).ids).toHaveLength(3);
    await fill(index);
    expect((await found(null, index)).ids).toEqual([]);
    expect((await found("reader", index)).ids).toHaveLength(3);
  });

  test("3: of the index's own name", async ({ expect }) => {
    expect((await found(null, same)).ids).toEqual(["one", "two"]);
    expect((await found("reader", same)).ids).toEqual(["one", "two"]);
    expect(await phrases(same, "sue")).toEqual([]);
    expect(await phrases(same, "leath")).not.toEqual([]);
    const refused = await errorOf(await as("same", `/admin-api/v1/indexes/${same}/documents`));
    expect(refused.type).toBe("forbidden");
    expect(refused.message).toContain(`/admin-api/v1/tenants/${same}/documents`);
    expect(await exported("same", `tenants/${same}`)).toHaveLength(2);
    expect(await exported("reader", `indexes/${same}`)).toHaveLength(3);
    expect(await exported("admin", `indexes/${same}`)).toHaveLength(3);
  });

  test("4: follows its configuration and updates", async ({ expect }) => {
    const name = freshName("follows");
    await fill(name);
    const own = freshName("follows-part");
    await configure(`tenant/${own}`, { "index-name": name, filters: { price: "20," } });
    expect((await found(null, own)).ids).toEqual(["three", "two"]);
    await configure(`tenant/${own}`, { "index-name": name, filters: { price: ",20" } });
    expect((await found(null, own)).ids).toEqual(["one", "two"]);
    const patch = send("PATCH", [{ id: "two", data: { price: 99 } }]);
    await done(as("admin", `/indexer-api/v1/update/${name}`, patch));
    expect((await found(null, own)).ids).toEqual(["one"]);
    await configure(`tenant/${own}`, { "index-name": name });
    expect((await found(null, own)).ids).toHaveLength(3);
    expect((await found(null, name)).ids).toHaveLength(3);
  });

  test("5: of several indexes", async ({ expect }) => {
    const [first, second, both] = [freshName("first"), freshName("second"), freshName("both")];
    await fill(first);
    await fill(second);
    const section = { "index-name": `${first},${second}`, filters: { brand: "Zenith" } };
    await configure(`tenant/${both}`, section);
    expect((await found(null, both)).ids).toEqual(["three", "three"]);
    expect(await exported("admin", `tenants/${both}`)).toEqual(["three", "three"]);
    expect(await phrases(both, "sue")).toEqual(["suede boot"]);
    expect(await phrases(both, "vel")).toEqual([]);
  });

  test("6: refusals", async ({ expect }) => {
    for (const [filters, path] of [
      [{ brand: "" }, "filters.brand"],
      [{ brand: "!" }, "filters.brand"],
      [{ brand: "a,!b" }, "filters.brand"],
      [{ brand: ["a"] }, "filters.brand"],
      ["brand:a", "filters"],
    ] as const) {
      const body = send("PUT", { "index-name": index, filters });
      const error = await errorOf(await as("admin", `/admin-api/v1/config/tenant/${tenant}`, body));
      expect(error.type).toBe("invalid_configuration");
      expect(JSON.stringify(error.details)).toContain(`"path":"${path}`);
    }
    expect((await errorOf(await as(null, `/admin-api/v1/tenants/${tenant}/documents`))).code).toBe(401);
    const unknown = await as("admin", `/admin-api/v1/tenants/${freshName("none")}/documents`);
    expect((await errorOf(unknown)).type).toBe("index_not_found");
  });
});
