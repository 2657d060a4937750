// What any Worker with an object takes: a route, a call, an answer. The bench compares ours with it.
import { DurableObject } from "cloudflare:workers";

export class BareObject extends DurableObject {
  nothing(text) {
    return text;
  }
}

export default {
  async fetch(request, env) {
    const q = new URL(request.url).searchParams.get("q");
    return Response.json(await env.BARE.getByName("bare").nothing(q));
  },
};
