import { expectAccessible } from "./accessibility.ts";
import { expect, test, threadPath } from "./fixtures.ts";
import { deletion, left, menu, open, slug } from "./sidebar-page.ts";

test.describe("deleted threads", () => {
  test("can be restored until they expire, or deleted permanently before then", async ({
    page,
    gateway,
  }) => {
    gateway.shell.trashDays = 14;
    await open(page);
    await menu(page, "Noise", "Delete thread");
    await expect(
      page.getByText("All of its messages will be deleted. You can restore it for 14 days.", {
        exact: true,
      }),
    ).toBeVisible();
    await page.getByRole("button", { name: "Delete thread" }).click();
    await menu(page, "Night", "Delete thread");
    await page.getByRole("button", { name: "Delete thread" }).click();
    await page.getByRole("button", { name: "Trash" }).click();
    const dialog = page.getByRole("dialog", { name: "Trash" });
    await expect(dialog.getByText("You can restore each for 14 days.")).toBeVisible();
    await expect(dialog.getByText("permanently deleted in 14 days").first()).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Restore Noise in the courtyards" }).click();
    await expect(page.locator('[data-threads] a[href$="/t/noise"]')).toBeVisible();
    await dialog.getByRole("button", { name: "Delete Night tariff operation permanently" }).click();
    await expect(page.getByText(deletion, { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await expect(dialog.getByText("The trash is empty.")).toBeVisible();
    await expect
      .poll(() => [left(gateway), gateway.shell.trash[slug]])
      .toEqual([["noise", "flow"], []]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await menu(page, "Heat-pump", "Trash");
    await expect(dialog).toBeVisible();
  });
  for (const place of ["the sidebar", "the thread's menu"] as const)
    test(`come back with Undo: deleted in ${place}`, async ({ page, gateway }) => {
      gateway.shell.trashDays = 14;
      await page.goto(threadPath);
      await expect(page.getByRole("heading", { name: "Flow temperature, blocks" })).toBeVisible();
      if (place === "the sidebar") await menu(page, "Flow", "Delete thread");
      else {
        await page.getByRole("button", { name: "Thread menu" }).click();
        await page.getByRole("menuitem", { name: "Delete thread" }).click();
      }
      await page.getByRole("button", { name: "Delete thread" }).click();
      await page.waitForURL(`**/workspace/${slug}`);
      const link = page.locator('[data-threads] a[href$="/t/flow"]');
      await expect(link).toHaveCount(0);
      await page.getByRole("button", { name: "Undo" }).click();
      await expect(link).toBeVisible();
      await expect.poll(() => gateway.shell.trash[slug]).toEqual([]);
    });
  test("can't be undone if none are kept, and are renamed in the thread's menu as well", async ({
    page,
  }) => {
    await page.goto(threadPath);
    await page.getByRole("button", { name: "Thread menu" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("Supply temperature");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Supply temperature" })).toBeVisible();
    await page.getByRole("button", { name: "Thread menu" }).click();
    await page.getByRole("menuitem", { name: "Delete thread" }).click();
    await page.getByRole("button", { name: "Delete thread" }).click();
    await expect(page.getByText("Thread deleted.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  });
  test("are not mentioned if none are kept", async ({ page }) => {
    await open(page);
    await page.getByRole("button", { name: "Menu for Heat-pump" }).click();
    await expect(page.getByRole("menuitem", { name: "Documents" })).toBeVisible();
    await expect(page.getByText("Trash")).toHaveCount(0);
  });
});
