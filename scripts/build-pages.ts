// Builds the Worker's static assets: the playground, the demo shop, and the script of the reference
// page.
//
//   src/playground/page.ts, docs.ts, style/*.css, index.html, icon.svg  ->  build/assets/playground/
//   packages/shop                                               ->  shop.html, shop.js, shop.css, the demo shop
//   cli/sample-catalogue                                               ->  sample.js, loaded when the sample is requested
//   src/feeds                                                          ->  feeds.js, loaded for an import
//
// Wrangler runs it before it bundles (wrangler.toml, [build]), vitest.config.ts before the tests;
// both take a tenth of a second. Unchanged files are not written, so file watchers only see
// changes.
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type BuildOptions, type BuildResult } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const source = path.join(root, "src/playground");

/** Folder of the assets; the Worker finds it under the binding ASSETS. */
export const ASSETS = path.join(root, "build/assets");
const target = path.join(ASSETS, "playground");

/** Files that are served unchanged, by name. */
const COPIED = {
  "index.html": "src/playground/index.html",
  "icon.svg": "src/playground/icon.svg",
  "shop.html": "packages/shop/index.html",
} as const;

const shared = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  minify: true,
  format: "esm",
  target: "es2024",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  outdir: target,
} satisfies BuildOptions;

const pages: BuildOptions = {
  ...shared,
  entryPoints: ["page.ts", "docs.ts", "style/page.css", "style/docs.css"].map((file) => ({
    in: path.join(source, file),
    out: path.basename(file, path.extname(file)),
  })),
};

const shop: BuildOptions = {
  ...shared,
  entryPoints: ["packages/shop/shop.ts", "packages/shop/shop.css"],
  define: { "process.env.NODE_ENV": '"production"' },
  // Keep the license notice of InstantSearch.
  legalComments: "eof",
};

// Only the documents, because other exports of the catalogue need Node.
const sample: BuildOptions = {
  ...shared,
  stdin: {
    contents: `export { SAMPLE_INDEXES, SAMPLE_LANGUAGES, sampleCatalogue } from "./cli/sample-catalogue/index.ts";`,
    resolveDir: root,
    sourcefile: "sample.ts",
  },
  entryNames: "sample",
};

const nodeInBrowser = path.join(root, "src/feeds/node-in-browser.ts");

// What the page needs of the readers (FeedModule). csv-parse uses `stream` and `Buffer` of Node.
const feeds: BuildOptions = {
  ...shared,
  stdin: {
    contents: `export { openFeed } from "./src/feeds/index.ts";`,
    resolveDir: root,
    sourcefile: "feeds.ts",
  },
  entryNames: "feeds",
  alias: { stream: nodeInBrowser },
  inject: [nodeInBrowser],
};

/** Maximum compressed bytes per script; larger scripts delay every visitor. */
const MOST_BYTES: Readonly<Record<string, number>> = {
  "page.js": 30_000,
  "page.css": 10_000,
  "shop.js": 130_000,
  "feeds.js": 58_000,
};

export async function buildPages(): Promise<void> {
  const [built, ...others] = await Promise.all([pages, shop, sample, feeds].map(build));
  if (built === undefined) throw new Error("nothing was built");
  refuseStrangers(built);
  const files = new Map<string, Uint8Array>();
  const outputs = [built, ...others].flatMap(outputsOf);
  for (const { path: file, contents } of outputs) {
    const name = path.basename(file);
    const most = MOST_BYTES[name] ?? Infinity;
    const bytes = gzipSync(contents).length;
    if (bytes > most) throw new Error(`${name} has ${bytes} bytes compressed, more than ${most}`);
    files.set(name, contents);
  }
  for (const [file, from] of Object.entries(COPIED)) {
    files.set(file, await readFile(path.join(root, from)));
  }
  await mkdir(target, { recursive: true });
  await Promise.all([...files].map(([file, contents]) => writeChanged(file, contents)));
  for (const file of await readdir(target)) {
    if (!files.has(file)) await rm(path.join(target, file), { recursive: true });
  }
}

function outputsOf({ outputFiles }: BuildResult): NonNullable<BuildResult["outputFiles"]> {
  return outputFiles ?? [];
}

/**
 * The page may only use types of src/interface, because its code would add all of zod to the page.
 */
function refuseStrangers({ metafile }: BuildResult): void {
  const strangers = Object.keys(metafile?.inputs ?? {}).filter((file) => !file.startsWith("src/playground/"));
  if (strangers.length > 0) throw new Error(`must not be in the page: ${strangers.join(", ")}`);
}

/** Writes atomically, because a test run and `npm run dev` may build at the same time. */
async function writeChanged(file: string, contents: Uint8Array): Promise<void> {
  const to = path.join(target, file);
  const before = await readFile(to).catch(() => null);
  if (before?.equals(contents) === true) return;
  const temporary = path.join(ASSETS, `.${file}.${process.pid}`);
  await writeFile(temporary, contents);
  await rename(temporary, to);
}

if (import.meta.main) await buildPages();
