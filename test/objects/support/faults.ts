/**
 * Faults on purpose, for the tests of the objects.
 *
 * What can fail from the outside passes through two doors: calls of R2 and calls of other objects. Both are methods of
 * the platform's own classes, which tests, Worker and objects share in one isolate. So the doors are wrapped here,
 * once, and production code knows nothing of it. A *crossing* is one such call; it belongs to the index whose name it
 * carries (calls to the catalog carry it in their arguments, or belong to whoever is being tested).
 *
 *   await withFaults(indexName, (crossing) => crossing.ordinal === 3 ? "fail" : null, () => done(session));
 *
 *   fault       R2                                             another object
 *   fail        throws, nothing is carried out                 the same
 *   lost        carried out, then throws                       the same: the answer is lost
 *   torn        put: stores half, answers as if it were all    -
 *   missing     get, head: null                                -
 *   short       get: half of the bytes                         -
 *   corrupt     get: one bit is wrong                          -
 *   {before}, {after}, {during}: something else happens then, such as `abort` of an object
 */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

export interface Crossing {
  readonly kind: "r2" | "rpc";
  /** `put`, `get`, ...; `open`, `commit`, ... */
  readonly what: string;
  /** Key, prefix or name of the object. */
  readonly on: string;
  /** Counted from 0, per `withFaults`. */
  readonly ordinal: number;
}

type Happening = () => Promise<void>;
export type Fault =
  | "fail"
  | "lost"
  | "torn"
  | "missing"
  | "short"
  | "corrupt"
  | { readonly before: Happening }
  | { readonly during: Happening }
  | { readonly after: Happening };

export type Plan = (crossing: Crossing) => Fault | null;

/** These calls fail. */
export function failing(...whats: readonly string[]): Plan {
  return ({ what }) => (whats.includes(what) ? "fail" : null);
}

/** The first of these calls meets the fault; whether there was one is told by `met`. */
export function once(isIt: (crossing: Crossing) => boolean, fault: Fault): Plan & { readonly met: () => boolean } {
  let isMet = false;
  const plan: Plan = (crossing) => {
    if (isMet || !isIt(crossing)) return null;
    isMet = true;
    return fault;
  };
  return Object.assign(plan, { met: () => isMet });
}

interface Active {
  readonly plan: Plan;
  readonly crossings: Crossing[];
  /** Objects in R2 look as if they had been there for ever. */
  readonly aged: boolean;
}

/**
 * By index name. Global, because the modules of test files may be loaded once per file and the doors are wrapped once.
 */
const shared = globalThis as { aisleFaults?: Map<string, Active> };

function active(): Map<string, Active> {
  if (shared.aisleFaults === undefined) {
    shared.aisleFaults = new Map();
    wrapBucket();
    wrapNamespaces();
  }
  return shared.aisleFaults;
}

/** Runs `body` under a plan; answers what passed. Faults go on for background work until `body` has ended. */
export async function withFaults<T>(
  indexName: string,
  plan: Plan,
  body: () => Promise<T>,
): Promise<{ readonly result: T; readonly crossings: readonly Crossing[] }> {
  return under(indexName, { plan, crossings: [], aged: false }, body);
}

/** The same without faults. */
export function observed<T>(
  indexName: string,
  body: () => Promise<T>,
): Promise<{ readonly result: T; readonly crossings: readonly Crossing[] }> {
  return withFaults(indexName, () => null, body);
}

/** Runs `body` while every object of the index in R2 is older than any grace period. */
export async function withAgedObjects<T>(indexName: string, body: () => Promise<T>): Promise<T> {
  return (await under(indexName, { plan: () => null, crossings: [], aged: true }, body)).result;
}

async function under<T>(
  indexName: string,
  entry: Active,
  body: () => Promise<T>,
): Promise<{ readonly result: T; readonly crossings: readonly Crossing[] }> {
  const all = active();
  if (all.has(indexName)) throw new Error(`${indexName} has a plan already`);
  all.set(indexName, entry);
  try {
    return { result: await body(), crossings: entry.crossings };
  } finally {
    all.delete(indexName);
  }
}

// ---- which plan a call belongs to

function planFor(text: string): Active | null {
  for (const [indexName, entry] of shared.aisleFaults ?? []) {
    if (text.includes(indexName)) return entry;
  }
  return null;
}

function enter(kind: Crossing["kind"], what: string, on: string, entry: Active): Fault | null {
  const crossing = { kind, what, on, ordinal: entry.crossings.length };
  entry.crossings.push(crossing);
  return entry.plan(crossing);
}

class InjectedFault extends Error {}

/** Carries a call out as the fault has it. What only R2 can suffer is not handled here. */
async function carryOut<T>(fault: Fault, what: string, call: () => Promise<T>): Promise<T> {
  if (typeof fault === "string") {
    if (fault === "lost") await call();
    throw new InjectedFault(`injected: ${what} ${fault}`);
  }
  if ("before" in fault) {
    await fault.before();
    return call();
  }
  if ("during" in fault) {
    const [result] = await Promise.allSettled([call(), fault.during()]);
    if (result.status === "rejected") throw result.reason;
    return result.value;
  }
  const result = await call();
  await fault.after();
  return result;
}

// ---- R2

type Method = (this: object, ...args: unknown[]) => Promise<unknown>;
type Methods = Record<string, Method>;

