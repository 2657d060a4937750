/**
 * Adds a form to every operation of the reference page. The page works without this script.
 *
 * Names and types of parameters come from /openapi.json, so the forms match this deployment. A form
 * is created when it is opened.
 */
import { Client, CallError, type Answer } from "./http/client.ts";
import { Credentials } from "./http/credentials.ts";
import type { DescribedOperation } from "./logic/operation-request.ts";
import { refusedSignIn } from "./http/sign-in.ts";
import { get } from "./logic/requests.ts";
import { make } from "./view/dom.ts";
import { openSignIn } from "./view/sign-in.ts";
import { TryForm } from "./view/try-form.ts";

type Paths = Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;

const client = new Client(new Credentials());

/** Operations whose body contains an import session. */
const SESSION_USERS = ["add", "done", "cancel"] as const;

async function read(path: string): Promise<unknown> {
  try {
    return (await client.expect(get(path), AbortSignal.timeout(30_000))).json;
  } catch (error) {
    // Without tenants, examples use the sample; without openapi.json there are no forms.
    if (error instanceof CallError) return null;
    throw error;
  }
}

function addForms(paths: Paths, tenants: readonly string[]): void {
  const forms = new Map<string, TryForm>();
  const folds = new Map<string, () => TryForm>();
  const onAnswer = (operationId: string, answer: Answer): void => {
    if (operationId !== "startImport" || answer.status !== 200) return;
    for (const user of SESSION_USERS) {
      const form = folds.get(user)?.();
      if (form === undefined) continue;
      const body: unknown = user === "add" ? withSession(form.body, answer.json) : answer.json;
      form.setBody(JSON.stringify(body, null, 2));
    }
  };
  for (const section of document.querySelectorAll<HTMLElement>(".operation")) {
    const { method = "", path = "" } = section.dataset;
    const operation = paths[path]?.[method];
    if (operation === undefined) continue;
    const place = make("div");
    const fold = make("details", { class: "try-fold" }, make("summary", {}, "Try it"), place);
    const open = (): TryForm => {
      const known = forms.get(operation.operationId);
      if (known !== undefined) return known;
      const form = new TryForm({
        method,
        path,
        operation,
        client,
        tenants,
        onAnswer,
        signIn: () =>
          openSignIn(client.credentials, "Please sign in to use this operation.", () => refusedSignIn(client)),
      });
      forms.set(operation.operationId, form);
      place.append(form.element);
      return form;
    };
    folds.set(operation.operationId, open);
    fold.addEventListener("toggle", () => {
      if (fold.open) open();
    });
    section.append(fold);
  }
}

/** The possibly edited bulk, with this session. */
function withSession(body: string, session: unknown): unknown {
  try {
    return { ...(JSON.parse(body) as object), session };
  } catch {
    return { session, documents: [] };
  }
}

const [description, tenants] = await Promise.all([read("/openapi.json"), read("/search-api/v1/tenants")]);
const { paths } = (description ?? {}) as { readonly paths?: Paths };
if (paths !== undefined) addForms(paths, Array.isArray(tenants) ? tenants.map(String) : []);
// The forms have moved the operation that the URL refers to.
if (location.hash !== "") document.querySelector(`#${CSS.escape(location.hash.slice(1))}`)?.scrollIntoView();
