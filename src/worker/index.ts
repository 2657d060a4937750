// Placeholder of the Worker: enough for `wrangler dev`, the tests and the build to run.
export { CatalogObject } from "../objects/catalog-object.ts";
export { ImportSessionObject } from "../objects/import-session-object.ts";
export { IndexObject } from "../objects/index-object.ts";
export { ShardObject } from "../objects/shard-object.ts";

export default {
  fetch(request: Request): Response {
    const { pathname } = new URL(request.url);
    if (pathname === "/health") return Response.json({ status: "ok" });
    return Response.json({ message: "not found", code: 404 }, { status: 404 });
  },
} satisfies ExportedHandler<Env>;
