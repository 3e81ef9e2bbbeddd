import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./accessibility.ts";
import { deletion, left, menu, open, slug } from "./sidebar-page.ts";

test.describe("deleted threads", () => {
  test("can be restored until they expire, or deleted permanently before then", async ({
    page,
    gateway,
  }) => {
    gateway.shell.trashDays = 14;
    await open(page);
    await menu(page, "Noise", "Delete Thread");
    await expect(
      page.getByText(
        "Are you sure you want to delete this thread? All of its chats will be deleted. You can restore it for 14 days.",
        { exact: true },
      ),
    ).toBeVisible();
    await page.getByRole("button", { name: "Delete Thread" }).click();
    await menu(page, "Night", "Delete Thread");
    await page.getByRole("button", { name: "Delete Thread" }).click();
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
  test("are not mentioned if none are kept", async ({ page }) => {
    await open(page);
    await page.getByRole("button", { name: "Menu for Heat-pump" }).click();
    await expect(page.getByRole("menuitem", { name: "Documents" })).toBeVisible();
    await expect(page.getByText("Trash")).toHaveCount(0);
  });
});
