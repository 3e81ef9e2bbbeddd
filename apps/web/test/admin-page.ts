import type { Page } from "@playwright/test";
import { signedIn } from "./account-screens.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect } from "./fixtures.ts";

export const admin = "mira_kowalska";
export const go = async (
  page: Page,
  gateway: FakeGateway,
  username: string,
  path: string,
): Promise<void> => {
  gateway.admin.fill();
  gateway.webhooks.fill();
  gateway.mcp.fill();
  gateway.widgets.fill();
  gateway.schedules.fill();
  await signedIn(page, gateway, username);
  await page.goto(path);
};
export const dialog = (page: Page) => page.getByRole("dialog");
export const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
export const menu = async (page: Page, name: string, item?: string): Promise<void> => {
  await page.getByRole("button", { name: `Menu for ${name}`, exact: true }).click();
  await expect(page.getByRole("menuitem").first()).toBeVisible();
  if (item) await page.getByRole("menuitem", { name: item }).click();
};
