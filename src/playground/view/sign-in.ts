/** The sign-in form. Credentials stay in this tab. */
import type { Credentials } from "../http/credentials.ts";
import { make } from "./dom.ts";
import { openSheet } from "./sheet.ts";

/**
 * Resolves to whether the user signed in.
 *
 * @param check null: the credentials are valid; otherwise the reason
 */
export function openSignIn(
  credentials: Credentials,
  reason: string,
  check: () => Promise<string | null>,
): Promise<boolean> {
  return new Promise((resolve) => {
    let signedIn = false;
    const sheet = openSheet("box", "Sign in", () => resolve(signedIn));
    const user = make("input", { name: "user", autocomplete: "off", required: true });
    const password = make("input", {
      name: "password",
      type: "password",
      autocomplete: "off",
      required: true,
    });
    const submit = make("button", { class: "primary" }, "Sign in");
    const refused = make("p", { class: "form-error", role: "alert" });
    const form = make(
      "form",
      { class: "form" },
      make("p", { class: "hint" }, reason),
      make("label", { class: "field" }, "User", user),
      make("label", { class: "field" }, "Password", password),
      make("p", { class: "hint" }, "Stored only in this tab, until you close it."),
      refused,
      make("p", { class: "form-actions" }, submit),
    );
    const signIn = async (): Promise<void> => {
      submit.disabled = true;
      credentials.signIn(user.value, password.value);
      const refusal = await check();
      submit.disabled = false;
      // The form was closed meanwhile.
      signedIn = refusal === null && sheet.dialog.open;
      if (!signedIn) credentials.signOut();
      if (refusal === null) sheet.close();
      refused.textContent = refusal ?? "";
      password.select();
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void signIn();
    });
    sheet.body.append(form);
    user.focus();
  });
}
