/** The form for user and password. They stay in this tab. */
import type { Credentials } from "../http/credentials.ts";
import { make } from "./dom.ts";
import { openSheet } from "./sheet.ts";

/** Resolves to whether somebody signed in. */
export function openSignIn(credentials: Credentials, reason: string): Promise<boolean> {
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
    const form = make(
      "form",
      { class: "form" },
      make("p", { class: "hint" }, reason),
      make("label", { class: "field" }, "User", user),
      make("label", { class: "field" }, "Password", password),
      make("p", { class: "hint" }, "Kept in this tab until it is closed, and nowhere else."),
      make("p", { class: "form-actions" }, make("button", { class: "primary" }, "Sign in")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      credentials.signIn(user.value, password.value);
      signedIn = true;
      sheet.close();
    });
    sheet.body.append(form);
    user.focus();
  });
}
