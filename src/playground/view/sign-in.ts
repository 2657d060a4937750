/** The form for user and password. They stay in this tab. */
import type { Credentials } from "../http/credentials.ts";
import { make } from "./dom.ts";
import { openSheet } from "./sheet.ts";

/**
 * Resolves to whether somebody signed in.
 *
 * @param check null: the service knows this user; else why it does not
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
      make("p", { class: "hint" }, "Kept in this tab until it is closed, and nowhere else."),
      refused,
      make("p", { class: "form-actions" }, submit),
    );
    const signIn = async (): Promise<void> => {
      submit.disabled = true;
      credentials.signIn(user.value, password.value);
      const refusal = await check();
      submit.disabled = false;
      // Closed meanwhile: nobody waits for it any more.
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
