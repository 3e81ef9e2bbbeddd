import { expect, test } from "./fixtures.ts";
import { as, at, bodies, dialog, go, save } from "./workspace-settings-page.ts";

test.describe("chat settings", () => {
  test("send only the fields that changed", async ({ page, gateway }) => {
    await go(page, gateway, "chat-settings");
    await expect(page.getByText("Uses the instance's setting: Ollama, llama3.2.")).toBeVisible();
    await expect
      .poll(async () => (await page.getByLabel("Provider").locator("option").allTextContents())[0])
      .toBe("System default");
    await page.getByLabel("Provider").selectOption("ollama");
    await page.getByLabel("Model", { exact: true }).selectOption("qwen3:8b");
    await page.getByLabel("Temperature", { exact: true }).fill("0,4");
    await save(page, gateway);
    await expect
      .poll(() => bodies(gateway))
      .toEqual([{ chatProvider: "ollama", chatModel: "qwen3:8b", openAiTemp: 0.4 }]);
    await page.getByLabel("Provider").selectOption("");
    await save(page, gateway);
    await expect
      .poll(() => bodies(gateway).at(-1))
      .toEqual({ chatProvider: null, chatModel: null });
    await page.getByLabel("Provider").selectOption("openai");
    await expect(page.getByText("The provider isn't listing any models right now.")).toBeVisible();
    await page.getByLabel("Model", { exact: true }).fill("gpt-4.1");
    await page.getByRole("button", { name: "Discard" }).click();
    await expect(page.getByLabel("Provider")).toHaveValue("");
  });
  test("keep showing a provider that is no longer configured", async ({ page, gateway }) => {
    Object.assign(gateway.workspaces[0]!, { chatProvider: "mistral", chatModel: "small" });
    await go(page, gateway, "chat-settings");
    await expect(page.getByText("This provider isn't set up on the instance.")).toBeVisible();
    await expect(page.getByLabel("Provider").locator("option:checked")).toHaveText(
      "mistral (not set up)",
    );
  });
  test("warn above 45, and show errors at the field", async ({ page, gateway }) => {
    await go(page, gateway, "chat-settings");
    const history = page.getByLabel("Chat history");
    await history.fill("45");
    await expect(page.getByText("More than 45")).toHaveCount(0);
    await history.fill("46");
    await expect(page.getByText("More than 45 messages may not fit")).toBeVisible();
    await history.fill("");
    await expect(page.getByText("Enter a whole number of 0 or more.")).toBeVisible();
    await page.getByLabel("Temperature", { exact: true }).fill("-1");
    await expect(page.getByText("2 changes · 2 fields to correct")).toBeVisible();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(() => gateway.workspaceSettings.sent).toEqual([]);
    await expect
      .poll(() => history.evaluate((element) => element === document.activeElement))
      .toBe(true);
    await history.fill("46");
    await page.getByLabel("Temperature", { exact: true }).fill("");
    await save(page, gateway);
    await expect.poll(() => bodies(gateway)).toEqual([{ openAiHistory: 46 }]);
  });
  test("show the refusal with the mode that uses it", async ({ page, gateway }) => {
    await go(page, gateway, "chat-settings");
    await expect(page.getByText("Used in query mode only")).toBeVisible();
    await page.getByRole("radio", { name: /^Chat/ }).focus();
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("radio", { name: /^Query/ })).toBeChecked();
    await expect(page.getByText("Used in query mode only")).toHaveCount(0);
    await page.getByLabel("Query refusal response").fill("Nothing on that here.");
    await save(page, gateway);
    await expect
      .poll(() => bodies(gateway))
      .toEqual([{ chatMode: "query", queryRefusalResponse: "Nothing on that here." }]);
  });
  test("insert variables at the caret, and restore earlier versions of the prompt", async ({
    page,
    gateway,
  }) => {
    await go(page, gateway, "chat-settings");
    const prompt = page.getByLabel("Prompt", { exact: true });
    await expect(page.getByPlaceholder("Given the following conversation")).toBeVisible();
    await prompt.fill("It is now.");
    await prompt.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(6, 6));
    await page.getByRole("button", { name: "Insert time", exact: true }).click();
    await expect(prompt).toBeFocused();
    await expect
      .poll(() =>
        prompt.evaluate((element: HTMLTextAreaElement) => [element.value, element.selectionStart]),
      )
      .toEqual(["It is {time}now.", 12]);
    await page.keyboard.type(" ");
    await expect(prompt).toHaveValue("It is {time} now.");
    await page.getByRole("button", { name: "Prompt history" }).click();
    await expect(dialog(page).getByText("Answer in two sentences.")).toBeVisible();
    await dialog(page)
      .getByRole("button", { name: /^Delete the prompt from/ })
      .nth(1)
      .click();
    await expect(dialog(page).getByText("Answer in two sentences.")).toHaveCount(0);
    await expect
      .poll(() => gateway.workspaceSettings.sent.at(-1)?.path)
      .toBe("/workspace/prompt-history/2");
    await dialog(page)
      .getByRole("button", { name: /^Restore/ })
      .nth(1)
      .click();
    await expect(prompt).toHaveValue(
      "Answer briefly.\n\nWhere figures are asked for, give a table.",
    );
    await save(page, gateway);
    await expect
      .poll(() => bodies(gateway).at(-1))
      .toEqual({
        openAiPrompt: "Answer briefly.\n\nWhere figures are asked for, give a table.",
      });
    await page.getByRole("button", { name: "Prompt history" }).click();
    await dialog(page).getByRole("button", { name: "Delete all" }).click();
    await page
      .getByRole("dialog", { name: "Delete all previous prompts?" })
      .getByRole("button", { name: "Delete all" })
      .click();
    await expect(dialog(page).getByText("No previous prompts yet.")).toBeVisible();
    await expect.poll(() => gateway.workspaceSettings.history).toEqual([]);
  });
  test("ask before leaving with unsaved changes", async ({ page, gateway }) => {
    await go(page, gateway, "chat-settings");
    await page.getByLabel("Chat history").fill("30");
    await page.getByRole("link", { name: "Members" }).click();
    await expect(dialog(page).getByText("Leave without saving?")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByLabel("Chat history")).toHaveValue("30");
    await page.getByRole("link", { name: "Members" }).click();
    await dialog(page).getByRole("button", { name: "Discard changes" }).click();
    await page.waitForURL(at(gateway, "members"));
    await expect.poll(() => gateway.workspaceSettings.sent).toEqual([]);
  });
});

