import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { threadWire } from "./fake-data.ts";
import { expect, phone, test, threadPath } from "./fixtures.ts";
import { left, menu, named, open, slug } from "./sidebar-page.ts";

const day = 86_400_000;
/** Headings and threads of the sidebar, in order. */
const shown = (page: Page) => page.locator("[data-threads]").locator("h3, [data-thread] a");
const ago = (id: number, name: string, days: number) => ({
  ...threadWire(id, name, `ago-${days}`),
  lastUpdatedAt: new Date(Date.now() - days * day).toISOString(),
});

test.describe("pinned and archived threads", () => {
  test.beforeEach(({ gateway }) => {
    const now = Date.now(); // read once: the threads' order depends on single milliseconds
    for (const [n, thread] of gateway.threads[slug]!.entries())
      thread.lastUpdatedAt = new Date(now - n).toISOString();
  });
  test("stay on top, or leave the list and are found under Archived", async ({ page, gateway }) => {
    gateway.shell.trashDays = 14;
    gateway.threads[slug]!.push(ago(31, "Last week", 3), ago(30, "Long ago", 500));
    const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" }).format(
      Date.now() - 500 * day,
    );
    await open(page);
    const listed = (...rows: string[]): Promise<void> =>
      expect(shown(page)).toHaveText(rows, { useInnerText: true });
    const [flow, night, noise] = [
      "Flow temperature, blocks",
      "Night tariff operation",
      "Noise in the courtyards",
    ];
    const older = ["Previous 7 days", "Last week", month, "Long ago"];
    await listed("Today", flow, night, noise, ...older);
    await menu(page, "Noise", "Pin");
    await listed("Pinned", noise, "Today", flow, night, ...older);
    await menu(page, "Long", "Pin");
    await listed("Pinned", "Long ago", noise, "Today", flow, night, ...older.slice(0, 2));
    await expect(page.getByRole("menu")).toHaveCount(0);
    await expectAccessible(page);
    await menu(page, "Long", "Unpin");
    await menu(page, "Noise", "Archive");
    await listed("Today", flow, night, ...older);
    await expect(page.getByText("Noise in the courtyards was archived.")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await listed("Pinned", noise, "Today", flow, night, ...older);
    await menu(page, "Night", "Archive");
    await menu(page, "Noise", "Archive");
    await page.getByRole("button", { name: "Archived 2" }).click();
    const dialog = page.getByRole("dialog", { name: "Archived" });
    await expect(dialog.getByRole("link")).toHaveText([/^Noise/, /^Night/]);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Restore Night tariff operation" }).click();
    await expect(page.locator('[data-threads] a[href$="/t/night"]')).toBeVisible();
    await dialog.getByRole("button", { name: "Delete Noise in the courtyards" }).click();
    await page.getByRole("button", { name: "Delete thread" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole("button", { name: /^Archived/ })).toHaveCount(0);
    await expect.poll(() => left(gateway)).not.toContain("noise");
    await page
      .getByRole("listitem")
      .filter({ hasText: "Thread deleted." })
      .getByRole("button", { name: "Undo" })
      .click();
    await page.getByRole("button", { name: "Archived 1" }).click();
    await expect(dialog.getByRole("link")).toHaveText([/^Noise/]);
    await dialog.getByRole("link").click();
    await page.waitForURL("**/t/noise");
    await expect(page.getByRole("heading", { name: noise, level: 1 })).toBeVisible();
    await page.getByRole("button", { name: "Thread menu" }).click();
    await page.getByRole("menuitem", { name: "Restore from archive" }).click();
    await expect(named(page, noise)).toBeVisible();
  });
  test("return to their place if that fails, and are pinned with the keyboard", async ({
    page,
    gateway,
  }) => {
    await open(page);
    gateway.shell.refuse = { kind: "mark", words: "no" };
    await menu(page, "Night", "Archive");
    await expect(page.getByText("Couldn't update the thread:")).toBeVisible();
    await expect(named(page, "Night tariff")).toBeVisible();
    await page.mouse.move(900, 400); // off the menu's items
    await page.getByRole("button", { name: "Menu for Night" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.locator("[role=menu]:focus, [role=menu] :focus")).toBeVisible();
    await page.keyboard.press("p");
    await expect(page.getByRole("menuitem", { name: "Pin" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(shown(page).first()).toHaveText("Pinned");
    await expect
      .poll(() => gateway.threads[slug]!.find((each) => each.slug === "night")?.pinnedAt)
      .not.toBeNull();
  });
  test("follow other devices, and a question brings its thread to the top", async ({
    page,
    gateway,
  }) => {
    const old = ago(30, "Long ago", 40);
    gateway.threads[slug]!.push(old);
    await open(page);
    await expect(shown(page).last()).toHaveText("Long ago");
    const about = { type: "threads.changed", workspaceId: 1, change: "marked" } as const;
    await expect
      .poll(async () => {
        // Sent again until the change stream is connected.
        gateway.change({
          type: "generation.changed",
          workspaceId: 1,
          threadId: 30,
          generationId: "11111111-1111-4111-8111-111111111111",
          state: "running",
        });
        return await shown(page).nth(1).innerText();
      })
      .toBe("Long ago");
    old.pinnedAt = new Date().toISOString();
    gateway.change({ ...about, slugs: [old.slug] });
    await expect(shown(page).first()).toHaveText("Pinned");
  });
  test("say which answer is being written and which waits for the person", async ({
    page,
    gateway,
  }) => {
    await open(page);
    const [, thread] = gateway.threads[slug]!;
    const announce = (state: string): void =>
      gateway.change({
        type: "generation.changed",
        workspaceId: 1,
        threadId: thread!.id,
        generationId: "11111111-1111-4111-8111-111111111111",
        state,
      });
    const row = page.locator("[data-threads] [data-thread]").filter({ hasText: thread!.name });
    const waiting = row.getByRole("img", { name: "Waiting for you" });
    await expect
      .poll(() => {
        announce("waiting"); // again until the change stream is connected
        return waiting.count();
      })
      .toBe(1);
    await expectAccessible(page);
    announce("running");
    await expect(row.getByLabel("Answering")).toBeVisible();
    await expect(waiting).toHaveCount(0);
    announce("cancelled");
    await expect(row.getByLabel("Answering")).toHaveCount(0);
  });
  test("stand under their headings when the list is long", async ({ page, gateway }) => {
    gateway.threads[slug] = Array.from({ length: 300 }, (_, n) => ({
      ...threadWire(1000 + n, `Thread number ${n}`, `many-${n}`),
      lastUpdatedAt: new Date(Date.now() - n * day).toISOString(),
    }));
    await page.goto(threadPath);
    await expect(shown(page).first()).toHaveText("Today");
    await expect(page.locator("[data-threads] [data-thread]")).toHaveCount(12);
    await page.getByRole("button", { name: "Show 288 more" }).click();
    await expect(page.locator("[data-thread-rows]")).toBeVisible();
    await expect.poll(() => page.locator("[data-threads] [data-thread]").count()).toBeLessThan(80);
    await expect(page.locator("[data-threads] h3").first()).toHaveText("Today");
    await page.locator("[data-threads] h3").nth(2).scrollIntoViewIfNeeded();
    await expect(page.locator("[data-threads] h3").nth(2)).toHaveText("Previous 7 days");
  });
  test.describe(() => {
    test.use(phone);
    test("are reached by touch", async ({ page }) => {
      await page.goto(threadPath);
      await page.getByRole("button", { name: "Open sidebar" }).tap();
      await page.getByRole("button", { name: "Menu for Noise" }).tap();
      await page.getByRole("menuitem", { name: "Archive" }).tap();
      await page.getByRole("button", { name: "Archived 1" }).tap();
      const dialog = page.getByRole("dialog", { name: "Archived" });
      await expect(dialog.getByRole("link", { name: "Noise" })).toBeVisible();
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await dialog.getByRole("button", { name: "Restore Noise" }).tap();
      await expect(dialog.getByText("No archived threads.")).toBeVisible();
    });
  });
});
