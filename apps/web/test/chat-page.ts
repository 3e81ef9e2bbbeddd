import type { Locator, Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, threadPath } from "./fixtures.ts";

export const slug = "heat-pump-retrofit";
export const say = (gateway: FakeGateway, ...turns: [string, string][]): void => {
  for (const [question, answer] of turns) gateway.addTurn(slug, "flow", { question, answer });
};
export const open = async (page: Page, wait = "What would you like to know?"): Promise<void> => {
  await page.goto(threadPath);
  await expect(page.getByText(wait).first()).toBeVisible();
};
export const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", typeof name === "string" ? { name, exact: true } : { name });
export const field = (page: Page) => page.getByLabel("Message", { exact: true });
export const sent = (gateway: FakeGateway, path: RegExp): Record<string, unknown>[] =>
  gateway.chat.calls
    .filter((each) => path.test(each.path) && each.method !== "GET")
    .map((each) => each.body);
export const questions = (page: Page): Locator => page.locator("[data-question]");
