import type { Page } from "@playwright/test";
import { expectAccessible, expectScreensAccessible } from "./accessibility.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { ask, expect, phone, test, threadPath } from "./fixtures.ts";

test.describe("settings and sign-in", () => {
  test("tests a key before saving it, and selects the provider", async ({ page, gateway }) => {
    await page.goto("/settings");
    await expect(page.getByText("Quotes, not generated text.")).toBeVisible();
    await page.getByRole("button", { name: "OpenAI", exact: true }).click();
    await expect(page.getByText("Leaves this server:")).toBeVisible();
    await page.getByLabel("API key").fill("sk-bad");
    await page.getByRole("button", { name: "Use OpenAI" }).click();
    await expect(page.getByText("OpenAI rejected the key (401). Check it.")).toBeVisible();
    await expect.poll(() => gateway.settings).toEqual({});
    await page.getByLabel("API key").fill("sk-good");
    await page.getByRole("button", { name: "Use OpenAI" }).click();
    await expect(page.getByText("Language model saved.")).toBeVisible();
    await expect
      .poll(() => gateway.settings)
      .toMatchObject({ LLMProvider: "openai", OpenAiKey: true });
    await expect(page.getByRole("button", { name: "Replace key" })).toBeVisible();
  });
  test("counts no change while a provider is only looked at", async ({ page }) => {
    await page.goto("/settings/llm-preference");
    const changes = page.getByText(/^\d+ changes?/);
    await expect(page.getByRole("button", { name: "Save changes" })).toBeDisabled();
    await page.getByRole("button", { name: "Anthropic", exact: true }).click();
    await expect(page.getByRole("button", { name: "Use Anthropic" })).toBeEnabled();
    await expect(changes).toHaveCount(0);
    // Nor does listing the models and choosing the same one.
    const model = page.getByRole("combobox", { name: "Model" });
    await model.click();
    await expect(page.getByRole("option")).toHaveCount(2);
    await page.keyboard.press("Escape");
    await model.press("ArrowDown");
    await expect(page.getByRole("option")).toHaveCount(2);
    await model.press("Escape");
    await expect(changes).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Discard" })).toHaveCount(0);
    await page.getByLabel("API key").fill("sk-1");
    await expect(page.getByText("1 change", { exact: true })).toBeVisible();
  });
  test("lists the models, searches them, and takes the context window of the chosen one", async ({
    page,
    gateway,
  }) => {
    await page.goto("/settings/llm-preference");
    await page.getByRole("button", { name: "OpenAI compatible", exact: true }).click();
    const model = page.getByRole("combobox", { name: "Model" });
    const size = page.getByLabel("Context window");
    await expect(size).toHaveValue("");
    await model.click();
    await expect(page.getByRole("option")).toHaveText(["gpt-4.1", "gpt-4.1-nano1,047,576 tokens"]);
    await expectAccessible(page);
    await model.pressSequentially("nano");
    await expect(page.getByRole("option")).toHaveCount(1);
    await model.press("ArrowDown");
    await model.press("Enter");
    await expect(model).toHaveValue("gpt-4.1-nano");
    await expect(
      page.getByText("Leave it empty to use the server's: 1,047,576 tokens."),
    ).toBeVisible();
    await expect(size).toHaveValue("");
    await expect(page.getByRole("listbox")).toHaveCount(0);
    // Typed text counts too.
    await model.fill("my-own-model");
    await expect(page.getByText("Not in the list, but you can use it.")).toBeVisible();
    await page.getByLabel("Base URL").fill("http://192.168.1.5:8000/v1");
    await page.getByRole("button", { name: "Use OpenAI compatible" }).click();
    await expect
      .poll(() => gateway.settings)
      .toMatchObject({
        LLMProvider: "generic-openai",
        GenericOpenAiModelPref: "my-own-model",
      });
    await expect.poll(() => gateway.settings).not.toHaveProperty("GenericOpenAiTokenLimit");
  });
  test("says where data goes, by the address that is entered", async ({ page }) => {
    await page.goto("/settings/llm-preference");
    await page.getByRole("button", { name: "OpenAI compatible", exact: true }).click();
    const address = page.getByRole("textbox", { name: /address|URL/i });
    await address.fill("http://192.168.1.5:8000/v1");
    await expect(page.getByText("Stays with you:")).toBeVisible();
    await address.fill("https://api.example.com/v1");
    await expect(page.getByText("Leaves this server:")).toBeVisible();
    await expect(page.getByText("Stays with you:")).toHaveCount(0);
  });
  test("lets a model title threads, once one is selected", async ({ page, gateway }) => {
    const titles = page.getByRole("switch", { name: "Let the model title threads" });
    await page.goto("/settings/llm-preference");
    await expect(page.getByText("Quotes, not generated text.")).toBeVisible();
    await expect(titles).toHaveCount(0);
    gateway.settings = { LLMProvider: "openai", OpenAiKey: true, OpenAiModelPref: "gpt-4.1-nano" };
    await page.reload();
    await expect(titles).toHaveAttribute("aria-checked", "false");
    await titles.focus();
    await page.keyboard.press("Space");
    await expect(page.getByText("The model now titles threads.")).toBeVisible();
    await expect(titles).toHaveAttribute("aria-checked", "true");
    await expect.poll(() => gateway.settings.ThreadTitlesByModel).toBe(true);
    await titles.click();
    await expect(page.getByText("The model no longer titles threads.")).toBeVisible();
    await expect.poll(() => gateway.settings.ThreadTitlesByModel).toBe(false);
    await expectAccessible(page);
  });
  test("lets everyone choose the model for their threads", async ({ page, gateway }) => {
    gateway.settings = { LLMProvider: "openai", OpenAiKey: true, OpenAiModelPref: "gpt-4.1-nano" };
    await page.goto("/settings/llm-preference");
    const everyone = page.getByRole("switch", {
      name: "Let everyone choose the model for their threads",
    });
    await everyone.click();
    await expect(
      page.getByText("Everyone can now choose the model for their threads."),
    ).toBeVisible();
    await expect(everyone).toHaveAttribute("aria-checked", "true");
    await expect.poll(() => gateway.settings.ThreadModelsByEveryone).toBe(true);
  });
  test("limits the models that people can choose", async ({ page, gateway }) => {
    gateway.settings = { LLMProvider: "openai", OpenAiKey: true, OpenAiModelPref: "gpt-4.1-nano" };
    await page.goto("/settings/llm-preference");
    await expect(page.getByText("All models of this provider")).toBeVisible();
    await page.getByRole("button", { name: "Change models people can choose" }).click();
    const dialog = page.getByRole("dialog", { name: "OpenAI models people can choose" });
    await dialog.getByRole("switch", { name: "All models" }).click();
    await dialog.getByRole("checkbox", { name: "gpt-4.1", exact: true }).check();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText("1 model", { exact: true })).toBeVisible();
    await expect.poll(() => gateway.allowedModels).toEqual({ openai: ["gpt-4.1"] });
    await expectAccessible(page);
  });
  test("limits the models of a provider that isn't in use without using it", async ({
    page,
    gateway,
  }) => {
    gateway.settings = {
      LLMProvider: "anthropic",
      AnthropicApiKey: true,
      OpenAiKey: true,
      OpenAiModelPref: "gpt-4.1-nano",
    };
    await page.goto("/settings/llm-preference");
    await page.getByRole("button", { name: /^OpenAI.*Key saved/ }).click();
    await page.getByRole("button", { name: "Change models people can choose" }).click();
    const dialog = page.getByRole("dialog", { name: "OpenAI models people can choose" });
    await dialog.getByRole("switch", { name: "All models" }).click();
    await dialog.getByRole("checkbox", { name: "gpt-4.1", exact: true }).check();
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => gateway.allowedModels).toEqual({ openai: ["gpt-4.1"] });
    // The form around the dialog isn't sent with it.
    await expect
      .poll(() => gateway.requests.filter(({ path }) => path.includes("update-env")))
      .toEqual([]);
    await expect.poll(() => gateway.settings.LLMProvider).toBe("anthropic");
  });
  test("asks for the password, rejects a wrong one, returns to the address and signs out", async ({
    page,
    gateway,
  }) => {
    gateway.password = "longenough";
    await page.goto(threadPath);
    await page.getByLabel("Password", { exact: true }).fill("wrong");
    await page.keyboard.press("Enter");
    await expect(page.getByText("The password is incorrect.")).toBeVisible();
    await page.getByLabel("Password", { exact: true }).fill("longenough");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/t/flow");
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/login**");
  });
  test("sets a password and stays signed in", async ({ page, gateway }) => {
    await page.goto("/settings/security");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByText("The password must have at least 8 characters.")).toBeVisible();
    await page.getByLabel("Password", { exact: true }).fill("longenough");
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByText("This instance is password protected.")).toBeVisible();
    await expect.poll(() => gateway.password).toBe("longenough");
  });
});

