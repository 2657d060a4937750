import { DurableObject } from "cloudflare:workers";

export class ImportSessionObject extends DurableObject<Env> {}
