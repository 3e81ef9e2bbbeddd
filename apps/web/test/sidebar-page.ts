import type { Locator, Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, threadPath } from "./fixtures.ts";

export const slug = "heat-pump-retrofit";
export const named = (page: Page, name: string): Locator =>
  page.locator("[data-threads]").getByRole("link", { name });
export const open = async (page: Page, address = threadPath): Promise<void> => {
  await page.goto(address);
  await expect(page.getByLabel("Message", { exact: true })).toBeVisible();
  await expect(named(page, "Night tariff")).toBeAttached();
};
/** Holds the key outside of any field, where Ctrl takes effect at once. */
export const hold = async (page: Page, key = "Control"): Promise<void> => {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.down(key);
  await expect(page.getByRole("checkbox", { name: /^Select (?!all)/ }).first()).toBeVisible();
};
export const menu = async (page: Page, of: string, item: string): Promise<void> => {
  await page.getByRole("button", { name: `Menu for ${of}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};
export const left = (gateway: FakeGateway): string[] =>
  gateway.threads[slug]!.map((thread) => thread.slug);
export const deletion = "All of its messages will be deleted. You can't undo this.";
