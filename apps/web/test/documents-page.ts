import type { Locator, Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect } from "./fixtures.ts";

export const slug = "heat-pump-retrofit";
export const tree = (page: Page): Locator => page.getByRole("tree");
/** By the start of its accessible name. */
export const row = (page: Page, name: string): Locator =>
  tree(page).locator(`[role="treeitem"][aria-label^="${name}"]`).first();
export const grid = (page: Page): Locator => page.getByRole("grid");
export const inWorkspace = (page: Page, name: string): Locator =>
  grid(page).getByRole("row").filter({ hasText: name });
export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("button", { name, exact: typeof name === "string" });
export const open = async (page: Page): Promise<void> => {
  await page.goto(`/workspace/${slug}/documents`);
  await expect(inWorkspace(page, "Retrofit survey 2024.pdf")).toBeVisible();
};
export const openMeasurements = async (page: Page): Promise<void> => {
  await open(page);
  await row(page, "Retrofit 2024").click();
  await row(page, "Measurements").click();
  await expect(row(page, "Riser flow measurements.xlsx")).toBeVisible();
};
export const asked = (gateway: FakeGateway, end: string): Record<string, unknown>[] =>
  gateway.library.asked.filter((each) => each.path.endsWith(end)).map((each) => each.body);
