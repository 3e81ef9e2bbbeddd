import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./accessibility.ts";
import { deletion, left, menu, open, slug } from "./sidebar-page.ts";

test.describe("deleted threads", () => {
  test("can be restored until they expire, or deleted for good before then", async ({
    page,
    gateway,
  }) => {
    gateway.shell.trashDays = 14;
    await open(page);
    await menu(page, "Noise", "Delete Thread");
    await expect(
      page.getByText(
        "Are you sure you want to delete this thread? All of its chats will be deleted. You can bring it back for 14 days.",
        { exact: true },
      ),
    ).toBeVisible();
    await page.getByRole("button", { name: "Delete Thread" }).click();
    await menu(page, "Night", "Delete Thread");
    await page.getByRole("button", { name: "Delete Thread" }).click();
    await page.getByRole("button", { name: "Deleted threads" }).click();
    const dialog = page.getByRole("dialog", { name: "Deleted threads" });
    await expect(dialog.getByText("Each can be brought back for 14 days.")).toBeVisible();
    await expect(dialog.getByText("gone for good in 14 days").first()).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Restore Noise in the courtyards" }).click();
    await expect(page.locator('.threads a[href$="/t/noise"]')).toBeVisible();
    await dialog.getByRole("button", { name: "Delete Night tariff operation for good" }).click();
    await expect(page.getByText(deletion, { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await expect(dialog.getByText("Nothing is here.")).toBeVisible();
    await expect
      .poll(() => [left(gateway), gateway.shell.trash[slug]])
      .toEqual([["noise", "flow"], []]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await menu(page, "Heat-pump", "Deleted threads");
    await expect(dialog).toBeVisible();
  });
  test("are not mentioned if none are kept", async ({ page }) => {
    await open(page);
    await page.getByRole("button", { name: "Menu of Heat-pump" }).click();
    await expect(page.getByRole("menuitem", { name: "Documents" })).toBeVisible();
    await expect(page.getByText("Deleted threads")).toHaveCount(0);
  });
});
