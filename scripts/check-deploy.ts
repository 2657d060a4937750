// Checks a deployment without deploying: `wrangler deploy --dry-run --outfile` writes the upload
// form, and this script reads the bindings and code from it.
//
// - The upload has no variable of .dev.vars, neither from that file nor from `[vars]` in
//   wrangler.toml: ENVIRONMENT=development allows everyone to index.
// - It has the objects, the bucket and the assets.
// - The code is small and starts fast, because the first request of each isolate waits for it.
// - The code does not have zod's messages in fifty languages, half a megabyte that `import { z }
//   from "zod"` would add.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { gzipSync } from "node:zlib";

type Binding = { name: string; type: string };

const required: readonly Binding[] = [
  { name: "INDEX", type: "durable_object_namespace" },
  { name: "SHARD", type: "durable_object_namespace" },
  { name: "SESSION", type: "durable_object_namespace" },
  { name: "CATALOG", type: "durable_object_namespace" },
  { name: "SNAPSHOTS", type: "r2_bucket" },
  { name: "ASSETS", type: "assets" },
];

/** Maximum compressed code size; the platform's free plan allows 3 MB. */
const MOST_CODE_BYTES = 640_000;
/** Maximum start-up time on a shared machine; the platform aborts after 1,000 ms. */
const MOST_STARTUP_MS = 400;
const STARTUP_ATTEMPTS = 3;

/** Problems with the bindings of an upload, given the text of .dev.vars. */
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

/** Files in an upload that the bundle must not contain. esbuild names each file above its code. */
export function ballast(upload: Buffer): string[] {
  if (!upload.includes("// node_modules/zod/")) {
    return ["the bundle does not name its files, so its contents cannot be checked"];
  }
  return upload.includes("// node_modules/zod/v4/locales/de.js")
    ? [`zod's languages are in the bundle: somewhere it is not imported as \`import * as z\``]
    : [];
}

/** Parses the form of `wrangler deploy --outfile`. */
async function formOf(upload: Buffer): Promise<FormData> {
  const boundary = upload.subarray(2, upload.indexOf("\r\n")).toString();
  return new Response(new Uint8Array(upload), {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  }).formData();
}

/** Compressed bytes of the JavaScript in an upload, as the platform counts them. */
export async function codeBytesOf(upload: Buffer): Promise<number> {
  let bytes = 0;
  for (const [, part] of await formOf(upload)) {
    if (typeof part === "string" || !part.type.startsWith("application/javascript")) continue;
    bytes += gzipSync(await part.bytes()).length;
  }
  if (bytes === 0) throw new Error("the upload has no JavaScript");
  return bytes;
}

/** The used part of the V8 profile that Wrangler records. */
interface StartupProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string };
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

/** Start-up time in a profile, without idle time. */
export function startupMsOf({ nodes, samples, timeDeltas }: StartupProfile): number {
  const waiting = new Set(["(idle)", "(program)"]);
  const idle = new Set(nodes.filter(({ callFrame }) => waiting.has(callFrame.functionName)).map(({ id }) => id));
  const busyUs = timeDeltas.reduce((sum, us, at) => (idle.has(samples[at]) ? sum : sum + us), 0);
  return busyUs / 1_000;
}

/** The bindings of an upload form. */
export async function bindingsOf(upload: Buffer): Promise<Binding[]> {
  const form = await formOf(upload);
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
    const wrangler = (...command: string[]): void => {
      const { status } = spawnSync(process.execPath, [launcher, ...command], {
        cwd: root,
        stdio: ["ignore", "ignore", "inherit"],
      });
      if (status !== 0) throw new Error(`wrangler ${command[0]} ended with ${status}`);
    };
    wrangler("deploy", "--dry-run", "--outfile", outfile, ...process.argv.slice(2));
    const upload = readFileSync(outfile);
    const bindings = await bindingsOf(upload);
    const devVars = readFileSync(path.join(root, ".dev.vars"), "utf8");
    const found = [...problems(bindings, devVars), ...ballast(upload)];
    const codeBytes = await codeBytesOf(upload);
    if (codeBytes > MOST_CODE_BYTES) {
      found.push(`the code has ${codeBytes} bytes compressed, more than ${MOST_CODE_BYTES}`);
    }
    // The profile measures wall time, and other processes may use the core.
    let startupMs = Infinity;
    for (let i = 0; i < STARTUP_ATTEMPTS && startupMs > MOST_STARTUP_MS; i++) {
      const profile = path.join(folder, "startup.cpuprofile");
      wrangler("check", "startup", "--worker", outfile, "--outfile", profile);
      const taken = JSON.parse(readFileSync(profile, "utf8")) as StartupProfile;
      startupMs = Math.min(startupMs, startupMsOf(taken));
    }
    if (startupMs > MOST_STARTUP_MS) {
      found.push(`the Worker starts in ${startupMs.toFixed(0)} ms, more than ${MOST_STARTUP_MS}`);
    }
    for (const problem of found) console.error(`check-deploy: ${problem}`);
    console.log(`check-deploy: a deployment gets ${bindings.map(({ name }) => name).join(", ")}`);
    console.log(
      `check-deploy: ${codeBytes} bytes of code compressed (at most ${MOST_CODE_BYTES}), ` +
        `starts in ${startupMs.toFixed(0)} ms (at most ${MOST_STARTUP_MS})`,
    );
    process.exitCode = found.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
