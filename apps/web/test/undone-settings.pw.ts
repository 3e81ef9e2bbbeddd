import { expect, test } from "./fixtures.ts";

const generic = {
  LLMProvider: "generic-openai",
  GenericOpenAiBasePath: "http://127.0.0.1:1234/v1",
  GenericOpenAiKey: true,
  GenericOpenAiModelPref: "llama",
  GenericOpenAiTokenLimit: "8192",
};

test.describe("the language model's toast", () => {
  test("undoes an edit, and the open form shows it", async ({ page, gateway }) => {
    gateway.settings = { ...generic };
    await page.goto("/settings/llm-preference");
    const window = page.getByLabel("Context window");
    await window.fill("1024");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Language model saved.", { exact: true })).toBeVisible();
    await expect.poll(() => gateway.settings.GenericOpenAiTokenLimit).toBe("1024");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("Previous settings restored.")).toBeVisible();
    await expect(window).toHaveValue("8192");
    await expect.poll(() => gateway.settings).toEqual(generic);
    await expect(page.getByRole("button", { name: "Save changes" })).toBeDisabled();
  });

  test("undoes the choice of a provider, with the settings and the key that it added", async ({
    page,
    gateway,
  }) => {
    gateway.settings = { ...generic };
    await page.goto("/settings/llm-preference");
    await page.getByRole("button", { name: "OpenAI", exact: true }).click();
    await page.getByLabel("API key").fill("sk-good");
    await page.getByRole("button", { name: "Use OpenAI" }).click();
    await expect(page.getByText("Language model saved.", { exact: true })).toBeVisible();
    await expect
      .poll(() => gateway.settings)
      .toMatchObject({ LLMProvider: "openai", OpenAiKey: true });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("Previous settings restored.")).toBeVisible();
    await expect.poll(() => gateway.settings).toEqual(generic);
    await expect(page.getByRole("button", { name: "Use OpenAI" })).toBeVisible();
  });

  test("unsets a provider that had not been chosen before", async ({ page, gateway }) => {
    await page.goto("/settings/llm-preference");
    await page.getByRole("button", { name: "OpenAI", exact: true }).click();
    await page.getByLabel("API key").fill("sk-good");
    await page.getByRole("button", { name: "Use OpenAI" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("Previous settings restored.")).toBeVisible();
    await expect.poll(() => gateway.settings).toEqual({});
  });

  test("says that it can't restore a replaced key", async ({ page, gateway }) => {
    gateway.settings = { ...generic };
    await page.goto("/settings/llm-preference");
    await page.getByRole("button", { name: "Replace key" }).click();
    await page.getByLabel("API key").fill("another");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Language model saved.", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);

    await page.getByLabel("API key").fill("a third");
    await page.getByLabel("Context window").fill("1024");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(
      page.getByText("Undo can't restore the previous key, only the other settings."),
    ).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("Previous settings restored, with the new key.")).toBeVisible();
    await expect(page.getByLabel("Context window")).toHaveValue("8192");
  });

  test("asks for the key that the server deleted with its address", async ({ page, gateway }) => {
    gateway.settings = { ...generic };
    await page.goto("/settings/llm-preference");
    await page.getByLabel("Base URL").fill("http://127.0.0.1:4321/v1");
    await page.route("**/api/system/update-env", async (route) => {
      delete (gateway.settings as Record<string, unknown>).GenericOpenAiKey;
      await route.fallback();
    });
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Undo can't restore the previous key")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(
      page.getByText("Previous settings restored, except the key. Enter it again."),
    ).toBeVisible();
    await expect(page.getByLabel("Base URL")).toHaveValue(generic.GenericOpenAiBasePath);
  });

  test("says why an undo failed", async ({ page, gateway }) => {
    gateway.settings = { ...generic };
    await page.goto("/settings/llm-preference");
    await page.getByLabel("Context window").fill("1024");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
    await page.route("**/api/system/update-env", (route) =>
      route.fulfill({
        headers: {
          "carrel-error": JSON.stringify({
            code: "setting.locked",
            params: { setting: "GenericOpenAiTokenLimit" },
          }),
        },
        json: { newValues: {}, error: "locked" },
      }),
    );
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText(/^Couldn't undo the change: /)).toBeVisible();
    await expect(page.getByLabel("Context window")).toHaveValue("1024");
  });
});

test("the choice of a voice is undone", async ({ page, gateway }) => {
  await page.goto("/settings/audio-preference");
  await page.getByRole("button", { name: "ElevenLabs", exact: true }).click();
  await page.getByLabel("API key").fill("el-key");
  await page.getByRole("button", { name: "Use ElevenLabs" }).click();
  await expect(page.getByText("Voice saved.", { exact: true })).toBeVisible();
  await expect.poll(() => gateway.settings.TextToSpeechProvider).toBe("elevenlabs");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Previous settings restored.")).toBeVisible();
  await expect.poll(() => gateway.settings).toEqual({});
  await expect(page.getByRole("button", { name: "Use ElevenLabs" })).toBeVisible();
});

