// A deployment with users, 9 of run.ts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Stage } from "./stage.ts";

const USERS = { me: { password: "p'w:ü", roles: ["admin"] } };

export function userTests(stage: Stage): void {
  describe("a deployment with users", () => {
    test("9: asks, keeps them for the tab, and tells nobody", async () => {
      await stage.restart("closed", { AUTH_USERS: JSON.stringify(USERS), AUTH_PUBLIC_SEARCH: "false" });
      const { page: tab, complaints } = await stage.openPage();
      await tab.goto("/");
      await tab.getByRole("alert").getByRole("button", { name: "Sign in" }).click();
      const dialog = tab.getByRole("dialog", { name: "Sign in" });
      await dialog.getByLabel("User").fill("me");
      await dialog.getByLabel("Password").fill("wrong");
      await dialog.getByRole("button", { name: "Sign in" }).click();
      await dialog.getByText("The user name or the password is wrong").waitFor();
      assert.equal(await tab.evaluate("sessionStorage.length"), 0);
      await dialog.getByLabel("Password").fill(USERS.me.password);
      await dialog.getByRole("button", { name: "Sign in" }).click();
      await tab.getByRole("button", { name: "Load sample catalogue" }).click();
      await tab.locator(".card").first().waitFor({ timeout: 60_000 });
      await tab.getByRole("button", { name: "Copy as curl" }).click();
      await tab.getByRole("button", { name: "Copied" }).waitFor();
      const copied = String(await tab.evaluate("navigator.clipboard.readText()"));
      assert.match(copied, /--user "\$AISLE_USER:\$AISLE_PASSWORD"/);
      assert.equal(`${copied} ${tab.url()}`.includes("p'w"), false);
      assert.equal(await tab.evaluate("localStorage.length + document.cookie.length"), 0);
      await tab.getByRole("button", { name: "Sign out" }).click();
      await tab.getByRole("alert").getByRole("button", { name: "Sign in" }).waitFor();
      // The browser notes each 401 in its console, whatever the page makes of it.
      assert.deepEqual(
        complaints.filter((one) => !one.includes("401 (Unauthorized)")),
        [],
      );
      await tab.context().close();
    });
  });
}
