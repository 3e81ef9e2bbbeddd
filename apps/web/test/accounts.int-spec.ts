import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { AxeBuilder } from "@axe-core/playwright";
import { poll } from "@carrel/testing";
import type { Page } from "playwright-core";
import { accountScreens, openAccount, signedIn } from "./account-screens.ts";
import { recoveryCodes, type FakeAccounts } from "./fake-accounts.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { focused, settled, useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
let gateway: FakeGateway;
let accounts: FakeAccounts;
let page: Page;
const take = (): void => {
  ({ gateway, page } = web);
  accounts = gateway.accounts;
};
beforeEach(take);
const open = async (options: Parameters<typeof web.open>[0]): Promise<void> => {
  await web.open(options);
  take();
};
const stored = (): Promise<(string | null)[]> =>
  page.evaluate(() =>
    ["anythingllm_user", "anythingllm_authToken", "anythingllm_authTimestamp"].map((key) =>
      localStorage.getItem(key),
    ),
  );
const password = () => page.getByLabel("Password", { exact: true });
async function fill(username: string, secret: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await password().fill(secret);
  await page.keyboard.press("Enter");
}
const home = "**/workspace/heat-pump-retrofit";

describe("sign in with an account", () => {
  it("says in the words of the server what was wrong, keeps what was typed, and goes on to where one was going", async () => {
    accounts.add("mira", "admin");
    await page.goto(`${gateway.url}/workspace/tenant-handbook`);
    await page.waitForURL("**/login?**");
    await fill("mira", "wrong-one");
    await page.getByRole("alert").getByText("Error: [002] Invalid login credentials.").waitFor();
    await poll(async () => [
      await page.getByLabel("Username").inputValue(),
      await password().inputValue(),
    ]).toEqual(["mira", "wrong-one"]);
    accounts.tooMany = true;
    await fill("mira", "wrong-two");
    await page.getByText("Error: Too many attempts. Try again in 20 seconds.").waitFor();
    accounts.tooMany = false;
    await fill("mira", "longenough");
    await page.waitForURL("**/workspace/tenant-handbook");
    await poll(async () => {
      const [user, token, timestamp] = await stored();
      return [JSON.parse(user ?? "{}").username, token, Number(timestamp) > 0];
    }).toEqual(["mira", "token-mira", true]);
    await page.getByRole("button", { name: "User menu of mira" }).waitFor();
  });
  it("asks for both fields, and tells a suspended user so", async () => {
    accounts.add("mira", "admin", { user: { suspended: 1 } });
    await page.goto(`${gateway.url}/login`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Enter the username.").waitFor();
    await page.getByText("Enter the password.").waitFor();
    await fill("mira", "longenough");
    await page.getByText("Error: [004] Account suspended by admin.").waitFor();
    await poll(stored).toEqual([null, null, null]);
  });
  it("asks for the one-time code in one field, takes a recovery code too, and keeps the password on the way back", async () => {
    accounts.add("mira", "admin", { code: "123456", recoveryCodes });
    await page.goto(gateway.url);
    await fill("mira", "longenough");
    const code = page.getByLabel("Code");
    await code.fill("000000");
    await page.keyboard.press("Enter");
    await page.getByText("Error: [006] The one-time code is not right.").waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await poll(() => password().inputValue()).toBe("longenough");
    await page.getByRole("button", { name: "Sign in" }).click();
    await code.fill(recoveryCodes[0]!);
    await page.keyboard.press("Enter");
    await page.waitForURL(home);
  });
  it("shows new recovery codes, which nothing closes before they are saved, and only then keeps the session", async () => {
    accounts.add("mira", "admin", { user: { seen_recovery_codes: false } });
    await web.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(gateway.url);
    await fill("mira", "longenough");
    const dialog = page.getByRole("dialog", { name: "Save your recovery codes" });
    await dialog.waitFor();
    await poll(() => dialog.getByRole("listitem").count()).toBe(4);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await settled(page);
    await poll(() => dialog.isVisible()).toBe(true);
    await poll(() => dialog.getByRole("button", { name: "Close" }).count()).toBe(0);
    await dialog.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Recovery codes copied to clipboard").waitFor();
    await poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(
      recoveryCodes.join("\n"),
    );
    await poll(stored).toEqual([null, null, null]);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Download recovery_codes.txt" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("recovery_codes.txt");
    expect(readFileSync(await file.path(), "utf8")).toBe(`${recoveryCodes.join("\n")}\n`);
    await poll(stored).toEqual([null, null, null]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.waitForURL(home);
    await poll(async () => (await stored())[1]).toBe("token-mira");
  });
  it("leads to the OpenID provider, with the way back", async () => {
    accounts.add("mira", "admin");
    accounts.setup = { OpenIDName: "Harbour ID" };
    await page.goto(`${gateway.url}/workspace/tenant-handbook`);
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
  it("has no form where single sign-on is the only way, and follows the address that was set for it", async () => {
    accounts.add("mira", "admin");
    accounts.setup = { SimpleSSONoLogin: true };
    await page.goto(gateway.url);
    await page.getByText("This instance takes no user names and passwords.").waitFor();
    await poll(() => page.getByRole("textbox").count()).toBe(0);
    accounts.setup = {
      SimpleSSONoLogin: true,
      SimpleSSONoLoginRedirect: `${gateway.url.replace("127.0.0.1", "localhost")}/logo-mark.svg`,
    };
    await page.goto(`${gateway.url}/login`);
    await page.waitForURL("http://localhost:*/logo-mark.svg");
  });
});

describe("a forgotten password", () => {
  it("is replaced by two recovery codes, in two forms", async () => {
    accounts.add("mira", "admin", { recoveryCodes });
    await page.goto(gateway.url);
    await page.getByLabel("Username").fill("mira");
    await page.getByRole("button", { name: "Forgot password? Reset" }).click();
    await poll(() => page.getByLabel("Username").inputValue()).toBe("mira");
    await page.getByLabel("Recovery code 1").fill(recoveryCodes[0]!);
    await page.getByRole("button", { name: "Reset password" }).click();
    await page.getByText("Invalid recovery codes.").waitFor();
    await page.getByLabel("Recovery code 2").fill(` ${recoveryCodes[2]!} `);
    await page.getByRole("button", { name: "Reset password" }).click();
    await page.getByLabel("New password", { exact: true }).fill("short");
    await page.getByLabel("Confirm new password").fill("other");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Password must be at least 8 characters.").waitFor();
    await page.getByText("Passwords do not match").waitFor();
    await poll(() => page.evaluate(() => localStorage.getItem("resetToken"))).toBe("reset-mira");
    await page.getByLabel("New password", { exact: true }).fill("a better one");
    await page.getByLabel("Confirm new password").fill("a better one");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Password reset successful").waitFor();
    await poll(() => page.evaluate(() => localStorage.getItem("resetToken"))).toBeNull();
    await poll(() => page.getByLabel("Username").inputValue()).toBe("mira");
    await password().fill("a better one");
    await page.keyboard.press("Enter");
    // the old codes are void
    await page.getByRole("dialog", { name: "Save your recovery codes" }).waitFor();
  });
  it("says what failed: no token, no answer", async () => {
    accounts.add("mira", "admin", { recoveryCodes });
    await page.goto(gateway.url);
    await page.getByRole("button", { name: "Forgot password? Reset" }).click();
    await page.getByLabel("Username").fill("mira");
    await page.route("**/api/system/recover-account", (route) =>
      route.fulfill({ status: 500, body: "oops" }),
    );
    await page.getByRole("button", { name: "Reset password" }).click();
    await page.getByText("Error recovering account.").waitFor();
    await page.unroute("**/api/system/recover-account");
    await page.getByLabel("Recovery code 1").fill(recoveryCodes[0]!);
    await page.getByLabel("Recovery code 2").fill(recoveryCodes[1]!);
    await page.getByRole("button", { name: "Reset password" }).click();
    await page.getByLabel("New password", { exact: true }).fill("a better one");
    await page.getByLabel("Confirm new password").fill("a better one");
    await page.route("**/api/system/reset-password", (route) => route.abort("connectionrefused"));
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Error resetting password.").waitFor();
    await page.evaluate(() => localStorage.removeItem("resetToken"));
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Invalid reset token").waitFor();
  });
});

describe("single sign-on", () => {
  it("keeps the session of a one-time token and goes where it was told, within the app only", async () => {
    accounts.add("mira", "admin");
    accounts.ssoTokens = { one: "mira", two: "mira" };
    await page.goto(
      `${gateway.url}/sso/simple?token=one&redirectTo=${encodeURIComponent("/workspace/tenant-handbook")}`,
    );
    await page.waitForURL("**/workspace/tenant-handbook");
    await poll(async () => (await stored())[1]).toBe("token-mira");
    await page.getByText("Add documents to Tenant handbook").waitFor();
    expect(accounts.counts["/request-token/sso/simple"]).toBe(1);
    await page.goto(
      `${gateway.url}/sso/simple?token=two&redirectTo=${encodeURIComponent("//evil.example/x")}`,
    );
    await page.waitForURL(home);
  });
  it("says why it did not work", async () => {
    accounts.add("mira", "admin");
    for (const [query, words] of [
      ["?token=used", "[001] An error occurred while validating the token: Token not found"],
      ["", "No token provided."],
      ["?error=No+account+has+this+address.", "No account has this address."],
    ]) {
      await page.goto(`${gateway.url}/sso/simple${query}`);
      await page.getByText(words!, { exact: true }).waitFor();
      await page.getByText("Please contact the system administrator about this error.").waitFor();
    }
    await poll(stored).toEqual([null, null, null]);
  });
});

describe("an invitation", () => {
  it("makes an account with the rules of names, then signs in to it", async () => {
    accounts.add("mira", "admin");
    accounts.invites = { abc: "pending" };
    gateway.workspaces = [];
    await page.goto(`${gateway.url}/accept-invite/abc`);
    const submit = page.getByRole("button", { name: "Create account" });
    for (const [name, words] of [
      ["a", "Username must be at least 2 characters"],
      [
        "Jo Doe",
        "Username must only contain lowercase letters, numbers, underscores, and hyphens with no spaces",
      ],
    ]) {
      await page.getByLabel("Username").fill(name!);
      await submit.click();
      await page.getByText(words!).waitFor();
    }
    await page.getByText("Password must be at least 8 characters.").waitFor();
    await fill("mira", "longenough");
    await page.getByText("Error: A user with that username already exists").waitFor();
    await fill("jo", "longenough");
    await page.getByRole("button", { name: "Download recovery_codes.txt" }).click();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("You are not in a workspace yet").waitFor();
    await poll(() => accounts.invites).toEqual({ abc: "claimed" });
  });
  it("that is used up or unknown says so", async () => {
    accounts.add("mira", "admin");
    accounts.invites = { old: "claimed" };
    await page.goto(`${gateway.url}/accept-invite/old`);
    await page.getByText("Invite is no longer valid.").waitFor();
    await page.goto(`${gateway.url}/accept-invite/nope`);
    await page.getByText("Invite not found.").waitFor();
    await poll(() => page.getByRole("textbox").count()).toBe(0);
  });
});

describe("guards", () => {
  it("lead home from the sign-in where nothing is asked, and check anew with nt=1", async () => {
    await page.goto(`${gateway.url}/login`);
    await page.waitForURL(home);
    await page.getByText("What should we look up?").waitFor();
    const before = accounts.counts["/setup-complete"] ?? 0;
    await page.goto(`${gateway.url}/login`);
    await page.waitForURL(home);
    await page.getByText("What should we look up?").waitFor();
    expect(accounts.counts["/setup-complete"]).toBe(before); // within five minutes
    accounts.add("mira", "admin");
    await page.goto(`${gateway.url}/login?nt=1`);
    await page.getByLabel("Username").waitFor();
  });
  it("clear user, token and time when the token does not hold", async () => {
    accounts.add("mira", "admin");
    await page.addInitScript(() => {
      if (!sessionStorage.getItem("once")) {
        sessionStorage.setItem("once", "1");
        localStorage.setItem("anythingllm_user", '{"id":1,"username":"mira","role":"admin"}');
        localStorage.setItem("anythingllm_authToken", "stale");
        localStorage.setItem("anythingllm_authTimestamp", "1");
      }
    });
    await page.goto(gateway.url);
    await page.waitForURL("**/login**");
    await poll(stored).toEqual([null, null, null]);
  });
  for (const [role, allowed] of [
    ["default", []],
    ["manager", ["/settings/security"]],
    ["admin", ["/settings/security", "/settings/llm-preference"]],
  ] as const) {
    it(`let a ${role} to what the role may see`, async () => {
      accounts.add("jo", role);
      await signedIn(page, gateway, "jo");
      for (const path of ["/settings/security", "/settings/llm-preference"]) {
        await page.goto(`${gateway.url}${path}`);
        await page.waitForURL((allowed as readonly string[]).includes(path) ? `**${path}` : home);
      }
      await page.goto(gateway.url);
      await page.getByText("What should we look up?").waitFor();
      const manager = role !== "default";
      await poll(() => page.getByRole("link", { name: "Settings", exact: true }).count()).toBe(
        manager ? 1 : 0,
      );
      await poll(() => page.getByRole("button", { name: "New workspace" }).count()).toBe(
        manager ? 1 : 0,
      );
      // Whoever may ask may attach a file to the question.
      await poll(() => page.locator("input[type=file]").count()).toBeGreaterThan(0);
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder("Go to a workspace").fill("workspace");
      await poll(() => page.getByRole("option", { name: "New workspace" }).count()).toBe(
        manager ? 1 : 0,
      );
    });
  }
  it("ask nothing of the server that a default user may not, in chat and documents", async () => {
    accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 401) refused.push(response.url());
    });
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/documents`);
    await page.getByText("It is locked with a password.").waitFor();
    await poll(
      async () =>
        (await page.getByRole("button", { name: "Try again" }).count()) +
        (await page.getByRole("button", { name: "Upload" }).count()) +
        (await page.getByLabel("Address of a web page").count()),
    ).toBe(0);
    await page.getByRole("button", { name: /^Menu of Retrofit survey/ }).click();
    await page.getByRole("menuitem").first().waitFor();
    await poll(() => page.getByRole("menuitem").allTextContents()).toEqual(["Open"]);
    await page.goto(web.thread());
    await web.ask("What flow temperature?");
    await page.getByText("412 tokens").waitFor();
    expect(refused).toEqual([]);
  });
  it("judge anew when a role changes while one looks", async () => {
    const { user } = accounts.add("jo", "admin");
    await signedIn(page, gateway, "jo");
    await page.goto(`${gateway.url}/settings/llm-preference`);
    await page.getByText("It quotes, it does not write.").waitFor();
    user.role = "default";
    gateway.change({ type: "access.changed" });
    await page.waitForURL(home);
    await page.getByText("What should we look up?").waitFor();
    await poll(() => page.getByRole("button", { name: "New workspace" }).count()).toBe(0);
    await poll(async () => (await stored())[1]).toBe("token-jo");
    user.suspended = 1;
    gateway.change({ type: "access.changed" });
    await page.waitForURL("**/login**");
    await poll(stored).toEqual([null, null, null]);
  });
  it("judge anew what changed before the page could be told", async () => {
    const { user } = accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    let tell = (): void => undefined;
    gateway.changesHeld = new Promise((resolve) => {
      tell = resolve;
    });
    await page.goto(web.thread());
    await page.getByText("What should we look up?").waitFor();
    user.role = "manager";
    gateway.change({ type: "access.changed" });
    await poll(() => page.getByRole("button", { name: "New workspace" }).count()).toBe(0);
    tell();
    await page.getByRole("button", { name: "New workspace" }).waitFor();
  });
  it("do not take a refusal of one call for the end of the session", async () => {
    const { user } = accounts.add("jo", "manager");
    await signedIn(page, gateway, "jo");
    gateway.changesHeld = new Promise(() => undefined);
    await page.goto(web.thread());
    await page.getByText("What should we look up?").waitFor();
    user.role = "default"; // unnoticed: no event came
    await page.getByRole("button", { name: "New workspace" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Mine");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "New workspace" }).waitFor({ state: "detached" });
    await poll(async () => (await stored())[1]).toBe("token-jo");
  });
  it("let a member in as soon as there is a workspace", async () => {
    const workspaces = gateway.workspaces;
    gateway.workspaces = [];
    accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    await page.goto(gateway.url);
    await page.getByText("You are not in a workspace yet").waitFor();
    await poll(() => gateway.watchers).toBe(1);
    gateway.workspaces = workspaces;
    gateway.change({ type: "workspace-members.changed" });
    await page.waitForURL(home);
  });
  it("show a failure of drawing in the fixed words", async () => {
    const other = await web.context.newPage(); // its console is not judged: the failure is meant
    await other.route("**/api/workspaces", (route) =>
      route.fulfill({ json: { workspaces: "none" } }),
    );
    await other.goto(`${gateway.url}/workspace/heat-pump-retrofit`);
    await other.getByRole("heading", { name: "Unexpected Application Error!" }).waitFor();
    await other.getByText("Nothing that you wrote or uploaded is lost.").waitFor();
  });
});

describe("the user menu and the account", () => {
  it("signs out on the server and here, even when the server fails", async () => {
    accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await page.goto(web.thread());
    await page.getByRole("button", { name: "User menu of mira" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(`${gateway.url}/login`);
    await poll(stored).toEqual([null, null, null]);
    await poll(() => accounts.sessions).toEqual({});
    await fill("mira", "longenough");
    await page.waitForURL(home);
    await page.route("**/api/system/sign-out", (route) => route.fulfill({ status: 500 }));
    await page.getByRole("button", { name: "User menu of mira" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(`${gateway.url}/login`);
    await poll(stored).toEqual([null, null, null]);
  });
  it("asks for the address of the support once an hour", async () => {
    accounts.supportEmail = "help@harbour.example";
    await page.goto(web.thread());
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem", { name: "Support" }).waitFor();
    // no accounts here
    await poll(() => page.getByRole("menuitem", { name: "Account" }).count()).toBe(0);
    await poll(async () =>
      JSON.parse(
        (await page.evaluate(() => localStorage.getItem("anythingllm_support_email"))) ?? "",
      ),
    ).toMatchObject({ email: "help@harbour.example", lastFetched: expect.any(Number) });
    await page.reload();
    await page.getByText("What should we look up?").waitFor();
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem", { name: "Support" }).waitFor();
    expect(accounts.counts["/system/support-email"]).toBe(1);
  });
  it("changes name and words about oneself, and says why not", async () => {
    accounts.add("mira", "admin");
    accounts.add("jo", "default");
    await signedIn(page, gateway, "mira");
    await openAccount(page, gateway, false);
    await page.getByLabel("Username").fill("jo");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page
      .getByRole("alert")
      .getByText("Failed to update user: A user with that username already exists")
      .waitFor();
    await page.getByLabel("Username").fill("mira_k");
    await page.getByLabel("About you").fill("Building services");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Profile updated.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "User menu of mira_k" }).waitFor();
    await poll(() => accounts.find("mira_k")?.user.bio).toBe("Building services");
  });
  it("takes a picture, shows it, and takes it away", async () => {
    accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await openAccount(page, gateway, false);
    const dialog = page.getByRole("dialog");
    const give = (name: string, mimeType: string, text: string): Promise<void> =>
      dialog
        .locator("input[type=file]")
        .setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
    await give("notes.txt", "text/plain", "no");
    await page
      .getByText("Failed to upload profile picture: The picture must be an image.")
      .waitFor();
    await give("me.png", "image/png", "too-big");
    await page
      .getByText("Failed to upload profile picture: Pictures may have 5 MB at most.")
      .waitFor();
    await give("me.png", "image/png", "fine");
    await page.getByText("Profile picture uploaded.").waitFor();
    await page.waitForFunction(
      () => document.querySelectorAll('.avatar img[src^="blob:"]').length === 2,
    );
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".avatar img").length === 0);
  });
  it("changes the password and the theme", async () => {
    accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await openAccount(page, gateway, false);
    await page.getByRole("tab", { name: "Password" }).click();
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password must be at least 8 characters.").waitFor();
    await page.getByLabel("New password").fill("a better one");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Profile updated.").waitFor();
    await poll(() => accounts.find("mira")?.password).toBe("a better one");
    await page.getByRole("tab", { name: "Preferences" }).click();
    await page.getByRole("radio", { name: "Light" }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
    await poll(() => accounts.find("mira")?.user.theme).toBe("light");
    await page.getByRole("radio", { name: "System" }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === "default");
    await poll(() => page.evaluate(() => localStorage.getItem("theme"))).toBeNull();
  });
  it("sets up one-time codes with the password, a drawn code and a proof, and takes them away", async () => {
    accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await openAccount(page, gateway, false);
    await page.getByRole("tab", { name: "Security" }).click();
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByLabel("Your password").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("The password is not right.").waitFor();
    await page.getByLabel("Your password").fill("longenough");
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    await page.getByText("JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP").waitFor();
    await page.getByRole("textbox", { name: "Code" }).fill("000000");
    await page.keyboard.press("Enter");
    await page.getByText("The code is not right.").waitFor();
    await page.getByRole("textbox", { name: "Code" }).fill("123456");
    await page.keyboard.press("Enter");
    const codes = page.getByRole("dialog", { name: "Save your recovery codes" });
    await codes.getByRole("button", { name: "Download recovery_codes.txt" }).click();
    await codes.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByLabel("Your password").fill("longenough");
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByText("One-time codes are off.").waitFor();
    await poll(() => accounts.find("mira")?.code).toBeNull();
  });
  it("makes new recovery codes, and ends other sessions", async () => {
    accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await openAccount(page, gateway, false);
    await page.getByRole("tab", { name: "Security" }).click();
    await page.getByText("Firefox on Linux").waitFor();
    await page.getByRole("button", { name: /^Sign out Safari on iPhone/ }).click();
    await page.getByText("Safari on iPhone").waitFor({ state: "detached" });
    await poll(() => accounts.listed.map((session) => session.current)).toEqual([true, false]);
    await page.getByRole("button", { name: "Make new codes" }).click();
    await page.getByLabel("Your password").fill("longenough");
    await page.keyboard.press("Enter");
    const codes = page.getByRole("dialog", { name: "Save your recovery codes" });
    await codes.waitFor();
    await page.keyboard.press("Escape");
    await settled(page);
    await poll(() => codes.isVisible()).toBe(true);
    await codes.getByRole("button", { name: "Download recovery_codes.txt" }).click();
    await page.keyboard.press("Escape");
    await codes.waitFor({ state: "detached" });
    await settled(page);
    await poll(() => page.getByRole("dialog", { name: "Account" }).isVisible()).toBe(true);
  });
});

describe("for everyone", () => {
  for (const colorScheme of ["dark", "light"] as const) {
    it.each(Object.keys(accountScreens))(
      `has no serious fault of accessibility: %s, ${colorScheme}`,
      async (name) => {
        await page.emulateMedia({ colorScheme });
        await accountScreens[name]!(page, gateway, false);
        await settled(page);
        const { violations } = await new AxeBuilder({ page })
          .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
          .analyze();
        expect(
          violations
            .filter((each) => each.impact === "serious" || each.impact === "critical")
            .map(
              (each) =>
                `${each.id}: ${each.nodes
                  .map((node) => node.html.slice(0, 160))
                  .slice(0, 3)
                  .join(" | ")}`,
            ),
        ).toEqual([]);
      },
    );
  }
  it("works on a phone: the menu is in the sheet, the account fills the screen, nothing is wider than it", async () => {
    await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await openAccount(page, gateway, true);
    await poll(() => page.getByRole("dialog", { name: "Account" }).boundingBox()).toEqual({
      x: 0,
      y: 0,
      width: 390,
      height: 844,
    });
    await page.getByRole("tab", { name: "Security" }).click();
    await poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
  it("works with the keyboard alone", async () => {
    accounts.add("mira", "admin");
    await page.goto(gateway.url);
    await focused(page.getByLabel("Username"));
    await page.keyboard.type("mira");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab"); // past the way to a new password
    await page.keyboard.type("longenough");
    await page.keyboard.press("Enter");
    await page.waitForURL(home);
    await page.getByRole("button", { name: "User menu of mira" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menu").locator(":focus").or(page.locator("[role=menu]:focus")).waitFor();
    await page.keyboard.press("Home");
    await focused(page.getByRole("menuitem", { name: "Account" }));
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Profile" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByLabel("New password").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
});
