import { readFileSync } from "node:fs";
import { recoveryCodes } from "./account-data.ts";
import { fill, home, password, stored } from "./accounts-page.ts";
import { expect, settled, test } from "./fixtures.ts";

test.describe("signing in with an account", () => {
  test("shows the server's error, keeps what was typed, and continues to the requested page", async ({
    page,
    gateway,
  }) => {
    gateway.accounts.add("mira", "admin");
    await page.goto("/workspace/tenant-handbook");
    await page.waitForURL("**/login?**");
    await fill(page, "mira", "wrong-one");
    await expect(page.getByRole("alert").getByText("Wrong username or password")).toBeVisible();
    await expect
      .poll(async () => [
        await page.getByLabel("Username").inputValue(),
        await password(page).inputValue(),
      ])
      .toEqual(["mira", "wrong-one"]);
    gateway.accounts.tooMany = true;
    await fill(page, "mira", "wrong-two");
    await expect(page.getByText("Too many attempts. Try again in 20 seconds.")).toBeVisible();
    gateway.accounts.tooMany = false;
    await fill(page, "mira", "longenough");
    await page.waitForURL("**/workspace/tenant-handbook");
    await expect
      .poll(async () => {
        const [user, token, timestamp] = await stored(page);
        return [JSON.parse(user ?? "{}").username, token, Number(timestamp) > 0];
      })
      .toEqual(["mira", "token-mira", true]);
    await expect(page.getByRole("button", { name: "User menu for mira" })).toBeVisible();
  });
  test("never leaves the app, whatever the address says", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    const left: string[] = [];
    await page.route("https://evil.example/**", (route) => {
      left.push(route.request().url());
      return route.fulfill({ body: "elsewhere" });
    });
    const address = `/login?to=${encodeURIComponent("https://evil.example/x")}`;
    await page.goto(address);
    await fill(page, "mira", "longenough");
    await page.waitForURL(home);
    await page.goto(address);
    await page.waitForURL(home);
    expect(left).toEqual([]);
  });
  test("requires both fields, and tells users if they are suspended", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin", { user: { suspended: 1 } });
    await page.goto("/login");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("Enter your username.")).toBeVisible();
    await expect(page.getByText("Enter your password.")).toBeVisible();
    await fill(page, "mira", "longenough");
    await expect(page.getByText("Your account is suspended. Ask an admin.")).toBeVisible();
    await expect.poll(() => stored(page)).toEqual([null, null, null]);
  });
  test("asks for the one-time code, accepts a recovery code too, and keeps the password on the way back", async ({
    page,
    gateway,
  }) => {
    gateway.accounts.add("mira", "admin", { code: "123456", recoveryCodes });
    await page.goto("/");
    await fill(page, "mira", "longenough");
    const code = page.getByLabel("Code");
    await code.fill("000000");
    await page.keyboard.press("Enter");
    await expect(page.getByText("The code is incorrect.")).toBeVisible();
    await page.getByRole("button", { name: "Back" }).click();
    await expect(password(page)).toHaveValue("longenough");
    await page.getByRole("button", { name: "Sign in" }).click();
    await code.fill(recoveryCodes[0]!);
    await page.keyboard.press("Enter");
    await page.waitForURL(home);
  });
  test.describe(() => {
    test.use({ permissions: ["clipboard-read", "clipboard-write"] });
    test("shows new recovery codes until they are saved, and only then stores the session", async ({
      page,
      gateway,
    }) => {
      gateway.accounts.add("mira", "admin", { user: { seen_recovery_codes: false } });
      await page.goto("/");
      await fill(page, "mira", "longenough");
      const dialog = page.getByRole("dialog", { name: "Save your recovery codes" });
      await expect(dialog).toBeVisible();
      await expect(dialog.getByRole("listitem")).toHaveCount(4);
      await page.keyboard.press("Escape");
      await page.mouse.click(5, 5);
      await settled(page);
      await expect(dialog).toBeVisible();
      await expect(dialog.getByRole("button", { name: "Close" })).toHaveCount(0);
      await dialog.getByRole("button", { name: "Copy" }).click();
      await expect(page.getByText("Recovery codes copied.")).toBeVisible();
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toBe(recoveryCodes.join("\n"));
      await expect.poll(() => stored(page)).toEqual([null, null, null]);
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        dialog.getByRole("button", { name: "Download recovery_codes.txt" }).click(),
      ]);
      expect(file.suggestedFilename()).toBe("recovery_codes.txt");
      expect(readFileSync(await file.path(), "utf8")).toBe(`${recoveryCodes.join("\n")}\n`);
      await expect.poll(() => stored(page)).toEqual([null, null, null]);
      await dialog.getByRole("button", { name: "Close" }).click();
      await page.waitForURL(home);
      await expect.poll(async () => (await stored(page))[1]).toBe("token-mira");
    });
  });
  test("redirects to the OpenID provider, with the return address", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    gateway.accounts.setup = { OpenIDName: "Harbour ID" };
    await page.goto("/workspace/tenant-handbook");
    const address = new URL(
      (await page.getByRole("link", { name: "Continue with Harbour ID" }).getAttribute("href")) ??
        "",
      gateway.url,
    );
    expect([address.pathname, address.searchParams.get("redirectTo")]).toEqual([
      "/api/auth/openid/start",
      "/workspace/tenant-handbook",
    ]);
  });
  test("has no form when single sign-on is the only way in, and follows the redirect set for it", async ({
    page,
    gateway,
  }) => {
    gateway.accounts.add("mira", "admin");
    gateway.accounts.setup = { SimpleSSONoLogin: true };
    await page.goto("/");
    await expect(
      page.getByText("This instance doesn't accept usernames and passwords."),
    ).toBeVisible();
    await expect(page.getByRole("textbox")).toHaveCount(0);
    gateway.accounts.setup = {
      SimpleSSONoLogin: true,
      SimpleSSONoLoginRedirect: `${gateway.url.replace("127.0.0.1", "localhost")}/logo-mark.svg`,
    };
    await page.goto("/login");
    await page.waitForURL("http://localhost:*/logo-mark.svg");
  });
});

