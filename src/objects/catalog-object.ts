import { DurableObject } from "cloudflare:workers";

export class CatalogObject extends DurableObject<Env> {}
