import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { ask, expect, threadPath } from "./fixtures.ts";

/** Asks for this answer, and opens the third source by its number in it. */
export async function openCited(page: Page, gateway: FakeGateway, answer: string): Promise<void> {
  gateway.pace = 1;
  gateway.answer = answer;
  await page.goto(threadPath);
  await ask(page, "q");
  await expect(page.getByText("412 tokens").last()).toBeVisible();
  await page
    .locator(".md")
    .getByRole("button", { name: /^Source 3/ })
    .last()
    .click();
}