test.describe("resetting a password", () => {
  test("takes two recovery codes, in two forms", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin", { recoveryCodes });
    await page.goto("/");
    await page.getByLabel("Username").fill("mira");
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    await expect(page.getByLabel("Username")).toHaveValue("mira");
    await page.getByLabel("Recovery code 1").fill(recoveryCodes[0]!);
    await page.getByRole("button", { name: "Reset password" }).click();
    await expect(page.getByText("These recovery codes aren't valid.")).toBeVisible();
    await page.getByLabel("Recovery code 2").fill(` ${recoveryCodes[2]!} `);
    await page.getByRole("button", { name: "Reset password" }).click();
    await page.getByLabel("New password", { exact: true }).fill("short");
    await page.getByLabel("Confirm new password").fill("other");
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByText("The password must have at least 8 characters.")).toBeVisible();
    await expect(page.getByText("The passwords don't match.")).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem("resetToken")))
      .toBe("reset-mira");
    await page.getByLabel("New password", { exact: true }).fill("a better one");
    await page.getByLabel("Confirm new password").fill("a better one");
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByText("Password reset.")).toBeVisible();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("resetToken"))).toBeNull();
    await expect(page.getByLabel("Username")).toHaveValue("mira");
    await password(page).fill("a better one");
    await page.keyboard.press("Enter");
    // The old codes are revoked.
    await expect(page.getByRole("dialog", { name: "Save your recovery codes" })).toBeVisible();
  });
  test("explains failures: no token, no answer", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin", { recoveryCodes });
    await page.goto("/");
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    await page.getByLabel("Username").fill("mira");
    await page.route("**/api/system/recover-account", (route) =>
      route.fulfill({ status: 500, body: "oops" }),
    );
    await page.getByRole("button", { name: "Reset password" }).click();
    await expect(page.getByText("Couldn't recover the account.")).toBeVisible();
    await page.unroute("**/api/system/recover-account");
    await page.getByLabel("Recovery code 1").fill(recoveryCodes[0]!);
    await page.getByLabel("Recovery code 2").fill(recoveryCodes[1]!);
    await page.getByRole("button", { name: "Reset password" }).click();
    await page.getByLabel("New password", { exact: true }).fill("a better one");
    await page.getByLabel("Confirm new password").fill("a better one");
    await page.route("**/api/system/reset-password", (route) => route.abort("connectionrefused"));
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByText("Couldn't reset the password.")).toBeVisible();
    await page.evaluate(() => localStorage.removeItem("resetToken"));
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByText("This reset link isn't valid anymore. Start again.")).toBeVisible();
  });
});

