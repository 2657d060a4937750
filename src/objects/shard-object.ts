import { DurableObject } from "cloudflare:workers";

export class ShardObject extends DurableObject<Env> {}
