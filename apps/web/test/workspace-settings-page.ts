import type { Page } from "@playwright/test";
import { signedIn } from "./account-screens.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect } from "./fixtures.ts";

export const at = (gateway: FakeGateway, tab: string): string =>
  `${gateway.url}/workspace/heat-pump-retrofit/settings/${tab}`;
export const go = async (page: Page, gateway: FakeGateway, tab: string): Promise<void> => {
  await page.goto(at(gateway, tab));
  await expect(page.getByRole("navigation", { name: "Workspace settings" })).toBeVisible();
};
export const as = async (page: Page, gateway: FakeGateway, username: string): Promise<void> => {
  gateway.admin.fill();
  await signedIn(page, gateway, username);
};
export const dialog = (page: Page) => page.getByRole("dialog");
export const save = async (page: Page, gateway: FakeGateway): Promise<void> => {
  const before = gateway.workspaceSettings.sent.length;
  await page.getByRole("button", { name: "Save changes" }).click();
  // The message may still be the previous save's.
  await expect.poll(() => gateway.workspaceSettings.sent.length).toBeGreaterThan(before);
  await expect(page.getByText("Workspace updated.").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Save changes", disabled: true })).toBeVisible();
};
export const bodies = (gateway: FakeGateway): Record<string, unknown>[] =>
  gateway.workspaceSettings.sent.map(({ body }) => body);
