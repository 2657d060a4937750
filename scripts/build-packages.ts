// Builds the published packages, each into its own `dist`: one minified module and its types.
//
//   packages/client         ->  dist/index.js, *.d.ts      @aisle/client, without dependencies
//   packages/instantsearch  ->  dist/index.js, *.d.ts      @aisle/instantsearch, which imports @aisle/client
//
// In the repository they import each other by path; the built modules import the package by name.
import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));

export const PACKAGES = ["client", "instantsearch"] as const;
export type PackageName = (typeof PACKAGES)[number];

const CLIENT = /(["'])(?:\.\.\/)+client\/src\/index\.ts\1/g;

const clientByName: Plugin = {
  name: "client by name",
  setup: (bundler) => {
    bundler.onResolve({ filter: /^\.\.\/.*client\/src\/index\.ts$/ }, () => ({
      path: "@aisle/client",
      external: true,
    }));
  },
};

/** Bundles a package as published. */
export async function bundlePackage(name: PackageName): Promise<Uint8Array> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [`packages/${name}/src/index.ts`],
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    // Node 20, and browsers since 2023.
    target: "es2022",
    charset: "utf8",
    outfile: "index.js",
    logLevel: "warning",
    plugins: [clientByName],
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`packages/${name} produced no file`);
  return file.contents;
}

async function buildPackages(): Promise<void> {
  const types = await mkdtemp(path.join(tmpdir(), "aisle-packages-"));
  try {
    const tsc = path.join(root, "node_modules/.bin/tsc");
    const emitted = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly"];
    const { status } = spawnSync(tsc, ["-p", "packages", ...emitted, "--rootDir", root, "--outDir", types], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
    });
    if (status !== 0) throw new Error("the types could not be written");
    for (const name of PACKAGES) {
      const dist = path.join(root, "packages", name, "dist");
      await rm(dist, { recursive: true, force: true });
      await cp(path.join(types, "packages", name, "src"), dist, { recursive: true });
      for (const file of await readdir(dist)) {
        const text = await readFile(path.join(dist, file), "utf8");
        const named = text.replaceAll(CLIENT, `"@aisle/client"`).replaceAll(/\.ts(["'])/g, ".js$1");
        await writeFile(path.join(dist, file), named);
      }
      await writeFile(path.join(dist, "index.js"), await bundlePackage(name));
    }
  } finally {
    await rm(types, { recursive: true });
  }
}

if (import.meta.main) await buildPackages();
