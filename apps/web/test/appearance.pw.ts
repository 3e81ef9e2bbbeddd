import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectAccessibleOnAllScreens } from "./accessibility.ts";
import { signedIn } from "./account-screens.ts";
const open = async (page: Page): Promise<void> => {
  await page.goto("/settings/appearance");
  await expect(page.getByRole("heading", { name: "Welcome messages" })).toBeVisible();
};
const text = (page: Page, number: number) => page.getByLabel(`Text of message ${number}`);
const button = (page: Page, name: string) => page.getByRole("button", { name });

test.describe("welcome messages", () => {
  test.beforeEach(async ({ gateway }) => {
    gateway.chat.welcome = [{ user: "Who are you?", response: "I know the **retrofit**." }];
  });

  test("are shown to managers", async ({ page, gateway }) => {
    gateway.admin.fill();
    await signedIn(page, gateway, "olu");
    await open(page);
    await expect(page.getByRole("link", { name: "Appearance" })).toBeVisible();
  });

  test("are hidden from members", async ({ page, gateway }) => {
    gateway.admin.fill();
    await signedIn(page, gateway, "jo-brandt");
    await page.goto("/settings/appearance");
    await page.waitForURL("/workspace/heat-pump-retrofit");
  });

  test("are added, edited, moved and removed with the keyboard, and previewed as they appear in a chat", async ({
    page,
    gateway,
  }) => {
    await open(page);
    await expect(text(page, 1)).toHaveValue("Who are you?");
    await expect(
      page.getByRole("region", { name: "Preview" }).locator("strong").getByText("retrofit"),
    ).toBeVisible();
    await button(page, "Add assistant message").focus();
    await page.keyboard.press("Enter");
    await expect(text(page, 3)).toBeFocused();
    await expect(page.getByText("Enter a message, or remove it.")).toBeVisible();
    await page.keyboard.type("Ask about _rules_.");
    await expect(
      page.getByRole("region", { name: "Preview" }).locator("em").getByText("rules"),
    ).toBeVisible();
    await button(page, "Move message 3 up").focus();
    await page.keyboard.press("Enter");
    await expect(text(page, 2)).toHaveValue("Ask about _rules_.");
    await page.keyboard.press("Enter"); // focus moves along with the message
    await expect(text(page, 1)).toHaveValue("Ask about _rules_.");
    await expect(button(page, "Move message 1 down")).toBeFocused(); // already first, cannot move up
    await button(page, "Remove message 2").focus();
    await page.keyboard.press("Enter");
    await expect(button(page, "Remove message 2")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(button(page, "Remove message 1")).toBeFocused();
    await text(page, 1).fill(" Ask about **rules**. ");
    await button(page, "Save changes").click();
    await expect(page.getByText("Welcome messages saved.")).toBeVisible();
    expect(gateway.chat.welcome).toEqual([{ user: "", response: "Ask about **rules**." }]);
    await page.goto("/workspace/heat-pump-retrofit");
    await expect(
      page.getByRole("group", { name: "Welcome" }).locator("strong").getByText("rules"),
    ).toBeVisible();
  });

  test("are not saved when empty, and keep what was typed when the server rejects them", async ({
    page,
    gateway,
  }) => {
    await open(page);
    await expect(text(page, 2)).toHaveValue("I know the **retrofit**.");
    await text(page, 2).fill("  ");
    await expect(page.getByText("Enter a message, or remove it.")).toBeVisible();
    await button(page, "Save changes").click();
    await expect(text(page, 2)).toBeFocused();
    expect(
      gateway.chat.calls.filter(({ path }) => path === "/system/set-welcome-messages"),
    ).toEqual([]);
    await text(page, 2).fill("I know nothing.");
    gateway.chat.refuseWelcome = "Invalid message format. Expected an array of messages.";
    await button(page, "Save changes").click();
    await expect(
      page.getByText("Couldn't save the welcome messages: The server didn't accept this."),
    ).toBeVisible();
    await expect(text(page, 2)).toHaveValue("I know nothing.");
    await page.getByRole("link", { name: "Security" }).click();
    await expect(page.getByRole("dialog").getByText("Leave without saving?")).toBeVisible();
    await page.keyboard.press("Escape");
    await button(page, "Discard").click();
    await expect(text(page, 2)).toHaveValue("I know the **retrofit**.");
    await page.getByRole("link", { name: "Security" }).click();
    await page.waitForURL("**/settings/security");
  });

  test("saved in pairs by an existing client do not count as changed, and the theme saves itself", async ({
    page,
  }) => {
    await open(page);
    await expect(text(page, 1)).toHaveValue("Who are you?");
    await page.getByRole("radio", { name: "Light" }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
    await expect(button(page, "Save changes")).toBeDisabled();
  });

  test("are accessible, and fit", async ({ page }) => {
    await open(page);
    await button(page, "Add user message").click();
    await expectAccessibleOnAllScreens(page);
  });
});
