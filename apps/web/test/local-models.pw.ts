import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleOnAllScreens } from "./accessibility.ts";
import { localProvider } from "./fake-local-models.ts";
import { expect, phone, test } from "./fixtures.ts";

test.beforeEach(({ gateway }) => {
  gateway.localModels.turnOn();
  gateway.furtherProviders = [localProvider];
});

const card = (page: Page) => page.getByRole("radio", { name: "Built-in model" });
const openPanel = async (page: Page): Promise<void> => {
  await page.goto("/settings/llm-preference");
  await page.getByRole("button", { name: "Built-in model", exact: true }).click();
};

test.describe("the wizard", () => {
  test.beforeEach(({ gateway }) => {
    gateway.isNew = true;
    gateway.workspaces = [];
  });

  test("downloads a model in the background, which then writes the answers", async ({
    page,
    gateway,
  }) => {
    await page.goto("/onboarding/llm-preference");
    await card(page).check();
    const models = page.getByRole("radiogroup", { name: "Choose a model" });
    await expect(models.getByRole("radio")).toHaveCount(4);
    await expect(models.getByRole("radio", { name: "Qwen3 4B Instruct" })).toBeChecked();
    await expect(models).toContainText("2.5 GB");
    await expect(models).toContainText("about 11 tokens/s");
    await expect(models.getByRole("link", { name: /Apache 2.0/ }).first()).toHaveAttribute(
      "href",
      /^https:\/\/www.apache.org/,
    );
    await expectAccessibleOnAllScreens(page);
    await models.getByRole("radio", { name: "Qwen3 1.7B" }).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/onboarding/user-setup");
    await expect
      .poll(() => gateway.localModels.sent)
      .toEqual([{ id: "qwen3-1.7b", useWhenReady: true, licenseAccepted: true }]);
    await expect.poll(() => gateway.settings.LLMProvider).toBe("extractive");
    await page.goBack();
    await card(page).check();
    await expect(page.getByRole("progressbar", { name: "Downloading Qwen3 1.7B" })).toBeVisible();
  });

  test("uses an installed model at once", async ({ page, gateway }) => {
    gateway.localModels.finish("qwen3-8b");
    await page.goto("/onboarding/llm-preference");
    await card(page).check();
    await expect(page.getByRole("radio", { name: "Qwen3 8B" })).toBeChecked();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/onboarding/user-setup");
    await expect
      .poll(() => gateway.settings)
      .toMatchObject({ LLMProvider: "local-gguf", LocalGgufModelPref: "qwen3-8b.gguf" });
  });

  test("doesn't offer it where local models are off, or there is none to use", async ({
    page,
    gateway,
  }) => {
    gateway.localModels.state.hub = null;
    await page.goto("/onboarding/llm-preference");
    await expect(page.getByRole("radio", { name: "OpenAI" }).first()).toBeVisible();
    await expect(card(page)).toHaveCount(0);
    gateway.localModels.turnOn();
    gateway.localModels.state.isOn = false;
    await page.reload();
    await expect(page.getByRole("radio", { name: "OpenAI" }).first()).toBeVisible();
    await expect(card(page)).toHaveCount(0);
  });
});

test("settings download, cancel, use and delete models", async ({ page, gateway }) => {
  await openPanel(page);
  await expect(page.getByText("No model yet.")).toBeVisible();
  await page.getByRole("button", { name: "Download Qwen3 0.6B" }).click();
  const bar = page.getByRole("progressbar", { name: "Downloading Qwen3 0.6B" });
  await expect(bar).toBeVisible();
  await expect
    .poll(() => gateway.localModels.sent)
    .toMatchObject([{ id: "qwen3-0.6b", useWhenReady: false }]);
  // One at a time.
  await expect(page.getByRole("button", { name: "Download Qwen3 8B" })).toBeDisabled();
  gateway.localModels.download("qwen3-0.6b", { doneBytes: 319_723_344 });
  await expect(bar).toHaveAttribute("aria-valuenow", "50");
  await expect(page.getByText("320 MB of 639 MB")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Cancel · Qwen3 0.6B" }).click();
  await expect(bar).toHaveCount(0);
  await page.getByRole("button", { name: "Download Qwen3 0.6B" }).click();
  await expect(bar).toBeVisible();
  gateway.localModels.finish("qwen3-0.6b");
  gateway.change({
    type: "local-models.changed",
    name: "Qwen3 0.6B",
    file: "qwen3-0.6b.gguf",
    outcome: "ready",
    inUse: false,
  });
  await expect(page.getByText("Qwen3 0.6B is ready.")).toBeVisible();
  await page.getByRole("button", { name: "Use Qwen3 0.6B" }).click();
  await expect
    .poll(() => gateway.settings)
    .toMatchObject({ LLMProvider: "local-gguf", LocalGgufModelPref: "qwen3-0.6b.gguf" });
  await expect(page.getByRole("button", { name: "Delete Qwen3 0.6B" })).toHaveCount(0);
  gateway.localModels.finish("qwen3-1.7b");
  await page.reload();
  await page.getByRole("button", { name: "Delete Qwen3 1.7B" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("button", { name: "Download Qwen3 1.7B" })).toBeVisible();
  await expect
    .poll(() => gateway.localModels.state.files.map(({ file }) => file))
    .toEqual(["qwen3-0.6b.gguf"]);
});

test("settings say why a download failed, and retry it", async ({ page, gateway }) => {
  gateway.localModels.download("qwen3-8b", {
    state: "failed",
    doneBytes: 2e9,
    fault: {
      code: "local-model.disk-full",
      params: { model: "Qwen3 8B", needed: 5.5, free: 3.1 },
    },
  });
  await openPanel(page);
  await expect(
    page.getByText("needs 5.5 GB of disk space, but only 3.1 GB are free"),
  ).toBeVisible();
  await expectAccessibleOnAllScreens(page);
  await page.getByRole("button", { name: "Retry · Qwen3 8B" }).click();
  await expect(page.getByRole("progressbar", { name: "Downloading Qwen3 8B" })).toBeVisible();
});

test("settings explain a server that downloads nothing", async ({ page, gateway }) => {
  gateway.localModels.state.hub = null;
  await openPanel(page);
  await expect(page.getByText("This server downloads no models.")).toBeVisible();
  await expect(page.getByText("models/gguf")).toBeVisible();
  await expect(page.getByRole("button", { name: "Download Qwen3 8B" })).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use(phone);
  test("the wizard's models fit", async ({ page, gateway }) => {
    gateway.isNew = true;
    gateway.workspaces = [];
    await page.goto("/onboarding/llm-preference");
    await card(page).check();
    await expect(page.getByRole("radio", { name: "Qwen3 8B" })).toBeVisible();
    await expectAccessible(page);
  });
});