test.describe("main screens", () => {
  const pages: [string, (page: Page, gateway: FakeGateway) => Promise<void>][] = [
    [
      "empty chat",
      async (page) => {
        await page.goto(threadPath);
        await expect(page.getByText("What would you like to know?")).toBeVisible();
      },
    ],
    [
      "answer with its source open",
      async (page, gateway) => {
        gateway.pace = 1;
        await page.goto(threadPath);
        await ask(page, "q");
        await expect(page.getByText("412 tokens")).toBeVisible();
        await page
          .getByRole("button", { name: /^Source 3/ })
          .first()
          .click();
        await expect(page.locator(".text-hit")).toBeVisible();
      },
    ],
    [
      "documents",
      async (page) => {
        await page.goto("/workspace/heat-pump-retrofit/documents");
        await expect(page.getByText("Retrofit survey 2024.pdf")).toBeVisible();
      },
    ],
    [
      "language model",
      async (page) => {
        await page.goto("/settings/llm-preference");
        await page.getByRole("button", { name: "OpenAI", exact: true }).click();
        await expect(page.getByLabel("API key")).toBeVisible();
      },
    ],
    [
      "security",
      async (page) => {
        await page.goto("/settings/security");
        await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
      },
    ],
    [
      "default system prompt",
      async (page) => {
        await page.goto("/settings/default-system-prompt");
        await expect(page.getByRole("textbox", { name: "Prompt" })).toBeVisible();
      },
    ],
    [
      "sign in",
      async (page, gateway) => {
        gateway.password = "longenough";
        await page.goto("/");
        await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
      },
    ],
  ];
  test("are accessible", async ({ page, gateway }) => {
    const screens = pages.map(([name, go]) => [name, () => go(page, gateway)] as const);
    await expectScreensAccessible(page, screens, {}, expectAccessible);
  });
  test.describe(() => {
    test.use(phone);
    test("works on a phone: the sidebar is a sheet, a source fills the screen", async ({
      page,
      gateway,
    }) => {
      gateway.pace = 1;
      await page.goto(threadPath);
      await page.getByRole("button", { name: "Open sidebar" }).click();
      await page.getByRole("link", { name: "Night tariff operation" }).click();
      await page.waitForURL("**/t/night");
      // Until then the previous page is still shown.
      await expect(page).toHaveTitle("Night tariff operation · Carrel");
      await ask(page, "q");
      await expect(page.getByText("412 tokens")).toBeVisible();
      await page
        .getByRole("button", { name: /^Source 1/ })
        .first()
        .click();
      await expect(page.locator(".pdf-mark").first()).toBeVisible();
      await expect
        .poll(async () => (await page.locator("[data-panel]").boundingBox())?.width)
        .toBe(390);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    });
  });
});
