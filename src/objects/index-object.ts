import { DurableObject } from "cloudflare:workers";

export class IndexObject extends DurableObject<Env> {}
