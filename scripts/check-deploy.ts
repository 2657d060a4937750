// Proves what a deployed Worker would be given, without deploying it: `wrangler deploy --dry-run --outfile` writes the
// very form it would upload, and this reads the bindings from it.
//
// - No variable of .dev.vars is among them. ENVIRONMENT=development opens the indexer to everybody, so a deployment must
//   not have it; neither by .dev.vars, nor by a `[vars]` somebody adds to wrangler.toml.
// - The objects, the bucket and the assets are.
// - zod's messages in fifty languages are not in the code: `import { z } from "zod"` would bring them, half a megabyte.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";

type Binding = { name: string; type: string };

const required: readonly Binding[] = [
  { name: "INDEX", type: "durable_object_namespace" },
  { name: "SHARD", type: "durable_object_namespace" },
  { name: "SESSION", type: "durable_object_namespace" },
  { name: "CATALOG", type: "durable_object_namespace" },
  { name: "SNAPSHOTS", type: "r2_bucket" },
  { name: "ASSETS", type: "assets" },
];

/** What is wrong with the bindings of an upload, given the text of .dev.vars. */
export function problems(bindings: readonly Binding[], devVars: string): string[] {
  const localOnly = new Set(["ENVIRONMENT", ...Object.keys(parseEnv(devVars))]);
  const found: string[] = [];
  for (const { name } of bindings) {
    if (localOnly.has(name)) found.push(`${name} is local only, but would be deployed`);
  }
  for (const { name, type } of required) {
    if (!bindings.some((binding) => binding.name === name && binding.type === type)) {
      found.push(`binding ${name} (${type}) is missing`);
    }
  }
  return found;
}

/** What is in an upload that should have been left out of the bundle. esbuild names each file above its code. */
export function ballast(upload: Buffer): string[] {
  if (!upload.includes("// node_modules/zod/")) {
    return ["the bundle does not name its files, so nobody can see what is in it"];
  }
  return upload.includes("// node_modules/zod/v4/locales/de.js")
    ? [`zod's languages are in the bundle: somewhere it is not imported as \`import * as z\``]
    : [];
}

/** The bindings in the form `wrangler deploy --outfile` wrote. */
export async function bindingsOf(upload: Buffer): Promise<Binding[]> {
  const boundary = upload.subarray(2, upload.indexOf("\r\n")).toString();
  const form = await new Response(new Uint8Array(upload), {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  }).formData();
  const metadata = form.get("metadata");
  if (typeof metadata !== "string") throw new Error("the upload has no metadata");
  const { bindings } = JSON.parse(metadata) as { bindings?: Binding[] };
  if (!Array.isArray(bindings)) throw new Error("the metadata of the upload has no bindings");
  return bindings;
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const folder = mkdtempSync(path.join(tmpdir(), "aisle-check-deploy-"));
  try {
    const outfile = path.join(folder, "upload.bin");
    const launcher = path.join(root, "scripts/wrangler.ts");
    const { status } = spawnSync(
      process.execPath,
      [launcher, "deploy", "--dry-run", "--outfile", outfile, ...process.argv.slice(2)],
      { cwd: root, stdio: ["ignore", "ignore", "inherit"] },
    );
    if (status !== 0) throw new Error(`wrangler deploy --dry-run ended with ${status}`);
    const upload = readFileSync(outfile);
    const bindings = await bindingsOf(upload);
    const devVars = readFileSync(path.join(root, ".dev.vars"), "utf8");
    const found = [...problems(bindings, devVars), ...ballast(upload)];
    for (const problem of found) console.error(`check-deploy: ${problem}`);
    console.log(`check-deploy: a deployment gets ${bindings.map(({ name }) => name).join(", ")}`);
    process.exitCode = found.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
