// Writes test/worker/client/generated.ts: the client that a code generator makes of openapi.json.
//
// It is committed. A change of the interface shows in the review as a change of what its users call, and the type check
// compiles it. `npm run build:client` after a change of the operations; test/tools/openapi.test.ts says when.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { generateSource } from "oazapfts";

const DESCRIPTION = new URL("../src/worker/openapi.ts", import.meta.url);
export const CLIENT_FILE = fileURLToPath(
  new URL("../test/worker/client/generated.ts", import.meta.url),
);

/** openapi.json of a deployment at localhost that exposes everything. */
export async function describedInterface(): Promise<Record<string, unknown>> {
  // By its address: the types of the Worker are not those of Node.
  const { openApiDocument } = (await import(DESCRIPTION.href)) as {
    openApiDocument: (settings: object, origin: string) => Record<string, unknown>;
  };
  return openApiDocument({}, "http://localhost");
}

export async function clientSource(): Promise<string> {
  const described: unknown = await describedInterface();
  const source = await generateSource(described as Parameters<typeof generateSource>[0], {
    useUnknown: true,
  });
  // Where the generator comes from is said by package.json.
  return source.replace(/^ \* See https.*\n/m, "");
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  writeFileSync(CLIENT_FILE, await clientSource());
}