test.describe("single sign-on", () => {
  test("stores the session of a one-time token and continues to the requested page, within the app only", async ({
    page,
    gateway,
  }) => {
    gateway.accounts.add("mira", "admin");
    gateway.accounts.ssoTokens = { one: "mira", two: "mira" };
    await page.goto(
      `/sso/simple?token=one&redirectTo=${encodeURIComponent("/workspace/tenant-handbook")}`,
    );
    await page.waitForURL("**/workspace/tenant-handbook");
    await expect.poll(async () => (await stored(page))[1]).toBe("token-mira");
    await expect(page.getByText("Add documents to Tenant handbook")).toBeVisible();
    await expect.poll(() => gateway.accounts.counts["/request-token/sso/simple"]).toBe(1);
    await page.goto(`/sso/simple?token=two&redirectTo=${encodeURIComponent("//evil.example/x")}`);
    await page.waitForURL(home);
  });
  test("explains a failure", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    for (const [query, words] of [
      ["?token=used", "This sign-in link isn't valid."],
      ["", "This sign-in link is incomplete."],
      [
        `?fault=${encodeURIComponent('{"code":"openid.access-denied","params":{"provider":"Keycloak"}}')}`,
        "Sign-in with Keycloak was canceled or denied.",
      ],
    ]) {
      await page.goto(`/sso/simple${query}`);
      await expect(page.getByText(words!, { exact: true })).toBeVisible();
      await expect(page.getByText("Contact an admin.")).toBeVisible();
    }
    await expect.poll(() => stored(page)).toEqual([null, null, null]);
  });
});

test.describe("invitation", () => {
  test("creates an account after validating the fields, then signs in", async ({
    page,
    gateway,
  }) => {
    gateway.accounts.add("mira", "admin");
    gateway.accounts.invites = { abc: "pending" };
    gateway.workspaces = [];
    await page.goto("/accept-invite/abc");
    const submit = page.getByRole("button", { name: "Create account" });
    for (const [name, words] of [
      ["a", "A username must have at least 2 characters."],
      ["Jo Doe", "Usernames can only contain lowercase letters, numbers, underscores and hyphens."],
    ]) {
      await page.getByLabel("Username").fill(name!);
      await submit.click();
      await expect(page.getByText(words!)).toBeVisible();
    }
    await expect(page.getByText("The password must have at least 8 characters.")).toBeVisible();
    await fill(page, "mira", "longenough");
    await expect(page.getByText("A user with this username already exists.")).toBeVisible();
    await fill(page, "jo", "longenough");
    await page.getByRole("button", { name: "Download recovery_codes.txt" }).click();
    await page.getByRole("button", { name: "Close" }).click();
    await expect(page.getByText("You aren't in a workspace yet")).toBeVisible();
    await expect.poll(() => gateway.accounts.invites).toEqual({ abc: "claimed" });
  });
  test("shows an error when it is used up or unknown", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    gateway.accounts.invites = { old: "claimed" };
    await page.goto("/accept-invite/old");
    await expect(page.getByText("This invite isn't valid anymore.")).toBeVisible();
    await page.goto("/accept-invite/nope");
    await expect(page.getByText("This invite doesn't exist anymore.")).toBeVisible();
    await expect(page.getByRole("textbox")).toHaveCount(0);
  });
});
