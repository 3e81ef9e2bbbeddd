import type { Page } from "@playwright/test";
import { expectAccessibleOnAllScreens } from "./accessibility.ts";
import { signedIn } from "./account-screens.ts";
import { expect, test } from "./fixtures.ts";
import { onePixel } from "./one-pixel.ts";

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
    await expect(page.getByText("Appearance saved.")).toBeVisible();
    await expect
      .poll(() => gateway.chat.welcome)
      .toEqual([{ user: "", response: "Ask about **rules**." }]);
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
    await expect
      .poll(() => gateway.chat.calls.filter(({ path }) => path === "/system/set-welcome-messages"))
      .toEqual([]);
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

test.describe("branding", () => {
  const picture = (name: string) => ({ name, mimeType: "image/png", buffer: onePixel });
  const save = (page: Page) => button(page, "Save changes").click();
  const toast = (page: Page, words: string) =>
    page.getByRole("listitem").filter({ hasText: words });

  test("is changed for everyone at once, and can be undone from the toast", async ({
    page,
    gateway,
  }) => {
    gateway.admin.branding.appName = "Harbour Desk";
    await open(page);
    const name = page.getByLabel("Name", { exact: true });
    await expect(name).toHaveValue("Harbour Desk");
    await name.fill("Riverside");
    await page.getByLabel("Page title").fill("The river");
    await page.getByLabel("Support email").fill("help");
    await expect(page.getByText("Enter an email address.")).toBeVisible();
    await save(page);
    await expect(page.getByLabel("Support email")).toBeFocused();
    await page.getByLabel("Support email").fill("help@river.example");
    await button(page, "Add link").click();
    await expect(page.getByLabel("Address of link 1")).toBeFocused();
    await page.keyboard.type("https://river.example");
    await page.getByLabel("Icon of link 1").selectOption("Globe");
    await expect(page.getByText("4 changes")).toBeVisible();
    await save(page);
    const undo = toast(page, "Appearance saved.").getByRole("button", { name: "Undo" });
    await undo.hover(); // keeps it
    await expect(page).toHaveTitle("Appearance · The river");
    await expect(page.getByRole("link", { name: "river.example" })).toBeVisible();
    await expect
      .poll(() => gateway.admin.branding)
      .toMatchObject({
        appName: "Riverside",
        footer: [{ icon: "Globe", url: "https://river.example" }],
        texts: { support_email: "help@river.example" },
      });
    await undo.click();
    await expect(name).toHaveValue("Harbour Desk");
    await expect(page).toHaveTitle("Appearance · Harbour Desk");
    await expect
      .poll(() => gateway.admin.branding)
      .toMatchObject({ appName: "Harbour Desk", footer: [] });
    // Somebody else's change appears in fields that aren't being edited.
    gateway.admin.branding.appName = "Hill";
    gateway.change({ type: "branding.changed" });
    await expect(name).toHaveValue("Hill");
  });

  test("has a logo for each theme, which can be put back", async ({ page, gateway }) => {
    const { branding } = gateway.admin;
    await open(page);
    const dark = page.getByRole("group", { name: "Dark theme" });
    const light = page.getByRole("group", { name: "Light theme" });
    await expect(dark.getByText("Carrel's logo")).toBeVisible();
    await dark.locator("input[type=file]").setInputFiles(picture("logo.png"));
    await expect(dark.getByText("Your logo")).toBeVisible();
    await expect(light.getByText("Same as in the dark theme")).toBeVisible();
    await expect(button(page, "Remove: Light theme")).toHaveCount(0);
    await light.locator("input[type=file]").setInputFiles(picture("light.png"));
    await expect(light.getByText("Your logo")).toBeVisible();
    expect(Object.keys(branding.logos).toSorted()).toEqual(["default", "light"]);
    await button(page, "Remove: Light theme").click();
    await expect(light.getByText("Same as in the dark theme")).toBeVisible();
    await toast(page, "Logo removed successfully.").getByRole("button", { name: "Undo" }).click();
    await expect(light.getByText("Your logo")).toBeVisible();
    expect(branding.logos.light).toEqual(onePixel);
    await dark
      .locator("input[type=file]")
      .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("no") });
    await expect(page.getByText("Error uploading logo. Choose a picture.")).toBeVisible();
    // Without the toasts, which shrink while they leave.
    await open(page);
    await expect(light.getByText("Your logo")).toBeVisible();
    await expectAccessibleOnAllScreens(page);
  });
});
