// A page of this folder as one script, for a browser.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export async function bundled(fileName: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(fileName, import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "warning",
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("the page came to nothing");
  return file.text;
}
