import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { expect, phone, test } from "./fixtures.ts";

const dialog = (page: Page): Locator => page.getByRole("dialog", { name: "Fallback models" });
const entry = (page: Page, place: number): Locator =>
  dialog(page).getByRole("listitem", { name: `Fallback model ${place}` });
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("button", { name: "Change fallback models" }).click();
}

test.describe("fallback models", () => {
  test("of the instance are listed in the order in which they are asked", async ({
    page,
    gateway,
  }) => {
    gateway.settings.LLMProvider = "ollama";
    gateway.settings.OllamaLLMBasePath = "http://127.0.0.1:11434";
    gateway.settings.OllamaLLMModelPref = "llama3.2";
    await open(page, "/settings/llm-preference");
    await dialog(page).getByRole("button", { name: "Add model" }).click();
    const model = entry(page, 1).getByLabel("Model", { exact: true });
    await model.click();
    await page.getByRole("option", { name: /qwen3:8b/ }).click();
    await expect(model).toHaveValue("qwen3:8b");
    await dialog(page).getByRole("button", { name: "Add model" }).click();
    await entry(page, 2).getByLabel("Provider").selectOption("OpenAI");
    await expect(entry(page, 2).getByLabel("Model", { exact: true })).toHaveAttribute(
      "placeholder",
      "gpt-4.1-nano",
    );
    await dialog(page).getByRole("button", { name: "Add model" }).click();
    await entry(page, 3).getByLabel("Provider").selectOption("Quotes from your documents");
    await expect(entry(page, 3).getByLabel("Model", { exact: true })).toHaveCount(0);
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "Move gpt-4.1-nano up" }).click();
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Fallback models saved.")).toBeVisible();
    await expect
      .poll(() => gateway.fallbacks.instance)
      .toEqual([
        { provider: "openai", model: null },
        { provider: "ollama", model: "qwen3:8b" },
        { provider: "extractive", model: null },
      ]);
    await expect(
      page.getByText("gpt-4.1-nano, qwen3:8b, Quotes from your documents"),
    ).toBeVisible();
  });

  test("are refused if one is listed twice", async ({ page, gateway }) => {
    gateway.settings.LLMProvider = "ollama";
    gateway.settings.OllamaLLMModelPref = "llama3.2";
    await open(page, "/settings/llm-preference");
    await dialog(page).getByRole("button", { name: "Add model" }).click();
    await dialog(page).getByRole("button", { name: "Add model" }).click();
    await expect(dialog(page).getByText("Each model can be in the list only once.")).toBeVisible();
    await expect(dialog(page).getByRole("button", { name: "Save" })).toBeDisabled();
    await entry(page, 2).getByRole("button", { name: "Remove llama3.2" }).click();
    await expect(dialog(page).getByRole("button", { name: "Save" })).toBeEnabled();
  });

  test.describe("on a phone", () => {
    test.use(phone);
    test("a workspace follows the instance or has its own", async ({ page, gateway }) => {
      gateway.fallbacks.instance = [{ provider: "openai", model: null }];
      await page.goto("/workspace/heat-pump-retrofit/settings/chat-settings");
      await expect(page.getByText("The instance's: gpt-4.1-nano")).toBeVisible();
      await page.getByRole("button", { name: "Change fallback models" }).click();
      await dialog(page).getByRole("checkbox", { name: "Use a list of this workspace" }).check();
      await entry(page, 1).getByLabel("Model", { exact: true }).fill("gpt-4.1");
      await expectAccessible(page);
      await dialog(page).getByRole("button", { name: "Save" }).click();
      await expect(page.getByText(/can't be reached: gpt-4.1/)).toBeVisible();
      await expect
        .poll(() => gateway.fallbacks.own)
        .toEqual({
          "heat-pump-retrofit": [{ provider: "openai", model: "gpt-4.1" }],
        });
      await page.getByRole("button", { name: "Change fallback models" }).click();
      await dialog(page).getByRole("checkbox", { name: "Use a list of this workspace" }).uncheck();
      await dialog(page).getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("The instance's: gpt-4.1-nano")).toBeVisible();
      await expect.poll(() => gateway.fallbacks.own).toEqual({});
    });
  });
});
