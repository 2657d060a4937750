// Writes build/client/generated.ts, a client generated from openapi.json. The type check compiles
// it and test/worker/client runs it; both generate it first.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { generateSource } from "oazapfts";

const DESCRIPTION = new URL("../src/worker/openapi.ts", import.meta.url);
const CLIENT_FILE = fileURLToPath(new URL("../build/client/generated.ts", import.meta.url));

/** openapi.json of a deployment at localhost that exposes everything. */
export async function describedInterface(): Promise<Record<string, unknown>> {
  // Imported by URL, because Worker types differ from Node's.
  const { openApiDocument } = (await import(DESCRIPTION.href)) as {
    openApiDocument: (settings: object, origin: string) => Record<string, unknown>;
  };
  return openApiDocument({}, "http://localhost");
}

export async function buildClient(): Promise<void> {
  const described: unknown = await describedInterface();
  const source = await generateSource(described as Parameters<typeof generateSource>[0], {
    useUnknown: true,
  });
  mkdirSync(path.dirname(CLIENT_FILE), { recursive: true });
  writeFileSync(CLIENT_FILE, source);
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await buildClient();
}
