// Lint rule: imports point downwards only.
//
//   interface  <-  index-engine  <-  objects  <-  worker
//
// A folder may import itself and everything to its left. The two on the left also run in Node and
// in a browser, so they import neither Cloudflare nor Node, and no HTTP framework. Nothing in src/
// imports cli, bench, scripts or test. The playground runs in a browser: it may use interface and
// feeds (their types, see scripts/build-pages.ts), and no packages. The command line and the
// playground use feeds to read files of shops.
//
// Unlike `no-restricted-imports` with patterns, this rule resolves paths, so their spelling does
// not matter, and it checks `import("…")` types. Folders of src/ that are not listed below cannot
// be imported, so a new folder must be added here.
//
// Within a folder with floors (`floors` below) the same applies to its rooms: a room uses itself
// and earlier rooms, and other rooms only through their `index.ts`. Imports from other folders of
// src/ also go through an `index.ts`. `import/no-cycle` forbids cycles, including those of types.
import path from "node:path";
import { fileURLToPath } from "node:url";

const mayUse: Readonly<Record<string, readonly string[]>> = {
  interface: [],
  "index-engine": ["interface"],
  objects: ["interface", "index-engine"],
  worker: ["interface", "index-engine", "objects"],
  feeds: [],
  playground: ["interface", "feeds"],
};

// Lowest first. A path is of the longest room that contains it.
const floors: Readonly<Record<string, readonly string[]>> = {
  "index-engine": [
    "base",
    "analysis",
    "segment/model",
    "segment/format",
    "segment/strings",
    "segment/columns",
    "segment/postings",
    "segment/facet-values",
    "segment/stored",
    "segment/positions",
    "segment/dictionary",
    "segment",
    "index/doc-values",
    "index",
    "documents",
    "query/filter",
    "query/user-query",
    "query/rules",
    "query/expansion",
    "query/rank",
    "query/variants",
    "query",
    "answer/links",
    "answer/facets",
    "answer/highlight",
    "answer/render",
    "answer/suggest",
    "search.ts",
    "shards",
    "index.ts",
  ],
};

const everywhere = /^(cloudflare:|@cloudflare\/|node:|wrangler$|miniflare$)/;
const closedPackages: Readonly<Record<string, RegExp>> = {
  interface: new RegExp(`${everywhere.source}|^(hono|itty-router)(/|$)`),
  "index-engine": new RegExp(`${everywhere.source}|^(hono|itty-router)(/|$)`),
  feeds: /^(?!(csv-parse|htmlparser2)$)/,
  playground: /^/,
};

const src = fileURLToPath(new URL("../../src/", import.meta.url));

/**
 * Why `file` may not import `specifier`, or undefined if it may.
 *
 * `sourceRoot` is the folder of the layers; tests use another one.
 */
export function violation(file: string, specifier: string, sourceRoot = src): string | undefined {
  const from = layerOf(file, sourceRoot);
  if (from === undefined) return undefined;
  if (!specifier.startsWith(".") && !specifier.startsWith("/")) {
    return closedPackages[from]?.test(specifier)
      ? `src/${from} runs outside of Cloudflare too and must not import "${specifier}"`
      : undefined;
  }
  const target = path.resolve(path.dirname(file), specifier);
  const to = layerOf(target, sourceRoot);
  if (to === undefined) return `src/ must not import "${specifier}", which is outside of src/`;
  if (to !== from && mayUse[from]?.includes(to) !== true) {
    return `src/${from} must not import from src/${to} (interface <- index-engine <- objects <- worker)`;
  }
  const rooms = floors[to];
  return rooms === undefined ? undefined : violationOfFloors(to, rooms, file, target, sourceRoot);
}

function violationOfFloors(
  folder: string,
  rooms: readonly string[],
  file: string,
  target: string,
  sourceRoot: string,
): string | undefined {
  const root = path.join(sourceRoot, folder);
  const to = roomOf(rooms, path.relative(root, target));
  if (to === undefined) return `${path.relative(root, target)} is in no room of src/${folder}`;
  if (layerOf(file, sourceRoot) === folder) {
    const from = roomOf(rooms, path.relative(root, file));
    if (from === undefined) return `${path.relative(root, file)} is in no room of src/${folder}`;
    if (from === to) return undefined;
    if (rooms.indexOf(to) > rooms.indexOf(from)) {
      return `src/${folder}/${from} must not import from ${to}, which stands above it`;
    }
  }
  if (to.endsWith(".ts") || target === path.join(root, to, "index.ts")) return undefined;
  return `"${path.relative(root, target)}" is inside of a room: import from src/${folder}/${to}/index.ts`;
}

function roomOf(rooms: readonly string[], relative: string): string | undefined {
  let found: string | undefined;
  for (const room of rooms) {
    const isInside = relative === room || relative.startsWith(`${room}/`);
    if (isInside && room.length > (found?.length ?? 0)) found = room;
  }
  return found;
}

function layerOf(file: string, sourceRoot: string): string | undefined {
  const relative = path.relative(sourceRoot, file);
  if (relative.startsWith("..") || path.isAbsolute(relative)) return undefined;
  return relative.split(path.sep)[0];
}

// The used part of an ESTree node; `source` is a string literal in every kind of import and
// re-export.
type ImportNode = { source?: { value?: unknown } | null };
type Context = {
  filename: string;
  report(problem: { node: ImportNode; message: string }): void;
};

export default {
  meta: { name: "aisle" },
  rules: {
    layers: {
      create(context: Context) {
        const check = (node: ImportNode): void => {
          const specifier = node.source?.value;
          if (typeof specifier !== "string") return;
          const message = violation(context.filename, specifier);
          if (message !== undefined) context.report({ node, message });
        };
        return {
          ImportDeclaration: check,
          ExportNamedDeclaration: check,
          ExportAllDeclaration: check,
          ImportExpression: check,
          TSImportType: check,
        };
      },
    },
  },
};
