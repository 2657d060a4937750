/** The Worker's entry: the four Durable Object classes and the HTTP surface. */
import { createApp } from "./app.ts";
import type { WorkerEnv } from "./settings.ts";

export { CatalogObject, ImportSessionObject, IndexObject, ShardObject } from "../objects/index.ts";

const app = createApp();

export default {
  fetch(request: Request, env: WorkerEnv, context: ExecutionContext): Response | Promise<Response> {
    return app.fetch(request, env, context);
  },
} satisfies ExportedHandler<WorkerEnv>;
