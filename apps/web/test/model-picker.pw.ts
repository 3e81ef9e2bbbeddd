import { expectAccessible } from "./accessibility.ts";
import { field } from "./chat-page.ts";
import { expect, test, threadPath } from "./fixtures.ts";

test.describe("model picker", () => {
  test("searches the models of all providers, and changes the thread's", async ({
    page,
    gateway,
  }) => {
    await page.goto(threadPath);
    const picker = page.getByRole("button", { name: /^Model: / });
    await expect(picker).toHaveText("llama3.2");
    await picker.click();
    const list = page.getByRole("dialog", { name: "Choose a model for this thread" });
    await expect(list.getByRole("option")).toHaveText([
      "Default for this workspaceSelected",
      "Quotes from your documents",
      "Llama 3.2",
      "Qwen 3 8B",
      "gpt-4.1-nano",
    ]);
    await expectAccessible(page);
    await page.keyboard.type("qwen");
    await expect(list.getByRole("option")).toHaveText(["Qwen 3 8B"]);
    await page.keyboard.press("Enter");
    await expect(list).toHaveCount(0);
    await expect(picker).toHaveText("qwen3:8b");
    await expect
      .poll(() => Object.values(gateway.workspaceSettings.chosen))
      .toEqual([{ provider: "ollama", model: "qwen3:8b" }]);
    await page.reload();
    await expect(picker).toHaveText("qwen3:8b");
    await picker.click();
    await list.getByRole("option", { name: "Default for this workspace" }).click();
    await expect(picker).toHaveText("llama3.2");
    await page.keyboard.press("Escape");
    await expect(field(page)).toBeVisible();
  });
});