function wrapBucket(): void {
  const methods = Object.getPrototypeOf(env.SNAPSHOTS) as Methods;
  for (const what of ["put", "get", "head", "list", "delete"]) {
    const original = methods[what] as Method;
    methods[what] = async function (...args) {
      const [first] = args;
      const on =
        typeof first === "string"
          ? first
          : Array.isArray(first)
            ? first.join(" ")
            : ((first as { prefix?: string } | undefined)?.prefix ?? "");
      const entry = planFor(on);
      if (entry === null) return original.apply(this, args);
      const call = (): Promise<unknown> => original.apply(this, args);
      const fault = enter("r2", what, on, entry);
      if (what === "list" && entry.aged) return aged((await call()) as R2Objects);
      if (fault === null) return call();
      if (fault === "torn") {
        const bytes = await bytesOf(args[1] as Uint8Array | ReadableStream);
        const half = bytes.slice(0, bytes.byteLength >>> 1);
        const stored = (await original.call(this, on, half)) as R2Object;
        return { key: on, size: bytes.byteLength, etag: stored.etag };
      }
      if (fault === "missing") return null;
      if (fault === "short" || fault === "corrupt") {
        const body = (await call()) as R2ObjectBody | null;
        if (body === null) return null;
        const bytes = new Uint8Array(await body.arrayBuffer());
        if (fault === "corrupt") bytes[bytes.length >>> 1] ^= 1;
        const given = fault === "short" ? bytes.slice(0, bytes.length >>> 1) : bytes;
        return { key: on, size: given.byteLength, arrayBuffer: async () => given.buffer };
      }
      return carryOut(fault, `${what} ${on}`, call);
    };
  }
}

async function bytesOf(body: Uint8Array | ReadableStream): Promise<Uint8Array> {
  return body instanceof Uint8Array ? body : new Response(body).bytes();
}

function aged(page: R2Objects): object {
  const objects = page.objects.map(({ key, size, checksums }) => ({ key, size, checksums, uploaded: new Date(0) }));
  return { ...page, truncated: page.truncated, objects };
}

/** The faults a crossing can suffer without anything else happening. */
export function faultsOf({ kind, what }: Crossing): readonly Fault[] {
  if (kind === "rpc") return ["fail", "lost"];
  switch (what) {
    case "put":
      return ["fail", "lost", "torn"];
    case "get":
      return ["fail", "missing", "short", "corrupt"];
    case "head":
      return ["fail", "missing"];
    default:
      return ["fail", "lost"];
  }
}

// ---- other objects

export type Binding = "INDEX" | "SHARD" | "SESSION" | "CATALOG";

/** The platform's own, unwrapped: what tests do to objects is no crossing. */
let plainStub: (binding: Binding, name: string) => DurableObjectStub = (binding, name) => env[binding].getByName(name);

/** One class for all four namespaces. */
function wrapNamespaces(): void {
  const prototype = Object.getPrototypeOf(env.INDEX) as { getByName: DurableObjectNamespace["getByName"] };
  const original = prototype.getByName;
  plainStub = (of, name) => original.call(env[of] as DurableObjectNamespace, name);
  prototype.getByName = function (this: DurableObjectNamespace, name, options) {
    const stub = original.call(this, name, options);
    if (shared.aisleFaults === undefined || shared.aisleFaults.size === 0) return stub;
    return watched(stub, name);
  };
}

function watched(stub: DurableObjectStub, name: string): DurableObjectStub {
  return new Proxy(stub, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof property !== "string" || typeof member !== "function") return member;
      if (["fetch", "connect", "constructor", "then"].includes(property)) {
        return property === "fetch" ? target.fetch.bind(target) : member;
      }
      return async (...args: unknown[]): Promise<unknown> => {
        const call = (): Promise<unknown> => (target as unknown as Methods)[property]?.(...args) as Promise<unknown>;
        const entry = planFor(name === "catalog" ? textOf(args) : name);
        if (entry === null) return call();
        const fault = enter("rpc", property, name, entry);
        return fault === null ? call() : carryOut(fault, `${property} of ${name}`, call);
      };
    },
  });
}

function textOf(args: readonly unknown[]): string {
  return JSON.stringify(args) ?? "";
}

/** What ends an incarnation without warning: its calls fail, its memory is gone, what was committed stays. */
export async function abort(binding: Binding, name: string): Promise<void> {
  active();
  await runInDurableObject(plainStub(binding, name), (_, state) => {
    state.abort("injected: abort");
  }).catch(() => undefined);
}

/** Runs `body` with the storage of an object; also below a plan. */
export async function inside<T>(
  binding: Binding,
  name: string,
  body: (storage: DurableObjectStorage) => T | Promise<T>,
): Promise<T> {
  active();
  return runInDurableObject(plainStub(binding, name), (_, state) => body(state.storage));
}

/** The alarm, now, if one is set. Not retried by anyone, as after the platform has given up. */
export async function runAlarm(binding: Binding, name: string): Promise<boolean> {
  active();
  return runDurableObjectAlarm(plainStub(binding, name));
}

export async function evict(binding: Binding, name: string): Promise<void> {
  // Only what runs can be evicted; whether it does depends on what was tested before.
  await inside(binding, name, () => undefined);
  await evictDurableObject(plainStub(binding, name));
}
