/**
 * What is published of packages/:
 * 1. @aisle/client has less than 5,000 bytes compressed, and imports nothing;
 * 2. @aisle/instantsearch imports @aisle/client only;
 * 3. both are loaded and run as they are.
 */
import { gzipSync } from "node:zlib";
import { describe, test } from "vitest";
import { bundlePackage, PACKAGES } from "../../scripts/build-packages.ts";

const CLIENT_BYTES = 5_000;

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const importsOf = (code: string): string[] =>
  [...code.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name = ""]) => name);

describe("packages", () => {
  test("1: the client is small and alone", async ({ expect }) => {
    const code = await bundlePackage("client");
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(CLIENT_BYTES);
    expect(importsOf(textOf(code))).toEqual([]);
  });

  test("2: the adapter needs the client", async ({ expect }) => {
    const code = textOf(await bundlePackage("instantsearch"));
    expect(importsOf(code)).toEqual(["@aisle/client"]);
  });

  test("3: both run", async ({ expect }) => {
    const [client, adapter] = await Promise.all(PACKAGES.map((name) => bundlePackage(name)));
    const address = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
    const clientAddress = address(textOf(client ?? new Uint8Array()));
    const { AisleClient } = (await import(clientAddress)) as Record<string, unknown>;
    expect(AisleClient).toBeTypeOf("function");
    const code = textOf(adapter ?? new Uint8Array()).replace("@aisle/client", clientAddress);
    const { aisleSearchClient } = (await import(address(code))) as {
      aisleSearchClient: (options: { url: string }) => Record<string, unknown>;
    };
    expect(aisleSearchClient({ url: "http://localhost" }).search).toBeTypeOf("function");
  });
});
