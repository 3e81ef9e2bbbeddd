import type { Locator, Page } from "@playwright/test";
import { button, grid, open } from "./documents-page.ts";
import { expect, phone, test } from "./fixtures.ts";

/** Whether the toast with this text leaves all of the bar free. */
const isFree = async (page: Page, text: string, bar: Locator): Promise<boolean> => {
  const toast = await page.locator("[data-sonner-toast]").filter({ hasText: text }).boundingBox();
  const box = await bar.boundingBox();
  if (!toast || !box) return false;
  return toast.y + toast.height <= box.y || toast.y >= box.y + box.height;
};

for (const [size, options] of [
  ["wide", {}],
  ["phone", phone],
] as const)
  test.describe(size, () => {
    test.use(options);
    test(`a toast never covers the button that saves (${size})`, async ({ page, gateway }) => {
      gateway.settings = { LLMProvider: "openai", OpenAiKey: true, OpenAiModelPref: "gpt-4.1" };
      await page.goto("/settings/llm-preference");
      const save = page.getByRole("button", { name: "Save changes" });
      await page.getByRole("button", { name: "Replace key" }).click();
      await page.getByLabel("API key").fill("sk-good");
      await save.click();
      await expect(page.getByText("Language model saved.")).toBeVisible();
      await expect.poll(() => isFree(page, "Language model saved.", save)).toBe(true);
    });
  });

test("a toast covers neither the selection bar nor the form for links", async ({ page }) => {
  await open(page);
  await grid(page).getByLabel("Select Courtyard noise assessment.pdf").check();
  await button(page, "Re-index").click();
  const text = "Re-indexing 1 document.";
  await expect(page.getByText(text)).toBeVisible();
  for (const part of [page.getByRole("toolbar"), page.getByLabel("Web page address")])
    await expect.poll(() => isFree(page, text, part)).toBe(true);
});
