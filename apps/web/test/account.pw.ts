import { expectAccessible } from "./accessibility.ts";
import { accountScreens, openAccount, signedIn } from "./account-screens.ts";
import { fill, home, stored } from "./accounts-page.ts";
import { expect, phone, settled, test, threadPath } from "./fixtures.ts";

test.describe("user menu and account", () => {
  test("signs out locally and on the server, even when the server fails", async ({
    page,
    gateway,
  }) => {
    gateway.accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await page.goto(threadPath);
    await page.getByRole("button", { name: "User menu for mira" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("/login");
    await expect.poll(() => stored(page)).toEqual([null, null, null]);
    await expect.poll(() => gateway.accounts.sessions).toEqual({});
    await fill(page, "mira", "longenough");
    await page.waitForURL(home);
    await page.route("**/api/system/sign-out", (route) => route.fulfill({ status: 500 }));
    await page.getByRole("button", { name: "User menu for mira" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("/login");
    await expect.poll(() => stored(page)).toEqual([null, null, null]);
  });
  test("fetches the support address once an hour", async ({ page, gateway }) => {
    gateway.accounts.supportEmail = "help@harbour.example";
    await page.goto(threadPath);
    await page.getByRole("button", { name: "User menu" }).click();
    await expect(page.getByRole("menuitem", { name: "Support" })).toBeVisible();
    // There are no accounts here.
    await expect(page.getByRole("menuitem", { name: "Account" })).toHaveCount(0);
    // There are no flows to run either.
    await expect(page.getByRole("menuitem", { name: "Flows" })).toHaveCount(0);
    await expect
      .poll(async () =>
        JSON.parse(
          (await page.evaluate(() => localStorage.getItem("anythingllm_support_email"))) ?? "",
        ),
      )
      .toMatchObject({ email: "help@harbour.example", lastFetched: expect.any(Number) });
    await page.reload();
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    await page.getByRole("button", { name: "User menu" }).click();
    await expect(page.getByRole("menuitem", { name: "Support" })).toBeVisible();
    await expect.poll(() => gateway.accounts.counts["/system/support-email"]).toBe(1);
  });
  test("changes name and bio, and explains errors", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "mira");
    await openAccount(page, gateway, false);
    await page.getByLabel("Username").fill("jo");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(
      page
        .getByRole("alert")
        .getByText("Couldn't save your profile: A user with this username already exists."),
    ).toBeVisible();
    await page.getByLabel("Username").fill("mira_k");
    await page.getByLabel("About you").fill("Building services");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Profile updated.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "User menu for mira_k" })).toBeVisible();
    await expect.poll(() => gateway.accounts.find("mira_k")?.user.bio).toBe("Building services");
  });
  test("uploads, shows and removes a picture", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await openAccount(page, gateway, false);
    const dialog = page.getByRole("dialog");
    const give = (name: string, mimeType: string, text: string): Promise<void> =>
      dialog
        .locator("input[type=file]")
        .setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
    await give("notes.txt", "text/plain", "no");
    await expect(
      page.getByText("Couldn't upload the picture: Choose an image file."),
    ).toBeVisible();
    await give("me.png", "image/png", "too-big");
    await expect(
      page.getByText("Couldn't upload the picture: The image is too large. The limit is 5 MB."),
    ).toBeVisible();
    await give("me.png", "image/png", "fine");
    await expect(page.getByText("Profile picture uploaded.")).toBeVisible();
    const pictures = page.locator('img[src^="blob:"]');
    await expect(pictures).toHaveCount(2);
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expect(pictures).toHaveCount(0);
  });
  test("changes the password and the theme", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await openAccount(page, gateway, false);
    await page.getByRole("tab", { name: "Password" }).click();
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.getByText("The password must have at least 8 characters.")).toBeVisible();
    await page.getByLabel("New password").fill("a better one");
    await page.getByLabel("Current password").fill("a guess");
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.getByText("The password is incorrect.")).toBeVisible();
    await page.getByLabel("Current password").fill("longenough");
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.getByText("Profile updated.")).toBeVisible();
    await expect.poll(() => gateway.accounts.find("mira")?.password).toBe("a better one");
    await page.getByRole("tab", { name: "Preferences" }).click();
    await page.getByRole("radio", { name: "Light" }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
    await expect.poll(() => gateway.accounts.find("mira")?.user.theme).toBe("light");
    await page.getByRole("radio", { name: "System" }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === "default");
    await expect.poll(() => page.evaluate(() => localStorage.getItem("theme"))).toBeNull();
  });
  test("sets up one-time codes with the password, a QR code and a confirmation, and removes them", async ({
    page,
    context,
    gateway,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    gateway.accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await openAccount(page, gateway, false);
    await page.getByRole("tab", { name: "Security" }).click();
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByLabel("Your password").fill("wrong");
    await page.keyboard.press("Enter");
    await expect(page.getByText("The password is incorrect.")).toBeVisible();
    await page.getByLabel("Your password").fill("longenough");
    await page.keyboard.press("Enter");
    await expect(
      page.getByRole("img", { name: "QR code for the authenticator app" }),
    ).toBeVisible();
    await expect(page.getByText("JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP")).toBeVisible();
    await page.getByRole("textbox", { name: "Code" }).fill("000000");
    await page.keyboard.press("Enter");
    await expect(page.getByText("The code is incorrect.")).toBeVisible();
    await page.getByRole("textbox", { name: "Code" }).fill("123456");
    await page.keyboard.press("Enter");
    const codes = page.getByRole("dialog", { name: "Save your recovery codes" });
    await codes.getByRole("button", { name: "Copy" }).click();
    await codes.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByLabel("Your password").fill("longenough");
    await page.getByRole("textbox", { name: "Code" }).fill("123456");
    await page.getByRole("button", { name: "Turn off" }).click();
    await expect(
      page.getByText("Two-factor authentication is off.", { exact: true }),
    ).toBeVisible();
    await expect.poll(() => gateway.accounts.find("mira")?.code).toBeNull();
  });
  test("lists what agents may do without asking", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    gateway.agents.allowed = ["outlook-agent", "mcp:tickets"];
    await signedIn(page, gateway, "mira");
    await openAccount(page, gateway, false);
    await page.getByRole("tab", { name: "Security" }).click();
    const allowed = page.getByRole("region", { name: "Allowed without asking" });
    await allowed.getByRole("button", { name: "Remove Outlook" }).click();
    await expect(page.getByText("Agents ask again before they use Outlook.")).toBeVisible();
    await expect(allowed.getByRole("listitem")).toHaveText([/^ticketsMCP server · allowed/]);
    await expectAccessible(page);
    await allowed.getByRole("button", { name: "Remove tickets" }).click();
    await expect(allowed).toHaveCount(0);
    await expect.poll(() => gateway.agents.allowed).toEqual([]);
  });
  test("creates new recovery codes, and ends other sessions", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    await signedIn(page, gateway, "mira");
    await openAccount(page, gateway, false);
    await page.getByRole("tab", { name: "Security" }).click();
    await expect(page.getByText("Firefox on Linux")).toBeVisible();
    await page.getByRole("button", { name: /^Sign out Safari on iPhone/ }).click();
    await expect(page.getByText("Safari on iPhone")).toHaveCount(0);
    await expect
      .poll(() => gateway.accounts.listed.map((session) => session.current))
      .toEqual([true, false]);
    await page.getByRole("button", { name: "Generate new codes" }).click();
    await page.getByLabel("Your password").fill("longenough");
    // Before the codes' dialog is painted, Esc must not close the one below it either.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        if (document.querySelectorAll('[role="dialog"]').length < 2) return;
        observer.disconnect();
        const init = { key: "Escape", bubbles: true, cancelable: true };
        document.body.dispatchEvent(new KeyboardEvent("keydown", init));
      });
      observer.observe(document.body, { childList: true });
    });
    await page.keyboard.press("Enter");
    const codes = page.getByRole("dialog", { name: "Save your recovery codes" });
    await expect(codes).toBeVisible();
    await page.keyboard.press("Escape");
    await settled(page);
    await expect(codes).toBeVisible();
    await codes.getByRole("button", { name: "Download recovery_codes.txt" }).click();
    await page.keyboard.press("Escape");
    await expect(codes).toHaveCount(0);
    await settled(page);
    await expect(page.getByRole("dialog", { name: "Account" })).toBeVisible();
  });
});