test("switches, allowed models and fallback models are undone", async ({ page, gateway }) => {
  gateway.settings = { LLMProvider: "openai", OpenAiKey: true, OpenAiModelPref: "gpt-4.1-nano" };
  await page.goto("/settings/llm-preference");
  const undo = page.getByRole("button", { name: "Undo" });
  await page
    .getByRole("switch", { name: "Let everyone choose the model for their threads" })
    .click();
  await expect.poll(() => gateway.settings.ThreadModelsByEveryone).toBe(true);
  await undo.click();
  await expect.poll(() => gateway.settings.ThreadModelsByEveryone).toBe(false);
  await expect(undo).toHaveCount(0);

  await page.getByRole("button", { name: "Change models people can choose" }).click();
  const models = page.getByRole("dialog", { name: "OpenAI models people can choose" });
  await models.getByRole("switch", { name: "All models" }).click();
  await models.getByRole("checkbox", { name: "gpt-4.1", exact: true }).check();
  await models.getByRole("button", { name: "Save changes" }).click();
  await expect.poll(() => gateway.allowedModels).toEqual({ openai: ["gpt-4.1"] });
  await undo.first().click();
  await expect.poll(() => gateway.allowedModels).toEqual({});
  await expect(undo).toHaveCount(0);

  await page.getByRole("button", { name: "Change fallback models" }).click();
  const fallbacks = page.getByRole("dialog", { name: "Fallback models" });
  await fallbacks.getByRole("button", { name: "Add model" }).click();
  await fallbacks.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => gateway.fallbacks.instance.length).toBe(1);
  await undo.click();
  await expect.poll(() => gateway.fallbacks.instance).toEqual([]);
});

test("a workspace's changes are undone", async ({ page, gateway }) => {
  await page.goto("/workspace/heat-pump-retrofit/settings/general-appearance");
  const name = page.getByLabel("Workspace name");
  await name.fill("Boilers");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect.poll(() => gateway.workspaces[0]!.name).toBe("Boilers");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => gateway.workspaces[0]!.name).toBe("Heat-pump retrofit");
  await expect(page.getByRole("button", { name: "Save changes" })).toBeDisabled();
  await expect(name).toHaveValue("Heat-pump retrofit");
});

test("text splitting is undone", async ({ page, gateway }) => {
  await page.goto("/settings/text-splitter-preference");
  const size = page.getByLabel("Passage length, in characters");
  const before = await size.inputValue();
  await size.fill("600");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Text splitting saved.")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(size).toHaveValue(before);
  await expect.poll(() => gateway.index.acts).toEqual(["split", "split"]);
});

test("personalization and the limit of shared links are undone", async ({ page, gateway }) => {
  await page.goto("/settings/personalization");
  const memories = page.getByRole("switch").first();
  const wasOn = await memories.getAttribute("aria-checked");
  await memories.click();
  await expect(memories).not.toHaveAttribute("aria-checked", wasOn!);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(memories).toHaveAttribute("aria-checked", wasOn!);

  await page.goto("/settings/shared-links");
  await page.getByRole("radio", { name: "Users of this instance" }).click();
  await expect.poll(() => gateway.settings.ThreadSharing).toBe("team");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => gateway.settings.ThreadSharing).toBe("anyone");
});

test("the default prompt is undone", async ({ page }) => {
  const sent: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/system/default-system-prompt"))
      sent.push((request.postDataJSON() as { defaultSystemPrompt: string }).defaultSystemPrompt);
  });
  await page.goto("/settings/default-system-prompt");
  const prompt = page.getByRole("textbox", { name: "Prompt", exact: true });
  await expect(prompt).not.toHaveValue("");
  const before = await prompt.inputValue();
  await prompt.fill("Answer in rhymes.");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => sent).toEqual(["Answer in rhymes.", before]);
});

test("the choice of a vector database is undone", async ({ page, gateway }) => {
  await page.goto("/settings/vector-database");
  await page.getByRole("button", { name: "Qdrant", exact: true }).click();
  const address = page.getByLabel("Address");
  await address.fill("http://127.0.0.1:6333");
  await page.getByRole("button", { name: "Use Qdrant" }).click();
  await expect(page.getByText("Vector database saved.", { exact: true })).toBeVisible();
  await expect.poll(() => gateway.settings.VectorDB).toBe("qdrant");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Previous settings restored.")).toBeVisible();
  await expect.poll(() => gateway.settings).toEqual({});
  await expect(address).toHaveValue("");
});