test.describe("prompt variables", () => {
  test("are listed with the built-in ones, and added, edited and deleted by admins", async ({
    page,
    gateway,
  }) => {
    await as(page, gateway, "mira_kowalska");
    await page.goto("/settings/system-prompt-variables");
    await expect(page.getByText("Harbour Housing")).toBeVisible();
    await expect(page.getByText("{workspace.name}")).toBeVisible();
    await expect(page.getByRole("button", { name: "Menu for time", exact: true })).toHaveCount(0);
    await page.getByRole("button", { name: "Add variable" }).click();
    await dialog(page).getByLabel("Name").fill("time");
    await dialog(page).getByRole("button", { name: "Add variable" }).click();
    await expect(dialog(page).getByText("A variable with this name already exists.")).toBeVisible();
    await expect(dialog(page).getByText("Enter a value.")).toBeVisible();
    await expect.poll(() => gateway.workspaceSettings.sent).toEqual([]);
    await dialog(page).getByLabel("Name").fill("brand");
    await dialog(page).getByLabel("Value").fill("Harbour");
    await dialog(page).getByRole("button", { name: "Add variable" }).click();
    await expect(page.getByText("brand was saved.")).toBeVisible();
    await page.getByRole("button", { name: "Menu for company" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await dialog(page).getByLabel("Value").fill("Harbour Housing Ltd");
    await dialog(page).getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Harbour Housing Ltd")).toBeVisible();
    await page.getByRole("button", { name: "Menu for brand" }).click();
    await page.getByRole("menuitem", { name: "Delete variable" }).click();
    await expect(page.getByText("brand was deleted.")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("button", { name: "Menu for brand" })).toBeVisible();
    await expect
      .poll(() => gateway.workspaceSettings.sent)
      .toEqual([
        {
          method: "POST",
          path: "/system/prompt-variables",
          body: { key: "brand", value: "Harbour", description: "" },
        },
        {
          method: "PUT",
          path: "/system/prompt-variables/7",
          body: { key: "company", value: "Harbour Housing Ltd", description: "Who we are" },
        },
        { method: "DELETE", path: "/system/prompt-variables/21", body: {} },
        {
          method: "POST",
          path: "/system/prompt-variables",
          body: { key: "brand", value: "Harbour", description: "" },
        },
      ]);
  });
  test("are hidden from managers", async ({ page, gateway }) => {
    await as(page, gateway, "olu");
    await page.goto("/settings/system-prompt-variables");
    await page.waitForURL("/workspace/heat-pump-retrofit");
  });
});
