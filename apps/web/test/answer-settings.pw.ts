import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";

const dialog = (page: Page): Locator => page.getByRole("dialog", { name: "Answer settings" });
const save = (page: Page): Promise<void> =>
  dialog(page).getByRole("button", { name: "Save" }).click();

test.describe("answer settings", () => {
  test("of a thread have a prompt, and say what the workspace has", async ({ page, gateway }) => {
    gateway.workspaceSettings.parameters.workspace = { maxTokens: 800, effort: "low" };
    await page.goto("/workspace/heat-pump-retrofit");
    await page.getByRole("button", { name: "Answer settings" }).click();
    await expect(dialog(page).getByLabel("Answer length")).toHaveAttribute("placeholder", "800");
    await expect(dialog(page).getByLabel("Reasoning effort")).toHaveValue("");
    await expect(dialog(page).getByText("The workspace's (low)")).toBeAttached();
    await dialog(page).getByLabel("Prompt").fill("Answer in one sentence.");
    await dialog(page).getByLabel("Top-p").fill("7");
    await expect(dialog(page).getByRole("alert")).toHaveText("Enter a number from 0.01 to 1.");
    await expect(dialog(page).getByRole("button", { name: "Save" })).toBeDisabled();
    await dialog(page).getByLabel("Top-p").fill("0.7");
    await dialog(page).getByLabel("Reasoning effort").selectOption("High");
    await expectAccessible(page);
    await save(page);
    await expect(page.getByText("Answer settings of this thread saved.")).toBeVisible();
    await expect
      .poll(() => gateway.workspaceSettings.sent.at(-1)?.body)
      .toEqual({
        thread: null,
        parameters: {
          systemPrompt: "Answer in one sentence.",
          maxTokens: null,
          temperature: null,
          topP: 0.7,
          effort: "high",
        },
      });
  });

  test("of a workspace are one line until they are changed", async ({ page, gateway }) => {
    await page.goto("/workspace/heat-pump-retrofit/settings/chat-settings");
    await expect(page.getByText("are the model's own.")).toBeVisible();
    await page.getByRole("button", { name: "Change answer settings" }).click();
    await expect(dialog(page).getByLabel("Prompt")).toHaveCount(0);
    await expect(dialog(page).getByLabel("Temperature")).toHaveCount(0);
    await dialog(page).getByLabel("Answer length").fill("500");
    await save(page);
    await expect(page.getByText("Up to 500 tokens")).toBeVisible();
    await expect
      .poll(() => gateway.workspaceSettings.sent.at(-1)?.body)
      .toEqual({ parameters: { maxTokens: 500, topP: null, effort: null } });
  });

  test("show only what the model lets people set", async ({ page, gateway }) => {
    gateway.workspaceSettings.parameters.supports = {
      maxTokens: true,
      temperature: false,
      topP: false,
      effort: true,
      systemPrompt: true,
    };
    await page.goto("/workspace/heat-pump-retrofit");
    await page.getByRole("button", { name: "Answer settings" }).click();
    await expect(dialog(page).getByLabel("Reasoning effort")).toBeVisible();
    await expect(dialog(page).getByLabel("Temperature")).toHaveCount(0);
    await expect(dialog(page).getByLabel("Top-p")).toHaveCount(0);
  });
});