test.describe("account screens are accessible", () => {
  for (const name of Object.keys(accountScreens))
    test(`is accessible: ${name}`, async ({ page, gateway }) => {
      await accountScreens[name]!(page, gateway, false);
      await expectAccessible(page);
    });
  test.describe(() => {
    test.use(phone);
    test("works on a phone: the menu is in the sheet, the account fills the screen, nothing overflows", async ({
      page,
      gateway,
    }) => {
      gateway.accounts.add("mira", "admin");
      await signedIn(page, gateway, "mira");
      await openAccount(page, gateway, true);
      await expect
        .poll(() => page.getByRole("dialog", { name: "Account" }).boundingBox())
        .toEqual({
          x: 0,
          y: 0,
          width: 390,
          height: 844,
        });
      await page.getByRole("tab", { name: "Security" }).click();
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    });
  });
  test("works with the keyboard alone", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    await page.goto("/");
    await expect(page.getByLabel("Username")).toBeFocused();
    await page.keyboard.type("mira");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab"); // past the password reset link
    await page.keyboard.type("longenough");
    await page.keyboard.press("Enter");
    await page.waitForURL(home);
    await page.getByRole("button", { name: "User menu for mira" }).focus();
    await page.keyboard.press("Enter");
    await expect(
      page.getByRole("menu").locator(":focus").or(page.locator("[role=menu]:focus")),
    ).toBeVisible();
    await page.keyboard.press("Home");
    await expect(page.getByRole("menuitem", { name: "Account" })).toBeFocused();
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Profile" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByLabel("New password")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});
