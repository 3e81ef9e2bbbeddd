import type { Page } from "@playwright/test";
import { threadWire } from "./fake-data.ts";
import { expect, test, threadPath } from "./fixtures.ts";

const slug = "heat-pump-retrofit";
const row = (page: Page, name: string) =>
  page.getByRole("navigation").getByRole("link", { name, exact: true });

test.describe("the default thread", () => {
  test.beforeEach(({ gateway }) => {
    const { slug: _slug, ...thread } = threadWire(70, "What does the meter cost?", "");
    gateway.defaultThreads[slug] = thread;
  });

  test("has a title, and is renamed, pinned and archived like any other", async ({
    page,
    gateway,
  }) => {
    await page.goto(`/workspace/${slug}`);
    await expect(page).toHaveTitle("What does the meter cost? · Carrel");
    await expect(row(page, "What does the meter cost?")).toHaveAttribute("aria-current", "page");
    await expect(row(page, "Default thread")).toHaveCount(0);
    const menu = page.getByRole("button", { name: "Thread menu" });
    await menu.click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("Meters");
    await page.keyboard.press("Enter");
    await expect(row(page, "Meters")).toBeVisible();
    await expect(page).toHaveTitle("Meters · Carrel");
    await menu.click();
    await page.getByRole("menuitem", { name: "Pin" }).click();
    await expect.poll(() => gateway.defaultThreads[slug]?.pinnedAt).toEqual(expect.any(String));
    await menu.click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await expect(row(page, "Meters")).toHaveCount(0);
    await page.getByRole("button", { name: /^Archived/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore Meters" }).click();
    await expect.poll(() => gateway.defaultThreads[slug]?.archivedAt).toBeNull();
  });

  test("isn't marked as open while another thread or a page of the workspace is", async ({
    page,
  }) => {
    const marked = page.locator('[data-threads] [aria-current="page"]');
    await page.goto(threadPath);
    await expect(marked).toHaveCount(1);
    await expect(marked).not.toHaveText("What does the meter cost?");
    await page.goto(`/workspace/${slug}/documents`);
    await expect(row(page, "What does the meter cost?")).toBeVisible();
    await expect(marked).toHaveCount(0);
  });

  test("is empty after deleting it", async ({ page, gateway }) => {
    await page.goto(`/workspace/${slug}`);
    await page.getByRole("button", { name: "Thread menu" }).click();
    await page.getByRole("menuitem", { name: "Delete thread" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete thread" }).click();
    await expect.poll(() => gateway.defaultThreads[slug]).toBeUndefined();
    await expect(row(page, "Default thread")).toBeVisible();
    await expect(page).toHaveTitle("Default thread · Carrel");
  });
});
