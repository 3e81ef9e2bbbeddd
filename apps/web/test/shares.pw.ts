import type { Locator, Page } from "@playwright/test";
import { expectAccessible, expectAccessibleOnAllScreens } from "./accessibility.ts";
import { openAccount, signedIn } from "./account-screens.ts";
import { expect, test, threadPath } from "./fixtures.ts";
import { fillShared, openShareDialog } from "./share-screens.ts";

const dialog = (page: Page): Locator => page.getByRole("dialog", { name: "Share conversation" });
const button = (page: Page, name: string): Locator => dialog(page).getByRole("button", { name });
const gone = (page: Page): Locator =>
  page.getByRole("heading", { name: "This link doesn't work", level: 1 });

test.describe("sharing a thread", () => {
  test("creates a link that is shown once, and copies it", async ({ page, gateway, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openShareDialog(page, gateway);
    await expect(dialog(page).getByLabel("Expires")).toHaveValue("30");
    // Without accounts there is no choice: nobody else signs in.
    await expect(dialog(page)).toContainText("Anyone with the link");
    await expect(dialog(page).getByRole("radio")).toHaveCount(0);
    await dialog(page).getByLabel("Expires").selectOption("In 7 days");
    await expect(dialog(page).getByLabel("Include the model's reasoning")).toBeChecked();
    await button(page, "Create link").click();
    const link = dialog(page).getByLabel("Link");
    await expect(link).toHaveValue(`${gateway.url}/share/token-1`);
    await button(page, "Copy").click();
    await expect(button(page, "Copied")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${gateway.url}/share/token-1`,
    );
    await expect
      .poll(() => gateway.shares.sent)
      .toEqual([
        {
          method: "POST",
          path: "/workspace/heat-pump-retrofit/share",
          body: { thread: "flow", audience: "anyone", expiresInDays: 7, showReasoning: true },
        },
      ]);
    await button(page, "Done").click();
    await page.getByRole("button", { name: "Thread menu" }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    await expect(button(page, "Create new link")).toBeVisible();
    await expect(dialog(page)).not.toContainText("token-1");
  });

  test("from a thread's row changes, updates, replaces and revokes its link", async ({
    page,
    gateway,
  }) => {
    const { shares } = gateway;
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    const share = shares.add("night", "Night tariff operation", { isCurrent: false });
    await page.goto(threadPath);
    await page.getByRole("link", { name: "Night tariff operation" }).hover();
    await page.getByRole("button", { name: "Menu for Night tariff operation" }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    await dialog(page).getByRole("radio", { name: "Anyone with the link" }).click();
    await expect(page.getByText("Link saved.")).toBeVisible();
    await dialog(page).getByLabel("Expires").selectOption("In 1 day");
    await expect.poll(() => share.expiresAt).not.toBeNull();
    expect(share.audience).toBe("anyone");
    // Links from before this choice existed don't show reasoning.
    const reasoning = dialog(page).getByLabel("Include the model's reasoning");
    await expect(reasoning).not.toBeChecked();
    await reasoning.click();
    await expect.poll(() => share.showReasoning).toBe(true);
    await expect(reasoning).toBeChecked();
    await button(page, "Update link").click();
    await expect(dialog(page)).toContainText("The link shows the whole conversation.");
    await button(page, "Create new link").click();
    await button(page, "Create link").click();
    await expect(dialog(page).getByLabel("Link")).toHaveValue(/\/share\/token-2$/);
    await button(page, "Done").click();
    await page.getByRole("link", { name: "Night tariff operation" }).hover();
    await page.getByRole("button", { name: "Menu for Night tariff operation" }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    await button(page, "Revoke link").click();
    await page
      .getByRole("dialog", { name: "Revoke this link?" })
      .getByRole("button", { name: "Revoke link" })
      .click();
    await expect(page.getByText("Link revoked.")).toBeVisible();
    expect(shares.list).toEqual([]);
  });

  test("respects the admin's limit", async ({ page, gateway }) => {
    gateway.settings.ThreadSharing = "team";
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    await openShareDialog(page, gateway);
    await expect(dialog(page)).toContainText("An admin has limited links to signed-in users");
    await expect(dialog(page).getByRole("radio")).toHaveCount(0);
    gateway.settings.ThreadSharing = "off";
    await page.reload();
    await page.getByRole("button", { name: "Thread menu" }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    await expect(dialog(page)).toContainText("An admin has disabled sharing.");
    await expect(button(page, "Create link")).toHaveCount(0);
  });

  test("is accessible", async ({ page, gateway }) => {
    gateway.shares.add("flow", "Flow temperature, blocks", { isCurrent: false });
    await openShareDialog(page, gateway);
    await expectAccessibleOnAllScreens(page);
  });
});

test.describe("a person's own links", () => {
  test("are listed in their account, and revoked there", async ({ page, gateway }) => {
    gateway.accounts.add("jo", "default");
    gateway.shares.add("night", "Night tariff operation");
    gateway.shares.add("flow", "Flow temperature, blocks", { audience: "anyone" });
    await signedIn(page, gateway, "jo");
    await openAccount(page, gateway, false);
    await page.getByRole("tab", { name: "Shared links" }).click();
    const rows = page.getByRole("list", { name: "Your shared links" }).getByRole("listitem");
    await expect(rows).toHaveText([/Flow temperature, blocks/, /Night tariff operation/]);
    await expect(rows.first()).toContainText(
      "Heat-pump retrofit · created just now · never expires",
    );
    await page.getByRole("button", { name: "Revoke the link to Flow temperature, blocks" }).click();
    await page
      .getByRole("dialog", { name: "Revoke this link?" })
      .getByRole("button", { name: "Revoke link" })
      .click();
    await expect(page.getByText("Link revoked.")).toBeVisible();
    await expect(rows).toHaveText([/Night tariff operation/]);
    await expect
      .poll(() => gateway.shares.list.map(({ thread }) => thread.slug))
      .toEqual(["night"]);
  });
});

test.describe("a shared thread", () => {
  test("shows the conversation with its sources to people without a session", async ({
    page,
    gateway,
  }) => {
    gateway.password = "secret";
    await page.goto(fillShared(gateway));
    await expect(page).toHaveTitle("Flow temperature, blocks · Carrel");
    await expect(page.getByRole("heading", { name: "Design for 48 °C" })).toBeVisible();
    await expect(page.getByText("gpt-4.1-nano")).toBeVisible();
    const mark = page.getByRole("button", { name: /^Source 2/ }).first();
    await mark.hover();
    await expect(page.getByRole("tooltip")).toContainText("Heat-pump field trial.pdf");
    await mark.click();
    await expect(page.locator("[data-shared-source] summary")).toHaveText([
      "1Retrofit survey 2024.pdfp. 14",
      "2Heat-pump field trial.pdfp. 31",
      "3EN 12831 design loads, notes.docx4.3 Emitter capacity",
      "4Night tariff 20254.3 Emitter capacity",
    ]);
    const source = page.locator("[data-shared-source='2']");
    await expect(source.getByRole("paragraph")).toBeVisible();
    await expect(source.locator("summary")).toBeFocused();
    // Nothing else of the app is shown, and no request needs a session.
    await expect(page.getByRole("navigation")).toHaveCount(0);
    await expect(page.getByRole("textbox")).toHaveCount(0);
    const paths = new Set(gateway.requests.map(({ path }) => path));
    for (const path of ["/workspaces", "/changes", "/system/check-token"])
      expect(paths).not.toContain(path);
  });

  test("comes in pages", async ({ page, gateway }) => {
    const path = fillShared(gateway);
    gateway.shares.pageSize = 1;
    gateway.shares.shared["token-of-link"]!.turns[0]!.mentions = [
      { kind: "folder", name: "Surveys" },
    ];
    await page.goto(path);
    await expect(page.getByRole("list", { name: "Chosen with @" })).toHaveText("Surveys");
    await expect(page.getByRole("article")).toHaveCount(1);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect(page.getByText("The documents don't say.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Show more" })).toHaveCount(0);
  });

  test("renders answers as safely as the app does", async ({ page, gateway }) => {
    const path = fillShared(gateway);
    const [turn] = gateway.shares.shared["token-of-link"]!.turns;
    turn!.answer =
      "<img src=x onerror=\"document.title='run'\"> [link](javascript:alert(1)) ![p](https://evil.test/p.png)";
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(gateway.url)) foreign.push(request.url());
    });
    await page.goto(path);
    await expect(page.getByRole("article").first()).toContainText("link");
    await expect(page.locator("main img")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "link" })).toHaveCount(0);
    await expect(page).toHaveTitle(/^Flow temperature/);
    expect(foreign).toEqual([]);
  });

  test("for signed-in users opens with a session, and offers to sign in without one", async ({
    page,
    gateway,
  }) => {
    gateway.accounts.add("olu", "default");
    const path = fillShared(gateway);
    gateway.shares.shared["token-of-link"]!.audience = "team";
    await page.goto(path);
    await expect(gone(page)).toBeVisible();
    await page.getByRole("link", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/login\?to=/);
    await signedIn(page, gateway, "olu");
    await page.goto(path);
    await expect(page.getByRole("heading", { name: "Design for 48 °C" })).toBeVisible();
  });

  test("with an ended session still opens if it is for anyone", async ({ page, gateway }) => {
    gateway.accounts.add("mira", "admin");
    await page.addInitScript(() => localStorage.setItem("anythingllm_authToken", "stale"));
    await page.goto(fillShared(gateway));
    await expect(page.getByRole("heading", { name: "Design for 48 °C" })).toBeVisible();
  });

  test("is accessible, and so is a dead link", async ({ page, gateway }) => {
    await page.goto(fillShared(gateway));
    await page
      .getByRole("button", { name: /^Source 1/ })
      .first()
      .click();
    await expectAccessibleOnAllScreens(page);
    await page.goto("/share/unknown");
    await expect(gone(page)).toBeVisible();
    await expectAccessible(page);
  });
});

test.describe("shared links in the settings", () => {
  test("are limited, listed and revoked by admins", async ({ page, gateway }) => {
    gateway.shares.add("flow", "Flow temperature, blocks", { audience: "anyone", owner: "mira" });
    await page.goto("/settings/shared-links");
    const row = page.getByRole("row", { name: /Flow temperature, blocks/ });
    await expect(row).toContainText("by mira");
    await page.getByRole("radio", { name: "Users of this instance" }).click();
    await expect(
      page.getByText("Links work only for those who can open this instance."),
    ).toBeVisible();
    await expect.poll(() => gateway.settings.ThreadSharing).toBe("team");
    await expectAccessibleOnAllScreens(page);
    await row.getByRole("button").click();
    await page.getByRole("menuitem", { name: "Revoke link" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke link" }).click();
    await expect(page.getByText("No shared links")).toBeVisible();
    await expect
      .poll(() => gateway.shares.sent.at(-1))
      .toMatchObject({ method: "DELETE", path: "/shares/1" });
  });
});
