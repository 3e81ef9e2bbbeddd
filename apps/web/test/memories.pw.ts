import type { Locator, Page } from "@playwright/test";
import { expectAccessibleOnAllScreens } from "./accessibility.ts";
import { signedIn } from "./account-screens.ts";
import { expect, test, threadPath } from "./fixtures.ts";
import { fillMemories, memoriesScreens, openMemories } from "./memories-screens.ts";
const slug = "heat-pump-retrofit";
const dialog = (page: Page): Locator => page.getByRole("dialog", { name: "Memories" });
const part = (page: Page, name: string): Locator => dialog(page).getByRole("region", { name });
const texts = (page: Page, name: string): Promise<string[]> =>
  part(page, name).getByRole("listitem").getByRole("paragraph").allTextContents();
const here = "In Heat-pump retrofit";
const button = (page: Page, name: string | RegExp): Locator =>
  dialog(page).getByRole("button", { name });

test.describe("personalization", () => {
  const row = (page: Page, name: string): Locator =>
    page.getByRole("switch", { name, exact: true });
  test("is enabled by an admin, with the keyboard, and only then can people open their memories", async ({
    page,
    gateway,
  }) => {
    await page.goto(threadPath);
    await page.getByRole("button", { name: "Thread menu" }).click();
    await expect(page.getByRole("menuitem", { name: "Export as JSON" })).toBeVisible();
    await expect(page.getByRole("menuitem", { name: "Memories" })).toContainText(
      "You can turn them on in Settings > Personalization.",
    );
    await page.goto("/settings/appearance");
    await page.getByRole("link", { name: "Personalization" }).click();
    await expect(row(page, "Memories")).toBeVisible();
    await expect(row(page, "Memories")).toHaveAttribute("aria-checked", "false");
    await expect(row(page, "Save memories automatically")).toBeDisabled();
    await row(page, "Memories").focus();
    await page.keyboard.press("Space");
    await expect(page.getByText("Memories are on.")).toBeVisible();
    // It is off until the user switches it on.
    await expect(row(page, "Save memories automatically")).toHaveAttribute("aria-checked", "false");
    await expect(row(page, "Memories")).toBeFocused();
    await row(page, "Save memories automatically").click();
    await expect(row(page, "Save memories automatically")).toHaveAttribute("aria-checked", "true");
    await expect.poll(() => gateway.memories.sent.length).toBe(2);
    gateway.memories.refuse = { status: 500, message: "PostgreSQL is away" };
    await row(page, "Save memories automatically").click();
    await expect(
      page.getByText(
        "Couldn't save the change: Something went wrong on the server. Its log has the details.",
      ),
    ).toBeVisible();
    await expect(row(page, "Save memories automatically")).toHaveAttribute("aria-checked", "true");
    await row(page, "Save memories automatically").click();
    await expect(page.getByText("Memories are no longer saved automatically.")).toBeVisible();
    await expect
      .poll(() => gateway.memories.sent.map(({ body }) => body))
      .toEqual([
        { memory_enabled: "true", memory_auto_extraction: "false" },
        { memory_auto_extraction: "true" },
        { memory_auto_extraction: "false" },
        { memory_auto_extraction: "false" },
      ]);
    await page.getByRole("link", { name: "Back to workspaces" }).click();
    await page.getByRole("button", { name: "Thread menu" }).click();
    await expect(page.getByRole("menuitem", { name: "Memories" })).toBeVisible();
  });
  test("is switched only by admins, and available to everyone", async ({ page, gateway }) => {
    gateway.memories.enabled = true;
    gateway.admin.fill();
    gateway.accounts.setup = gateway.memories.settings;
    await signedIn(page, gateway, "olu");
    await page.goto("/settings/personalization");
    await page.waitForURL(`/workspace/${slug}`);
    await page.goto("/settings/appearance");
    await expect(page.getByRole("link", { name: "Appearance" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Personalization" })).toHaveCount(0);
  });
});

test.describe("memories", () => {
  test("are added, and edited in place, with the keyboard", async ({ page, gateway }) => {
    gateway.memories.enabled = true;
    await openMemories(page, gateway);
    await expect(dialog(page).getByText("No memories yet.")).toBeVisible();
    await expect(dialog(page).getByText("don't use memories")).toBeVisible(); // built-in answers
    await expect(part(page, here).getByText("0 of 20")).toBeVisible();
    await button(page, "Add memory in Heat-pump retrofit").focus();
    await page.keyboard.press("Enter");
    await expect(dialog(page).getByLabel("New memory")).toBeFocused();
    await page.keyboard.type("  Works on the harbour blocks. ");
    await page.keyboard.press("Enter");
    await expect.poll(() => texts(page, here)).toEqual(["Works on the harbour blocks."]);
    await expect(part(page, here).getByText("1 of 20")).toBeVisible();
    await expect(button(page, "Add memory in Heat-pump retrofit")).toBeFocused();
    await button(page, /^Edit “Works/).click();
    await expect(dialog(page).getByLabel("Memory", { exact: true })).toBeFocused();
    await page.keyboard.type(" Until spring.");
    gateway.memories.refuse = { status: 400, message: "No code has this text" };
    await page.keyboard.press("Enter");
    await expect(
      dialog(page).getByRole("alert").getByText("The server didn't accept this."),
    ).toBeVisible();
    await expect(dialog(page).getByLabel("Memory", { exact: true })).toHaveValue(
      "Works on the harbour blocks. Until spring.",
    );
    await page.keyboard.press("Enter");
    await expect
      .poll(() => texts(page, here))
      .toEqual(["Works on the harbour blocks. Until spring."]);
    await expect(button(page, /^Edit “Works/)).toBeFocused();
  });

  test("cancel the edit first on Esc, and only then close", async ({ page, gateway }) => {
    fillMemories(gateway);
    await openMemories(page, gateway);
    await expect(
      dialog(page).getByText("The model also saves what you share about yourself"),
    ).toBeVisible();
    await button(page, /^Edit “Figures/).click();
    await expect(dialog(page).getByLabel("Memory", { exact: true })).toBeFocused();
    await page.keyboard.type(" Not this.");
    await page.keyboard.press("Escape");
    await expect(button(page, /^Edit “Figures/)).toBeFocused();
    await expect
      .poll(() => texts(page, "Everywhere"))
      .toEqual(["Figures in SI units, please, with the page they come from."]);
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
    await expect.poll(() => gateway.memories.sent).toEqual([]);
  });

  test("move to all workspaces and back, and show the instance's errors", async ({
    page,
    gateway,
  }) => {
    fillMemories(gateway);
    await openMemories(page, gateway);
    await button(page, /^Use everywhere: “Works/).click();
    await expect(page.getByText("This memory now applies everywhere.")).toBeVisible();
    await expect
      .poll(() => texts(page, "Everywhere"))
      .toEqual(expect.arrayContaining(["Works on the three blocks at the harbour until spring."]));
    await expect(button(page, /^Only in Heat-pump retrofit: “Works/)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(
      page.getByText("This memory now applies only in Heat-pump retrofit."),
    ).toBeVisible();
    await expect.poll(() => texts(page, here)).toHaveLength(2);
    for (let more = 0; more < 4; more += 1) gateway.memories.add(`Rule ${more}`, null);
    await button(page, /^Use everywhere: “I plan/).click();
    await expect(
      page.getByText(
        "Couldn't move the memory: At most 5 global memories can be kept. Delete one first.",
      ),
    ).toBeVisible();
    await page.keyboard.press("Escape");
    await openMemories(page, gateway);
    await expect(part(page, "Everywhere").getByText("5 of 5")).toBeVisible();
    await expect(part(page, "Everywhere").getByText("You can have up to 5.")).toBeVisible();
    await expect(button(page, "Add memory everywhere")).toHaveCount(0);
  });

  test("are deleted after a confirmation, and focus moves to the next one", async ({
    page,
    gateway,
  }) => {
    fillMemories(gateway);
    await openMemories(page, gateway);
    const question = page.getByRole("dialog", { name: "Delete this memory?" });
    await button(page, /^Delete “I plan/).click();
    await expect(question.getByText("I plan heating")).toBeVisible();
    await expect(question.locator(":focus")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(question).toHaveCount(0);
    await expect(button(page, /^Delete “I plan/)).toBeFocused();
    await page.keyboard.press("Enter");
    await question.getByRole("button", { name: "Delete memory" }).click();
    await expect(question).toHaveCount(0);
    await expect
      .poll(() => texts(page, here))
      .toEqual(["Works on the three blocks at the harbour until spring."]);
    await expect(button(page, /^Delete “Works/)).toBeFocused();
    await expect.poll(() => gateway.memories.sent).toMatchObject([{ method: "DELETE" }]);
  });

  test("leave a confirmation on Esc pressed the moment it has focus, and stay open", async ({
    page,
    gateway,
  }) => {
    fillMemories(gateway);
    await openMemories(page, gateway);
    const pressed = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          document.addEventListener("focusin", ({ target }) => {
            const box = target instanceof Element ? target.closest('[role="dialog"]') : null;
            if (!box?.textContent.includes("Delete this memory?")) return;
            const escape = { key: "Escape", bubbles: true, cancelable: true };
            queueMicrotask(() => target?.dispatchEvent(new KeyboardEvent("keydown", escape)));
            resolve();
          });
        }),
    );
    await button(page, /^Delete “I plan/).click();
    await pressed;
    await expect(page.getByRole("dialog", { name: "Delete this memory?" })).toHaveCount(0);
    await expect(button(page, /^Delete “I plan/)).toBeFocused();
  });

  test("show an error when they were disabled in the meantime", async ({ page, gateway }) => {
    fillMemories(gateway);
    await page.goto(threadPath);
    await page.getByRole("button", { name: "Thread menu" }).click();
    gateway.memories.enabled = false;
    await page.getByRole("menuitem", { name: "Memories" }).click();
    await expect(dialog(page).getByText("Personalization is disabled.")).toBeVisible();
  });

  for (const name of ["memories", "memories-edit", "memories-rtl", "personalization"])
    test(`are accessible and fit the screen: ${name}`, async ({ page, gateway }) => {
      await memoriesScreens[name]!(page, gateway, false);
      await expectAccessibleOnAllScreens(page);
    });
});
